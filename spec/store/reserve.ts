import type { Environment, Tenant } from '../../src/domain/values/tenant.js';
import { isUlid } from '../../src/domain/values/ulid.js';
import { check, equal } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { acme, acmeLive, ask, eventPage, globex, group, type StoreSubject } from './subject.js';
import { committed, creation, never, numbers, provided, registration } from './writes.js';

/** The promises about integers, and about the list of tenants. */
export const reserve = group(
  'integers and tenants',
  {
    must: {
      '2.4/store/integers-are-unique':
        'Reserved integers are positive and consecutive, and no other call of the same environment gets them.',
      '2.4/store/integers-of-an-environment':
        'Each environment has its own sequence of integers, which begins small and tells nothing about the other environment.',
      '9.4/store/integers-above':
        'Integers that are reserved above another one are all greater than it, also if another handle of the store has reserved it.',
      '2.4/store/last-integer':
        'A call for more integers than are left up to 2^53-1 fails with the outcome `none` and is not worth a retry.',
      '7/store/tenants':
        'The list of tenants has each one that has written something once, page by page, and no others.',
      '6.6/store/tenants-with-something-due':
        'The list of tenants with something due by a time has each of these once, page by page.',
    },
  },
  (define) => {
    define('2.4/store/integers-are-unique', async (store) => {
      const given = new Map<Environment, Set<number>>([
        ['production', new Set()],
        ['sandbox', new Set()],
      ]);
      const take = async (environment: Environment, count: number) => {
        const first = await ask(store.reserve(environment, count));
        check(Number.isSafeInteger(first) && first > 0, 'the first is a positive integer');
        for (let at = 0; at < count; at += 1) {
          const all = given.get(environment);
          check(all?.has(first + at) === false, `${first + at} was not given out before`);
          all?.add(first + at);
        }
      };
      for (const count of [1, 2, 1, 100, 3]) {
        for (const environment of ['production', 'sandbox'] as const)
          await take(environment, count);
      }
      const counts = Array.from({ length: 60 }, (_, at) => 1 + (at % 5));
      await Promise.all(counts.map((count) => take('sandbox', count)));
      await Promise.all(counts.map((count, at) => take(at % 2 ? 'sandbox' : 'production', count)));
    });

    define('2.4/store/integers-of-an-environment', async (store) => {
      const [live = 0, sandbox = 0] = [
        await ask(store.reserve('production', 1)),
        await ask(store.reserve('sandbox', 1000)),
      ];
      const next = await ask(store.reserve('production', 1));
      check(next - live < 1000, 'an environment does not tell how much another one uses');
      check(sandbox - live < 1000, 'each begins with small integers');
    });

    define('9.4/store/integers-above', async (store) => {
      const other = await store.reopened?.();
      try {
        let last = await ask(store.reserve('sandbox', 1));
        // each handle may have integers at hand that are lower than those of the other one
        for (const count of [1, 3, 1, 2, 1]) {
          for (const handle of [other ?? store, store]) {
            const first = await ask(handle.reserve('sandbox', count, last));
            check(first > last, `${first} is above ${last}`);
            last = first + count - 1;
          }
        }
      } finally {
        await other?.close();
      }
    });

    define('2.4/store/last-integer', async (store) => {
      const last = Number.MAX_SAFE_INTEGER;
      const result = await store.reserve('sandbox', last);
      const answer = result.isOk() ? await store.reserve('sandbox', last) : result;
      check(answer.isErr(), 'not so many integers are left');
      equal([answer.error.outcome, answer.error.retryable], ['none', false], 'the failure');
    });

    define('7/store/tenants', async (store) => {
      equal(await ask(store.tenants(undefined, 10)), [], 'nobody yet');
      equal(await ask(store.tenants(acme, 10)), [], 'nobody after one who is not there');
      const tenants = [
        ...[acme, globex, acmeLive, { ...acme, partner: 'ACME' }, { ...acme, partner: 'acme ' }],
        ...[
          { ...acmeLive, partner: 'sandbox' },
          { ...acme, partner: 'żółć 😀 %' },
        ],
      ];
      const known: Tenant[] = [];
      for (const tenant of tenants) {
        const refused = provided(registration(`${tenant.partner} of ${tenant.environment}`), never);
        await ask(store.commit(tenant, refused));
        await ask(store.deals.byPartnerId(tenant, 'deal', []));
        await compareTenants(store, known);
        const write = creation('deal', await numbers(store, tenant, 1));
        equal(await ask(store.commit(tenant, write)), committed, 'a write');
        known.push(tenant);
        await compareTenants(store, known);
      }
    });

    define('6.6/store/tenants-with-something-due', async (store) => {
      const partners = Array.from({ length: 7 }, (_, index) => `partner-${index}`);
      const time = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
      for (const [second, partner] of partners.entries()) {
        const tenant = {
          environment: second % 2 === 0 ? 'sandbox' : 'production',
          partner,
        } as const;
        const [id = 0] = await numbers(store, tenant, 1);
        await ask(store.commit(tenant, creation('deal', [id], { due_at: time(second) })));
        await ask(
          store.commit(
            { ...tenant, partner: `${partner} idle` },
            creation('idle', [id + 100_000], { due_at: null }),
          ),
        );
      }
      await store.settled?.();
      for (const before of [time(0), time(3), time(6)]) {
        for (const limit of [1, 3, 100]) {
          const found = await dueTenants(store, limit, before);
          const due = partners.filter((_, second) => time(second) <= before);
          const missing = due.filter((partner) => !found.includes(partner));
          equal(missing, [], `with something due at ${before}, in pages of ${limit}`);
          equal(new Set(found).size, found.length, 'no tenant comes twice');
        }
      }
    });
  },
);

/** The partners found, page by page; each has written something. */
async function dueTenants(
  store: StoreSubject,
  limit: number,
  before: string,
): Promise<readonly string[]> {
  const found: Tenant[] = [];
  for (;;) {
    const page = await ask(store.tenants(found.at(-1), limit, before));
    check(page.length <= limit, 'a page holds no more than its limit');
    if (page.length === 0) return found.map(({ partner }) => partner);
    for (const { tenant, end } of page) {
      equal((await eventPage(store, tenant, undefined, 100)).cursor, end, 'the end of its log');
      found.push(tenant);
    }
  }
}

async function compareTenants(store: StoreSubject, known: readonly Tenant[]): Promise<void> {
  const nameOf = ({ environment, partner }: Tenant) => JSON.stringify([environment, partner]);
  await store.settled?.();
  const all = await ask(store.tenants(undefined, 100));
  const inOrder = all.map(({ tenant }) => tenant);
  for (const { tenant, end } of all) {
    equal((await eventPage(store, tenant, undefined, 100)).cursor, end, 'the end of its log');
  }
  equal(inOrder.map(nameOf).sort(), known.map(nameOf).sort(), 'all tenants');
  for (const limit of [1, 2, 3]) {
    const seen: Tenant[] = [];
    for (;;) {
      const page = await ask(store.tenants(seen.at(-1), limit));
      check(page.length <= limit, 'a page holds no more than its limit');
      if (page.length === 0) break;
      seen.push(...page.map(({ tenant }) => tenant));
      check(seen.length <= known.length, 'no tenant comes twice');
    }
    equal(seen, inOrder, `in pages of ${limit}`);
  }
}

/** The promises about the id of a store, if it has one. */
export const identity = group(
  'the id of a store',
  {
    must: {
      '2.4/store/id-is-one-ulid':
        'The id of a store is one ULID, which neither a write nor another handle nor a call at the same time changes.',
      '2.4/store/id-is-its-own': 'The id of a store is not the id of another store.',
      '2.4/store/id-for-two-handles':
        'Two handles of a store that ask for its id at once get the same id.',
    },
  },
  (define) => {
    define('2.4/store/id-is-one-ulid', async (store) => {
      // a store without an id lacks the method, or returns `undefined`
      if (store.identity === undefined) notApplicable('the store has no id');
      const asked = Array.from({ length: 20 }, () => ask(store.identity?.() ?? unlike()));
      const [first, ...others] = await Promise.all(asked);
      for (const each of others) equal(each, first, 'the id that another call was answered');
      if (first === undefined) return;
      check(isUlid(first), 'the id is a ULID');
      equal(await ask(store.commit(acme, registration('written'))), committed, 'a write');
      equal(await ask(store.identity()), first, 'the id after a write');
      const again = await store.reopened?.();
      if (again === undefined) return;
      try {
        equal(await ask(again.identity?.() ?? unlike()), first, 'the id for another handle');
      } finally {
        await again.close();
      }
    });

    define('2.4/store/id-is-its-own', async (store) => {
      const other = await store.another?.();
      if (other === undefined || store.identity === undefined)
        notApplicable('there is no other store with an id');
      try {
        const own = await ask(store.identity());
        const theirs = await ask(other.identity?.() ?? unlike());
        check(own === undefined || own !== theirs, 'two stores have two ids');
      } finally {
        await other.close();
      }
    });

    define('2.4/store/id-for-two-handles', async (store) => {
      const second = await store.reopened?.();
      if (second === undefined) notApplicable('there is no second handle of the store');
      try {
        const ids = await Promise.all(
          [store, second, store, second].map((each) => ask(each.identity?.() ?? unlike())),
        );
        for (const id of ids) equal(id, ids[0], 'the id of both');
      } finally {
        await second.close();
      }
    });
  },
);

function unlike(): never {
  throw new Error('the handles of a store have the same methods');
}
