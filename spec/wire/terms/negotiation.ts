import { check, equal } from '../../expectations.js';
import { because, dealIn, type LivingDeal, newDeal } from '../life/deal.js';
import { eventsOf } from '../life/events.js';
import { advanceTo, day, expectBefore, hour, moment } from '../life/time.js';
import { group, type Members, type Server } from '../server.js';
import {
  acceptNow,
  amendment,
  dataAt,
  decided,
  deliverStage,
  type Proposal,
  proposalNow,
  proposed,
  retitled,
  settlement,
  staged,
} from './terms.js';

const expiry = 'deal.expires_soon';

/** The moment at which an offer ends. */
const endOf = async (deal: LivingDeal) =>
  moment((await deal.details())['expires_at'] ?? null, 'the member expires_at');

const lastOf = ({ expires_at = null }: Members) => moment(expires_at, 'expires_at of the proposal');

/** An offer whose last day has come, with a counter-offer of the freelancer. */
async function countered(server: Server) {
  const deal = await newDeal(server);
  const end = await endOf(deal);
  const now = await advanceTo(server, end - hour);
  expectBefore(now, end);
  return { deal, end, open: await proposed(deal, 'freelancer', retitled()) };
}

/** Three days are left of an offer once a proposal of it is over. */
async function expectThreeDays(deal: LivingDeal, end: number): Promise<void> {
  equal((await deal.details())['status'], 'created', 'the status of the deal');
  equal(await endOf(deal), end + 3 * day, 'the end of the offer');
}

const decidedAt = ({ decided_at = null }: Members) => moment(decided_at, 'decided_at');

/** A deal of two stages that was accepted. */
async function halved(server: Server) {
  const deal = await newDeal(server);
  const [first = 0, second = 0] = await staged(deal);
  await acceptNow(deal);
  return { deal, first, second };
}

/** What is done with the first stage: all but `deliver` after it was delivered. */
const moves: Readonly<
  Record<string, (deal: LivingDeal, stage_id: number, server: Server) => Promise<unknown>>
> = {
  deliver: deliverStage,
  approve: (deal, stage_id) => deal.done('partner', 'approve', { stage_id }),
  'request-changes': (deal, stage_id) =>
    deal.done('partner', 'request-changes', { ...because, stage_id }),
  async 'the clock'(deal, _, server) {
    const { stages } = await deal.details();
    const [end = null] = stages.flatMap(({ review_ends_at = null }) => review_ends_at ?? []);
    await advanceTo(server, moment(end, 'the member review_ends_at'));
  },
};

/** What is proposed of two stages: what changes or ends the first one, and what leaves it alone. */
const subjects: Readonly<Record<string, (first: number, second: number) => Members>> = {
  budget: (id, other) => amendment({ stages: [{ id, budget: '50.00' }, { id: other }] }),
  end: (_, id) => amendment({ stages: [{ id }] }),
  settlement: () => settlement('10.00'),
};
const others: typeof subjects = {
  'another stage': (first, id) => amendment({ stages: [{ id: first }, { id, budget: '50.00' }] }),
  title: () => retitled(),
};

/** Decisions 10.14 to 10.16: what holds an offer, and what ends a proposal. */
export const negotiation = group(
  'negotiation',
  {
    must: {
      '10.14/offer/amended': 'An offer that its partner amends ends 30 days after that.',
      '10.14/offer/amended-notice':
        '`deal.expires_soon` is told again of an offer that was amended after it.',
      '10.14/offer/held': 'An offer does not end while a proposal for it is open.',
      '10.14/offer/held-end':
        '`expires_at` of an offer that ends before its open proposal is 3 days after the end of that.',
      '10.14/offer/not-held': 'A proposal that is open for less time does not change `expires_at`.',
      '10.14/offer/decided': 'An offer has 3 days left once its proposal was decided.',
      '10.14/offer/expired': 'An offer has 3 days left once its proposal has expired.',
      '10.14/offer/ends': 'After these days an offer ends.',
      '10.15/views/due-at':
        'Deal details, the offer and the view of the operator show `due_at` of each stage: the moment by which it is due, or `null`.',
      '10.16/proposal/moved':
        'A stage that is delivered, sent back or approved supersedes a proposal that changes or ends it, and a settlement.',
      '10.16/proposal/not-moved': 'It leaves a proposal open that leaves the stage as it is.',
    },
  },
  (define) => {
    define('10.14/offer/amended', async (server) => {
      const { deal } = await countered(server);
      const made = await proposed(deal, 'partner', retitled('One more'));
      equal(await endOf(deal), decidedAt(made) + 30 * day, 'the end of the offer');
    });

    define('10.14/offer/amended-notice', async (server) => {
      const deal = await newDeal(server);
      await advanceTo(server, (await endOf(deal)) - 3 * day);
      await proposed(deal, 'partner', retitled());
      const end = await endOf(deal);
      await advanceTo(server, end - 3 * day);
      const types = (await eventsOf(deal)).map(({ type }) => type);
      equal(types.filter((each) => each === expiry).length, 2, 'the number of events');
    });

    define('10.14/offer/held', async (server) => {
      const { deal, end, open } = await countered(server);
      const now = await advanceTo(server, end);
      const { status } = await deal.details();
      expectBefore(now, lastOf(open));
      equal(status, 'created', 'the status of the deal');
      await decided(deal, 'partner', open, 'accept');
      equal((await deal.details())['status'], 'accepted', 'the status once it is accepted');
    });

    for (const by of ['partner', 'freelancer', 'operator'] as const) {
      define(
        '10.14/offer/held-end',
        async (server) => {
          const { deal, open } = await countered(server);
          const { expires_at = null } = await dataAt(deal, '', by);
          equal(moment(expires_at, 'expires_at'), lastOf(open) + 3 * day, 'the end of the offer');
        },
        by,
      );
    }

    define('10.14/offer/not-held', async (server) => {
      const deal = await newDeal(server);
      const end = await endOf(deal);
      const open = await proposed(deal, 'freelancer', retitled());
      equal(await endOf(deal), end, 'the end of the offer');
      await decided(deal, 'partner', open, 'reject');
      equal(await endOf(deal), end, 'the end once it is rejected');
    });

    for (const [decision, by] of [
      ['reject', 'partner'],
      ['withdraw', 'freelancer'],
    ] as const) {
      define(
        '10.14/offer/decided',
        async (server) => {
          const { deal, open } = await countered(server);
          await expectThreeDays(deal, decidedAt(await decided(deal, by, open, decision)));
        },
        decision,
      );
    }

    define('10.14/offer/expired', async (server) => {
      const { deal, open } = await countered(server);
      const now = await advanceTo(server, lastOf(open));
      const { status } = await proposalNow(deal, open);
      expectBefore(now, lastOf(open) + 3 * day);
      equal(status, 'expired', 'the status of the proposal');
      await expectThreeDays(deal, lastOf(open));
    });

    define('10.14/offer/ends', async (server) => {
      const { deal, open } = await countered(server);
      await decided(deal, 'partner', open, 'reject');
      await advanceTo(server, await endOf(deal));
      equal((await deal.details())['status'], 'expired', 'the status of the deal');
    });

    for (const by of ['partner', 'freelancer', 'operator'] as const) {
      define(
        '10.15/views/due-at',
        async (server) => {
          const shown = async (deal: LivingDeal) => {
            const [stage] = (await dataAt(deal, '', by))['stages'] as readonly Members[];
            return [stage?.['due_at'], stage?.['due_on']];
          };
          equal(await shown(await newDeal(server)), [null, null], 'due_at and due_on of an offer');
          const deal = await dealIn('accepted', server);
          const event = (await eventsOf(deal)).find(({ type }) => type === 'deal.accepted');
          const at = new Date(1000 * moment(event?.['at'] ?? null, 'the time') + 30 * day * 1000);
          const due = at.toISOString();
          equal(await shown(deal), [due, due.slice(0, 10)], 'due_at and due_on');
        },
        by,
      );
    }

    /** A proposal, and how it is once the first stage has moved. */
    async function movedBy(
      server: Server,
      move: string,
      of: (typeof subjects)[string],
    ): Promise<Proposal> {
      const { deal, first, second } = await halved(server);
      if (move !== 'deliver') await deliverStage(deal, first);
      const open = await proposed(deal, 'partner', of(first, second));
      await moves[move]?.(deal, first, server);
      return proposalNow(deal, open);
    }
    for (const move of Object.keys(moves)) {
      for (const [name, of] of Object.entries(subjects)) {
        define(
          '10.16/proposal/moved',
          async (server) => {
            const { status } = await movedBy(server, move, of);
            equal(status, 'superseded', 'the status of the proposal');
          },
          `${move}, ${name}`,
        );
      }
      for (const [name, of] of Object.entries(others)) {
        define(
          '10.16/proposal/not-moved',
          async (server) => {
            const { status } = await movedBy(server, move, of);
            check(status !== 'superseded', 'it is not superseded');
          },
          `${move}, ${name}`,
        );
      }
    }
  },
);
