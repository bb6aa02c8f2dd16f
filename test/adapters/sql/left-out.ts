import type { Json, Row, Store, WriteSet } from 'dealwright/ports';
import { expect } from 'vitest';
import { acme, ask } from '../../../spec/store/subject.js';
import {
  absent,
  committed,
  consumption,
  creation,
  delivery,
  eventOf,
  insertOf,
  numbers,
  present,
  writeOf,
} from '../../../spec/store/writes.js';

const day = (at: number) => `2026-01-0${at}T00:00:00.000Z`;
const future = '2999-01-01T00:00:00.000Z';

type Told = readonly [type: string, status?: string];

/** Deals as processes of a version without alerts leave them. */
const deals: Readonly<Record<string, readonly [Partial<Row<'deal'>>, readonly Told[]]>> = {
  made: [{ status: 'created', due_at: future }, []],
  moved: [
    { status: 'accepted', status_since: day(1), due_at: future },
    [['deal.accepted', 'accepted']],
  ],
  // the second stage was delivered after the deal was
  known: [
    { status: 'delivered', status_since: day(2), due_at: null },
    [
      ['deal.delivered', 'delivered'],
      ['deal.delivered', 'delivered'],
    ],
  ],
  over: [{ status: 'completed', status_since: day(1), due_at: null }, []],
  refund: [{ status: 'completed', due_at: null }, [['deal.completed', 'completed']]],
  payout: [{ status: 'cancelled', due_at: null }, [['deal.cancelled', 'cancelled']]],
  asked: [{ status: 'expired', due_at: null }, [['deal.expired', 'expired']]],
  attended: [{ status: 'completed', due_at: null, attention: 'true' }, []],
};

/** Records of money for which the operator may be needed, though the deal is over. */
const waiting = [
  ['refund', 'intent', { kind: 'refund', status: 'failed' }],
  ['payout', 'contractor_payment', { status: 'returned' }],
  ['asked', 'employer_payment', { status: 'requested' }],
] as const;

async function write(store: Store, set: WriteSet): Promise<void> {
  expect(await ask(store.commit(acme, set))).toEqual(committed);
}

/**
 * Lets a store have what processes of an older version leave out, and asserts that `prune` fills it
 * in, and changes nothing else, also if it runs again.
 */
export async function expectFilled(store: Store, prune: () => Promise<unknown>): Promise<void> {
  for (const [name, [given, told]] of Object.entries(deals)) {
    const created = creation(name, await numbers(store, acme, 2), {
      ...{ created_at: day(1), status_since: null, alert: null, alert_at: null, attention: null },
      ...given,
    });
    const event = (at: number, type: string, data: Json) => ({
      ...eventOf('deal', name),
      ...{ type, at: day(at), data },
    });
    const events = told.map(([type, status]) => [type, status === undefined ? {} : { status }]);
    await write(store, {
      ...created,
      events: [
        event(1, 'deal.created', {}),
        ...events.map(([type, data], at) => event(at + 2, type as string, data as Json)),
      ],
    });
  }
  for (const [partner_id, kind, given] of waiting) {
    const key = `money of ${partner_id}`;
    await write(
      store,
      writeOf({
        expect: [absent(kind, key), present('deal', partner_id)],
        insert: [insertOf(kind, { ...given, id: key, partner_id })],
      }),
    );
  }
  const gone = { ends_at: day(9), failing_since: day(1) };
  await write(store, consumption('webhook:gone', gone));
  await write(store, consumption('webhook:fails', { ends_at: null, failing_since: day(2) }));
  for (const [id, given] of Object.entries({
    given: { status: 'failed', failed_at: null, created_at: day(3) },
    again: { status: 'pending', failed_at: day(4), created_at: day(3) },
    known: { status: 'failed', failed_at: day(5), created_at: day(3) },
  } as const)) {
    await write(store, delivery('webhook:fails', id, given));
  }

  const filled = async () => {
    const dealsNow = await Promise.all(
      Object.keys(deals).map(async (name) => {
        const found = await ask(store.deals.byPartnerId(acme, name, []));
        const { status_since, due_at } = found?.deal ?? {};
        const isDue = due_at !== null && String(due_at) < future;
        return [name, [status_since, isDue]];
      }),
    );
    const records = async (kind: 'delivery' | 'consumer') =>
      ask(store.records.list(acme, kind, { direction: 'ascending', limit: 9 }));
    return {
      deals: Object.fromEntries(dealsNow),
      failed: (await records('delivery')).map((row) => [
        Reflect.get(row, 'id'),
        Reflect.get(row, 'failed_at'),
      ]),
      failing: (await records('consumer')).map((row) => Reflect.get(row, 'failing_since')),
    };
  };
  for (const time of ['once', 'again']) {
    await prune();
    expect(await filled(), time).toEqual({
      deals: {
        made: [day(1), true],
        moved: [day(2), true],
        known: [day(2), true],
        over: [day(1), false],
        refund: [day(2), true],
        payout: [day(2), true],
        asked: [day(2), true],
        attended: [day(1), true],
      },
      failed: [
        ['again', null],
        ['given', day(3)],
        ['known', day(5)],
      ],
      failing: [day(2), null],
    });
  }
}
