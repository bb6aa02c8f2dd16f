import { check, equal, show } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { employerPayments, ofSandbox, reportPayment } from './life/billing.js';
import { because, type LivingDeal, newDeal } from './life/deal.js';
import { expectIssues, expectStatus, group, type Members, type Server } from './server.js';
import {
  acceptNow,
  amendment,
  dataAt,
  deliverStage,
  propose,
  settlement,
  staged,
} from './terms/terms.js';

/** Skips the case where a deal cannot have this currency. */
function takes({ promised: { currencies } }: Server, currency: string): void {
  if (currencies?.includes(currency) === false) notApplicable(`no deal is in ${currency}`);
}

function expectWhole(amount: unknown, what: string): void {
  check(/^\d+\.00$/.test(String(amount)), `${what} is whole\n  actual: ${show(amount)}`);
}

/** A deal of yen whose service promises the strict profile. */
async function ofStrict(server: Server): Promise<LivingDeal> {
  if (server.promised.profile !== 'strict') notApplicable('it has not the strict profile');
  return newDeal(server, { currency: 'JPY', amount: '1000.00' });
}

const create = (server: Server, body: Members, version = '2.0') =>
  server.partner.send('POST', `/api/${version}/deal/`, { body });

const named = { name: 'A part' };

/** Decision 10.13: the unit of a currency. */
export const units = group(
  'the unit of a currency',
  {
    must: {
      '10.13/units/fees': 'The fees of a deal in yen or won are whole.',
      '10.13/units/shares': 'What is asked for a stage in yen or won is whole, with its fee.',
      '10.13/units/thousandths': 'A deal in a currency of three decimals has two.',
      '10.13/units/interface':
        'Under the rules of the interface the amount of a deal in yen may be finer.',
      '10.13/strict/create': 'Under the strict profile a deal in yen is whole: else `too_fine`.',
      '10.13/strict/create-v1':
        'Under the strict profile a deal of version 1.0 in yen is whole: else `too_fine`.',
      '10.13/strict/amendment':
        'Under the strict profile the amount and each stage of an amendment are whole in yen.',
      '10.13/strict/settlement': 'Under the strict profile a settlement is whole in yen.',
      '10.13/strict/bonus': 'Under the strict profile a bonus is whole in yen.',
      '10.13/strict/resolve': 'Under the strict profile an agreed amount is whole in yen.',
      '10.13/strict/report': 'Under the strict profile a reported amount is whole in yen.',
    },
  },
  (define) => {
    for (const currency of ['JPY', 'KRW']) {
      define(
        '10.13/units/fees',
        async (server) => {
          takes(server, currency);
          const deal = await newDeal(server, { currency, amount: '999.00' });
          const { employer_fee } = Object((await deal.details())['billing']);
          expectWhole(employer_fee, 'the fee of the employer');
          const { contractor_fee } = await dataAt(deal, '', 'freelancer');
          expectWhole(contractor_fee, 'the fee of the contractor');
        },
        currency,
      );
      define(
        '10.13/units/shares',
        async (server) => {
          takes(server, currency);
          const deal = await newDeal(server, { currency, amount: '999.00' });
          const parts = [
            { ...named, budget: '333.00' },
            { ...named, budget: '666.00' },
          ];
          const [first = 0] = await staged(deal, parts);
          await acceptNow(deal);
          await deliverStage(deal, first);
          await deal.done('partner', 'approve', { stage_id: first });
          const asked = employerPayments(await deal.details());
          check(asked.length > 0, 'the employer is asked to pay');
          for (const { amount } of asked) expectWhole(amount, 'what is asked for');
        },
        currency,
      );
    }

    define('10.13/units/thousandths', async (server) => {
      takes(server, 'KWD');
      const deal = await newDeal(server, { currency: 'KWD', amount: '1.23' });
      equal((await deal.details())['amount'], '1.23', 'the amount');
      const body = server.dealV2({ currency: 'KWD', amount: '1.234' });
      expectIssues(await create(server, body), { path: ['amount'], code: 'invalid_decimal' });
    });

    define('10.13/units/interface', async (server) => {
      if (server.promised.profile !== 'interface') notApplicable('it has other rules');
      const deal = await newDeal(server, { currency: 'JPY', amount: '999.50' });
      equal((await deal.details())['amount'], '999.50', 'the amount');
    });

    for (const amount of ['999.50', '.5', '1000.01']) {
      define(
        '10.13/strict/create',
        async (server) => {
          await ofStrict(server);
          const body = server.dealV2({ currency: 'JPY', amount });
          expectIssues(await create(server, body), { path: ['amount'], code: 'too_fine' });
        },
        amount,
      );
    }

    define('10.13/strict/create-v1', async (server) => {
      await ofStrict(server);
      const contractor_email = await server.registered();
      const body = server.deal({ contractor_email, currency: 'JPY', budget: '999.50' });
      expectIssues(await create(server, body, '1.0'), { path: ['budget'], code: 'too_fine' });
    });

    define('10.13/strict/amendment', async (server) => {
      const deal = await ofStrict(server);
      expectIssues(await propose(deal, 'partner', amendment({ amount: '999.50' })), {
        path: ['changes', 'amount'],
        code: 'too_fine',
      });
      const stages = ['333.33', '666.00', '0.67'].map((budget) => ({ ...named, budget }));
      expectIssues(
        await propose(deal, 'partner', amendment({ stages })),
        ...['0', '2'].map((at) => ({
          path: ['changes', 'stages', at, 'budget'],
          code: 'too_fine',
        })),
      );
    });

    define('10.13/strict/settlement', async (server) => {
      const deal = await ofStrict(server);
      await deal.done('freelancer', 'accept');
      for (const side of ['partner', 'freelancer'] as const) {
        expectIssues(await propose(deal, side, settlement('500.50')), {
          path: ['changes', 'agreed_amount'],
          code: 'too_fine',
        });
      }
    });

    define('10.13/strict/bonus', async (server) => {
      const deal = await ofStrict(server);
      await deal.done('freelancer', 'accept');
      const refused = await deal.give('partner', 'add-bonus', { body: { amount: '0.50' } });
      expectIssues(refused, { path: ['amount'], code: 'too_fine' });
      expectStatus(await deal.give('partner', 'add-bonus', { body: { amount: '1.00' } }), 200);
    });

    define('10.13/strict/resolve', async (server) => {
      const deal = await ofStrict(server);
      await deal.done('freelancer', 'accept');
      const paid = { status: 'paid', amount: '1.00', reference: 'bank' };
      await reportPayment(deal, ofSandbox, paid);
      await deal.done('partner', 'dispute', because);
      const body = { agreed_amount: '500.50' };
      const refused = await deal.give(ofSandbox.operator, 'resolve', { body });
      expectIssues(refused, { path: ['agreed_amount'], code: 'too_fine' });
    });

    define('10.13/strict/report', async (server) => {
      const deal = await ofStrict(server);
      await deal.done('freelancer', 'accept');
      const body = { status: 'paid', amount: '0.50', reference: 'bank' };
      const refused = await deal.give(ofSandbox.payments, 'record-employer-payment', { body });
      expectIssues(refused, { path: ['amount'], code: 'too_fine' });
      await reportPayment(deal, ofSandbox, { ...body, amount: '1.00' });
    });
  },
);
