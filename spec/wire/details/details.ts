import { check, equal, show } from '../../expectations.js';
import {
  byId,
  createDeal,
  createDealV2,
  created,
  entriesOf,
  inEachDeal,
  pathOf,
  stored,
} from '../creates/create.js';
import { stagesOf } from '../creates/stages.js';
import { expectError, expectStatus, group, type Server } from '../server.js';
import { expectMembers, stageMembers } from './deal.js';

const members = [
  ...['partner_id', 'email_freelancer', 'title', 'description', 'subcategory_id', 'amount'],
  ...['currency', 'copyright_transfer', 'freelancer_language', 'status', 'freelancer_status'],
  ...['payment_token', 'billing', 'created_at'],
];

/** What a `partner_id` may have in it, and how a path says it. */
const inPaths = {
  '4/details/path-blank': [' a b ', '\u00a0'],
  '4/details/path-unicode': ['é', 'żółw', '日本', '😀', '\u{10ffff}'],
  '4/details/path-percent': ['%', '%41', '%2F', '%25', '100%'],
  '4/details/path-plus': ['+', 'a+b'],
  '4/details/path-reserved': ['?x=1', '#x', '&', ';a=b', ':@!$', "'()*", ',='],
  '4/details/path-quotes': ['"', '\\', '<>', '`', '{}|^[]'],
  '4/details/path-slash': ['/', 'a/b', '//', '/file/'],
} as const;

/** The same in a parameter, for which `.` and `..` in a path are no obstacle. */
const inParameters = {
  '4/details/by-id-dots': ['/.', '/..', '/../x', '/./x', '..'],
  '4/details/by-id-slash': ['/', 'a/b', '//', '/file/'],
  '4/details/by-id-blank': [' a b ', '\u00a0', '\t'],
  '4/details/by-id-unicode': ['é', 'żółw', '日本', '😀', '\u{10ffff}'],
  '4/details/by-id-percent': ['%', '%41', '%2F', '%25', '100%'],
  '4/details/by-id-reserved': ['+', 'a+b', '?x=1', '#x', '&partner_id=x', ';a=b', '='],
} as const;

/** Section 4: a deal of either version by its `partner_id`. */
export const dealDetails = group(
  'deal details',
  {
    must: {
      '4/details/status': 'The details of a deal are read by its `partner_id` with 200.',
      '4/details/members': 'The details of a deal have all members of section 4.',
      '4/details/new': 'A new deal of version 2.0 has the status `created` in its details.',
      '4/details/freelancer-new': 'A new deal has the freelancer status `new` in its details.',
      '6.7/details/stages':
        'The details of a deal have its stages, with the members of version 1.0.',
      '6.7/details/agreed-amount': 'A new deal and its stages have `agreed_amount: null`.',
      '6.7/details/attention': 'A new deal needs no attention: `attention` is empty.',
      '4/details/created-at': 'The member `created_at` of a deal is an RFC 3339 time in UTC.',
      '4/details/unknown': 'A `partner_id` that no deal has is 404.',
      '4/details/too-long': 'A `partner_id` of more than 40 characters names no deal: 404.',
      '4/details/v1-details-members': 'A deal of version 1.0 has all members of details.',
      '4/details/v1-values':
        'The details of a deal of version 1.0 have its values under the names of 2.0.',
      '4/details/v1-no-token': 'The details of a deal of version 1.0 have `payment_token: null`.',
      '4/details/v1-same': 'Status, billing and time of a deal are the same in both versions.',
      '4/details/by-id': 'The path `by-id` with a `partner_id` gives the same details.',
      '4/details/by-id-unknown': 'The path `by-id` with a `partner_id` that no deal has is 404.',
      '4/details/by-id-plain':
        'The path `by-id` without a parameter names the deal whose `partner_id` is `by-id`.',
      '4/details/by-id-dot-alone':
        'The path `by-id` takes `.` and `..` as a `partner_id` like any other.',
      '4/details/path-blank': 'A path finds a `partner_id` with blanks.',
      '4/details/path-unicode': 'A path finds a `partner_id` with letters beyond ASCII.',
      '4/details/path-percent': 'A path is decoded once: it finds a `partner_id` with `%`.',
      '4/details/path-plus': 'A path finds a `partner_id` with `+`: there it is no blank.',
      '4/details/path-reserved': 'A path finds a `partner_id` with reserved characters of a URL.',
      '4/details/path-quotes': 'A path finds a `partner_id` with quotes, brackets and backslashes.',
      '4/details/path-slash':
        'A path is split before it is decoded: it finds a `partner_id` with `%2F`.',
      '4/details/by-id-dots': 'The path `by-id` finds a `partner_id` with dots and slashes.',
      '4/details/by-id-slash': 'The path `by-id` finds a `partner_id` with slashes.',
      '4/details/by-id-blank': 'The path `by-id` finds a `partner_id` with blanks.',
      '4/details/by-id-unicode': 'The path `by-id` finds a `partner_id` with letters beyond ASCII.',
      '4/details/by-id-percent':
        'A parameter is decoded once: `by-id` finds a `partner_id` with `%`.',
      '4/details/by-id-reserved':
        'The path `by-id` finds a `partner_id` with reserved characters of a query.',
    },
  },
  (define) => {
    const inBoth = inEachDeal(define);

    define('4/details/status', async (server) => {
      const { partner_id } = await server.makeDealV2();
      expectStatus(await server.partner.send('GET', pathOf(partner_id)), 200);
    });

    define('4/details/members', async (server) => {
      expectMembers(await stored(server, createDealV2), members);
    });

    define('4/details/new', async (server) => {
      equal((await stored(server, createDealV2))['status'], 'created', 'the member status');
    });

    define('4/details/freelancer-new', async (server) => {
      const { freelancer_status } = await stored(server, createDealV2);
      equal(freelancer_status, 'new', 'the member freelancer_status');
    });

    define('6.7/details/stages', async (server) => {
      for (const stage of stagesOf(await stored(server, createDealV2))) {
        expectMembers(stage, stageMembers);
      }
    });

    inBoth('6.7/details/agreed-amount', async (server, create) => {
      const deal = await stored(server, create);
      for (const { agreed_amount } of [deal, ...stagesOf(deal)]) {
        equal(agreed_amount, null, 'the member agreed_amount');
      }
    });

    define('6.7/details/attention', async (server) => {
      equal((await stored(server, createDealV2))['attention'], [], 'the member attention');
    });

    inBoth('4/details/created-at', async (server, create) => {
      const { created_at } = await stored(server, create);
      const isUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(String(created_at));
      const isTime = isUtc && !Number.isNaN(Date.parse(String(created_at)));
      check(isTime, `created_at is a time in UTC\n  actual: ${show(created_at)}`);
    });

    for (const [id, path] of [
      ['4/details/unknown', pathOf],
      ['4/details/by-id-unknown', byId],
    ] as const) {
      define(id, async ({ partner, name }) => {
        expectError(await partner.send('GET', path(name())), 404, 'not_found');
      });
    }

    define('4/details/too-long', async ({ partner, name }) => {
      for (const length of [41, 1000]) {
        for (const path of [pathOf, byId]) {
          const reply = await partner.send('GET', path(name().padEnd(length, 'x')));
          expectError(reply, 404, 'not_found');
        }
      }
    });

    define('4/details/v1-details-members', async (server) => {
      const { partner_id } = await server.makeDeal();
      expectMembers(await server.partner.data('GET', pathOf(partner_id)), members);
    });

    define('4/details/v1-values', async (server) => {
      const { sent } = await created(server, createDeal);
      const details = await server.partner.data('GET', pathOf(sent['partner_id']));
      for (const [name, of2] of [
        ['partner_id', 'partner_id'],
        ['contractor_email', 'email_freelancer'],
        ['name', 'title'],
        ['description', 'description'],
        ['sub_category_id', 'subcategory_id'],
        ['budget', 'amount'],
        ['currency', 'currency'],
      ] as const) {
        equal(details[of2], sent[name], `the member ${of2}, of version 1.0 ${name}`);
      }
    });

    define('4/details/v1-no-token', async (server) => {
      const { partner_id } = await server.makeDeal();
      const details = await server.partner.data('GET', pathOf(partner_id));
      equal(details['payment_token'], null, 'the member payment_token');
    });

    define('4/details/v1-same', async (server) => {
      const { id, partner_id } = await server.makeDeal();
      const deal = await server.partner.data('GET', `/api/1.0/deal/${id}/`);
      const details = await server.partner.data('GET', pathOf(partner_id));
      for (const name of ['status', 'billing', 'created_at']) {
        equal(details[name], deal[name], `the member ${name} of the details`);
      }
    });

    define('4/details/by-id', async (server) => {
      const { partner_id } = await server.makeDealV2();
      const details = await server.partner.data('GET', pathOf(partner_id));
      equal(await server.partner.data('GET', byId(partner_id)), details, 'the details');
    });

    // names without the prefix of the run: whether a deal has one is another's business
    define('4/details/by-id-plain', async ({ partner }) => {
      await expectSame(partner, 'by-id', '/api/2.0/deal/by-id/');
    });

    define('4/details/by-id-dot-alone', async ({ partner }) => {
      for (const name of ['.', '..']) await expectSame(partner, name, byId(name));
    });

    for (const [id, parts] of entriesOf(inPaths)) {
      define(id, (server) => expectFound(server, parts, pathOf));
    }

    for (const [id, parts] of entriesOf(inParameters)) {
      define(id, (server) => expectFound(server, parts, byId));
    }
  },
);

/** Deals with these parts in their names, each of which the path finds. */
async function expectFound(
  server: Server,
  parts: readonly string[],
  path: (partnerId: string) => string,
): Promise<void> {
  for (const part of parts) {
    const { partner_id } = await server.makeDealV2({ partner_id: `${server.name('id')}${part}` });
    const details = await server.partner.data('GET', path(partner_id));
    equal(details['partner_id'], partner_id, 'the member partner_id of the details');
  }
}

/** The path answers with the deal of this name, or that there is none. */
async function expectSame(partner: Server['partner'], name: string, path: string): Promise<void> {
  const reply = await partner.send('GET', path);
  if (reply.status === 404) return void expectError(reply, 404, 'not_found');
  expectStatus(reply, 200);
  const { partner_id } = Object(reply.members()['data']);
  equal(partner_id, name, 'the member partner_id of the details');
}
