import { err, ok, type Result } from 'neverthrow';
import type { Row, Stored } from '../domain/records.js';
import type { Tenant } from '../domain/tenant.js';
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { WriteSet } from '../ports/write-set.js';
import type { Context } from '../usecases/context.js';
import { type Held, readHeld } from './held.js';
import type { Sink } from './sink.js';

/** Milliseconds that a lease lasts: so long after a relay was killed another one takes over. */
export const leaseTime = 8_000;

/** Milliseconds after which a lease is renewed while events are under way. */
export const renewalTime = 2_500;

/** A consumer as the relay that works for it knows it: nobody else changes it meanwhile. */
export interface Owned {
  position: string | null;
  held: Held;
  failing_since: string | null;
  /** Real time in milliseconds; after it, the lease is not this relay's any more. */
  until: number;
  /** When the next delivery is due, in milliseconds; nothing where none is known. */
  nextDue: number | undefined;
}

/** What a consumer is read as: whose it is, and what there is to do. */
export type Standing =
  | { readonly busyUntil: number }
  | { readonly row: Stored<'consumer'> | undefined };

/** Reads a consumer, and whether another relay works for it. */
export async function readStanding(
  { ports }: Context,
  tenant: Tenant,
  { consumer }: Sink,
  lease: string,
  now: number,
): Promise<Result<Standing, PortProblem>> {
  const found = await ports.recordByKey(tenant, 'consumer', consumer);
  return found.map((row) => {
    const until = parseTimestamp(row?.leased_until ?? '') ?? 0;
    return row !== undefined && row.lease !== lease && until > now ? { busyUntil: until } : { row };
  });
}

/** Takes a consumer over, unless another relay was quicker. */
export async function claim(
  { ports }: Context,
  tenant: Tenant,
  { consumer, begins }: Sink,
  lease: string,
  before: Stored<'consumer'> | undefined,
  now: number,
): Promise<Result<Owned | undefined, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const until = now + leaseTime;
  const leased = { lease, leased_until: formatTimestamp(until) };
  const row: Row<'consumer'> = {
    name: consumer,
    position: begins,
    held: '{}',
    failing_since: null,
    ...before,
    ...leased,
  };
  const empty = { attempt: attempt.value, insert: [], change: [], events: [] };
  const write: WriteSet =
    before === undefined
      ? {
          ...empty,
          expect: [{ absent: 'consumer', key: consumer }],
          insert: [{ kind: 'consumer', row }],
        }
      : {
          ...empty,
          expect: [
            {
              present: 'consumer',
              key: consumer,
              where: { lease: [before.lease], leased_until: [before.leased_until] },
            },
          ],
          change: [{ kind: 'consumer', key: consumer, set: leased }],
        };
  const committed = await ports.commit(tenant, write);
  if (committed.isErr()) return err(committed.error);
  if (committed.value.outcome === 'refused') return ok(undefined);
  const { position, held, failing_since } = row;
  return ok({ position, held: readHeld(held), failing_since, until, nextDue: undefined });
}

/** Writes what has become of events; `false` where the lease has gone to another relay. */
export async function save(
  { ports }: Context,
  tenant: Tenant,
  consumer: string,
  lease: string,
  {
    set,
    until,
    insert = [],
    change = [],
    expect = [],
    ...rest
  }: Partial<Pick<WriteSet, 'insert' | 'change' | 'expect' | 'subject' | 'events'>> & {
    readonly set: Extract<WriteSet['change'][number], { readonly kind: 'consumer' }>['set'];
    readonly until: number;
  },
): Promise<Result<boolean, PortProblem>> {
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const [first] = insert;
  const committed = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: [
      ...(first?.kind === 'delivery' ? [{ absent: first.kind, key: first.row.id }] : []),
      { present: 'consumer', key: consumer, where: { lease: [lease] } },
      ...expect,
    ],
    insert,
    change: [
      {
        kind: 'consumer',
        key: consumer,
        set: { ...set, leased_until: formatTimestamp(until) },
      },
      ...change,
    ],
    events: [],
    ...rest,
  });
  return committed.map(({ outcome }) => outcome === 'committed');
}

/** Gives a consumer back, so that another relay need not wait for the end of the lease. */
export async function release(
  context: Context,
  tenant: Tenant,
  consumer: string,
  lease: string,
  now: number,
): Promise<void> {
  // where that fails, the lease ends by itself
  await save(context, tenant, consumer, lease, { set: {}, until: now });
}
