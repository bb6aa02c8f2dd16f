import { err, ok, type Result } from 'neverthrow';
import type { IdempotencyKeyReused, WithoutMessage } from '../domain/errors.js';
import { dealSubject } from '../domain/events.js';
import type { DealState } from '../domain/life/draft.js';
import {
  type KeptColumns,
  keepState,
  type Naming,
  stateOfKept,
  without,
} from '../domain/life/kept-state.js';
import type { DealPart, Row } from '../domain/records.js';
import { formatTimestamp } from '../domain/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { DealWith } from '../ports/store.js';
import type { Call, Context } from './context.js';

/** What the key of a command keeps: its answer is made from the deal again (decision 2.7). */
export interface KeptAnswer {
  /** The version of the deal that was answered. */
  readonly version: number;
  /** Real time from which the key is as new; without it, it is kept as long as the deal. */
  readonly until?: string;
  /** What has changed since; without it, it is kept for all keys of this version. */
  readonly state?: KeptColumns;
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
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = ports.digest(text).unwrapOr('').slice(0, 12);
    names.set(text, name);
    return name;
  };
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
 * The deal as it was when this was kept; `stale` where it was read before that, and nothing where it
 * cannot be known any more.
 */
export async function stateAt(
  context: Context,
  { tenant }: Call,
  state: DealWith<DealPart>,
  { version, state: own }: KeptAnswer,
): Promise<Result<DealState | 'stale' | undefined, PortProblem>> {
  if (state.deal.version < version) return ok('stale');
  if (state.deal.version === version) return ok(state);
  const kept =
    own === undefined ? await findShared(context, tenant, sharedKey(state, version)) : ok(own);
  if (kept.isErr()) return err(kept.error);
  if (kept.value === undefined) return ok(undefined);
  const later = await attemptsAfter(context, tenant, dealSubject(state.deal), version);
  if (later.isErr()) return err(later.error);
  return ok(stateOfKept(without(state, later.value), kept.value, naming(context)));
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
  subject: string,
  version: number,
): Promise<Result<ReadonlySet<string>, PortProblem>> {
  const attempts = new Set<string>();
  let after = version;
  for (;;) {
    const read = await ports.eventsOf(tenant, subject, after, pageSize);
    if (read.isErr()) return err(read.error);
    for (const { id } of read.value) attempts.add(id);
    after = read.value.at(-1)?.sequence ?? after;
    if (read.value.length < pageSize) return ok(attempts);
  }
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
