import {
  type DownloadedFile,
  describeIssue,
  type Language,
  type ServicePromises,
} from 'dealwright';
import type { Result, ResultAsync } from 'neverthrow';
import { isCategories } from '../wire/deals.js';
import { isForEveryFace } from '../wire/promises.js';
import type {
  ApiVersion,
  DealName,
  Members,
  OperationError,
  Route,
  RouteInput,
} from '../wire/route.js';
import type { Caller } from './callers.js';
import { isJson, preferredLanguage } from './language.js';
import type { HttpRequest } from './messages.js';
import { fileTypes, formBoundary, formOverhead, readForm } from './read-form.js';
import { type BodyReading, isEncoded, readJson, unsupported } from './read-json.js';
import { noOperation, portRefusal, type Refusal, type Reply, unauthorized } from './reply.js';
import { numberOrText, queryOf, unknownNames } from './request-facts.js';
import type { Resource } from './router.js';
import { sendFile } from './send-file.js';

type Operation = (...args: readonly unknown[]) => ResultAsync<object, OperationError>;

/** What a handler itself limits. */
interface Serving extends BodyReading {
  /** The promises of the marketplace, as far as the handler keeps them. */
  promises(of: ServicePromises): ServicePromises;
}

/** Reads the input of a route and calls its operation. */
export async function callOperation(
  request: HttpRequest,
  route: Route,
  parameters: Resource['parameters'],
  caller: Caller,
  serving: Serving,
): Promise<Reply | Refusal> {
  const { partner, id, partner_id, ...others } = parameters;
  const api = caller.apiOf(route, partner === undefined ? {} : { partner: decoded(partner) ?? '' });
  if (api === undefined) {
    return partner === undefined ? noOperation : { code: 'not_found', resource: 'partner' };
  }
  const input = await readInput(request, route, id ?? partner_id, Object.values(others), serving);
  if ('code' in input) return input;
  const language = preferredLanguage(request.header('accept-language'));
  const idempotencyKey = route.keyed ? request.header('idempotency-key') : undefined;
  // input from outside has no type yet: the operation itself judges it
  const operation = Reflect.get(api, route.operation) as Operation;
  const result = await operation(...input.args, {
    language,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  input.close?.();
  if (input.unknown !== undefined) return refuseUnknown(input.unknown, language, result);
  if (result.isErr()) return refusalOf(result.error);
  if (route.answer === 'file') return sendFile(request, result.value as DownloadedFile);
  const value = isForEveryFace(route)
    ? serving.promises(result.value as ServicePromises)
    : result.value;
  const body = envelope(route.version, value);
  // in a success, only the names of categories are in a language
  return isCategories(route.answer)
    ? { status: route.status, body, headers: { 'content-language': language } }
    : { status: route.status, body };
}

/** The arguments of an operation, before its options. */
interface Input {
  readonly args: readonly unknown[];
  /** Parameters of the request that the list does not have. */
  readonly unknown?: UnknownParameters;
  /** Releases a body that may not have been read to its end. */
  readonly close?: () => void;
}

function readInput(
  request: HttpRequest,
  { by, input, members, version }: Route,
  id: string | undefined,
  others: readonly string[],
  reading: BodyReading,
): Input | Refusal | Promise<Input | Refusal> {
  const named = [
    ...(by === undefined ? [] : [argumentFor(input, by, dealOf(request, by, id))]),
    ...others.map((each) => decoded(each)),
  ];
  switch (input) {
    case 'nothing':
      return { args: named };
    case 'query': {
      const names = Object.keys(members);
      const known = by === 'partner_id_parameter' ? ['partner_id', ...names] : names;
      const args = [...named, queryInput(request.target, names)];
      // 1.0 ignores unknown parameters
      const unknown = version === '1.0' ? [] : unknownNames(request.target, known);
      return unknown.length === 0 ? { args } : { args, unknown: { names: unknown, known } };
    }
    case 'body':
      return readBody(request, named, members, reading);
    case 'command':
      return readCommand(request, named, members, reading);
    case 'file':
      return readFile(request, named, members, reading);
  }
}

/** The deal as an argument of its operation: an upload takes a reference of either kind. */
function argumentFor(input: RouteInput, by: DealName, deal: number | string | undefined): unknown {
  if (input !== 'file') return deal;
  return by === 'id' ? { id: deal } : { partner_id: deal };
}

/** The id by which the caller names the deal. */
function dealOf(
  request: HttpRequest,
  by: DealName,
  parameter: string | undefined,
): number | string | undefined {
  switch (by) {
    case 'id':
      return idOf(parameter);
    case 'partner_id':
      return decoded(parameter);
    case 'partner_id_parameter':
      // without the parameter, this part of the path is an id like any other
      return queryOf(request.target, ['partner_id']).partner_id ?? 'by-id';
  }
}

/** A command needs no body: without a body and a type, its input is `{}`. */
async function readCommand(
  request: HttpRequest,
  deal: readonly unknown[],
  members: Members,
  reading: BodyReading,
): Promise<Input | Refusal> {
  if (request.header('content-type') === undefined && !isEncoded(request)) {
    const bytes = await request.body(0);
    if (typeof bytes !== 'string' && bytes.length === 0) return { args: [...deal, {}] };
  }
  return readBody(request, deal, members, reading);
}

async function readBody(
  request: HttpRequest,
  before: readonly unknown[],
  members: Members,
  reading: BodyReading,
): Promise<Input | Refusal> {
  const read = await readJson(request, members, reading);
  return 'code' in read ? read : { args: [...before, read.value] };
}

async function readFile(
  request: HttpRequest,
  deal: readonly unknown[],
  members: Members,
  reading: BodyReading,
): Promise<Input | Refusal> {
  const type = request.header('content-type');
  if (!isEncoded(request) && isJson(type)) return readBody(request, deal, members, reading);
  const boundary = formBoundary(type);
  if (isEncoded(request) || boundary === undefined) {
    return unsupported(fileTypes);
  }
  if (Number(request.header('content-length')) > reading.file + formOverhead) {
    return { code: 'payload_too_large', maxBytes: reading.file };
  }
  const chunks = request.stream()[Symbol.asyncIterator]();
  const close = () => {
    // neither the rest of the body nor the result of the release is waited for
    chunks.return?.().then(undefined, () => undefined);
  };
  const form = await readForm(chunks, boundary, reading.file);
  if (!('code' in form)) return { args: [...deal, form], close };
  close();
  return form;
}

/** The number of an id, or `NaN` if the text is not an id. */
function idOf(parameter: string | undefined): number {
  return /^[1-9]\d{0,15}$/.test(parameter ?? '') ? Number(parameter) : Number.NaN;
}

function decoded(parameter: string | undefined): string | undefined {
  try {
    return decodeURIComponent(parameter ?? '');
  } catch {
    return undefined;
  }
}

function queryInput(target: string, names: readonly string[]): object {
  const { page_size, ...query } = queryOf(target, names);
  return page_size === undefined ? query : { ...query, page_size: numberOrText(page_size) };
}

interface UnknownParameters {
  readonly names: readonly string[];
  /** The parameters that the list has. */
  readonly known: readonly string[];
}

/** A mistyped filter would match everything. It is refused together with all other mistakes. */
function refuseUnknown(
  { names, known: allowed }: UnknownParameters,
  language: Language,
  result: Result<object, OperationError>,
): Refusal {
  const refusal = result.isErr() ? refusalOf(result.error) : undefined;
  // a caller that may not see the deal learns nothing else
  if (refusal?.code === 'unauthorized') return refusal;
  const unknown = names.map((name) =>
    describeIssue({ path: [name], code: 'unknown_parameter', params: { allowed } }, language),
  );
  return { code: 'validation_failed', errors: [...(refusal?.errors ?? []), ...unknown] };
}

function envelope(version: ApiVersion, data: object): string {
  const json = JSON.stringify(data);
  return version === '1.0' ? `{"success":true,"data":${json}}` : `{"data":${json}}`;
}

/** The members of an error that a caller sees. */
type Told = Pick<Refusal, 'code' | 'errors' | 'reason' | 'resource'> & {
  readonly max_bytes?: number;
};

function refusalOf(error: OperationError): Refusal {
  if (error.code === 'unavailable') return portRefusal(error);
  // a payment token is judged only when its deal is looked for
  if ((error as { readonly code: string }).code === 'unauthorized') return unauthorized('Offer');
  const { code, errors, reason, resource, max_bytes: maxBytes }: Told = error;
  const known = error.code === 'illegal_transition' ? error : undefined;
  return { code, errors, reason, resource, maxBytes, known };
}
