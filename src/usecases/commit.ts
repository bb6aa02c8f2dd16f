import { err, ok, type Result } from 'neverthrow';
import { type IdempotencyKeyReused, plainError, type Unavailable } from '../domain/errors.js';
import type { EventOrigin } from '../domain/events.js';
import { canonicalText } from '../domain/idempotency.js';
import type { Row } from '../domain/records.js';
import type { Expectation, WriteSet } from '../ports/write-set.js';
import { type Call, type Context, unavailableError } from './context.js';

/** What a command has decided, to be made in one write. */
export interface Decision<T, E> {
  /** The operation and its canonical input: what tells a repeated call from another one. */
  readonly operation: string;
  readonly input: object;
  /** Within what an idempotency key names one call (decision 2.7). */
  readonly keyScope: 'contractor' | 'deal' | 'work_file';
  readonly origin: EventOrigin;
  /** What has to be so, and what the caller is told where it is not: judged in this order. */
  readonly conditions: readonly {
    readonly expect: Expectation;
    readonly refusal: () => E | Unavailable;
  }[];
  readonly insert: WriteSet['insert'];
  readonly subject: NonNullable<WriteSet['subject']>;
  readonly events: WriteSet['events'];
  readonly answer: T;
}

/** The time and the id of what is about to happen. */
export function originate({ ports }: Context, call: Call): Result<EventOrigin, Unavailable> {
  const { tenant } = call;
  return ports
    .now(tenant)
    .andThen((at) => ports.nextId().map((id) => ({ tenant, id, at })))
    .mapErr((problem) => unavailableError(problem, call));
}

/**
 * Makes a decision in one write, with its answer where the call has an idempotency key: the same
 * call again is answered with the first answer, even if the deal has moved on since (decision 2.7).
 */
export async function commit<T, E>(
  context: Context,
  call: Call,
  decision: Decision<T, E>,
): Promise<Result<T, E | IdempotencyKeyReused | Unavailable>> {
  const { origin, conditions, subject, events, answer } = decision;
  const kept = answerToKeep(context, call, decision);
  if (kept.isErr()) return err(kept.error);
  const row = kept.value;
  const expect = conditions.map((condition) => condition.expect);
  const committed = await context.ports.commit(call.tenant, {
    attempt: origin.id,
    expect: row ? [{ absent: 'answer', key: row.answer_key }, ...expect] : expect,
    insert: row ? [...decision.insert, { kind: 'answer', row }] : decision.insert,
    change: [],
    subject,
    events,
  });
  if (committed.isErr()) return err(unavailableError(committed.error, call));
  if (committed.value.outcome === 'committed') return ok(answer);
  const { expectation, first } = committed.value;
  const condition = conditions[expectation - (row ? 1 : 0)];
  if (condition !== undefined) return err(condition.refusal());
  return first?.fingerprint === row?.fingerprint
    ? ok(JSON.parse(first?.answer ?? '') as T)
    : err(plainError('idempotency_key_reused', call.language));
}

/** What is stored so that the call can be repeated, if it asked for that. */
function answerToKeep(
  { ports }: Context,
  call: Call,
  { operation, input, keyScope, answer }: Decision<unknown, unknown>,
): Result<Row<'answer'> | undefined, Unavailable> {
  const { idempotencyKey } = call;
  if (idempotencyKey === undefined) return ok(undefined);
  return ports
    .digest(canonicalText(operation, input))
    .map((fingerprint) => ({
      answer_key: `${keyScope} ${idempotencyKey}`,
      fingerprint,
      answer: JSON.stringify(answer),
    }))
    .mapErr((problem) => unavailableError(problem, call));
}
