import { err, ok, type Result } from 'neverthrow';
import { dealSubject } from '../domain/events/events.js';
import type { IdempotencyKeyReused, WithoutMessage } from '../domain/input/errors.js';
import {
  type KeptColumns,
  keepState,
  type Naming,
  stateOfKept,
  without,
} from '../domain/life/kept-state.js';
import type { DealState } from '../domain/payments/draft.js';
import type { DealPart, Row } from '../domain/records/records.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { DealWith } from '../ports/store.js';
import type { Call, Context } from './context.js';

/** What the key of a command keeps: its answer is made from the deal again (decision 2.7). */
export type KeptAnswer = Shared | Own;

/** What has changed since is kept once for all keys of this version, a day longer than the last. */
interface Shared {
  /** The version of the deal that was answered. */
  readonly version: number;
  /** Real time from which the key is as new. */
  readonly until: string;
  readonly state?: undefined;
}

interface Own {
  readonly version: number;
  /** Without it, the key is kept as long as the deal. */
  readonly until?: string;
  /** What has changed since. */
  readonly state: KeptColumns;
}

const day = 24 * 60 * 60 * 1000;

/** What makes a write known that inserts nothing else; no write is sent again after a day. */
export function attemptRow(id: string, now: number): Row<'answer'> {
  const ends_at = formatTimestamp(now + day);
  return { answer_key: `attempt ${id}`, fingerprint: '', answer: '{}', ends_at };
}

/** When a key of a command may go, and later what all keys of one version share. */
export function keyEnds({ keyDays }: Context, now: number) {
  return {
    key: formatTimestamp(now + keyDays * day),
    shared: formatTimestamp(now + (keyDays + 1) * day),
  };
}

/** The key of what all keys of one version of a deal share. */
export function sharedKey(
  { deal }: { readonly deal: { readonly partner_id: string } },
  version: number,
): string {
  return `state ${deal.partner_id} ${version}`;
}

/** Where a port names no text, no name is right. */
function naming({ ports }: Context): Naming {
  return (text) => ports.digest(text).unwrapOr('').slice(0, 12);
}

/** What the answer about this state is made from later. */
export function keep(context: Context, state: DealState): KeptColumns {
  return keepState(state, naming(context));
}

/** A first answer under a key: what it is made from, or the whole of it from before there was that. */
export type FirstOf<T> = { readonly kept: KeptAnswer } | { readonly answer: T };

export function readFirst<T>(text: string): FirstOf<T> {
  const value = JSON.parse(text) as T | KeptAnswer;
  const isKept = typeof (value as Partial<KeptAnswer>).version === 'number';
  return isKept ? { kept: value as KeptAnswer } : { answer: value as T };
}

/**
 * The deal as it was when this was kept; `stale` where it was read before that, and the end of the
 * key where it cannot be known any more.
 */
export async function stateAt(
  context: Context,
  { tenant }: Call,
  state: DealWith<DealPart>,
  kept: KeptAnswer,
): Promise<Result<DealState | 'stale' | { readonly ended: string }, PortProblem>> {
  const { version } = kept;
  if (state.deal.version < version) return ok('stale');
  if (state.deal.version === version) return ok(state);
  if (kept.state !== undefined) return asItWas(context, tenant, state, version, kept.state);
  const shared = await findShared(context, tenant, sharedKey(state, version));
  if (shared.isErr()) return err(shared.error);
  if (shared.value === undefined) return ok({ ended: kept.until });
  return asItWas(context, tenant, state, version, shared.value);
}

async function asItWas(
  context: Context,
  tenant: Call['tenant'],
  state: DealWith<DealPart>,
  version: number,
  columns: KeptColumns,
): Promise<Result<DealState, PortProblem>> {
  const later = await attemptsAfter(context, tenant, state, version);
  return later.map((attempts) => stateOfKept(without(state, attempts), columns, naming(context)));
}

async function findShared(
  { ports }: Context,
  tenant: Call['tenant'],
  key: string,
): Promise<Result<KeptColumns | undefined, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const found = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: [{ absent: 'answer', key }],
    ...{ insert: [], change: [], events: [] },
  });
  return found.map((outcome) =>
    outcome.outcome === 'committed' || outcome.first === undefined
      ? undefined
      : (JSON.parse(outcome.first.answer) as KeptColumns),
  );
}

/** How many events of a deal one read takes. */
const pageSize = 1_000;

/** The attempts of all writes that have moved a deal on: the first event of each has its name. */
async function attemptsAfter(
  { ports }: Context,
  tenant: Call['tenant'],
  { deal }: DealWith<DealPart>,
  version: number,
): Promise<Result<ReadonlySet<string>, PortProblem>> {
  const attempts = new Set<string>();
  // each event of a deal is one version of it
  for (let after = version; after < deal.version; after += pageSize) {
    const read = await ports.eventsOf(tenant, dealSubject(deal), after, pageSize);
    if (read.isErr()) return err(read.error);
    for (const { id } of read.value) attempts.add(id);
  }
  return ok(attempts);
}

/** What a store has under a key that was met. */
export type Met = Pick<Row<'answer'>, 'fingerprint' | 'answer'>;

/** What is under a key, unless it has ended: then nothing is, but its end. */
export function judgeMet<T>(
  met: Met,
  fingerprint: string,
  now: string,
): Result<FirstOf<T> | { readonly ended: string }, WithoutMessage<IdempotencyKeyReused>> {
  const first = readFirst<T>(met.answer);
  const until = 'kept' in first ? first.kept.until : undefined;
  if (until !== undefined && until <= now) return ok({ ended: until });
  return met.fingerprint === fingerprint ? ok(first) : err({ code: 'idempotency_key_reused' });
}
