import type { PartnerApi } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { WireErrorCode } from './problem.js';
import type { AnyShape } from './shape.js';

/** The versions of the interface (interface, Versioning). */
export type ApiVersion = '1.0' | '2.0';

type ErrorOf<Called> = Called extends ResultAsync<unknown, infer E> ? E : never;

export type OperationError = ErrorOf<ReturnType<PartnerApi<never>[keyof PartnerApi]>>;

/** The side of a deal that a route serves (decision 6.5). */
export type Face = 'partner' | 'freelancer' | 'operator' | 'sandbox';

/** The id by which a route names its deal. */
export type DealName =
  /** The id of a 1.0 deal, in the path. */
  | 'id'
  /** The partner's own id of a deal, percent-encoded in the path. */
  | 'partner_id'
  /** The same id as a parameter of the query: paths cannot carry every text. */
  | 'partner_id_parameter';

/** The input that a route reads, besides its path. */
export type RouteInput =
  | 'nothing'
  | 'body'
  /** A body that may be left out; then it is `{}`. */
  | 'command'
  | 'query'
  /** A file as JSON or as a form. */
  | 'file';

/** The methods of the interface. */
export type Method = 'GET' | 'POST' | 'DELETE';

/** The members of a body, or the parameters of a query: only their names count. */
export type Members = Readonly<Record<string, unknown>>;

/** The same, with every member of an input. */
export type MembersOf<T> = Readonly<Record<keyof T, true>>;

/** One route of the interface: the meaning of a method on a path. */
export interface Route {
  readonly name: string;
  readonly face: Face;
  readonly method: Method;
  /** With its closing slash; without the slash, the path means the same. */
  readonly path: string;
  readonly version: ApiVersion;
  readonly operation: string;
  readonly by?: DealName;
  readonly input: RouteInput;
  /** Its command, named as in the path. */
  readonly command?: string;
  /** Whether an `Idempotency-Key` makes a repeat safe. */
  readonly keyed: boolean;
  /** The members of the body, or the parameters of the query, that are read. */
  readonly members: Members;
  /** Whether it is served with either version (decision 6.7). */
  readonly isOfEither: boolean;
  /** The status of a success. */
  readonly status: 200 | 201;
  /** The shape of the answer of a success. */
  readonly answer: AnyShape | 'file';
  /** Its own errors, besides the common errors of every route. */
  readonly errors: readonly WireErrorCode[];
}

/** The further errors of a route with a body. */
const ofBody = [
  'invalid_json',
  'incomplete_body',
  'validation_failed',
  'invalid_idempotency_key',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const satisfies readonly WireErrorCode[];

/** The further errors of a route with a query. */
export const listErrors = [
  'validation_failed',
  'invalid_cursor',
] as const satisfies readonly WireErrorCode[];

const ofKeys: readonly WireErrorCode[] = ['invalid_idempotency_key', 'idempotency_key_reused'];

/** The further errors of a command. */
export const commandErrors = [
  'illegal_transition',
  'precondition_failed',
] as const satisfies readonly WireErrorCode[];

/** The errors of every route of the interface. */
export const commonErrors = [
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly WireErrorCode[];

/** The row of a route in the table of its face. */
export type Row = Pick<Route, 'path' | 'input' | 'answer'> &
  Partial<Pick<Route, 'method' | 'command' | 'keyed' | 'members' | 'errors' | 'isOfEither'>> & {
    /** The operation, if several rows share it. */
    readonly operation?: string;
  };

/** The rows of a face, by their names. */
export type Rows<Name extends string = string> = Readonly<Record<Name, Row>>;

/** The row of a command of a deal: its path, its members and its answer. */
export const commandRow = (place: string, command: string, members: Members, answer: AnyShape) =>
  ({
    path: `${place}${command}/`,
    command,
    input: 'command',
    members,
    answer,
    errors: commandErrors,
  }) as const;

/** The row of a download of a work file of the deal at this place. */
export const downloadRow = (place: string) =>
  ({
    path: `${place}file/{file_id}/`,
    input: 'nothing',
    answer: 'file',
    errors: ['range_not_satisfiable'],
  }) as const;

function routeOf(
  face: Face,
  name: string,
  operation: string,
  { members = {}, errors = [], keyed = true, isOfEither, ...row }: Row,
): Route {
  const version = row.path.startsWith('/api/1.0/') ? '1.0' : '2.0';
  const by = (['partner_id', 'id'] as const).find((each) => row.path.includes(`{${each}}`));
  const common = {
    ...row,
    name,
    face,
    version,
    operation,
    ...(by && { by }),
    members,
    isOfEither: isOfEither ?? (by === 'partner_id' || face !== 'partner'),
  } as const;
  if (row.input === 'nothing' || row.input === 'query') {
    return { method: 'GET', ...common, status: 200, keyed: false, errors };
  }
  const status = row.input === 'command' ? 200 : 201;
  const refusals = [...ofBody.filter((code) => keyed || !ofKeys.includes(code)), ...errors];
  return { ...common, method: 'POST', status, keyed, errors: refusals };
}

/** How many arguments an operation takes before its options: those of its path, and its input. */
export function argumentsOf({ path, input }: Route): number {
  return path.split('{').length - (input === 'nothing' ? 1 : 0);
}

const prefixes = {
  partner: '',
  freelancer: 'freelancer',
  operator: 'operator',
  payments: 'payments',
  sandbox: 'sandbox',
} as const;

/** The name of an operation in a list of all faces. */
export function routeName(whose: keyof typeof prefixes, operation: string): string {
  const prefix = prefixes[whose];
  return prefix === ''
    ? operation
    : prefix + operation.charAt(0).toUpperCase() + operation.slice(1);
}

/** The routes of a face, by their names. */
export function routesOf<Name extends string>(
  face: Face,
  rows: Rows<Name>,
): Readonly<Record<Name, Route>> {
  return Object.fromEntries(
    Object.entries<Row>(rows).map(([name, row]) => [
      name,
      routeOf(face, routeName(face, name), row.operation ?? name, row),
    ]),
  ) as Record<Name, Route>;
}

/** Calls a hook of the host: if it throws or rejects, the request goes on. */
export function callHook<T>(hook: (report: T) => unknown, report: T): void {
  try {
    Promise.resolve(hook(report)).then(undefined, () => undefined);
  } catch {
    // a failure of the hook is the host's own business
  }
}
