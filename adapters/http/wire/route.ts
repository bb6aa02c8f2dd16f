import type { PartnerApi } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { WireErrorCode } from './problem.js';
import type { AnyShape } from './shape.js';

/** The versions of the interface (interface, Versioning). */
export type ApiVersion = '1.0' | '2.0';

type ErrorOf<Called> = Called extends ResultAsync<unknown, infer E> ? E : never;

export type OperationError = ErrorOf<ReturnType<PartnerApi<never>[keyof PartnerApi]>>;

/** Whose side of a deal a route is (decision 6.5). */
export type Face = 'partner' | 'freelancer' | 'operator' | 'sandbox';

/** What names the deal that a route is about. */
export type DealName =
  /** The id of a 1.0 deal, in the path. */
  | 'id'
  /** The partner's own id of a deal, percent-encoded in the path. */
  | 'partner_id'
  /** The same as a parameter of the query: paths cannot carry every text. */
  | 'partner_id_parameter';

/** What a route reads of a request besides. */
export type RouteInput =
  | 'nothing'
  | 'body'
  /** A body that may be left out: then it is `{}`. */
  | 'command'
  | 'query'
  /** A file as JSON or as a form. */
  | 'file';

/** The methods of the interface. */
export type Method = 'GET' | 'POST' | 'DELETE';

/** The members of a body, or the parameters of a query: what matters is their names. */
export type Members = Readonly<Record<string, unknown>>;

/** The same, with every member that an input has. */
export type MembersOf<T> = Readonly<Record<keyof T, true>>;

/** One row of the interface: what a method on a path means. */
export interface Route {
  readonly name: string;
  readonly face: Face;
  readonly method: Method;
  /** With its closing slash; without it the same path is answered the same way. */
  readonly path: string;
  readonly version: ApiVersion;
  readonly operation: string;
  readonly by?: DealName;
  readonly input: RouteInput;
  /** The command that it gives, named as in the path. */
  readonly command?: string;
  /** Whether an `Idempotency-Key` makes a repeat safe. */
  readonly keyed: boolean;
  /** What is read of the body or the query, by its names. */
  readonly members: Members;
  /** Whether it is served with either version (decision 6.7). */
  readonly isOfEither: boolean;
  /** Of a success. */
  readonly status: 200 | 201;
  /** What a success holds. */
  readonly answer: AnyShape | 'file';
  /** Its own errors; every route of the interface has the common ones besides. */
  readonly errors: readonly WireErrorCode[];
}

/** What a route that takes a body can answer besides. */
const ofBody = [
  'invalid_json',
  'incomplete_body',
  'validation_failed',
  'invalid_idempotency_key',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
] as const satisfies readonly WireErrorCode[];

/** What a route that takes a query can answer besides. */
export const listErrors = [
  'validation_failed',
  'invalid_cursor',
] as const satisfies readonly WireErrorCode[];

const ofKeys: readonly WireErrorCode[] = ['invalid_idempotency_key', 'idempotency_key_reused'];

/** What every route of the interface can answer. */
export const commonErrors = [
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly WireErrorCode[];

/** What a row says of its route. */
export type Row = Pick<Route, 'path' | 'input' | 'answer'> &
  Partial<
    Pick<Route, 'by' | 'method' | 'command' | 'keyed' | 'members' | 'errors' | 'isOfEither'>
  > & {
    /** The operation, if several rows have one. */
    readonly operation?: string;
  };

/** The rows of a face, by their names. */
export type Rows<Name extends string = string> = Readonly<Record<Name, Row>>;

/** A command of a deal: where it stands, what it may say, and what it is answered with. */
export const commandRow = (place: string, command: string, members: Members, answer: AnyShape) =>
  ({
    path: `${place}${command}/`,
    command,
    input: 'command',
    members,
    answer,
    errors: ['illegal_transition', 'precondition_failed'],
  }) as const;

function routeOf(
  face: Face,
  name: string,
  operation: string,
  { members = {}, errors = [], keyed = true, isOfEither, ...row }: Row,
): Route {
  const version = row.path.startsWith('/api/1.0/') ? '1.0' : '2.0';
  const common = {
    ...row,
    name,
    face,
    version,
    operation,
    members,
    isOfEither: isOfEither ?? (row.by === 'partner_id' || face !== 'partner'),
  } as const;
  if (row.input === 'nothing' || row.input === 'query') {
    return { method: 'GET', ...common, status: 200, keyed: false, errors };
  }
  const status = row.input === 'command' ? 200 : 201;
  const refusals = [...ofBody.filter((code) => keyed || !ofKeys.includes(code)), ...errors];
  return { ...common, method: 'POST', status, keyed, errors: refusals };
}

/** How much an operation takes before its options: what its path names, and its input. */
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

/** What an operation is called where those of all faces stand together. */
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
