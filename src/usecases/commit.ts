import { err, ok, type Result } from 'neverthrow';
import type { IdempotencyKeyReused, WithoutMessage } from '../domain/errors.js';
import type { EventOrigin } from '../domain/events.js';
import { canonicalText } from '../domain/idempotency.js';
import type { Row } from '../domain/records.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Expectation, WriteSet } from '../ports/write-set.js';
import type { Call, Context } from './context.js';

/** What a command has decided, to be made in one write. */
export interface Decision<T, R> {
  /** The operation and its canonical input: what tells a repeated call from another one. */
  readonly operation: string;
  readonly input: object;
  /** Within what an idempotency key names one call (decision 2.7). */
  readonly keyScope: 'contractor' | 'deal' | 'work_file';
  readonly origin: EventOrigin;
  /** What must be true, and what the caller gets where it is not: judged in this order. */
  readonly conditions: readonly {
    readonly expect: Expectation;
    readonly refusal: R;
  }[];
  readonly insert: WriteSet['insert'];
  readonly subject: NonNullable<WriteSet['subject']>;
  readonly events: WriteSet['events'];
  readonly answer: T;
}

/** The time and the id of what is about to happen. */
export function originate({ ports }: Context, { tenant }: Call): Result<EventOrigin, PortProblem> {
  return ports.now(tenant).andThen((at) => ports.nextId().map((id) => ({ tenant, id, at })));
}

/**
 * Makes a decision in one write, with its answer where the call has an idempotency key: the same
 * call again gets the first answer, even if the deal has changed since (decision 2.7).
 */
export async function commit<T, R>(
  context: Context,
  call: Call,
  decision: Decision<T, R>,
): Promise<Result<T, R | WithoutMessage<IdempotencyKeyReused> | PortProblem>> {
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
  if (committed.isErr()) return err(committed.error);
  if (committed.value.outcome === 'committed') return ok(answer);
  const { expectation, first } = committed.value;
  const condition = conditions[expectation - (row ? 1 : 0)];
  if (condition !== undefined) return err(condition.refusal);
  return first?.fingerprint === row?.fingerprint
    ? ok(JSON.parse(first?.answer ?? '') as T)
    : err({ code: 'idempotency_key_reused' });
}

/** The answer to store where the call has an idempotency key. */
function answerToKeep(
  { ports }: Context,
  { idempotencyKey }: Call,
  { operation, input, keyScope, answer }: Decision<unknown, unknown>,
): Result<Row<'answer'> | undefined, PortProblem> {
  if (idempotencyKey === undefined) return ok(undefined);
  return ports.digest(canonicalText(operation, input)).map((fingerprint) => ({
    answer_key: `${keyScope} ${idempotencyKey}`,
    fingerprint,
    answer: JSON.stringify(answer),
  }));
}
