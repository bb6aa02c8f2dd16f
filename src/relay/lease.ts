import { err, type Result } from 'neverthrow';
import { newConsumer } from '../domain/events/webhook.js';
import type { Stored } from '../domain/records/records.js';
import type { Tenant } from '../domain/values/tenant.js';
import { formatTimestamp, parseTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Change, WriteSet } from '../ports/write-set.js';
import type { Context } from '../usecases/context.js';
import { type Held, readHeld } from './held.js';
import type { Sink } from './sink.js';

/** Milliseconds that a lease lasts: so long after a relay was killed another one takes over. */
export const leaseTime = 8_000;

/** Milliseconds after which a lease is renewed while events are under way. */
export const renewalTime = 2_500;

/** A consumer as a relay knows it. While the relay has its lease, nobody else changes it. */
export interface Standing {
  position: string | null;
  held: Held;
  failing_since: string | null;
  /** Real time in milliseconds up to which this relay has the lease; 0 where it does not have it. */
  until: number;
  /** When a delivery is due, in milliseconds: 0 where that is to be read, `Infinity` for none. */
  nextDue: number;
}

/** The consumer that a record tells of; one without a record is at its beginning. */
export function standingOf(row: Stored<'consumer'> | undefined, begins: string | null): Standing {
  const { position, held, failing_since } = row ?? newConsumer('', begins);
  return { position, held: readHeld(held), failing_since, until: 0, nextDue: 0 };
}

/** Real time in milliseconds up to which another relay has the lease of a consumer; 0 for none. */
export function busyUntil(row: Stored<'consumer'> | undefined, lease: string): number {
  return row?.lease === lease ? 0 : (parseTimestamp(row?.leased_until ?? '') ?? 0);
}

/** Takes the lease of a consumer; up to when, or nothing where another relay was quicker. */
export async function claim(
  { ports }: Context,
  tenant: Tenant,
  { consumer: key, begins }: Pick<Sink, 'consumer' | 'begins'>,
  lease: string,
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

/** What is written of a consumer, and with it. */
export interface ConsumerWrite
  extends Partial<Pick<WriteSet, 'insert' | 'change' | 'expect' | 'subject' | 'events'>> {
  readonly set: Change<'consumer'>['set'];
}

/** Writes what has become of events; `false` where the lease has gone to another relay. */
export async function save(
  { ports }: Context,
  tenant: Tenant,
  { consumer: key }: Pick<Sink, 'consumer'>,
  lease: string,
  until: number,
  { set, insert = [], change = [], expect = [], ...rest }: ConsumerWrite,
): Promise<Result<boolean, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const [first] = insert;
  const leased_until = formatTimestamp(until);
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

/** Gives a consumer back, so that another relay need not wait for the end of the lease. */
export async function release(
  context: Context,
  tenant: Tenant,
  sink: Pick<Sink, 'consumer'>,
  lease: string,
  now: number,
): Promise<void> {
  // where that fails, the lease ends by itself
  await save(context, tenant, sink, lease, now, { set: {} });
}
