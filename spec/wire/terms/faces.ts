import { equal } from '../../expectations.js';
import {
  type By,
  changesNothing,
  dealIn,
  type LivingDeal,
  newDeal,
  newDealV1,
} from '../life/deal.js';
import { apartFromIds } from '../life/faces.js';
import {
  type Caller,
  expectError,
  expectStatus,
  group,
  type Members,
  membersOf,
  type Server,
} from '../server.js';
import {
  amendment,
  dataAt,
  decide,
  decided,
  decisions,
  type Proposal,
  proposalNow,
  proposalsOf,
  propose,
  proposed,
  read,
  retitled,
  settlement,
  sides,
} from './terms.js';

const readers = ['partner', 'freelancer', 'operator'] as const;
const money = ['gross', 'fee', 'net'];

/** A ULID that names nothing. */
const noProposal = '01KDVE0000000000000000000B';

/** The requests that a face has below a deal, with a proposal of it. */
const requests = ({ id, terms_sha256 }: Pick<Proposal, 'id' | 'terms_sha256'>) =>
  [
    ['GET', 'proposal/'],
    ['POST', 'proposal/', retitled()],
    ['GET', `proposal/${id}/`],
    ['POST', `proposal/${id}/accept/`, { terms_sha256 }],
    ['POST', `proposal/${id}/reject/`, {}],
    ['POST', `proposal/${id}/withdraw/`, {}],
    ['GET', 'terms/'],
    ['POST', 'add-bonus/', { amount: '10.00' }],
  ] as const satisfies readonly (readonly [string, string, Members?])[];

const cents = (text: unknown) => BigInt(String(text).replace('.', ''));

/** A deal with an open proposal, by the freelancer if nothing else is said. */
async function withOpen(server: Server, body: Members = retitled(), by: By = 'freelancer') {
  const deal = await dealIn('accepted', server);
  return { deal, open: await proposed(deal, by, body) };
}

/** Fails the case unless a page-by-page walk has these ids. */
async function expectPages(deal: LivingDeal, by: By, ids: readonly string[]): Promise<void> {
  const pageAt = async (cursor: unknown) => {
    const query = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const { results, next, previous } = await dataAt(deal, `proposal/?page_size=2${query}`, by);
    return { ids: (results as readonly Proposal[]).map(({ id }) => id), next, previous };
  };
  const first = await pageAt(null);
  const second = await pageAt(first.next);
  const third = await pageAt(second.next);
  equal([...first.ids, ...second.ids, ...third.ids], ids, 'the ids on all pages');
  equal([first.previous, third.next], [null, null], 'the cursors at both ends');
  equal((await pageAt(third.previous)).ids, second.ids, 'the page before the last');
  equal((await pageAt(second.previous)).ids, first.ids, 'the page before that');
}

/** Decision 9.11: the paths of each face. */
export const termsFaces = group(
  'faces of proposals and terms',
  {
    must: {
      '9.11/faces/statuses': 'A proposal is answered with 201, a decision about it with 200.',
      '9.11/faces/newest-first': 'The proposals of a deal are listed newest first.',
      '9.11/faces/pages': 'Pages of proposals have every proposal once, in both directions.',
      '9.11/faces/cursor': 'A cursor of a list of proposals that is none is 400 `invalid_cursor`.',
      '9.11/faces/page-size':
        'A page of proposals or of versions has 1 to 100; other sizes are 400.',
      '9.11/faces/one': 'A proposal is read by its id, also once it is closed.',
      '9.11/faces/unknown': 'An id that no proposal has is 404.',
      '9.11/faces/unknown-decision': 'A decision about a proposal that does not exist is 404.',
      '9.11/faces/other-deal': 'The proposal of another deal is 404, to read and to decide.',
      '9.11/faces/no-decision': 'A word that is not a decision about a proposal is 404.',
      '9.11/faces/freelancer-alone':
        'Another freelancer sees nothing of a proposal, and decides nothing.',
      '2.5/terms/foreign-deal':
        "Another partner's deal has the answer of no deal at all, on each path of proposals and terms.",
      '5.2/terms/no-token': 'Each path of proposals and terms is 401 without a token.',
      '6.7/terms/by-id':
        '`by-id` with `?partner_id=` stands for the id in paths of proposals and terms.',
      '9.11/faces/freelancer-money':
        'The freelancer sees `gross`, `fee` and `net` of what is proposed; `net` is the rest.',
      '9.11/faces/gross': '`gross` is the sum of the stages that would be there.',
      '9.11/faces/partner-no-money':
        'The partner and the operator see no `gross`, `fee` and `net`.',
      '9.11/faces/same': 'Apart from that, every face sees the same proposal.',
      '9.11/sandbox/propose': 'A partner of the sandbox proposes and decides for either side.',
      '9.11/sandbox/v1': 'The freelancer of a deal of version 1.0 proposes in the sandbox, too.',
      '9.11/sandbox/no-actor': 'The sandbox has no proposals of the operator and of payments.',
      '9.14/views/open':
        'Deal details, the offer and the view of the operator have the open proposal.',
      '9.14/views/none': 'They have `null` if no proposal is open.',
    },
  },
  (define) => {
    for (const decision of decisions) {
      define(
        '9.11/faces/statuses',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const reply = await propose(deal, 'partner', retitled());
          expectStatus(reply, 201);
          const open = membersOf(reply.members()['data'], 'the proposal') as Proposal;
          const by = decision === 'withdraw' ? 'partner' : 'freelancer';
          expectStatus(await decide(deal, by, open, decision), 200);
        },
        decision,
      );
    }

    for (const by of readers) {
      define(
        '9.11/faces/newest-first',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const ids: string[] = [];
          for (const side of [...sides, ...sides]) {
            ids.unshift((await proposed(deal, side, retitled())).id);
          }
          equal(
            (await proposalsOf(deal, by)).map(({ id }) => id),
            ids,
            'the ids of the proposals',
          );
        },
        by,
      );

      for (const isOpen of [true, false]) {
        define(
          '9.11/faces/pages',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const ids: string[] = [];
            for (let count = 0; count < 5; count += 1) {
              const open = await proposed(deal, 'partner', retitled());
              ids.unshift(open.id);
              if (!isOpen) await decided(deal, 'freelancer', open, 'reject');
            }
            await expectPages(deal, by, ids);
          },
          `${by}, ${isOpen ? 'one is open' : 'none is open'}`,
        );
      }

      define(
        '9.11/faces/cursor',
        async (server) => {
          const { deal } = await withOpen(server);
          for (const cursor of ['1', 'garbage', `n-${noProposal}x`]) {
            const reply = await read(deal, `proposal/?cursor=${cursor}`, by);
            expectError(reply, 400, 'invalid_cursor');
          }
        },
        by,
      );

      define(
        '9.11/faces/page-size',
        async (server) => {
          const { deal } = await withOpen(server);
          for (const path of ['proposal/', 'terms/']) {
            for (const size of ['0', '101', '-1', 'all', '1.5']) {
              const reply = await read(deal, `${path}?page_size=${size}`, by);
              expectError(reply, 400, 'validation_failed');
            }
            for (const size of ['1', '100']) {
              expectStatus(await read(deal, `${path}?page_size=${size}`, by), 200);
            }
          }
        },
        by,
      );

      define(
        '9.11/faces/one',
        async (server) => {
          const { deal, open } = await withOpen(server);
          equal((await proposalNow(deal, open, by)).status, 'open', 'the status while it is open');
          await decided(deal, 'partner', open, 'reject');
          const now = await proposalNow(deal, open, by);
          equal([now.id, now.status], [open.id, 'rejected'], 'id and status after it');
        },
        by,
      );

      define(
        '9.11/faces/unknown',
        async (server) => {
          const { deal } = await withOpen(server);
          for (const id of [noProposal, 'x', '1', 'open', `${noProposal}x`]) {
            expectError(await read(deal, `proposal/${id}/`, by), 404, 'not_found');
          }
        },
        by,
      );

      define(
        '9.11/faces/other-deal',
        async (server) => {
          const { open } = await withOpen(server);
          const other = await dealIn('accepted', server);
          expectError(await read(other, `proposal/${open.id}/`, by), 404, 'not_found');
          if (by === 'operator') return;
          for (const decision of decisions) {
            const reply = await changesNothing(other, () => decide(other, by, open, decision));
            expectError(reply, 404, 'not_found');
          }
        },
        by,
      );

      define(
        '9.11/faces/same',
        async (server) => {
          const { deal, open } = await withOpen(server, settlement('50.00'), 'partner');
          const seen = await proposalNow(deal, open, by);
          equal({ ...seen, ...noMoney }, { ...open, ...noMoney }, 'the proposal');
        },
        by,
      );

      define(
        '9.14/views/open',
        async (server) => {
          const { deal, open } = await withOpen(server);
          const { proposal } = await dataAt(deal, '', by);
          equal(proposal, await proposalNow(deal, open, by), 'the member proposal');
        },
        by,
      );

      define(
        '9.14/views/none',
        async (server) => {
          const { deal, open } = await withOpen(server);
          await decided(deal, 'partner', open, 'reject');
          equal((await dataAt(deal, '', by))['proposal'], null, 'the member proposal');
        },
        by,
      );
    }

    for (const by of sides) {
      define(
        '9.11/faces/unknown-decision',
        async (server) => {
          const { deal } = await withOpen(server);
          for (const id of [noProposal, 'x']) {
            for (const decision of decisions) {
              const none = { id, terms_sha256: '0'.repeat(64) };
              expectError(await decide(deal, by, none, decision), 404, 'not_found');
            }
          }
        },
        by,
      );

      define(
        '9.11/faces/no-decision',
        async (server) => {
          const { deal, open } = await withOpen(server);
          for (const word of ['expire', 'supersede', 'delete']) {
            const reply = await deal.give(by, `proposal/${open.id}/${word}`);
            expectError(reply, 404, 'not_found');
          }
        },
        by,
      );
    }

    define('9.11/faces/freelancer-alone', async (server) => {
      const { deal, open } = await withOpen(server, retitled(), 'partner');
      const other = server.freelancer((await newDeal(server)).payment_token);
      for (const [method, path, body] of requests(open).filter(([, at]) => at.includes(open.id))) {
        const sent = body === undefined ? {} : { body };
        const reply = await other.send(method, `/api/2.0/offer/${path}`, sent);
        expectError(reply, 404, 'not_found');
      }
      equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
    });

    define('2.5/terms/foreign-deal', async (server) => {
      const { deal, open } = await withOpen(server);
      const send = (caller: Caller, id: string) =>
        requests(open).map(async ([method, path, body]) => {
          const sent = body === undefined ? {} : { body };
          return apartFromIds(await caller.send(method, `/api/2.0/deal/${id}/${path}`, sent));
        });
      const none = await Promise.all(send(server.other, server.name('none')));
      for (const each of none) equal(Object(each).status, 404, 'the status of no deal');
      equal(await Promise.all(send(server.other, deal.partner_id)), none, 'the answers');
      equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
    });

    for (const by of readers) {
      define(
        '5.2/terms/no-token',
        async (server) => {
          const { deal, open } = await withOpen(server);
          for (const [method, path, body] of requests(open)) {
            if (by !== 'partner' && path.startsWith('add-bonus')) continue;
            if (by === 'operator' && method === 'POST') continue;
            const sent = body === undefined ? {} : { body };
            const reply = await server.anonymous.send(method, `${deal.path(by)}/${path}`, sent);
            expectError(reply, 401, 'unauthorized');
          }
        },
        by,
      );
    }

    define('6.7/terms/by-id', async (server) => {
      const partner_id = `${server.name('id')}a/b`;
      const deal = await newDeal(server, { partner_id });
      await deal.server.freelancer(deal.payment_token).send('POST', '/api/2.0/offer/accept/');
      const query = `?partner_id=${encodeURIComponent(partner_id)}`;
      const at = (path: string) => `/api/2.0/deal/by-id/${path}${query}`;
      const { partner } = server;
      const made = await partner.send('POST', at('proposal/'), { body: retitled() });
      expectStatus(made, 201);
      const open = membersOf(made.members()['data'], 'the proposal') as Proposal;
      equal((await partner.data('GET', at(`proposal/${open.id}/`)))['id'], open.id, 'the id');
      const { results } = await partner.data('GET', at('proposal/'));
      equal((results as readonly Proposal[]).length, 1, 'the number of proposals');
      await partner.data('POST', at(`proposal/${open.id}/withdraw/`), { body: {} });
      await partner.data('GET', at('terms/'));
      const bonus = { body: { amount: '10.00' } };
      const after = await partner.data('POST', at('add-bonus/'), bonus);
      equal(after['amount'], '110.04', 'the amount after a bonus');
    });

    for (const [name, body, gross] of [
      ['an amendment', amendment({ amount: '140.04' }), '140.04'],
      ['a settlement', settlement('50.00'), '50.00'],
    ] as const) {
      define(
        '9.11/faces/freelancer-money',
        async (server) => {
          const { deal, open } = await withOpen(server, body, 'partner');
          const seen = await proposalNow(deal, open, 'freelancer');
          const [all, fee, net] = money.map((each) => cents(seen[each]));
          equal(Number(net), Number(all) - Number(fee), 'net, in hundredths');
        },
        name,
      );
      define(
        '9.11/faces/gross',
        async (server) => {
          for (const by of sides) {
            const { deal, open } = await withOpen(server, body, by);
            equal((await proposalNow(deal, open, 'freelancer'))['gross'], gross, 'gross');
          }
        },
        name,
      );
    }

    for (const by of ['partner', 'operator'] as const) {
      define(
        '9.11/faces/partner-no-money',
        async (server) => {
          const { deal, open } = await withOpen(server);
          const seen = [
            await proposalNow(deal, open, by),
            membersOf((await dataAt(deal, '', by))['proposal'], 'the open proposal'),
            ...(await proposalsOf(deal, by)),
          ];
          for (const each of seen) {
            const shown = money.filter((name) => Object.hasOwn(each, name));
            equal(shown, [], 'the members that only the freelancer sees');
          }
        },
        by,
      );
    }

    for (const by of sides) {
      define(
        '9.11/sandbox/propose',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const other = by === 'partner' ? 'freelancer' : 'partner';
          const first = await proposed(deal, `sandbox/${by}`, retitled());
          equal(first['by'], by, 'who proposed it');
          await decided(deal, `sandbox/${by}`, first, 'withdraw');
          const second = await proposed(deal, `sandbox/${by}`, retitled());
          await decided(deal, `sandbox/${other}`, second, 'reject');
          const third = await proposed(deal, `sandbox/${by}`, retitled('Three pages'));
          await decided(deal, `sandbox/${other}`, third, 'accept');
          equal((await deal.details())['title'], 'Three pages', 'the title');
        },
        by,
      );
    }

    define('9.11/sandbox/v1', async (server) => {
      const deal = await newDealV1(server);
      await deal.done('partner', 'accept');
      const open = await proposed(deal, 'sandbox/freelancer', retitled('Two pages'));
      equal(open['by'], 'freelancer', 'who proposed it');
      await decided(deal, 'partner', open, 'accept');
      equal((await deal.details())['title'], 'Two pages', 'the title');
    });

    for (const by of ['sandbox/operator', 'sandbox/payments'] as const) {
      define(
        '9.11/sandbox/no-actor',
        async (server) => {
          const { deal, open } = await withOpen(server);
          expectError(await propose(deal, by, retitled()), 404, 'not_found');
          for (const decision of decisions) {
            expectError(await decide(deal, by, open, decision), 404, 'not_found');
          }
        },
        by,
      );
    }
  },
);

/** Takes away what only the freelancer sees. */
const noMoney = { gross: undefined, fee: undefined, net: undefined };
