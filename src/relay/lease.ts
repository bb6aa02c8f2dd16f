import { err, type Result } from 'neverthrow';
import { newConsumer } from '../domain/events/webhook.js';
import type { Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp, parseTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { Timer } from '../ports/runtime.js';
import type { Change, WriteSet } from '../ports/write-set.js';
import type { Context } from '../usecases/context.js';
import type { Sink } from './sink.js';

/** Milliseconds that a lease lasts: then another relay takes over from one that was killed. */
export const leaseTime = 8_000;

/** Milliseconds after which a lease is renewed while events are under way. */
const renewalTime = 2_500;

/** A consumer as a relay knows it. While the relay has its lease, no other process changes it. */
export interface Standing {
  position: string | null;
  held: Held;
  failing_since: string | null;
  /** Real time in milliseconds up to which this relay has the lease; 0 without the lease. */
  until: number;
  /** When a delivery is due, in milliseconds: 0 if not read yet, `Infinity` for none. */
  nextDue: number;
  /** Whether new events go before those that failed or waited: the two take turns. */
  isLogFirst: boolean;
}

/** The consumer of a record; a consumer without a record is at its beginning. */
export function standingOf(row: Stored<'consumer'> | undefined, begins: string | null): Standing {
  const { position, held, failing_since } = row ?? newConsumer('', begins);
  const known = { position, held: readHeld(held), failing_since };
  return { ...known, until: 0, nextDue: 0, isLogFirst: false };
}

/** The lease of another relay that ends later than any lease of now, and when it was first seen. */
export interface Watch {
  watched?: { readonly until: string; readonly since: number };
}

/**
 * Real time in milliseconds up to which another relay has the lease of a consumer; 0 for none. If
 * it is of another clock, or of this one before it went back, it ends unless it is renewed.
 */
export function busyUntil(
  row: Stored<'consumer'> | undefined,
  lease: string,
  watch: Watch,
  now: number,
): number {
  const until = row?.leased_until ?? '';
  const busy = row?.lease === lease ? 0 : (parseTimestamp(until) ?? 0);
  if (busy <= now + leaseTime) return busy;
  if (watch.watched?.until !== until || watch.watched.since > now) {
    watch.watched = { until, since: now };
  }
  return watch.watched.since + leaseTime;
}

/**
 * Whether a lease of this relay lasts for some milliseconds more; one that ends later than any lease
 * of now is not trusted, because the clock has gone back.
 */
export function lasts(until: number, now: number, margin: number): boolean {
  return until >= now + margin && until <= now + leaseTime;
}

/** The task of a relay: one consumer of a tenant, under a lease of its own. */
export interface Assignment<S extends Pick<Sink, 'consumer' | 'begins'> = Sink> {
  readonly ports: Context['ports'];
  readonly tenant: Tenant;
  readonly sink: S;
  /** A ULID: every lease of this relay has it. */
  readonly lease: string;
}

type Leased = Assignment<Pick<Sink, 'consumer' | 'begins'>>;

/** Takes the lease of a consumer: the end of the lease; `undefined` if another relay was first. */
export async function claim(
  { ports, tenant, sink: { consumer: key, begins }, lease }: Leased,
  row: Stored<'consumer'> | undefined,
  now: number,
): Promise<Result<number | undefined, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const until = now + leaseTime;
  const leased = { lease, leased_until: formatTimestamp(until) };
  const empty = { attempt: attempt.value, insert: [], change: [], events: [] };
  const write: WriteSet =
    row === undefined
      ? {
          ...empty,
          expect: [{ absent: 'consumer', key }],
          insert: [{ kind: 'consumer', row: { ...newConsumer(key, begins), ...leased } }],
        }
      : {
          ...empty,
          expect: [
            {
              present: 'consumer',
              key,
              where: { lease: [row.lease], leased_until: [row.leased_until] },
            },
          ],
          change: [{ kind: 'consumer', key, set: leased }],
        };
  const committed = await ports.commit(tenant, write);
  return committed.map(({ outcome }) => (outcome === 'committed' ? until : undefined));
}

/** The changes of a consumer, and the other parts of the same write. */
export interface ConsumerWrite
  extends Partial<Pick<WriteSet, 'insert' | 'change' | 'expect' | 'subject' | 'events'>> {
  readonly set: Change<'consumer'>['set'];
}

/** Writes the outcomes of events, and the end of the lease; `false` if another relay has the lease now. */
export async function save(
  { ports, tenant, sink: { consumer: key }, lease }: Leased,
  until: number | undefined,
  { set, insert = [], change = [], expect = [], ...rest }: ConsumerWrite,
): Promise<Result<boolean, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const [first] = insert;
  const leased_until = until === undefined ? null : formatTimestamp(until);
  const committed = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: [
      ...(first?.kind === 'delivery' ? [{ absent: first.kind, key: first.row.id }] : []),
      { present: 'consumer', key, where: { lease: [lease] } },
      ...expect,
    ],
    insert,
    change: [{ kind: 'consumer', key, set: { ...set, leased_until } }, ...change],
    events: [],
    ...rest,
  });
  return committed.map(({ outcome }) => outcome === 'committed');
}

/** Releases the lease of a consumer, so that another relay need not wait for its end. */
export async function release(assignment: Leased): Promise<void> {
  // if this fails, the lease ends by itself
  await save(assignment, undefined, { set: {} });
}

/** Renews a lease while events are under way. */
export function renewRegularly(assignment: Assignment, timer: Timer, standing: Standing) {
  let isLost = false;
  let isEnded = false;
  let running = Promise.resolve();
  let cancel = () => {};
  const renew = async () => {
    const until = timer.now() + leaseTime;
    const renewed = await save(assignment, until, { set: {} });
    // a renewal that fails is tried again while the lease lasts
    if (renewed.isOk() && renewed.value) standing.until = until;
    if (renewed.isOk() && !renewed.value) isLost = true;
    schedule();
  };
  const schedule = () => {
    if (isEnded || isLost) return;
    cancel = timer.sleep(renewalTime, () => {
      running = renew();
    });
  };
  schedule();
  return {
    isLost: () => isLost,
    async end() {
      isEnded = true;
      cancel();
      await running;
    },
  };
}

/**
 * The events of one subject that wait: those after the sequence `after`, up to `upTo`. `isPending`
 * says that the event with the sequence `after` has failed and is tried again before the others.
 */
export interface HeldSubject {
  readonly after: number;
  readonly upTo: number;
  readonly isPending: boolean;
}

/** The subjects of a consumer whose events wait. */
export type Held = ReadonlyMap<string, HeldSubject>;

/** How many subjects wait at most: then the consumer itself waits. */
export const mostHeld = 1_000;

type Written = Readonly<Record<string, readonly [number, number, 0 | 1]>>;

/** Reads the text of `writeHeld`. */
export function readHeld(text: string): Held {
  return new Map(
    Object.entries(JSON.parse(text) as Written).map(([subject, [after, upTo, pending]]) => [
      subject,
      { after, upTo, isPending: pending === 1 },
    ]),
  );
}

/** The text in the record of a consumer. */
export function writeHeld(held: Held): string {
  const written = [...held].map(([subject, { after, upTo, isPending }]) => [
    subject,
    [after, upTo, isPending ? 1 : 0],
  ]);
  return JSON.stringify(Object.fromEntries(written));
}

/** The outcome of an event of an ordered sink. */
export interface Tried {
  readonly subject: string;
  readonly sequence: number;
  /** `undefined` if it was not begun; `pending` if it is tried again. */
  readonly outcome: 'delivered' | 'failed' | 'pending' | undefined;
  /** Whether it was tried in an earlier batch, and failed. */
  readonly isRetry: boolean;
}

/** The events of one batch. */
export interface Passed {
  /** The last sequence of each subject in the part of the log that was passed. */
  readonly passed: ReadonlyMap<string, number>;
  /** Of each subject whose events waited, the last sequence that was read again. */
  readonly readAgain: ReadonlyMap<string, number>;
  /** In order. */
  readonly tried: readonly Tried[];
}

/** The subjects that wait after a batch. */
export function holdAfter(before: Held, { passed, readAgain, tried }: Passed): Held {
  const held = new Map<string, HeldSubject>();
  const bySubject = new Map<string, Tried[]>();
  for (const each of tried) {
    const own = bySubject.get(each.subject);
    if (own === undefined) bySubject.set(each.subject, [each]);
    else own.push(each);
  }
  for (const [subject, entry] of before) {
    const own = bySubject.get(subject) ?? [];
    const upTo = Math.max(entry.upTo, passed.get(subject) ?? 0);
    const after = entry.isPending
      ? afterRetry(entry, own)
      : afterReading(own, readAgain.get(subject) ?? entry.after);
    if (after.isPending || after.after < upTo) held.set(subject, { ...after, upTo });
  }
  for (const [subject, own] of bySubject) {
    if (before.has(subject)) continue;
    const last = passed.get(subject) ?? 0;
    // a redelivery by hand delays no other event; an event that was passed and not begun waits, too
    const first = own.find(
      ({ outcome, sequence, isRetry }) =>
        !isRetry && (outcome === 'pending' || (outcome === undefined && sequence <= last)),
    );
    if (first === undefined) continue;
    const { sequence } = first;
    const isPending = first.outcome === 'pending';
    const after = isPending ? sequence : sequence - 1;
    held.set(subject, { after, upTo: Math.max(sequence, last), isPending });
  }
  return held;
}

type Progress = Pick<HeldSubject, 'after' | 'isPending'>;

/** The others follow once the event that failed was delivered, or is given up. */
function afterRetry({ after }: HeldSubject, own: readonly Tried[]): Progress {
  const head = own.find(({ isRetry, sequence }) => isRetry && sequence === after);
  const isPending = head?.outcome === undefined || head.outcome === 'pending';
  return { after, isPending };
}

/** How far the waiting events were worked through; `read` is the last sequence that was read. */
function afterReading(own: readonly Tried[], read: number): Progress {
  for (const { isRetry, sequence, outcome } of own) {
    if (isRetry) continue;
    if (outcome === 'pending') return { after: sequence, isPending: true };
    if (outcome === undefined) return { after: sequence - 1, isPending: false };
  }
  return { after: read, isPending: false };
}
