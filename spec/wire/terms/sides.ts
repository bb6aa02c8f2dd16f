import { check, equal } from '../../expectations.js';
import {
  changesNothing,
  dealIn,
  expectIllegal,
  expectStatuses,
  type LivingDeal,
  newDeal,
  type State,
  statusesIn,
} from '../life/deal.js';
import { advanceTo, expectBefore, hour, moment } from '../life/time.js';
import { expectError, expectStatus, group, type Reply } from '../server.js';
import {
  agreed,
  decide,
  decided,
  decisions,
  otherSide,
  type Proposal,
  proposalNow,
  propose,
  proposed,
  retitled,
  settlement,
  sides,
} from './terms.js';

/** What each decision makes of an open proposal. */
const outcomes = { accept: 'accepted', reject: 'rejected', withdraw: 'withdrawn' } as const;

const amendable = ['created', 'accepted', 'delivered', 'changes_requested', 'approved'] as const;
const settleable = ['accepted', 'delivered', 'changes_requested', 'approved', 'disputed'] as const;
const ended = ['cancelled', 'declined'] as const;

/** Fails the case unless the answer is `illegal_transition` with this status of the proposal. */
function expectClosed(reply: Reply, proposal_status: string): void {
  const error = expectError(reply, 409, 'illegal_transition');
  equal(error['proposal_status'], proposal_status, 'the member proposal_status of the error');
}

/** Ways in which a proposal of the partner is closed. */
const closings: Readonly<Record<string, (deal: LivingDeal, open: Proposal) => Promise<unknown>>> = {
  accepted: (deal, open) => decided(deal, 'freelancer', open, 'accept'),
  rejected: (deal, open) => decided(deal, 'freelancer', open, 'reject'),
  withdrawn: (deal, open) => decided(deal, 'partner', open, 'withdraw'),
  superseded: (deal) => proposed(deal, 'partner', settlement('50.00')),
};

/** Decision 9.2: who decides a proposal. */
export const proposalSides = group(
  'sides of a proposal',
  {
    must: {
      '9.2/proposal/accept': 'The other side accepts a proposal.',
      '9.2/proposal/reject': 'The other side rejects a proposal.',
      '9.2/proposal/withdraw': 'The proposer withdraws a proposal.',
      '9.2/proposal/rejected-changes-nothing':
        'A proposal that is rejected or withdrawn changes nothing of the deal.',
      '9.2/proposal/wrong-side':
        'A decision of the wrong side is `illegal_transition`, and changes nothing.',
      '9.2/proposal/wrong-side-status':
        'The refusal of a decision of the wrong side has `proposal_status: "open"`.',
      '9.2/proposal/closed': 'A decision about a closed proposal is `illegal_transition`.',
      '9.2/proposal/closed-status':
        'The refusal of a decision about a closed proposal has its status in `proposal_status`.',
      '9.2/proposal/wrong-state':
        'A proposal in a state that has none is `illegal_transition`, with the statuses of the deal.',
      '9.2/sandbox/expires': 'A proposal expires by the clock.',
      '9.2/sandbox/expires-not-before': 'A proposal does not expire within 14 days.',
      '9.2/sandbox/expired-is-closed': 'An expired proposal cannot be accepted any more.',
      '9.2/operator/decides-none': 'The operator has no path to make a proposal, or to decide one.',
      '9.3/amendment/legal':
        'An amendment is legal in `created`, `accepted`, `delivered`, `changes_requested` and `approved`.',
      '9.3/amendment/illegal':
        'An amendment is illegal while a deal is disputed, and after its end.',
      '9.3/settlement/legal':
        'A settlement is legal in `accepted`, `delivered`, `changes_requested`, `approved` and `disputed`.',
      '9.3/settlement/illegal': 'A settlement is illegal before the acceptance and after the end.',
      '9.3/created/at-once':
        "A partner's amendment of a deal that nobody has accepted takes effect at once.",
      '9.3/created/accepted-at-once':
        'A proposal that takes effect at once is `accepted` from its start, and is decided.',
      '9.3/created/stays-created': 'An amendment that takes effect at once accepts no deal.',
      '9.3/created/counter-offer': "A freelancer's counter-offer stays open.",
      '9.3/created/counter-offer-accepts':
        'A counter-offer that the partner accepts also accepts the deal.',
      '9.3/created/counter-offer-rejected':
        'A counter-offer that the partner rejects leaves the deal `created`.',
      '9.3/created/replaces-counter-offer':
        "A partner's amendment of a deal that nobody has accepted supersedes the counter-offer.",
    },
  },
  (define) => {
    for (const by of sides) {
      for (const body of [retitled(), settlement('50.00')]) {
        for (const decision of decisions) {
          define(
            `9.2/proposal/${decision}`,
            async (server) => {
              const deal = await dealIn('accepted', server);
              const open = await proposed(deal, by, body);
              const decider = decision === 'withdraw' ? by : otherSide[by];
              const { status } = await decided(deal, decider, open, decision);
              equal(status, outcomes[decision], 'the status in the answer');
              const now = await proposalNow(deal, open);
              equal(now.status, outcomes[decision], 'the status of the proposal');
              equal((await deal.details())['proposal'], null, 'the open proposal of the deal');
            },
            `${body['kind']} by the ${by}`,
          );
        }
      }

      for (const decision of decisions) {
        const wrong = decision === 'withdraw' ? otherSide[by] : by;
        define(
          '9.2/proposal/wrong-side',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const open = await proposed(deal, by, retitled());
            const reply = await changesNothing(deal, () => decide(deal, wrong, open, decision));
            expectIllegal(reply, statusesIn.accepted);
          },
          `${decision} by the ${wrong}`,
        );
        define(
          '9.2/proposal/wrong-side-status',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const open = await proposed(deal, by, retitled());
            expectClosed(await decide(deal, wrong, open, decision), 'open');
          },
          `${decision} by the ${wrong}`,
        );
      }
    }

    for (const decision of ['reject', 'withdraw'] as const) {
      define(
        '9.2/proposal/rejected-changes-nothing',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const before = await deal.details();
          const open = await proposed(deal, 'partner', retitled());
          const by = decision === 'withdraw' ? 'partner' : 'freelancer';
          await decided(deal, by, open, decision);
          equal(await deal.details(), before, 'the details of the deal');
        },
        decision,
      );
    }

    for (const [status, close] of Object.entries(closings)) {
      for (const decision of decisions) {
        // the same again is a repeat
        if (outcomes[decision] === status) continue;
        const by = decision === 'withdraw' ? 'partner' : 'freelancer';
        const closed = async (deal: LivingDeal) => {
          const open = await proposed(deal, 'partner', retitled());
          await close(deal, open);
          return open;
        };
        define(
          '9.2/proposal/closed',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const open = await closed(deal);
            const reply = await changesNothing(deal, () => decide(deal, by, open, decision));
            expectIllegal(reply, statusesIn.accepted);
          },
          `${decision}, ${status}`,
        );
        define(
          '9.2/proposal/closed-status',
          async (server) => {
            const deal = await dealIn('accepted', server);
            expectClosed(await decide(deal, by, await closed(deal), decision), status);
          },
          `${decision}, ${status}`,
        );
      }
    }

    for (const state of ended) {
      for (const by of sides) {
        define(
          '9.2/proposal/wrong-state',
          async (server) => {
            const deal = await dealIn(state, server);
            const reply = await changesNothing(deal, () => propose(deal, by, retitled()));
            expectIllegal(reply, statusesIn[state]);
          },
          `${state}, ${by}`,
        );
      }
    }

    define('9.2/sandbox/expires', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      await advanceTo(server, moment(open['expires_at'], 'the member expires_at'));
      equal((await proposalNow(deal, open)).status, 'expired', 'the status of the proposal');
      equal((await deal.details())['proposal'], null, 'the open proposal of the deal');
    });

    define('9.2/sandbox/expires-not-before', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      const end = moment(open['expires_at'], 'the member expires_at');
      const now = await advanceTo(server, end - hour);
      const { status } = await proposalNow(deal, open);
      expectBefore(now, end);
      equal(status, 'open', 'the status of the proposal');
    });

    define('9.2/sandbox/expired-is-closed', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      await advanceTo(server, moment(open['expires_at'], 'the member expires_at'));
      expectClosed(await decide(deal, 'freelancer', open, 'accept'), 'expired');
    });

    define('9.2/operator/decides-none', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      for (const decision of decisions) {
        expectError(await decide(deal, 'operator', open, decision), 404, 'not_found');
      }
      const { status } = await propose(deal, 'operator', retitled());
      check(status === 404 || status === 405, `404 or 405\n  actual: ${status}`);
      equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
    });

    const legal = {
      '9.3/amendment/legal': [amendable, retitled()],
      '9.3/settlement/legal': [settleable, settlement('50.00')],
    } as const;
    for (const [id, [states, body]] of Object.entries(legal)) {
      for (const state of states) {
        for (const by of sides) {
          define(
            id as keyof typeof legal,
            async (server) => {
              const deal = await dealIn(state, server);
              const proposal = await proposed(deal, by, body);
              // that of a partner may have taken effect
              if (proposal.status === 'open') {
                await decided(deal, otherSide[by], proposal, 'accept');
              }
            },
            `${state}, ${by}`,
          );
        }
      }
    }

    const illegal = {
      '9.3/amendment/illegal': [['disputed', ...ended], retitled()],
      '9.3/settlement/illegal': [['created', ...ended], settlement('50.00')],
    } as const;
    for (const [id, [states, body]] of Object.entries(illegal)) {
      for (const state of states as readonly State[]) {
        define(
          id as keyof typeof illegal,
          async (server) => {
            const deal = await dealIn(state, server);
            for (const by of sides) {
              const reply = await changesNothing(deal, () => propose(deal, by, body));
              expectIllegal(reply, statusesIn[state]);
            }
          },
          state,
        );
      }
    }

    for (const state of ['created', 'invited'] as const) {
      define(
        '9.3/created/at-once',
        async (server) => {
          const deal = await dealIn(state, server);
          await proposed(deal, 'partner', retitled('Two pages'));
          equal((await deal.details())['title'], 'Two pages', 'the title');
        },
        state,
      );
    }

    define('9.3/created/accepted-at-once', async (server) => {
      const deal = await newDeal(server);
      const proposal = await proposed(deal, 'partner', retitled());
      equal(proposal.status, 'accepted', 'the status of the proposal');
      equal(proposal['decided_at'], proposal['created_at'], 'the time of the decision');
      equal((await deal.details())['proposal'], null, 'the open proposal of the deal');
    });

    define('9.3/created/stays-created', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'partner', retitled());
      expectStatuses(await deal.details(), statusesIn.created);
    });

    define('9.3/created/counter-offer', async (server) => {
      const deal = await newDeal(server);
      const proposal = await proposed(deal, 'freelancer', retitled());
      equal(proposal.status, 'open', 'the status of the proposal');
      expectStatuses(await deal.details(), statusesIn.created);
    });

    define('9.3/created/counter-offer-accepts', async (server) => {
      const deal = await newDeal(server);
      await agreed(deal, retitled('Two pages'), 'freelancer');
      const details = await deal.details();
      expectStatuses(details, statusesIn.accepted);
      equal(details['title'], 'Two pages', 'the title');
    });

    define('9.3/created/counter-offer-rejected', async (server) => {
      const deal = await newDeal(server);
      const open = await proposed(deal, 'freelancer', retitled());
      await decided(deal, 'partner', open, 'reject');
      expectStatuses(await deal.details(), statusesIn.created);
    });

    define('9.3/created/replaces-counter-offer', async (server) => {
      const deal = await newDeal(server);
      const open = await proposed(deal, 'freelancer', retitled());
      await proposed(deal, 'partner', retitled('Two pages'));
      equal((await proposalNow(deal, open)).status, 'superseded', 'the counter-offer');
      expectStatus(await deal.give('freelancer', 'decline'), 200);
    });
  },
);
