import type { DealFilter } from '../../src/domain/deals/deal-list.js';
import type { DealStatus } from '../../src/domain/values/status.js';
import type { DealRange } from '../../src/ports/store.js';
import { equal } from '../expectations.js';
import { rangeOf } from './model.js';
import { type Session, sessionWith } from './session.js';
import { acme, ask, globex, group, nextId, type StoreSubject } from './subject.js';
import { committed, creation, move, numbers, upload } from './writes.js';

const all = { direction: 'older', from: undefined, limit: 1000 } as const;
const directions = ['older', 'newer'] as const;

/** Creates nine deals at three times, three at each, in no order. */
async function createNine(store: StoreSubject, session: Session): Promise<void> {
  const own = await numbers(store, acme, 9);
  const ids = own.map(nextId).sort();
  for (const at of [4, 8, 0, 5, 1, 6, 3, 7, 2]) {
    const created_at = `2026-01-01T00:00:00.00${at % 3}Z`;
    const email_freelancer = `${at % 2 === 0 ? 'Mixed.CASE' : 'u'}@Example.com`;
    const email_key = email_freelancer.toLowerCase();
    const given = { created_at, email_freelancer, email_key };
    const write = creation(`deal-${at}`, [own[at] ?? 0], given);
    await session.commit(acme, { ...write, attempt: ids[(at * 5) % 9] ?? '' }, committed);
  }
}

/** Changes every third deal. */
async function moveSome(session: Session): Promise<void> {
  const statuses = { status: 'accepted', freelancer_status: 'invited' } as const;
  for (const at of [0, 3, 6]) await session.commit(acme, move(`deal-${at}`, 1, statuses));
}

/** Makes some deals need the operator, and one of them no longer. */
async function attend(session: Session): Promise<void> {
  for (const at of [1, 3, 4]) {
    const version = at === 3 ? 2 : 1;
    await session.commit(acme, move(`deal-${at}`, version, { attention: 'true' }), committed);
  }
  await session.commit(acme, move('deal-4', 2, { attention: null }), committed);
}

/** The promises of reading deals. */
export const lists = group(
  'reads of deals',
  {
    must: {
      '4/store/deal-with-parts':
        'A deal is found by its id or its exact `partner_id`, with the parts that the call names, each in the order of their keys.',
      '4/store/newest-first':
        'A list has the newest deal first and, of deals of the same millisecond, the one with the greater attempt first.',
      '4/store/ranges':
        'A range has the deals next to a position, without the one at it, in either direction, and no more than its limit.',
      '4/store/filters': 'A list has the deals that pass every part of its filter, and no others.',
      '4/store/list-is-current':
        'A list shows the current values of a deal, and a change of them does not move the deal in the list.',
      '6.4/store/recorded-files':
        'A store that is asked about ids of work files answers exactly those that a work file of the tenant has.',
    },
  },
  (define) => {
    define('4/store/deal-with-parts', async (store) => {
      const session = sessionWith(store);
      const [first = 0, id = 0, second = 0, third = 0] = await numbers(store, acme, 4);
      await session.commit(acme, creation('deal', [id, third, first, second]), committed);
      const ids = [nextId(), nextId(), nextId()].sort();
      for (const at of [1, 2, 0]) {
        await session.commit(acme, upload('deal', second, { id: ids[at] ?? '' }), committed);
      }
      const expected = session.model.deal(acme, 'deal');
      equal(
        expected?.stage?.map((row) => row['id']),
        [first, second, third],
        'the stages',
      );
      equal(
        expected?.work_file?.map((row) => row['id']),
        ids,
        'the files',
      );
      for (const parts of [[], ['stage'], ['work_file'], ['work_file', 'stage']] as const) {
        const asked = Object.fromEntries(parts.map((part) => [part, expected?.[part]]));
        const deal = { deal: expected?.deal, ...asked };
        equal(await ask(store.deals.byId(acme, id, parts)), deal, 'by its id');
        equal(await ask(store.deals.byPartnerId(acme, 'deal', parts)), deal, 'by its partner_id');
      }
      for (const none of ['Deal', 'deal ', '', 'none']) {
        equal(await ask(store.deals.byPartnerId(acme, none, ['stage'])), undefined, none);
      }
      for (const none of [first, 0, -1, Number.MAX_SAFE_INTEGER]) {
        equal(await ask(store.deals.byId(acme, none, ['stage'])), undefined, `${none}`);
      }
    });

    define('4/store/newest-first', async (store) => {
      const session = sessionWith(store);
      await createNine(store, session);
      const expected = session.model.list(acme, {});
      equal(await ask(store.deals.list(acme, {}, all)), expected, 'all of them');
      const newer = { ...all, direction: 'newer' } as const;
      equal(await ask(store.deals.list(acme, {}, newer)), expected, 'in either direction');
      equal(await ask(store.deals.list(globex, {}, all)), [], 'nothing of another');
    });

    define('4/store/ranges', async (store) => {
      const session = sessionWith(store);
      await createNine(store, session);
      const listed = session.model.list(acme, {});
      const known = listed.map(({ created_at, attempt }) => ({ created_at, attempt }));
      const between = known.map((each) => ({ ...each, attempt: `${each.attempt.slice(0, -1)}Z` }));
      const outside = ['2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'].map(
        (created_at) => ({
          created_at,
          attempt: nextId(),
        }),
      );
      for (const from of [undefined, ...known, ...between, ...outside]) {
        for (const limit of [1, 2, 8, 9, 10]) {
          for (const direction of directions) {
            const range: DealRange = { direction, from, limit };
            const found = await ask(store.deals.list(acme, {}, range));
            equal(found, rangeOf(listed, range), JSON.stringify(range));
          }
        }
      }
    });

    define('4/store/filters', async (store) => {
      const session = sessionWith(store);
      await createNine(store, session);
      await moveSome(session);
      await attend(session);
      const listed = session.model.list(acme, {});
      equal(session.model.list(acme, { attention: 'true' }).length, 2, 'those that need somebody');
      const email_key = 'mixed.case@example.com';
      const time = (millisecond: number) => `2026-01-01T00:00:00.00${millisecond}Z`;
      const filters: readonly DealFilter[] = [
        ...[{}, { partner_id: 'deal-3' }, { partner_id: 'DEAL-3' }, { status: 'created' } as const],
        ...([{ status: 'accepted' }, { status: 'expired' }, { freelancer_status: 'new' }] as const),
        ...[{ freelancer_status: 'invited' } as const, { email_key }, { email_key: 'u' }],
        ...[0, 1, 2, 3].flatMap((at): DealFilter[] => [
          { created_from: time(at) },
          { created_to: time(at) },
          { created_from: time(at), created_to: time(at + 1) },
          { created_from: time(at + 1), created_to: time(at) },
          { created_from: time(at), status: 'accepted', email_key },
        ]),
        ...[{ attention: 'true' }, { attention: 'true', status: 'accepted' } as const].flatMap(
          (filter): DealFilter[] => [
            filter as DealFilter,
            { ...filter, attention: 'true', email_key },
            { ...filter, attention: 'true', created_to: time(1) },
          ],
        ),
        { partner_id: 'deal-1', attention: 'true' },
        { partner_id: 'deal-2', attention: 'true' },
        { partner_id: 'deal-3', status: 'expired' },
        { partner_id: 'deal-3', created_to: time(0) },
        { partner_id: 'deal-2', email_key, freelancer_status: 'new' },
      ];
      for (const filter of filters) {
        const expected = session.model.list(acme, filter);
        equal(await ask(store.deals.list(acme, filter, all)), expected, JSON.stringify(filter));
        for (const direction of directions) {
          for (const { created_at, attempt } of listed.filter((_, at) => at % 2 === 0)) {
            const range: DealRange = { direction, from: { created_at, attempt }, limit: 2 };
            const part = await ask(store.deals.list(acme, filter, range));
            equal(part, rangeOf(expected, range), `${JSON.stringify(filter)}, two ${direction}`);
          }
        }
      }
    });

    define('4/store/list-is-current', async (store) => {
      const session = sessionWith(store);
      await createNine(store, session);
      const compare = async () => {
        for (const status of ['created', 'accepted'] as const satisfies DealStatus[]) {
          const expected = session.model.list(acme, { status });
          equal(await ask(store.deals.list(acme, { status }, all)), expected, status);
        }
      };
      await compare();
      await moveSome(session);
      await compare();
      await session.compare();
    });

    define('6.4/store/recorded-files', async (store) => {
      const session = sessionWith(store);
      const [id = 0, stage = 0] = await numbers(store, acme, 2);
      await session.commit(acme, creation('deal', [id, stage]), committed);
      const ids = Array.from({ length: 5 }, nextId).sort();
      for (const each of ids) await session.commit(acme, upload('deal', stage, { id: each }));
      const refused = nextId();
      await session.commit(acme, upload('deal', stage, { id: refused }, 5));
      const recorded = async (asked: readonly string[], tenant = acme) =>
        [...(await ask(store.workFiles.recorded(tenant, asked)))].sort();
      const strange = [refused, nextId(), '', "'; --", '%', ids[0]?.toLowerCase() ?? ''];
      equal(await recorded([...strange, ...ids]), ids, 'those alone');
      equal(await recorded(ids.slice(1, 3)), ids.slice(1, 3), 'those that are asked for');
      equal(await recorded([]), [], 'none of none');
      equal(await recorded([...Array.from({ length: 95 }, nextId), ...ids]), ids, 'of a hundred');
      equal(await recorded(ids, globex), [], 'nothing of another');
    });
  },
);
