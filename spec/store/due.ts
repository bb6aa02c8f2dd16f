import {
  type RecordKind,
  type Row,
  shapeOf,
  type TimedKind,
} from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { WriteSet } from '../../src/ports/write-set.js';
import { equal } from '../expectations.js';
import { dueUnder, timedKinds } from './rows.js';
import { endOfTime, parts, type Session, sessionWith } from './session.js';
import { acme, acmeLive, ask, globex, group, nextId, type StoreSubject } from './subject.js';
import {
  absent,
  changeOf,
  committed,
  consumption,
  creation,
  eventOf,
  insertOf,
  move,
  numbers,
  present,
  writeOf,
} from './writes.js';

const time = (millisecond: number) => `2026-01-01T00:00:00.00${millisecond}Z`;

/** The record that those of a kind are under in these cases, if `due` needs it. */
function aboveOf(kind: TimedKind): string | undefined {
  const above = dueUnder(kind);
  return above && parentOf(kind);
}

const parentOf = (kind: TimedKind) => `${shapeOf(kind).under?.kind} of ${kind}`;

/** Creates a record of a kind that is due at a time: a deal, or a record under one. */
async function createTimed(
  store: StoreSubject,
  session: Session,
  tenant: Tenant,
  kind: TimedKind,
  key: string,
  due_at: string | null,
): Promise<void> {
  const [id = 0] = await numbers(store, tenant, 1);
  if (kind === 'deal') {
    await session.commit(tenant, creation(key, [id], { due_at }), committed);
    return;
  }
  const { under, key: name } = shapeOf(kind);
  const above = under?.kind as RecordKind | undefined;
  if (above === undefined) {
    const row = { [name]: key, due_at } as Partial<Row<RecordKind>>;
    const insert = [insertOf<RecordKind>(kind, row)];
    await session.commit(tenant, writeOf({ expect: [absent(kind, key)], insert }), committed);
    return;
  }
  const parent = parentOf(kind);
  if (session.model.of(tenant).find(above, parent) === undefined) {
    const made = above === 'deal' ? creation(parent, [id]) : consumption(parent);
    await session.commit(tenant, made, committed);
  }
  const row = { [name]: key, [under?.by ?? '']: parent, due_at } as Partial<Row<RecordKind>>;
  const write: WriteSet = writeOf({
    expect: [absent(kind, key), present(above, parent)],
    insert: [insertOf<RecordKind>(kind, row)],
    ...(above === 'deal' && {
      subject: { kind: above, key: parent },
      events: [eventOf(above, parent)],
    }),
  });
  await session.commit(tenant, write, committed);
}

/** Changes when a record is due, and nothing else. */
async function postpone(session: Session, kind: TimedKind, key: string, due_at: string | null) {
  const write = writeOf({
    expect: [present(kind, key)],
    change: [changeOf(kind, key, { due_at })],
    ...(kind === 'deal' && { subject: { kind, key }, events: [eventOf(kind, key)] }),
  });
  await session.commit(acme, write, committed);
}

/** Look-ups of stores by times and by payment tokens. */
export const due = group(
  'what is due, and whose a token is',
  {
    must: {
      '6.6/store/due-order':
        'Due records are read with the longest overdue first, and those of the same time in the order of their keys.',
      '6.6/store/due-time-changes':
        'A record is due by its current time, which a write may make earlier or later; without a time it is never due.',
      '7.3/store/due-of-one-consumer':
        'The due deliveries of one consumer are read without those of another.',
      '6.6/store/due-is-current': 'A due record is read with the current values of all its fields.',
      '3/store/payment-token':
        'A deal is found by its exact payment token, within its tenant only.',
    },
  },
  (define) => {
    define('6.6/store/due-order', async (store) => {
      const session = sessionWith(store);
      // in no order, and some of them at one time
      const times = [4, 1, 3, 1, 2, 1, 4, 2].map(time);
      for (const kind of timedKinds) {
        const keys = times.map(() => nextId()).sort();
        for (const [at, due_at] of times.entries()) {
          await createTimed(store, session, acme, kind, keys[(at * 3) % 8] ?? '', due_at);
        }
        await createTimed(store, session, acme, kind, nextId(), null);
        await createTimed(store, session, globex, kind, nextId(), time(1));
        for (const before of ['', time(0), time(1), time(2), time(3), time(4), endOfTime]) {
          for (const limit of [1, 2, 3, 7, 8, 9, 100]) {
            for (const tenant of [acme, globex, acmeLive]) {
              const found = await ask(store.due(tenant, kind, before, limit, aboveOf(kind)));
              const expected = session.model.due(tenant, kind, before, limit, aboveOf(kind));
              equal(found, expected, `${limit} of ${kind} at "${before}" for ${tenant.partner}`);
            }
          }
        }
      }
      await session.compare();
    });

    define('6.6/store/due-time-changes', async (store) => {
      const session = sessionWith(store);
      for (const kind of timedKinds) {
        const keys = [nextId(), nextId(), nextId()].sort();
        const expectOrder = async (order: readonly number[], before: string, what: string) => {
          const found = await ask(store.due(acme, kind, before, 10, aboveOf(kind)));
          equal(found, session.model.due(acme, kind, before, 10, aboveOf(kind)), what);
          equal(found.length, order.length, what);
          const versions = order.map((at) => session.model.of(acme).find(kind, keys[at] ?? ''));
          equal(found, versions, what);
        };
        for (const key of keys) await createTimed(store, session, acme, kind, key, null);
        await expectOrder([], endOfTime, 'nothing yet');
        for (const at of [0, 1, 2]) await postpone(session, kind, keys[at] ?? '', time(2 + at));
        await expectOrder([0, 1], time(3), 'two of three');
        await postpone(session, kind, keys[2] ?? '', time(1));
        await expectOrder([2, 0, 1], time(3), 'one is due earlier');
        await postpone(session, kind, keys[0] ?? '', time(3));
        await expectOrder([2, 0, 1], time(3), 'another one later, at the time of the third');
        await postpone(session, kind, keys[2] ?? '', time(9));
        await expectOrder([0, 1], time(8), 'one is not due any more');
        await postpone(session, kind, keys[1] ?? '', null);
        await expectOrder([0, 2], endOfTime, 'one has no time');
        await postpone(session, kind, keys[1] ?? '', time(0));
        await expectOrder([1, 0], time(3), 'and has one again');
      }
      await session.compare();
    });

    define('7.3/store/due-of-one-consumer', async (store) => {
      const session = sessionWith(store);
      for (const name of ['one', 'another']) {
        await session.commit(acme, consumption(name), committed);
        for (const at of [2, 1]) {
          const id = nextId();
          const row = { id, consumer: name, due_at: time(at) };
          const write = writeOf({
            expect: [absent('delivery', id), present('consumer', name)],
            insert: [insertOf('delivery', row)],
          });
          await session.commit(acme, write, committed);
        }
      }
      for (const name of ['one', 'another', 'none']) {
        for (const [before, limit] of [
          [time(1), 9] as const,
          [time(2), 9] as const,
          [time(2), 1] as const,
        ]) {
          const found = await ask(store.due(acme, 'delivery', before, limit, name));
          equal(
            found,
            session.model.due(acme, 'delivery', before, limit, name),
            `${limit} of ${name}`,
          );
        }
      }
      await session.compare();
    });

    define('6.6/store/due-is-current', async (store) => {
      const session = sessionWith(store);
      await createTimed(store, session, acme, 'deal', 'one', time(1));
      const moved = move('one', 1, { status: 'accepted', agreed_amount: '12.00' }, 2);
      await session.commit(acme, moved, committed);
      const [found] = await ask(store.due(acme, 'deal', time(1), 1));
      equal([found?.status, found?.agreed_amount, found?.version], ['accepted', '12.00', 3], 'it');
      equal(
        await ask(store.due(acme, 'deal', time(1), 9)),
        session.model.due(acme, 'deal', time(1), 9),
        'all of it',
      );
      await session.compare();
    });

    define('3/store/payment-token', async (store) => {
      const session = sessionWith(store);
      const tokens = ['s.YWNtZQ.3q2-7w~', 's.YWNtZQ.3q2-7W~', 's.YWNtZQ.3q2-7', 'null'];
      for (const [at, payment_token] of [...tokens, null].entries()) {
        const own = await numbers(store, acme, 2);
        await session.commit(acme, creation(`deal-${at}`, own, { payment_token }), committed);
      }
      // a token belongs to a tenant: the same text of another tenant is another deal's
      const [theirs = 0] = await numbers(store, globex, 1);
      const same = creation('theirs', [theirs], { payment_token: tokens[0] ?? '' });
      await session.commit(globex, same, committed);
      const [unseen = 0] = await numbers(store, globex, 1);
      await session.commit(globex, creation('unseen', [unseen], { payment_token: 'unseen' }));
      for (const [at, token] of tokens.entries()) {
        const { deal, ...found } = session.model.deal(acme, `deal-${at}`) ?? {};
        equal(await ask(store.deals.byPaymentToken(acme, token, [])), { deal }, token);
        const whole = await ask(store.deals.byPaymentToken(acme, token, parts));
        equal(whole, { deal, ...found }, `${token} with its parts`);
      }
      for (const none of ['', 'unseen', 's.YWNtZQ.3q2-7w', 's.YWNtZQ.3q2-7w~ ', 'deal-0', 'NULL']) {
        equal(await ask(store.deals.byPaymentToken(acme, none, ['stage'])), undefined, none);
      }
      for (const token of tokens) {
        const found = await ask(store.deals.byPaymentToken(acmeLive, token, []));
        equal(found, undefined, 'nothing in the other environment');
      }
      await session.commit(acme, move('deal-0', 1, { status: 'accepted' }), committed);
      const moved = await ask(store.deals.byPaymentToken(acme, tokens[0] ?? '', []));
      equal(moved?.deal, session.model.deal(acme, 'deal-0')?.deal, 'the deal as it is now');
      await session.compare();
    });
  },
);
