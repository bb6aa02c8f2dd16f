import { err, type Result, ResultAsync } from 'neverthrow';
import type { CallOptions } from '../api/inputs.js';
import type { ContractorScope } from '../domain/contractor.js';
import type { DealQuery } from '../domain/deal-list.js';
import { type InvalidIdempotencyKey, plainError, type Unavailable } from '../domain/errors.js';
import { isIdempotencyKey } from '../domain/idempotency.js';
import type { Language } from '../domain/messages.js';
import type { Parser } from '../domain/parser.js';
import type { Rules } from '../domain/profile.js';
import type { StagePlanner } from '../domain/stage.js';
import type { Tenant } from '../domain/tenant.js';
import type { WorkFileTerms } from '../domain/work-file.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Queues } from './queues.js';

/** What every use case works with. */
export interface Context {
  readonly ports: GuardedPorts;
  readonly rules: Rules;
  readonly parseDealQuery: Parser<DealQuery>;
  readonly parseWorkFile: Parser<WorkFileTerms>;
  /** Bytes that a work file may have. */
  readonly fileLimit: number;
  readonly contractorScope: ContractorScope;
  readonly stagePlanner: StagePlanner;
  /** The uploads of each deal. */
  readonly uploads: Queues;
}

/** Who calls, and how the call wants to be answered. */
export interface Call {
  readonly tenant: Tenant;
  readonly language: Language;
  readonly idempotencyKey: string | undefined;
}

/** Runs a use case that changes nothing, for the call that these options describe. */
export function answerQuery<T, E>(
  tenant: Tenant,
  options: CallOptions | undefined,
  useCase: (call: Call) => Promise<Result<T, E>>,
): ResultAsync<T, E | Unavailable> {
  const call = { tenant, language: languageOf(options), idempotencyKey: undefined };
  return answered(call, () => useCase(call));
}

/** Runs a command for the call that these options describe: a malformed key is refused first. */
export function answerCommand<T, E>(
  tenant: Tenant,
  options: CallOptions | undefined,
  useCase: (call: Call) => Promise<Result<T, E>>,
): ResultAsync<T, E | InvalidIdempotencyKey | Unavailable> {
  const language = languageOf(options);
  const idempotencyKey = read(options, 'idempotencyKey');
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
    return new ResultAsync(Promise.resolve(err(plainError('invalid_idempotency_key', language))));
  }
  const call = { tenant, language, idempotencyKey };
  return answered(call, () => useCase(call));
}

/** Rules and planners that a host plugs in may throw: no public call rejects. */
function answered<T, E>(
  call: Call,
  run: () => Promise<Result<T, E>>,
): ResultAsync<T, E | Unavailable> {
  return new ResultAsync<T, E | Unavailable>(
    run().catch((cause: unknown) => {
      const problem = { outcome: 'unknown', retryable: false, cause } as const;
      return err(unavailableError(portProblem('unknown', problem), call));
    }),
  );
}

function languageOf(options: CallOptions | undefined): Language {
  return read(options, 'language') === 'pl' ? 'pl' : 'en';
}

// options come from a caller in process, whose getters may throw: what cannot be read has no value
function read(options: CallOptions | undefined, name: keyof CallOptions): unknown {
  try {
    return options?.[name];
  } catch {
    return null;
  }
}

/** The public error of a port that failed. */
export function unavailableError(
  { port, outcome, retryable, retryAfter, cause }: PortProblem,
  { language }: Pick<Call, 'language'>,
): Unavailable {
  return Object.freeze({
    ...plainError('unavailable', language),
    port,
    outcome,
    retryable,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(cause === undefined ? {} : { cause }),
  });
}
