import { equal } from '../../expectations.js';
import { forEachReporter, lastRequest, reportPayment, untilPaidOut } from '../life/billing.js';
import { because, dealIn, type LivingDeal, newDeal, newDealV1 } from '../life/deal.js';
import { addedBy, dataOf, eventsOf } from '../life/events.js';
import { advanceTo, moment } from '../life/time.js';
import { group, type Members, type Server } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  dataAt,
  decide,
  decided,
  decisions,
  type Proposal,
  propose,
  proposed,
  retitled,
  settlement,
  sides,
} from './terms.js';

const typesOf = (events: readonly Members[]) => events.map(({ type }) => type);

/** The last event of a type. */
const lastOf = async (deal: LivingDeal, type: string): Promise<Members | undefined> =>
  (await eventsOf(deal)).filter((each) => each['type'] === type).at(-1);

const outcomes = { accept: 'accepted', reject: 'rejected', withdraw: 'withdrawn' } as const;

/** What a step does to a deal with an open proposal of the partner, and the events of it. */
interface Step {
  readonly name: string;
  readonly body?: Members;
  readonly state?: 'created' | 'accepted' | 'delivered' | 'approved' | 'disputed';
  readonly by?: 'partner' | 'freelancer';
  readonly take: (deal: LivingDeal, open: Proposal) => Promise<unknown>;
  readonly types: readonly string[];
}

const steps: readonly Step[] = [
  {
    name: 'an amendment is accepted',
    take: (deal, open) => decided(deal, 'freelancer', open, 'accept'),
    types: ['proposal.accepted', 'deal.amended'],
  },
  {
    name: 'a counter-offer is accepted',
    state: 'created',
    by: 'freelancer',
    take: (deal, open) => decided(deal, 'partner', open, 'accept'),
    types: ['proposal.accepted', 'deal.amended', 'deal.accepted'],
  },
  {
    name: 'a settlement is accepted',
    body: settlement('50.00'),
    take: (deal, open) => decided(deal, 'freelancer', open, 'accept'),
    types: ['proposal.accepted', 'deal.settled', 'employer_payment.requested'],
  },
  {
    name: 'a settlement with nothing is accepted',
    body: settlement('0'),
    take: (deal, open) => decided(deal, 'freelancer', open, 'accept'),
    types: ['proposal.accepted', 'deal.settled'],
  },
  {
    name: 'a proposal is made',
    take: (deal) => proposed(deal, 'freelancer', retitled()),
    types: ['proposal.superseded', 'proposal.created'],
  },
  {
    name: 'an amendment takes effect at once',
    state: 'created',
    by: 'freelancer',
    take: (deal) => proposed(deal, 'partner', retitled()),
    types: ['proposal.superseded', 'proposal.created', 'proposal.accepted', 'deal.amended'],
  },
  {
    name: 'a bonus is added',
    take: (deal) => deal.done('partner', 'add-bonus', { amount: '10.00' }),
    types: ['proposal.superseded', 'deal.bonus_added', 'employer_payment.requested'],
  },
  {
    name: 'the deal is cancelled',
    take: (deal) => deal.done('partner', 'cancel'),
    types: ['deal.cancelled', 'proposal.superseded'],
  },
  {
    name: 'the deal is declined',
    take: (deal) => deal.done('freelancer', 'decline'),
    types: ['deal.declined', 'proposal.superseded'],
  },
];

const proposalIds = ['9.12/events/order', '9.12/events/bonus', '9.12/events/end'] as const;
const idOf = ({ name }: Step): (typeof proposalIds)[number] => {
  if (name.startsWith('a bonus')) return '9.12/events/bonus';
  return name.startsWith('the deal') ? '9.12/events/end' : '9.12/events/order';
};

/** Gives a step, and returns the events that it has added. */
async function take(server: Server, step: Step) {
  const { state = 'accepted', by = 'partner', body = retitled('Two pages') } = step;
  const deal = await dealIn(state, server);
  const open = await proposed(deal, by, body);
  return { deal, open, events: await addedBy(deal, () => step.take(deal, open)) };
}

/** Decision 9.12: what is told of proposals and terms. */
export const termsEvents = group(
  'events of proposals and terms',
  {
    must: {
      '9.12/events/order':
        'A proposal that is superseded is told first, then the command, then what changes, then what follows.',
      '9.12/events/bonus': '`proposal.superseded` comes before `deal.bonus_added`.',
      '9.12/events/end': 'The superseding by an end comes after the event of the deal.',
      '9.12/events/resolve': 'The superseding by `resolve` comes after `deal.dispute_resolved`.',
      '9.12/events/created': 'A proposal emits `proposal.created`.',
      '9.12/events/decision': 'Each decision emits its own event.',
      '9.12/events/data':
        'The event of a proposal has `proposal_id`, `kind`, `by` and `terms_sha256`.',
      '9.12/events/statuses': 'The event of a proposal has the statuses of the deal.',
      '9.12/events/message': "Each command's own message is in its event.",
      '9.12/events/no-message': 'The message of the proposal is in no later event.',
      '9.12/events/expired': 'A proposal that expires emits `proposal.expired`, by the clock.',
      '9.12/events/amended':
        '`deal.amended` has `terms_version`, `proposal_id` and the `stage_ids` that changed.',
      '9.12/events/settled': '`deal.settled` has `terms_version`, `proposal_id` and `stage_ids`.',
      '9.12/events/bonus-added': '`deal.bonus_added` has `terms_version` and the new stage.',
      '9.12/events/completed':
        'An amendment that leaves only paid stages emits `deal.completed` after `deal.amended`.',
      '9.12/events/one-write': 'The events of one decision form one chain of causes.',
      '9.12/events/actor': 'The actor of the events of a decision is who decided.',
      '9.12/events/freelancer': 'The time line of the offer has the events of proposals and terms.',
      '9.12/events/none-of-refusal': 'A proposal or a decision that is refused emits nothing.',
      '9.12/events/none-of-repeat': 'A decision that is given again emits nothing.',
      '9.12/events/no-token': 'No event of a proposal has the payment token.',
    },
  },
  (define) => {
    for (const step of steps) {
      define(
        idOf(step),
        async (server) => {
          const { events } = await take(server, step);
          equal(typesOf(events), step.types, 'the types of the events');
        },
        step.name,
      );
      define(
        '9.12/events/one-write',
        async (server) => {
          const { events } = await take(server, step);
          equal(
            events.slice(1).map(({ cause }) => cause),
            events.slice(0, -1).map(({ id }) => id),
            'the causes of the further events',
          );
        },
        step.name,
      );
    }

    define('9.12/events/resolve', async (server) => {
      const { events } = await take(server, {
        name: 'the dispute is resolved',
        state: 'disputed',
        body: settlement('50.00'),
        take: (deal) => deal.done('sandbox/operator', 'resolve', { agreed_amount: '40.00' }),
        types: [],
      });
      const first = typesOf(events).slice(0, 2);
      equal(first, ['deal.dispute_resolved', 'proposal.superseded'], 'the first two events');
    });

    for (const by of sides) {
      for (const body of [retitled(), settlement('50.00')]) {
        define(
          '9.12/events/created',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const events = await addedBy(deal, () => proposed(deal, by, body));
            equal(
              events.map(({ type, actor }) => ({ type, actor })),
              [{ type: 'proposal.created', actor: by }],
              'the events',
            );
          },
          `${by}, ${body['kind']}`,
        );
        define(
          '9.12/events/data',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const { id, kind, terms_sha256 } = await proposed(deal, by, body);
            const data = dataOf((await eventsOf(deal)).at(-1));
            const names = ['proposal_id', 'kind', 'by', 'terms_sha256'] as const;
            equal(
              Object.fromEntries(names.map((name) => [name, data[name]])),
              { proposal_id: id, kind, by, terms_sha256 },
              'the data of the event',
            );
          },
          `${by}, ${body['kind']}`,
        );
      }
    }

    for (const decision of decisions) {
      const decider = decision === 'withdraw' ? 'partner' : 'freelancer';
      define(
        '9.12/events/decision',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          const [event] = await addedBy(deal, () => decided(deal, decider, open, decision));
          equal(event?.['type'], `proposal.${outcomes[decision]}`, 'the type of the event');
          equal(dataOf(event)['proposal_id'], open.id, 'the id of the proposal');
          equal(dataOf(event)['by'], 'partner', 'who proposed it');
        },
        decision,
      );
      define(
        '9.12/events/actor',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          const events = await addedBy(deal, () => decided(deal, decider, open, decision));
          for (const { actor } of events) equal(actor, decider, 'the actor');
        },
        decision,
      );
      define(
        '9.12/events/message',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const body = { ...retitled(), message: 'As we said.' };
          const open = await proposed(deal, 'partner', body);
          equal(dataOf((await eventsOf(deal)).at(-1))['message'], 'As we said.', 'that of it');
          const hash = decision === 'accept' ? { terms_sha256: open.terms_sha256 } : {};
          const sent = { body: { ...hash, message: 'I think so.' } };
          const [event] = await addedBy(deal, () => decide(deal, decider, open, decision, sent));
          equal(dataOf(event)['message'], 'I think so.', 'that of the decision');
        },
        decision,
      );
      define(
        '9.12/events/no-message',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const body = { ...retitled(), message: 'As we said.' };
          const open = await proposed(deal, 'partner', body);
          const events = await addedBy(deal, () => decided(deal, decider, open, decision));
          for (const event of events) {
            equal(Object.hasOwn(dataOf(event), 'message'), false, 'whether there is a message');
          }
        },
        decision,
      );
      define(
        '9.12/events/none-of-repeat',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          await decided(deal, decider, open, decision);
          const events = await addedBy(deal, () => decided(deal, decider, open, decision));
          equal(events, [], 'the events');
        },
        decision,
      );
    }

    for (const state of ['created', 'delivered'] as const) {
      define(
        '9.12/events/statuses',
        async (server) => {
          const deal = await dealIn(state, server);
          await proposed(deal, 'freelancer', retitled());
          const { status, freelancer_status, partner_id } = await deal.details();
          const data = dataOf((await eventsOf(deal)).at(-1));
          equal(
            [data['partner_id'], data['status'], data['freelancer_status']],
            [partner_id, status, freelancer_status],
            'id and statuses of the deal',
          );
        },
        state,
      );
    }

    define('9.12/events/expired', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      await advanceTo(server, moment(open['expires_at'], 'the member expires_at'));
      const event = await lastOf(deal, 'proposal.expired');
      equal(
        [event?.['actor'], dataOf(event)['proposal_id']],
        ['clock', open.id],
        'the actor and the proposal of the event',
      );
    });

    define('9.12/events/amended', async (server) => {
      const deal = await newDeal(server);
      const [first, second] = await approveFirst(deal);
      const stages = [{ id: first }, { name: 'One more', budget: '10.00' }];
      const { id } = await agreed(deal, amendment({ stages }));
      const data = dataOf(await lastOf(deal, 'deal.amended'));
      const added = (await deal.details()).stages.at(-1)?.id;
      equal(
        [data['terms_version'], data['proposal_id'], data['stage_ids']],
        [3, id, [second, added]],
        'the data of the event',
      );
      const title = await agreed(deal, retitled());
      const later = dataOf(await lastOf(deal, 'deal.amended'));
      equal(
        [later['terms_version'], later['proposal_id'], later['stage_ids']],
        [4, title.id, []],
        'the data after an amendment that changes no stage',
      );
    });

    define('9.12/events/settled', async (server) => {
      const deal = await newDeal(server);
      const [, second] = await approveFirst(deal);
      const { id } = await agreed(deal, settlement('80.00'));
      const data = dataOf(await lastOf(deal, 'deal.settled'));
      equal([data['terms_version'], data['proposal_id']], [3, id], 'version and proposal');
      equal((data['stage_ids'] as readonly unknown[]).includes(second), true, 'the second stage');
    });

    define('9.12/events/bonus-added', async (server) => {
      const deal = await dealIn('accepted', server);
      await deal.done('partner', 'add-bonus', { amount: '10.00', message: 'Well done.' });
      const data = dataOf(await lastOf(deal, 'deal.bonus_added'));
      const added = (await deal.details()).stages.at(-1)?.id;
      equal(
        [data['terms_version'], data['stage_ids'], data['message']],
        [2, [added], 'Well done.'],
        'the data of the event',
      );
    });

    forEachReporter(define)('9.12/events/completed', async (server, by) => {
      const deal = await newDeal(server);
      const [first] = await approveFirst(deal);
      const payment_id = lastRequest(await deal.details()).id;
      await reportPayment(deal, by, { payment_id, status: 'paid', reference: 'bank' });
      await untilPaidOut(deal, by);
      const body = amendment({ stages: [{ id: first }] });
      const open = await proposed(deal, 'partner', body);
      const events = await addedBy(deal, () => decided(deal, 'freelancer', open, 'accept'));
      equal(
        typesOf(events),
        ['proposal.accepted', 'deal.amended', 'deal.completed'],
        'the types of the events',
      );
      const { status, freelancer_status } = await deal.details();
      equal([status, freelancer_status], ['completed', 'finished'], 'the statuses');
    });

    define('9.12/events/freelancer', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'freelancer', retitled());
      await proposed(deal, 'partner', retitled('Two pages'));
      await acceptNow(deal);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      await agreed(deal, settlement('50.00'));
      const { results } = await dataAt(deal, 'event/?page_size=100', 'freelancer');
      const wanted = /^(proposal\.|deal\.(amended|settled|bonus_added))/;
      const told = typesOf(results as readonly Members[]).filter((type) => wanted.test(`${type}`));
      const all = typesOf(await eventsOf(deal)).filter((type) => wanted.test(`${type}`));
      equal(told, all, 'the types of the events');
    });

    define('9.12/events/none-of-refusal', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      const events = await addedBy(deal, async () => {
        await propose(deal, 'partner', amendment({}));
        await propose(deal, 'partner', amendment({ amount: '100.04' }));
        await decide(deal, 'partner', open, 'accept');
        await decide(deal, 'freelancer', { ...open, terms_sha256: 'x'.repeat(64) }, 'accept');
      });
      equal(events, [], 'the events');
    });

    define('9.12/events/no-token', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'freelancer', retitled());
      await proposed(deal, 'partner', retitled('Two pages'));
      await acceptNow(deal);
      await agreed(deal, settlement('50.00'));
      const text = JSON.stringify(await eventsOf(deal));
      equal(text.includes(deal.payment_token), false, 'whether the token is in an event');
    });

    define(
      '9.12/events/actor',
      async (server) => {
        const deal = await newDealV1(server);
        await deal.done('partner', 'accept');
        const open = await proposed(deal, 'partner', retitled());
        const events = await addedBy(deal, () => decided(deal, 'partner', open, 'accept'));
        for (const { actor } of events) equal(actor, 'partner', 'the actor');
        await deal.done('partner', 'cancel', because);
      },
      'of version 1.0',
    );
  },
);
