import { check, equal, show } from '../../expectations.js';
import { centsOf } from '../creates/stages.js';
import { group, type Members, membersOf, type Server } from '../server.js';
import {
  arrayOf,
  because,
  dealIn,
  expectIllegal,
  type LivingDeal,
  newDeal,
  newDealV1,
  type State,
  statusesIn,
} from './deal.js';
import { eventsOf } from './events.js';
import { resolution } from './operator.js';
import { day, moment } from './time.js';

/** Who sees a deal; `1.0` is the partner who reads a deal by its id. */
const viewers = ['partner', 'freelancer', 'operator', '1.0'] as const;
export type Viewer = (typeof viewers)[number];

/** What a viewer sees of a deal. */
export async function viewOf(deal: LivingDeal, by: Viewer): Promise<Members> {
  const { server } = deal;
  if (by === 'operator') return server.operator.data('GET', `${deal.path(by)}/`);
  if (by === 'freelancer') {
    return server.freelancer(deal.payment_token).data('GET', `${deal.path(by)}/`);
  }
  const details = await deal.details();
  return by === 'partner' ? details : server.partner.data('GET', `/api/1.0/deal/${details['id']}/`);
}

const newDealFor = (server: Server, by: Viewer) =>
  by === '1.0' ? newDealV1(server) : newDeal(server);

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';

/** A state, and a command that is not legal in it. */
type Illegal = readonly [state: State, command: string];
const illegal: Readonly<Record<Exclude<Viewer, '1.0'>, readonly Illegal[]>> = {
  partner: [
    ['created', 'approve'],
    ['accepted', 'invite'],
    ['delivered', 'invite'],
    ['disputed', 'invite'],
    ['cancelled', 'invite'],
  ],
  freelancer: [
    ['created', 'dispute'],
    ['delivered', 'decline'],
    ['disputed', 'decline'],
    ['cancelled', 'accept'],
  ],
  operator: [
    ['created', 'resolve'],
    ['delivered', 'resolve'],
    ['disputed', 'invite'],
    ['cancelled', 'resolve'],
  ],
};

/** The ends of the reviews of the stages in a view. */
async function reviewsOf(deal: LivingDeal, by: Viewer) {
  const { stages } = await viewOf(deal, by);
  return arrayOf(stages, 'the stages').map(({ review_ends_at }) => review_ends_at);
}

/** Decisions 6.3, 6.5 and 7.10: what a view of a deal tells of what comes next. */
export const views = group(
  'views of a deal',
  {
    must: {
      '6.5/views/legal':
        'A view of a deal has `legal`: the commands that `illegal_transition` would list for its viewer.',
      '6.5/views/legal-v1': 'A deal of version 1.0 by its id has the `legal` of its details.',
      '6.5/views/expires-at':
        'A view of a deal that is `created` has `expires_at`, 30 days after its creation.',
      '6.5/views/expires-no-more':
        'A view of a deal that does not expire, or not any more, has `expires_at: null`.',
      '6.5/views/partner-name': 'A view of a deal has `partner_name`: a text, or `null`.',
      '6.5/views/review':
        'A view shows `review_ends_at` of a `submitted` stage, 7 days after it was submitted.',
      '6.5/views/no-review':
        '`review_ends_at` is `null` of a stage that is not `submitted`, and in a dispute.',
      '6.5/freelancer/gross': '`gross` of the offer is its amount and the fee of the contractor.',
      '6.5/freelancer/language': 'The offer has the `freelancer_language` of the deal.',
      '6.5/freelancer/max-file-size':
        'The offer has `max_file_size`: the bytes that a work file may have.',
      '6.3/views/total': '`total` of a billing is the amount and the fee of the employer.',
      '6.3/operator/net':
        "`net` of the operator's billing is the amount less the fee of the contractor.",
    },
  },
  (define) => {
    for (const by of ['partner', 'freelancer', 'operator'] as const) {
      for (const [state, command] of illegal[by]) {
        define(
          '6.5/views/legal',
          async (server) => {
            const deal = await dealIn(state, server);
            const { legal } = await viewOf(deal, by);
            const body = command === 'resolve' ? resolution('40.00') : because;
            const reply = await deal.give(by, command, { body });
            // what the view and the error have alike is judged here, and all of it by other laws
            expectIllegal(reply, statusesIn[state]);
            equal(legal, reply.members()['legal'], 'the member legal of the view');
          },
          `${by}, ${state}`,
        );
      }
    }

    define('6.5/views/legal-v1', async (server) => {
      const deal = await newDealV1(server);
      const { legal } = await viewOf(deal, '1.0');
      equal(legal, (await viewOf(deal, 'partner'))['legal'], 'the member legal');
      check(Array.isArray(legal) && legal.includes('accept'), `accept\n  actual: ${show(legal)}`);
    });

    for (const by of ['partner', 'freelancer', 'operator'] as const) {
      define(
        '6.5/views/expires-at',
        async (server) => {
          const view = await viewOf(await newDeal(server), by);
          const [from, to] = ['created_at', 'expires_at'].map((name) => moment(view[name], name));
          equal(Number(to) - Number(from), 30 * day, 'the seconds from the creation');
        },
        by,
      );
      for (const state of ['accepted', 'delivered', 'cancelled'] as const) {
        define(
          '6.5/views/expires-no-more',
          async (server) => {
            const view = await viewOf(await dealIn(state, server), by);
            equal(view['expires_at'], null, 'the member expires_at');
          },
          `${by}, ${state}`,
        );
      }
      define(
        '6.5/views/review',
        async (server) => {
          const deal = await dealIn('delivered', server);
          const event = (await eventsOf(deal)).find(({ type }) => type === 'deal.delivered');
          const [end] = await reviewsOf(deal, by);
          const since = moment(event?.['at'], 'the time of the delivery');
          equal(moment(end ?? null, 'review_ends_at') - since, 7 * day, 'the seconds from it');
        },
        by,
      );
      for (const state of ['accepted', 'changes_requested', 'approved'] as const) {
        define(
          '6.5/views/no-review',
          async (server) => {
            equal(await reviewsOf(await dealIn(state, server), by), [null], 'the ends');
          },
          `${by}, ${state}`,
        );
      }
    }

    define(
      '6.5/views/expires-no-more',
      async (server) => {
        equal((await viewOf(await newDealV1(server), '1.0'))['expires_at'], null, 'expires_at');
      },
      '1.0',
    );

    define(
      '6.5/views/no-review',
      async (server) => {
        const deal = await dealIn('delivered', server);
        await deal.done('partner', 'dispute', because);
        equal(await reviewsOf(deal, 'partner'), [null], 'the ends');
      },
      'a dispute',
    );

    for (const by of viewers) {
      define(
        '6.5/views/partner-name',
        async (server) => {
          const view = await viewOf(await newDealFor(server, by), by);
          const { partner_name = 0 } = view;
          check(isTextOrNull(partner_name), `partner_name\n  actual: ${show(partner_name)}`);
        },
        by,
      );
    }

    define('6.5/freelancer/gross', async (server) => {
      const view = await viewOf(await newDeal(server, { amount: '250.5' }), 'freelancer');
      const [gross, amount, fee] = sumsOf(view, 'gross', 'amount', 'contractor_fee');
      equal([gross, amount + fee], [25_050n, 25_050n], 'the sums in cents');
    });

    define('6.5/freelancer/language', async (server) => {
      const deal = await newDeal(server);
      const { freelancer_language } = await deal.details();
      const view = await viewOf(deal, 'freelancer');
      equal(view['freelancer_language'], freelancer_language, 'the language');
    });

    define('6.5/freelancer/max-file-size', async (server) => {
      const { max_file_size } = await viewOf(await newDeal(server), 'freelancer');
      const isSize = Number.isSafeInteger(max_file_size) && Number(max_file_size) > 0;
      check(isSize, `a number of bytes\n  actual: ${show(max_file_size)}`);
    });

    for (const by of ['partner', 'operator', '1.0'] as const) {
      define(
        '6.3/views/total',
        async (server) => {
          const view = await viewOf(await newDealFor(server, by), by);
          const billing = membersOf(view['billing'], 'the billing');
          const [total, amount, fee] = sumsOf(billing, 'total', 'amount', 'employer_fee');
          equal(total, amount + fee, 'the total in cents');
        },
        by,
      );
    }

    define('6.3/operator/net', async (server) => {
      const { billing } = await viewOf(await newDeal(server), 'operator');
      const sums = membersOf(billing, 'the billing');
      const [net, amount, fee] = sumsOf(sums, 'net', 'amount', 'contractor_fee');
      equal(net, amount - fee, 'the net amount in cents');
    });
  },
);

function sumsOf(of: Members, ...[one, two, three]: readonly [string, string, string]) {
  return [centsOf(of[one]), centsOf(of[two]), centsOf(of[three])] as const;
}
