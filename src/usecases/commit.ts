import { err, ok, type Result } from 'neverthrow';
import type { EventOrigin } from '../domain/events/events.js';
import type { IdempotencyKeyReused, WithoutMessage } from '../domain/input/errors.js';
import type { Row } from '../domain/records/records.js';
import { canonicalText } from '../domain/values/idempotency.js';
import type { PortProblem } from '../ports/answer.js';
import type { Expectation, WriteSet } from '../ports/write-set.js';
import type { Call, Context } from './context.js';
import { type TenantTime, timeOf } from './time-of.js';

/** The identity of a call, if it has an idempotency key (decision 2.7). */
export interface Keyed {
  /** The operation and its canonical input. */
  readonly operation: string;
  readonly input: object;
  /** The scope within which the key names one call. */
  readonly keyScope:
    | 'contractor'
    | 'deal'
    | 'work_file'
    | `work_file ${string}`
    | `command ${string}`;
}

/** The decision of a command, to be committed in one write. */
export interface Decision<T, R> extends Keyed {
  readonly origin: EventOrigin;
  /** The conditions, and the answer if one does not hold: judged in this order. */
  readonly conditions: readonly {
    readonly expect: Expectation;
    readonly refusal: R;
  }[];
  readonly insert: WriteSet['insert'];
  readonly change?: WriteSet['change'];
  readonly subject: NonNullable<WriteSet['subject']>;
  readonly events: WriteSet['events'];
  readonly answer: T;
}

/** The origin of an event, and the time that no sandbox has moved. */
export type Origin = EventOrigin & Pick<TenantTime, 'real'>;

/** The time, the id and the cause of the next change. */
export function originate(
  context: Context,
  call: Call,
): Result<Origin, PortProblem> | Promise<Result<Origin, PortProblem>> {
  const { ports } = context;
  const { tenant, actor, idempotencyKey } = call;
  const originOf = (time: Result<TenantTime, PortProblem>): Result<Origin, PortProblem> => {
    if (time.isErr()) return err(time.error);
    const id = ports.nextId();
    if (id.isErr()) return err(id.error);
    const cause = idempotencyKey === undefined ? ok(null) : ports.digest(idempotencyKey);
    if (cause.isErr()) return err(cause.error);
    const { now: at, real } = time.value;
    return ok({ tenant, id: id.value, at, real, actor, cause: cause.value });
  };
  const time = timeOf(context, tenant);
  return time instanceof Promise ? time.then(originOf) : originOf(time);
}

/**
 * Commits a decision in one write, with its answer if the call has an idempotency key: the same
 * call again gets the first answer, even if the deal has changed since (decision 2.7).
 */
export async function commit<T, R>(
  context: Context,
  call: Call,
  decision: Decision<T, R>,
): Promise<Result<T, R | WithoutMessage<IdempotencyKeyReused> | PortProblem>> {
  const { origin, conditions, change = [], subject, events, answer } = decision;
  const kept = answerToKeep(context, call, decision, answer);
  if (kept.isErr()) return err(kept.error);
  const row = kept.value;
  const expect = conditions.map((condition) => condition.expect);
  const committed = await context.ports.commit(call.tenant, {
    attempt: origin.id,
    expect: row ? [absent(row), ...expect] : expect,
    insert: row ? [...decision.insert, { kind: 'answer', row }] : decision.insert,
    change,
    subject,
    events,
  });
  if (committed.isErr()) return err(committed.error);
  if (committed.value.outcome === 'committed') return ok(answer);
  const { expectation, first } = committed.value;
  const condition = conditions[expectation - (row ? 1 : 0)];
  if (condition !== undefined) return err(condition.refusal);
  return firstAnswer<T>(first, row);
}

const absent = ({ answer_key: key }: Row<'answer'>) => ({ absent: 'answer', key }) as const;

function firstAnswer<T>(
  first: Pick<Row<'answer'>, 'fingerprint' | 'answer'> | undefined,
  row: Row<'answer'> | undefined,
): Result<T, WithoutMessage<IdempotencyKeyReused>> {
  return first?.fingerprint === row?.fingerprint
    ? ok(JSON.parse(first?.answer ?? '') as T)
    : err({ code: 'idempotency_key_reused' });
}

/** The answer to store if the call has an idempotency key. */
function answerToKeep(
  context: Context,
  call: Call,
  keyed: Keyed,
  answer: unknown,
): Result<Row<'answer'> | undefined, PortProblem> {
  // it is kept as long as the record of the call
  return keyOf(context, call, keyed).map(
    (key) => key && { ...key, answer: JSON.stringify(answer), ends_at: null },
  );
}

/** The record of an answer, by the scope of its idempotency key. */
const answerKey = (keyScope: Keyed['keyScope'], idempotencyKey: string) =>
  `${keyScope} ${idempotencyKey}`;

/** The first answer under the idempotency key of a call, if there is one. */
export async function findAnswer(
  context: Context,
  call: Call,
  attempt: string,
  keyScope: Keyed['keyScope'],
): Promise<Result<Met | undefined, PortProblem>> {
  const { idempotencyKey } = call;
  if (idempotencyKey === undefined) return ok(undefined);
  return readAnswer(context, call, attempt, answerKey(keyScope, idempotencyKey));
}

/** The record that a store has under a key. */
export type Met = Pick<Row<'answer'>, 'fingerprint' | 'answer'>;

/** Reads an answer, as a write that changes nothing. */
export async function readAnswer(
  { ports }: Context,
  { tenant }: Pick<Call, 'tenant'>,
  attempt: string,
  key: string,
): Promise<Result<Met | undefined, PortProblem>> {
  const found = await ports.commit(tenant, {
    attempt,
    expect: [{ absent: 'answer', key }],
    ...{ insert: [], change: [], events: [] },
  });
  return found.map((outcome) => (outcome.outcome === 'committed' ? undefined : outcome.first));
}

/** The key of an answer, if the call has an idempotency key. */
export function keyOf(
  { ports }: Context,
  { idempotencyKey }: Call,
  { operation, input, keyScope }: Keyed,
): Result<Pick<Row<'answer'>, 'answer_key' | 'fingerprint'> | undefined, PortProblem> {
  if (idempotencyKey === undefined) return ok(undefined);
  return ports
    .digest(canonicalText(operation, input))
    .map((fingerprint) => ({ answer_key: answerKey(keyScope, idempotencyKey), fingerprint }));
}
