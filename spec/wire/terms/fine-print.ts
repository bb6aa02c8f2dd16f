import { equal } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import {
  forEachReporter,
  lastPayout,
  payUnasked,
  type Reporter,
  reportPayout,
} from '../life/billing.js';
import {
  becomes,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  statusesIn,
} from '../life/deal.js';
import { eventsOf } from '../life/events.js';
import { advanceTo, clockPath, day, moment } from '../life/time.js';
import { group, type Reply, type Server } from '../server.js';
import { proposed, retitled } from './terms.js';

/** How often a gateway may be faster than the case. */
const mostTries = 5;

/** Gives a command while the payout of a bonus is `processing`; the gateway may be faster. */
async function whilePaying(
  server: Server,
  by: Reporter,
  command: readonly ['partner' | 'freelancer', string],
  before: (deal: LivingDeal) => Promise<unknown> = async () => undefined,
): Promise<Reply> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const deal = await dealIn('accepted', server);
    await before(deal);
    await deal.done('partner', 'add-bonus', { amount: '10.00' });
    await payUnasked(deal, by, '110.04');
    const { id } = lastPayout(await deal.details());
    await reportPayout(deal, by, { payment_id: id, status: 'processing', reference: 'begun' });
    const reply = await deal.give(...command);
    if (lastPayout(await deal.details()).status === 'processing') return reply;
  }
  throw new NotApplicable('the gateway pays out before anything else can happen');
}

/** Decision 9.16: fine print. */
export const finePrint = group(
  'fine print of terms',
  {
    must: {
      '9.16/decline/processing': '`decline` waits for a payout that is `processing`.',
      '9.16/cancel/processing': 'An overdue `cancel` waits for a payout that is `processing`.',
      '9.16/sandbox/accept': '`+accept` of the sandbox takes the terms of its moment.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    defineForEach('9.16/decline/processing', async (server, by) => {
      const reply = await whilePaying(server, by, ['freelancer', 'decline']);
      expectReason(reply, 'payout_processing');
    });

    defineForEach('9.16/cancel/processing', async (server, by) => {
      const reply = await whilePaying(server, by, ['partner', 'cancel'], async (deal) => {
        const accepted = (await eventsOf(deal)).find(({ type }) => type === 'deal.accepted');
        await advanceTo(server, moment(accepted?.['at'], 'the time of the event') + 37 * day);
      });
      expectReason(reply, 'payout_processing');
    });

    define('9.16/sandbox/accept', async (server) => {
      // only a sandbox has this path: elsewhere nothing is judged
      await server.partner.send('POST', clockPath, { body: {} });
      const email_freelancer = `${server.name('who')}+accept@example.com`;
      const deal = await newDeal(server, { email_freelancer });
      const made = await proposed(deal, 'partner', retitled('Two pages'));
      if (made.status !== 'accepted') {
        throw new NotApplicable('the freelancer accepts before anything else can happen');
      }
      const details = await becomes(deal, 'the acceptance', ({ status }) => status !== 'created');
      expectStatuses(details, statusesIn.accepted);
      equal(details['title'], 'Two pages', 'the title');
    });
  },
);
