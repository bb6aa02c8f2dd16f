import { err, ok, type Result } from 'neverthrow';
import { dealSubject } from '../domain/events/events.js';
import type { IdempotencyKeyReused, WithoutMessage } from '../domain/input/errors.js';
import {
  type KeptColumns,
  keepState,
  type Naming,
  stateOfKept,
  without,
  withTerms,
} from '../domain/life/kept-state.js';
import type { DealState } from '../domain/payments/draft.js';
import type { DealPart, Row } from '../domain/records/records.js';
import type { ProposalRow } from '../domain/terms/proposal.js';
import { termsKey, versionOf } from '../domain/terms/terms.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { DealWith } from '../ports/store.js';
import { type Met, readAnswer } from './commit.js';
import type { Call, Context } from './context.js';
import { wholeTerms } from './kept-terms.js';

/** The record under the key of a command: its answer is made from the deal again (decision 2.7). */
export type KeptAnswer = Shared | Own | Proposed | Whole;

/** The state of this version is kept once for all its keys, a day longer than the last of them. */
interface Shared {
  /** The version of the deal that was answered. */
  readonly version: number;
  /** Real time from which the key may be used again. */
  readonly until: string;
  readonly state?: undefined;
}

interface Own {
  readonly version: number;
  /** Without it, the key is kept as long as the deal. */
  readonly until?: string;
  /** The values of then that may have changed since. */
  readonly state: KeptColumns;
}

/** An answer that is a proposal: its record is read again. */
interface Proposed {
  readonly version: number;
  /** Without it, the key is kept as long as the deal. */
  readonly until?: string;
  /** Its id, and the values of then that may have changed since. */
  readonly proposal: Pick<ProposalRow, 'id' | 'status' | 'decided_at'>;
  readonly state?: undefined;
}

/** An answer that earlier versions of the library kept as it is. */
interface Whole {
  readonly version: number;
  /** Without it, the key is kept as long as the deal. */
  readonly until?: string;
  readonly whole: unknown;
  readonly state?: undefined;
}

const day = 24 * 60 * 60 * 1000;

/** The record that identifies a write without other inserts; no write is sent again after a day. */
export function attemptRow(id: string, now: number): Row<'answer'> {
  const ends_at = formatTimestamp(now + day);
  return { answer_key: `attempt ${id}`, fingerprint: '', answer: '{}', ends_at };
}

/**
 * The times at which a key of a command, and the state shared by all keys of one version, expire.
 */
export function keyEnds({ keyDays }: Context, now: number) {
  return {
    key: formatTimestamp(now + keyDays * day),
    shared: formatTimestamp(now + (keyDays + 1) * day),
  };
}

/** The key of the state that all keys of one version of a deal share. */
export function sharedKey(
  { deal }: { readonly deal: { readonly partner_id: string } },
  version: number,
): string {
  return `state ${deal.partner_id} ${version}`;
}

/** If the port fails to make a digest, no name matches. */
function naming({ ports }: Context): Naming {
  return (text) => ports.digest(text).unwrapOr('').slice(0, 12);
}

/** The values from which the answer about this state is made later. */
export function keep(context: Context, state: DealState): KeptColumns {
  return keepState(state, naming(context));
}

/**
 * A first answer under a key: the values it is made from, or the whole answer of an older version.
 */
export type FirstOf<T> =
  | { readonly kept: Exclude<KeptAnswer, Whole> }
  | { readonly answer: T; readonly until?: string | undefined };

export function readFirst<T>(text: string): FirstOf<T> {
  const value = JSON.parse(text) as T | KeptAnswer;
  const isKept = typeof (value as Partial<KeptAnswer>).version === 'number';
  if (!isKept) return { answer: value as T };
  const kept = value as KeptAnswer;
  return 'whole' in kept ? { answer: kept.whole as T, until: kept.until } : { kept };
}

/**
 * The deal as it was when this was stored; `stale` if it was read before that, and the end of the
 * key if its state is no longer known.
 */
export async function stateAt(
  context: Context,
  { tenant }: Call,
  state: DealWith<DealPart>,
  kept: Shared | Own,
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
  if (later.isErr()) return err(later.error);
  const then = stateOfKept(without(state, later.value), columns, naming(context));
  if (then.deal.terms_version === state.deal.terms_version) return ok(then);
  const key = termsKey(then.deal.partner_id, versionOf(then.deal));
  const found = await context.ports.recordByKey(tenant, 'terms', key);
  if (found.isErr()) return err(found.error);
  const rows = found.value === undefined ? [] : [found.value];
  const terms = await wholeTerms(context, { tenant }, state, rows);
  return terms.map(([row]) => (row === undefined ? then : withTerms(then, row, columns)));
}

async function findShared(
  context: Context,
  tenant: Call['tenant'],
  key: string,
): Promise<Result<KeptColumns | undefined, PortProblem>> {
  const attempt = context.ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const found = await readAnswer(context, { tenant }, attempt.value, key);
  return found.map((met) => met && (JSON.parse(met.answer) as KeptColumns));
}

/** How many events of a deal one read takes. */
const pageSize = 1_000;

/** The attempts of all writes that changed a deal since: the id of the first event of each. */
async function attemptsAfter(
  { ports }: Context,
  tenant: Call['tenant'],
  { deal }: DealWith<DealPart>,
  version: number,
): Promise<Result<ReadonlySet<string>, PortProblem>> {
  const attempts = new Set<string>();
  // each event of a deal makes one version of it
  for (let after = version; after < deal.version; after += pageSize) {
    const read = await ports.eventsOf(tenant, dealSubject(deal), after, pageSize);
    if (read.isErr()) return err(read.error);
    for (const { id } of read.value) attempts.add(id);
  }
  return ok(attempts);
}

/** The answer under a key, or the time at which the key expired. */
export function judgeMet<T>(
  met: Met,
  fingerprint: string,
  now: string,
): Result<FirstOf<T> | { readonly ended: string }, WithoutMessage<IdempotencyKeyReused>> {
  const first = readFirst<T>(met.answer);
  const { until } = 'kept' in first ? first.kept : first;
  if (until !== undefined && until <= now) return ok({ ended: until });
  return met.fingerprint === fingerprint ? ok(first) : err({ code: 'idempotency_key_reused' });
}
