import { check, equal } from '../../expectations.js';
import {
  because,
  type Details,
  dealIn,
  type LivingDeal,
  newDeal,
  type State,
} from '../life/deal.js';
import { moment } from '../life/time.js';
import { group, type Members, type Server } from '../server.js';
import {
  amendment,
  decided,
  decisions,
  otherSide,
  type Proposal,
  proposalNow,
  proposalsOf,
  proposed,
  retitled,
  settlement,
  sides,
} from './terms.js';

const members = [
  ...['id', 'kind', 'by', 'status', 'changes', 'terms', 'terms_sha256', 'message', 'supersedes'],
  ...['created_at', 'expires_at', 'decided_at'],
];

/** How long a proposal is open by default, in seconds. */
const twoWeeks = 14 * 24 * 60 * 60;

/** What ends an open proposal, besides its own decisions. */
const ends: Readonly<Record<string, readonly [State, (deal: LivingDeal) => Promise<unknown>]>> = {
  'cancel by the partner': ['accepted', (deal) => deal.done('partner', 'cancel')],
  decline: ['accepted', (deal) => deal.done('freelancer', 'decline')],
};

async function withOpen(
  server: Server,
  state: State,
  body: Members = retitled(),
): Promise<{ deal: LivingDeal; open: Proposal }> {
  const deal = await dealIn(state, server);
  return { deal, open: await proposed(deal, 'freelancer', body) };
}

/** The details without the members that an open proposal changes. */
function withoutProposal({ proposal: _, legal_proposals: __, ...details }: Details): Members {
  return details;
}

/** Decision 9.1: proposals, of which a deal has one open at most. */
export const proposals = group(
  'proposals',
  {
    must: {
      '9.1/proposal/members': 'A proposal has all members of decision 9.1.',
      '9.1/proposal/id': 'The id of a proposal is a ULID.',
      '9.1/proposal/open': 'A new proposal is `open` and undecided, and says who made it.',
      '9.1/proposal/changes': 'A proposal shows the `changes` as they were proposed.',
      '9.1/proposal/canonical': 'Money in the `changes` of a proposal is shown with two decimals.',
      '9.1/proposal/message': 'A proposal has its message, or `null`.',
      '9.1/proposal/changes-nothing':
        'A proposal changes nothing of the deal until it is accepted.',
      '9.1/proposal/supersedes': 'A proposal supersedes the open one of either side.',
      '9.1/proposal/supersedes-none': '`supersedes` is `null` if no proposal was open.',
      '9.1/proposal/one-open': 'A deal has at most one open proposal.',
      '9.1/proposal/superseded-by-bonus': 'A bonus supersedes the open proposal.',
      '9.1/proposal/superseded-by-resolve': '`resolve` supersedes the open proposal.',
      '9.1/proposal/superseded-by-cancel': '`cancel` by the operator supersedes the open proposal.',
      '9.1/proposal/superseded-by-end': 'The end of a deal supersedes the open proposal.',
      '9.1/proposal/survives-accept': 'A plain `accept` of the deal leaves the proposal open.',
      '9.1/proposal/decided-at': 'A proposal that is not open any more has the time of its end.',
      '9.2/proposal/expires-at': 'A proposal expires 14 days after it was made.',
    },
  },
  (define) => {
    define('9.1/proposal/members', async (server) => {
      const { open } = await withOpen(server, 'created');
      const absent = members.filter((name) => !Object.hasOwn(open, name));
      equal(absent, [], 'the members that the proposal lacks');
    });

    define('9.1/proposal/id', async (server) => {
      const { open } = await withOpen(server, 'accepted');
      check(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(open.id), `a ULID\n  actual: ${open.id}`);
    });

    for (const by of sides) {
      for (const body of [retitled(), settlement('50.00')]) {
        define(
          '9.1/proposal/open',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const { kind, status, decided_at, ...proposal } = await proposed(deal, by, body);
            equal(
              { kind, status, by: proposal['by'], decided_at },
              { kind: body['kind'], status: 'open', by, decided_at: null },
              'the proposal',
            );
          },
          `${by}, ${body['kind']}`,
        );
      }
    }

    define('9.1/proposal/changes', async (server) => {
      const deal = await dealIn('accepted', server);
      const changes = { title: 'Two pages', description: 'Of text.', amount: '120.04' };
      equal((await proposed(deal, 'partner', amendment(changes)))['changes'], changes, 'changes');
    });

    define('9.1/proposal/canonical', async (server) => {
      const deal = await dealIn('accepted', server);
      const shown = await proposed(deal, 'partner', amendment({ amount: '00120.5' }));
      equal(shown['changes'], { amount: '120.50' }, 'the changes of an amendment');
      const settled = await proposed(deal, 'partner', settlement('7'));
      equal(settled['changes'], { agreed_amount: '7.00' }, 'the changes of a settlement');
    });

    define('9.1/proposal/message', async (server) => {
      const deal = await dealIn('accepted', server);
      equal((await proposed(deal, 'partner', retitled()))['message'], null, 'no message');
      const message = 'As we said on the telephone.';
      const told = await proposed(deal, 'partner', { ...retitled(), message });
      equal(told['message'], message, 'the message');
    });

    for (const state of ['created', 'accepted', 'delivered', 'approved'] as const) {
      define(
        '9.1/proposal/changes-nothing',
        async (server) => {
          const deal = await dealIn(state, server);
          const before = withoutProposal(await deal.details());
          await proposed(deal, 'freelancer', retitled());
          equal(withoutProposal(await deal.details()), before, 'the details of the deal');
        },
        state,
      );
    }

    for (const first of sides) {
      for (const second of sides) {
        define(
          '9.1/proposal/supersedes',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const one = await proposed(deal, first, retitled());
            const other = await proposed(deal, second, settlement('50.00'));
            equal(other['supersedes'], one.id, 'the member supersedes');
            equal((await proposalNow(deal, one)).status, 'superseded', 'the status of the first');
          },
          `${first}, ${second}`,
        );
      }
    }

    define('9.1/proposal/supersedes-none', async (server) => {
      const { deal, open } = await withOpen(server, 'accepted');
      equal(open['supersedes'], null, 'the member supersedes');
      await decided(deal, 'freelancer', open, 'withdraw');
      const next = await proposed(deal, 'partner', retitled());
      equal(next['supersedes'], null, 'the member supersedes after a withdrawal');
    });

    define('9.1/proposal/one-open', async (server) => {
      const deal = await dealIn('accepted', server);
      for (const by of [...sides, ...sides]) await proposed(deal, by, retitled());
      equal(
        (await proposalsOf(deal)).map(({ status }) => status),
        ['open', 'superseded', 'superseded', 'superseded'],
        'the statuses of the proposals, newest first',
      );
    });

    define('9.1/proposal/superseded-by-bonus', async (server) => {
      const { deal, open } = await withOpen(server, 'accepted');
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      equal((await proposalNow(deal, open)).status, 'superseded', 'the status');
    });

    for (const by of ['operator', 'sandbox/operator'] as const) {
      define(
        '9.1/proposal/superseded-by-resolve',
        async (server) => {
          const { deal, open } = await withOpen(server, 'disputed', settlement('50.00'));
          await deal.done(by, 'resolve', { agreed_amount: '40.00' });
          equal((await proposalNow(deal, open)).status, 'superseded', 'the status');
        },
        by,
      );
      define(
        '9.1/proposal/superseded-by-cancel',
        async (server) => {
          const { deal, open } = await withOpen(server, 'delivered');
          await deal.done(by, 'cancel', because);
          equal((await proposalNow(deal, open)).status, 'superseded', 'the status');
        },
        by,
      );
    }

    for (const [name, [state, end]] of Object.entries(ends)) {
      define(
        '9.1/proposal/superseded-by-end',
        async (server) => {
          const { deal, open } = await withOpen(server, state);
          await end(deal);
          equal((await proposalNow(deal, open)).status, 'superseded', 'the status');
          equal((await deal.details())['proposal'], null, 'the open proposal of the deal');
        },
        name,
      );
    }

    define('9.1/proposal/survives-accept', async (server) => {
      const deal = await newDeal(server);
      const open = await proposed(deal, 'freelancer', retitled());
      await deal.done('freelancer', 'accept');
      equal((await proposalNow(deal, open)).status, 'open', 'the status');
    });

    for (const decision of decisions) {
      define(
        '9.1/proposal/decided-at',
        async (server) => {
          const { deal, open } = await withOpen(server, 'accepted');
          const by = decision === 'withdraw' ? 'freelancer' : otherSide.freelancer;
          const closed = await decided(deal, by, open, decision);
          const at = moment(closed['decided_at'], 'the member decided_at');
          check(at >= moment(open['created_at'], 'created_at'), 'it is decided after it was made');
          equal(await proposalNow(deal, open, by), closed, 'the proposal, and the answer');
        },
        decision,
      );
    }

    define('9.2/proposal/expires-at', async (server) => {
      const { open } = await withOpen(server, 'accepted');
      const [begin, end] = ['created_at', 'expires_at'].map((name) => moment(open[name], name));
      equal(Number(end) - Number(begin), twoWeeks, 'the seconds until it expires');
    });
  },
);
