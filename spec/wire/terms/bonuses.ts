import { check, equal } from '../../expectations.js';
import {
  contractorPayments,
  employerPayments,
  expectFigures,
  forEachReporter,
  lastRequest,
  payUnasked,
  reportPayment,
  untilPaidOut,
} from '../life/billing.js';
import {
  because,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  type Stage,
  statusesIn,
} from '../life/deal.js';
import { expectError, expectIssues, expectStatus, group, type Members } from '../server.js';
import { agreed, amendment, dataAt, lastVersion } from './terms.js';

const states = ['accepted', 'delivered', 'changes_requested', 'approved'] as const;
const bonus: Members = { amount: '10.00' };

const addBonus = (deal: LivingDeal, body: Members = bonus) =>
  deal.done('partner', 'add-bonus', body);

/** The last stage of a deal, which is its bonus. */
async function lastStage(deal: LivingDeal): Promise<Stage> {
  const stage = (await deal.details()).stages.at(-1);
  check(stage !== undefined, 'the deal has a stage');
  return stage;
}

/** Fails the case unless the answer is `illegal_transition`; returns whether `legal` has a bonus. */
const hasBonus = (error: Members) => (error['legal'] as readonly string[]).includes('add-bonus');

/** Decision 9.9: a bonus is a stage that is approved at once. */
export const bonuses = group(
  'bonuses',
  {
    must: {
      '9.9/bonus/legal': '`add-bonus` is legal from `accepted` to `approved`.',
      '9.9/bonus/illegal':
        '`add-bonus` is illegal before the acceptance, in a dispute and at the end.',
      '9.9/bonus/answer': 'The answer to `add-bonus` is the deal after it.',
      '9.9/bonus/stage': 'A bonus adds a stage that is `approved` at once, of its amount.',
      '9.9/bonus/default-name': 'A bonus without a message is named `Bonus`.',
      '9.9/bonus/named': 'A bonus is named by the first 200 code points of its message.',
      '9.9/bonus/amount': 'A bonus adds to the amount of the deal.',
      '9.9/bonus/status-stays': 'A bonus leaves the status of a deal that has work to do.',
      '9.9/bonus/version': 'A bonus makes a version of the terms.',
      '9.9/bonus/asked': 'A bonus is asked for as any approved stage.',
      '9.9/bonus/two': 'Two bonuses are two.',
      '9.9/bonus/key': 'A bonus with the key of an earlier one is that one.',
      '9.9/bonus/amount-required': 'The amount of a bonus is required.',
      '9.9/bonus/amount-positive': 'The amount of a bonus is a decimal above zero.',
      '9.9/bonus/message-length': 'The message of a bonus has 1 to 2,000 code points.',
      '9.9/bonus/token-in-text': 'A message that holds the payment token is refused.',
      '9.9/bonus/out-of-bounds': 'A bonus beyond 18 digits is `amount_out_of_bounds`.',
      '9.9/bonus/no-work': 'A bonus does not count as delivered work: the deal can be cancelled.',
      '9.9/bonus/no-work-declined': 'A bonus does not keep the freelancer from declining.',
      '9.9/bonus/paid-out': 'A bonus is paid out once nothing of the deal is outstanding.',
      '9.9/bonus/waits': 'A bonus is not paid out while something of the deal is outstanding.',
      '9.9/bonus/v1': 'A deal of version 1.0 has bonuses, too.',
      '9.9/bonus/partner-alone': 'The freelancer and the operator have no path to a bonus.',
      '9.9/bonus/sandbox': 'The sandbox has `add-bonus` for the partner.',
      '9.15/bonus/too-many': 'A bonus beyond 100 stages that are not cancelled is `too_many`.',
      '9.11/bonus/legal-member': '`legal` of a refusal has `add-bonus` if it is legal.',
    },
  },
  (define) => {
    const defineForEach = forEachReporter(define);

    for (const state of states) {
      define(
        '9.9/bonus/legal',
        async (server) => {
          const deal = await dealIn(state, server);
          expectStatus(await deal.give('partner', 'add-bonus', { body: bonus }), 200);
        },
        state,
      );
      define(
        '9.9/bonus/status-stays',
        async (server) => {
          const deal = await dealIn(state, server);
          await addBonus(deal);
          equal((await deal.details()).status, statusesIn[state][0], 'the status of the deal');
        },
        state,
      );
      define(
        '9.11/bonus/legal-member',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give('partner', 'invite');
          check(hasBonus(expectError(reply, 409, 'illegal_transition')), 'legal has add-bonus');
        },
        state,
      );
    }

    for (const state of ['created', 'invited', 'disputed', 'cancelled', 'declined'] as const) {
      define(
        '9.9/bonus/illegal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await changesNothing(deal, () =>
            deal.give('partner', 'add-bonus', { body: bonus }),
          );
          const error = expectError(reply, 409, 'illegal_transition');
          check(!hasBonus(error), 'legal has no add-bonus');
        },
        state,
      );
    }

    define('9.9/bonus/answer', async (server) => {
      const deal = await dealIn('accepted', server);
      equal(await addBonus(deal), await deal.details(), 'the answer, and the details after it');
    });

    define('9.9/bonus/stage', async (server) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal, { amount: '12.5' });
      const { budget, work_days, status } = await lastStage(deal);
      equal(
        { budget, work_days, status },
        { budget: '12.50', work_days: null, status: 'approved' },
        'the stage',
      );
    });

    define('9.9/bonus/default-name', async (server) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal);
      equal((await lastStage(deal))['name'], 'Bonus', 'the name of the stage');
    });

    for (const length of [12, 200, 201, 2000]) {
      define(
        '9.9/bonus/named',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const message = '\u{1f389}'.repeat(length);
          await addBonus(deal, { ...bonus, message });
          const name = '\u{1f389}'.repeat(Math.min(length, 200));
          equal((await lastStage(deal))['name'], name, 'the name of the stage');
        },
        `${length} code points`,
      );
    }

    define('9.9/bonus/amount', async (server) => {
      const deal = await dealIn('delivered', server);
      await addBonus(deal);
      equal((await deal.details())['amount'], '110.04', 'the amount');
    });

    define('9.9/bonus/version', async (server) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal);
      const { terms_version, terms_sha256 } = await deal.details();
      const last = await lastVersion(deal);
      equal(
        [last['terms_version'], last['kind'], last['terms_sha256']],
        [terms_version, 'bonus', terms_sha256],
        'the last version',
      );
      equal(Object(last['terms']).stages.length, 2, 'the stages of its terms');
    });

    for (const [state, requests] of [
      ['accepted', ['10.00']],
      ['approved', ['100.04', '10.00']],
    ] as const) {
      define(
        '9.9/bonus/asked',
        async (server) => {
          const deal = await dealIn(state, server);
          await addBonus(deal);
          equal(
            employerPayments(await deal.details()).map(({ amount }) => amount),
            requests,
            'the amounts of the requests',
          );
        },
        state,
      );
    }

    define('9.9/bonus/two', async (server) => {
      const deal = await dealIn('accepted', server);
      for (let count = 0; count < 2; count += 1) await addBonus(deal);
      const details = await deal.details();
      equal([details.stages.length, details['amount']], [3, '120.04'], 'stages and amount');
    });

    define('9.9/bonus/key', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = server.name('key');
      const first = await deal.give('partner', 'add-bonus', { body: bonus, key });
      expectStatus(first, 200);
      const again = await changesNothing(deal, () =>
        deal.give('partner', 'add-bonus', { body: bonus, key }),
      );
      expectStatus(again, 200);
      equal(again.json(), first.json(), 'the second answer, and the first one');
      const other = { body: { amount: '11.00' }, key };
      expectError(await deal.give('partner', 'add-bonus', other), 422, 'idempotency_key_reused');
    });

    define('9.9/bonus/amount-required', async (server) => {
      const deal = await dealIn('accepted', server);
      for (const request of [{}, { body: {} }]) {
        const reply = await deal.give('partner', 'add-bonus', request);
        expectIssues(reply, { path: ['amount'], code: 'required' });
      }
    });

    for (const amount of ['0', '-0.01', '', 'much', 10, null]) {
      define(
        '9.9/bonus/amount-positive',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const reply = await changesNothing(deal, () =>
            deal.give('partner', 'add-bonus', { body: { amount } }),
          );
          const { errors } = expectError(reply, 400, 'validation_failed');
          const [issue] = errors as readonly Members[];
          equal(issue?.['path'], ['amount'], 'the path of the issue');
        },
        JSON.stringify(amount),
      );
    }

    for (const [length, code] of [
      [0, 'too_short'],
      [2001, 'too_long'],
    ] as const) {
      define(
        '9.9/bonus/message-length',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const body = { ...bonus, message: '\u{1f389}'.repeat(length) };
          const reply = await deal.give('partner', 'add-bonus', { body });
          expectIssues(reply, { path: ['message'], code });
        },
        `${length} code points`,
      );
    }

    define('9.9/bonus/token-in-text', async (server) => {
      const deal = await dealIn('accepted', server);
      const body = { ...bonus, message: `It is ${deal.payment_token}.` };
      const reply = await deal.give('partner', 'add-bonus', { body });
      expectIssues(reply, { path: ['message'], code: 'secret_in_text' });
    });

    define('9.9/bonus/out-of-bounds', async (server) => {
      const deal = await dealIn('accepted', server, { amount: '999999999999999999.04' });
      const body = { amount: '0.96' };
      const reply = await changesNothing(deal, () => deal.give('partner', 'add-bonus', { body }));
      expectReason(reply, 'amount_out_of_bounds');
      expectStatus(await deal.give('partner', 'add-bonus', { body: { amount: '0.95' } }), 200);
    });

    define('9.9/bonus/no-work', async (server) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal);
      await deal.done('partner', 'cancel');
      expectStatuses(await deal.details(), statusesIn.cancelled);
    });

    define('9.9/bonus/no-work-declined', async (server) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal);
      await deal.done('freelancer', 'decline');
      expectStatuses(await deal.details(), statusesIn.declined);
    });

    defineForEach('9.9/bonus/paid-out', async (server, by) => {
      const deal = await dealIn('approved', server);
      await addBonus(deal, { amount: '10.00' });
      for (const { id } of employerPayments(await deal.details())) {
        await reportPayment(deal, by, { payment_id: id, status: 'paid', reference: `bank ${id}` });
      }
      const details = await server.until('both payouts', async () => {
        const now = await untilPaidOut(deal, by);
        for (const { id, status } of contractorPayments(now)) {
          if (status === 'paid' || by.name === 'sandbox') continue;
          const report = { payment_id: id, status: 'paid', reference: server.name('bank') };
          await deal.give(by.payments, 'record-contractor-payment', { body: report });
        }
        const after = await deal.details();
        return after.status === 'completed' ? after : undefined;
      });
      expectFigures(details, { paid: '110.04', released: '110.04' });
    });

    defineForEach('9.9/bonus/waits', async (server, by) => {
      const deal = await dealIn('accepted', server);
      await addBonus(deal);
      const { id } = lastRequest(await deal.details());
      await reportPayment(deal, by, { payment_id: id, status: 'paid', reference: 'bank' });
      equal(contractorPayments(await deal.details()), [], 'the payouts');
      await payUnasked(deal, by, '100.04');
      const payouts = contractorPayments(await deal.details());
      equal(
        payouts.map(({ amount }) => amount),
        ['10.00'],
        'the amounts of the payouts once the whole is paid',
      );
    });

    define('9.9/bonus/v1', async (server) => {
      const deal = await newDealV1(server);
      await deal.done('partner', 'accept');
      await addBonus(deal);
      const { status, work_days } = await lastStage(deal);
      equal({ status, work_days }, { status: 'approved', work_days: null }, 'the stage');
    });

    define('9.9/bonus/partner-alone', async (server) => {
      const deal = await dealIn('accepted', server);
      for (const by of ['freelancer', 'operator', 'sandbox/freelancer'] as const) {
        const reply = await changesNothing(deal, () => deal.give(by, 'add-bonus', { body: bonus }));
        expectError(reply, 404, 'not_found');
      }
    });

    define('9.9/bonus/sandbox', async (server) => {
      const deal = await dealIn('accepted', server);
      await deal.done('sandbox/partner', 'add-bonus', bonus);
      equal((await lastStage(deal)).status, 'approved', 'the status of the stage');
    });

    define('9.15/bonus/too-many', async (server) => {
      const deal = await newDeal(server);
      await deal.done('freelancer', 'accept');
      const stages = Array.from({ length: 100 }, () => ({ name: 'A page', budget: '1.04' }));
      await agreed(deal, amendment({ stages }));
      const reply = await changesNothing(deal, () =>
        deal.give('partner', 'add-bonus', { body: bonus }),
      );
      expectReason(reply, 'too_many');
      const view = await dataAt(deal, '', 'freelancer');
      equal((view['stages'] as readonly Members[]).length, 101, 'the stages, one cancelled');
      await deal.done('partner', 'cancel', because);
    });
  },
);
