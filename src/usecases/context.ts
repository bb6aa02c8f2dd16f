import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { CallOptions } from '../api/inputs.js';
import type { ContractorScope } from '../domain/contractor.js';
import type { DealQuery } from '../domain/deal-list.js';
import {
  type InvalidIdempotencyKey,
  type Outcome,
  plainError,
  type Unavailable,
} from '../domain/errors.js';
import type { EventOrigin } from '../domain/events.js';
import { canonicalText, type Idempotency, isIdempotencyKey } from '../domain/idempotency.js';
import type { Language } from '../domain/messages.js';
import type { Parser } from '../domain/parser.js';
import type { Rules } from '../domain/profile.js';
import type { StagePlanner } from '../domain/stage.js';
import type { Tenant } from '../domain/tenant.js';
import { isUlid } from '../domain/ulid.js';
import type { WorkFileTerms } from '../domain/work-file.js';
import { type PortFailure, unavailable } from '../ports/answer.js';
import type { PortGuard } from '../ports/guard.js';
import type { ContentGuard } from '../ports/guard-content.js';
import type { MarketplacePorts, UpstreamPorts } from '../ports/marketplace-ports.js';

/** What every use case works with. */
export interface Context {
  readonly ports: (MarketplacePorts & { readonly upstream?: undefined }) | UpstreamPorts;
  readonly guard: PortGuard;
  readonly guardContent: ContentGuard;
  readonly rules: Rules;
  readonly parseDealQuery: Parser<DealQuery>;
  readonly parseWorkFile: Parser<WorkFileTerms>;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  readonly contractorScope: ContractorScope;
  readonly stagePlanner: StagePlanner;
  /** RFC 3339 in UTC of the clock's milliseconds. */
  readonly formatTime: (milliseconds: number) => string;
}

/** Who calls, and how the call wants to be answered. */
export interface Call {
  readonly tenant: Tenant;
  readonly language: Language;
  readonly idempotencyKey: string | undefined;
}

/** The call that these options describe: a malformed key is refused before anything else. */
export function readCall(
  tenant: Tenant,
  options: CallOptions | undefined,
): Result<Call, InvalidIdempotencyKey> {
  const language = languageOf(options);
  const idempotencyKey = read(options, 'idempotencyKey');
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
    return err(plainError('invalid_idempotency_key', language));
  }
  return ok({ tenant, language, idempotencyKey });
}

/** The language that a call asks for. */
export function languageOf(options: CallOptions | undefined): Language {
  return read(options, 'language') === 'pl' ? 'pl' : 'en';
}

// options come from a caller in process, whose getters may throw: what cannot be read is no value
function read(options: CallOptions | undefined, name: keyof CallOptions): unknown {
  try {
    return options?.[name];
  } catch {
    return null;
  }
}

/** The public error of a port that failed. */
export function portFailed(
  port: string,
  failure: PortFailure,
  { language }: Pick<Call, 'language'>,
): Unavailable {
  const { outcome, retryable, retryAfter, cause } = failure;
  return Object.freeze({
    ...plainError('unavailable', language),
    port,
    outcome,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A failure that no retry mends: what a host plugged in broke its promise. */
export function promiseBroken(
  port: string,
  cause: unknown,
  outcome: Outcome,
  call: Pick<Call, 'language'>,
): Unavailable {
  return portFailed(port, { code: 'unavailable', outcome, retryable: false, cause }, call);
}

/**
 * The answer of a use case, whatever happens: where a plug-in hands over what cannot even be read
 * (a store's decision without its members, rules that throw), the caller learns that too.
 */
export function answered<T, E>(
  answer: Promise<Result<T, E>>,
  options: CallOptions | undefined,
): ResultAsync<T, E | Unavailable> {
  return new ResultAsync<T, E | Unavailable>(
    answer.catch((cause: unknown) =>
      err(promiseBroken('unknown', cause, 'unknown', { language: languageOf(options) })),
    ),
  );
}

/** Time and id of what is about to happen. */
export function originate(
  { ports, formatTime }: Context,
  call: Call,
): Result<EventOrigin, Unavailable> {
  try {
    const at = formatTime(ports.clock.now(call.tenant));
    const id = ports.ids.next();
    if (isUlid(id)) return ok({ tenant: call.tenant, id, at });
    return err(promiseBroken('ids.next', 'an id is a ULID', 'none', call));
  } catch (cause) {
    return err(portFailed('system', unavailable({ outcome: 'none', cause }).error, call));
  }
}

/** What is stored beside the record so that the call can be repeated, if it asked for that. */
export function idempotencyOf(
  { ports }: Context,
  operation: string,
  command: object,
  call: Call,
): Result<Idempotency | undefined, Unavailable> {
  const { idempotencyKey: key } = call;
  if (key === undefined) return ok(undefined);
  try {
    const fingerprint: unknown = ports.digest(canonicalText(operation, command));
    // without one, every input would pass for the first
    return typeof fingerprint === 'string' && fingerprint !== ''
      ? ok({ key, fingerprint })
      : err(promiseBroken('digest', 'a digest is a text', 'none', call));
  } catch (cause) {
    return err(portFailed('digest', unavailable({ outcome: 'none', cause }).error, call));
  }
}
