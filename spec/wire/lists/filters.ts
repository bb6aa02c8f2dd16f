import { equal } from '../../expectations.js';
import { createDeal, createDealV2, created } from '../creates/create.js';
import { expectStatus, group, type Server } from '../server.js';
import { expectRefused, namesOf, pageOf, pathOfList, type Query, severalDeals } from './list.js';

/** Section 6.2: the statuses that there are. */
const statuses = {
  status: [
    ...['created', 'accepted', 'delivered', 'changes_requested', 'approved'],
    ...['completed', 'disputed', 'cancelled', 'expired'],
  ],
  freelancer_status: [
    ...['new', 'invited', 'accepted', 'declined', 'expired', 'removed', 'finished'],
  ],
};

/** Section 4: the filters of a list. */
export const listFilters = group(
  'filters of a list',
  {
    must: {
      '4/list/filter-name': 'The filter `partner_id` finds the one deal of that name.',
      '2.2/list/filter-name-exactly': 'The filter `partner_id` compares code point by code point.',
      '4/list/filter-freelancer':
        'The filter `email_freelancer` finds the deals of one freelancer.',
      '1.3/list/filter-freelancer-case':
        'The filter `email_freelancer` finds an address in any ASCII case.',
      '4/list/filter-contractor':
        'The filter `email_freelancer` finds deals of version 1.0 by their contractor.',
      '4/list/filter-status': 'The filter `status` finds deals of that status and no others.',
      '4/list/filter-freelancer-status':
        'The filter `freelancer_status` finds deals of that status and no others.',
      '4/list/filter-new-status':
        'The filter `status` finds a deal by its new status once it has moved.',
      '6.7/list/filter-attention': 'The filter `attention=true` does not find a new deal.',
      '4/list/filters-together': 'Several filters find the deals that each of them finds.',
      '6.2/list/statuses': 'A list can be filtered by every status that there is.',
      '4/list/status-unknown': 'A filter by a status that does not exist is refused.',
      '4/list/status-of-other': 'A filter by a status of another kind is refused.',
      '4/list/name-empty': 'A filter by an empty `partner_id` is refused.',
      '4/list/name-too-long': 'A filter by a `partner_id` of more than 40 characters is refused.',
      '4/list/freelancer-no-address':
        'A filter by a text that is not an e-mail address is refused.',
      '1.8/list/all-problems': 'A list names all parameters that it refuses at once.',
    },
    // docs/reference/http.md says so; no decision does
    should: {
      '4/list/unknown-parameter':
        'A parameter that a list does not have is refused with `unknown_parameter`.',
      '4/list/unknown-parameter-cut':
        'The path of `unknown_parameter` is the first 64 characters of the name.',
      '4/list/repeated-parameter': 'Of a parameter that is repeated, the last one counts.',
    },
  },
  (define) => {
    define('4/list/filter-name', async (server) => {
      const { names } = await severalDeals(server, 2);
      for (const name of names) await expectFound(server, { partner_id: name }, [name]);
    });

    define('2.2/list/filter-name-exactly', async (server) => {
      const name = `${server.name('id')}é`;
      await created(server, createDealV2, { partner_id: name });
      await expectFound(server, { partner_id: name }, [name]);
      for (const other of [name.toUpperCase(), `${name} `, name.normalize('NFD')]) {
        await expectFound(server, { partner_id: other }, []);
      }
      await expectFound(server, { partner_id: name.slice(0, -1) }, []);
    });

    define('4/list/filter-freelancer', async (server) => {
      const [first, second] = [await severalDeals(server, 2), await severalDeals(server, 1)];
      await expectFound(server, first.filter, first.names);
      await expectFound(server, second.filter, second.names);
    });

    define('1.3/list/filter-freelancer-case', async (server) => {
      const email = server.email('User');
      const { sent } = await created(server, createDealV2, { email_freelancer: email });
      for (const written of [email, email.toLowerCase(), email.toUpperCase()]) {
        await expectFound(server, { email_freelancer: written }, [sent['partner_id']]);
      }
    });

    define('4/list/filter-contractor', async (server) => {
      const { sent } = await created(server, createDeal);
      const email_freelancer = String(sent['contractor_email']);
      await expectFound(server, { email_freelancer }, [sent['partner_id']]);
    });

    for (const [id, name] of [
      ['4/list/filter-status', 'status'],
      ['4/list/filter-freelancer-status', 'freelancer_status'],
    ] as const) {
      define(id, async (server) => {
        const { filter, names } = await severalDeals(server, 2);
        const [own, ...others] = statuses[name];
        await expectFound(server, { ...filter, [name]: own ?? '' }, names);
        for (const other of others) await expectFound(server, { ...filter, [name]: other }, []);
      });
    }

    define('4/list/filter-new-status', async (server) => {
      const { filter, names } = await severalDeals(server, 2);
      const [kept = '', cancelled = ''] = names;
      await server.partner.data('POST', `/api/2.0/deal/${cancelled}/cancel/`, { body: {} });
      await expectFound(server, { ...filter, status: 'created' }, [kept]);
      await expectFound(server, { ...filter, status: 'cancelled' }, [cancelled]);
      await expectFound(server, { ...filter, freelancer_status: 'removed' }, [cancelled]);
    });

    define('6.7/list/filter-attention', async (server) => {
      const { filter } = await severalDeals(server, 1);
      await expectFound(server, { ...filter, attention: 'true' }, []);
    });

    define('4/list/filters-together', async (server) => {
      const { filter, names } = await severalDeals(server, 2);
      const [name = ''] = names;
      const all = {
        ...filter,
        partner_id: name,
        status: 'created',
        freelancer_status: 'new',
        created_from: '2000-01-01T00:00:00Z',
        created_to: '9999-12-31T23:59:59Z',
      };
      await expectFound(server, all, [name]);
      for (const change of [
        { partner_id: server.name() },
        { email_freelancer: server.email() },
        { status: 'accepted' },
        { freelancer_status: 'invited' },
        { created_from: all.created_to },
        { created_to: all.created_from },
      ]) {
        await expectFound(server, { ...all, ...change }, []);
      }
    });

    define('6.2/list/statuses', async ({ partner }) => {
      for (const [name, values] of Object.entries(statuses)) {
        for (const value of values) {
          const path = pathOfList({ [name]: value, page_size: 1 });
          expectStatus(await partner.send('GET', path), 200);
        }
      }
    });

    define('4/list/status-unknown', async ({ partner }) => {
      for (const name of Object.keys(statuses)) {
        for (const value of ['unknown', 'Created', 'NEW', 'created,new', '', '__proto__']) {
          await expectRefused(partner, { [name]: value }, name, 'not_allowed');
        }
      }
    });

    define('4/list/status-of-other', async ({ partner }) => {
      await expectRefused(partner, { status: 'new' }, 'status', 'not_allowed');
      const other = { freelancer_status: 'created' };
      await expectRefused(partner, other, 'freelancer_status', 'not_allowed');
    });

    define('4/list/name-empty', async ({ partner }) => {
      await expectRefused(partner, { partner_id: '' }, 'partner_id', 'too_short');
    });

    define('4/list/name-too-long', async ({ partner, name }) => {
      const [longest, longer] = [name().padEnd(40, 'x'), name().padEnd(41, 'x')];
      expectStatus(await partner.send('GET', pathOfList({ partner_id: longest })), 200);
      await expectRefused(partner, { partner_id: longer }, 'partner_id', 'too_long');
    });

    define('4/list/freelancer-no-address', async ({ partner }) => {
      for (const email_freelancer of ['nobody', 'a@b@c', '@example.com']) {
        await expectRefused(partner, { email_freelancer }, 'email_freelancer', 'invalid_email');
      }
    });

    define('1.8/list/all-problems', async ({ partner }) => {
      const query = { page_size: 0, status: 'unknown', created_from: 'yesterday' };
      const reply = await partner.send('GET', pathOfList(query));
      const { errors } = reply.members();
      const names = (errors as { path: string[] }[]).map(({ path }) => path[0]);
      equal(names.sort(), Object.keys(query).sort(), 'the parameters of the issues');
    });

    define('4/list/unknown-parameter', async ({ partner }) => {
      for (const name of ['statos', 'Status', 'page-size', 'constructor', 'limit']) {
        await expectRefused(partner, { [name]: '1' }, name, 'unknown_parameter');
      }
    });

    define('4/list/unknown-parameter-cut', async ({ partner }) => {
      for (const letter of ['x', '😀']) {
        const query = { [letter.repeat(65)]: '1' };
        await expectRefused(partner, query, letter.repeat(64), 'unknown_parameter');
      }
    });

    define('4/list/repeated-parameter', async (server) => {
      const { names } = await severalDeals(server, 2);
      for (const [first, last] of [names, [...names].reverse()]) {
        const query = `partner_id=${first}&partner_id=${last}`;
        const { results } = await server.partner.data('GET', `/api/2.0/deal/?${query}`);
        const found = namesOf({ results: results as { partner_id: string }[] });
        equal(found, [last], 'the deals of the list');
      }
    });
  },
);

async function expectFound(
  { partner }: Server,
  query: Query,
  names: readonly unknown[],
): Promise<void> {
  const found = namesOf(await pageOf(partner, query));
  equal(found, names, `the deals of the list with ${pathOfList(query)}`);
}
