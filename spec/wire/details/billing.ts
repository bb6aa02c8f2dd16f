import { check, equal, show } from '../../expectations.js';
import { type DealCreate, inEachDeal, stored } from '../creates/create.js';
import { centsOf } from '../creates/stages.js';
import { group, membersOf, type Server } from '../server.js';
import { expectMembers } from './deal.js';

const sums = ['paid', 'refunded', 'released', 'held', 'fees', 'charged_back', 'loss'] as const;

/** Sections 4 and 6.3: the billing of a new deal, in both versions. */
export const newBilling = group(
  'billing of a new deal',
  {
    must: {
      '4/details/billing-members': 'The billing of a deal has the members of section 4.',
      '6.3/details/billing-members':
        'The billing of a deal has the members `held`, `fees`, `charged_back` and `loss`.',
      '4/details/billing-amount': 'The billing of a deal has its amount and its currency.',
      '4/details/billing-money':
        'Each sum of a billing is text with two digits after the decimal point.',
      '6.3/details/billing-nothing-moved': 'No money of a new deal has moved: each sum is 0.00.',
      '6.3/details/billing-identity':
        'In a billing, paid + loss = held + released + refunded + fees + charged_back.',
      '6.7/details/billing-outstanding': 'At least the whole amount of a new deal is outstanding.',
      '6.3/details/billing-no-payments': 'A new deal has no payments.',
    },
  },
  (define) => {
    const inBoth = inEachDeal(define);

    inBoth('4/details/billing-members', async (server, create) => {
      expectMembers(await billingOf(server, create), [
        ...['currency', 'amount', 'paid', 'refunded', 'released', 'outstanding'],
        ...['employer_payments', 'contractor_payments'],
      ]);
    });

    inBoth('6.3/details/billing-members', async (server, create) => {
      const members = ['held', 'fees', 'charged_back', 'loss'];
      expectMembers(await billingOf(server, create), members);
    });

    inBoth('4/details/billing-amount', async (server, create) => {
      const changes = { [create.money]: '1234.5', currency: 'CHF' };
      const { amount, currency } = await billingOf(server, create, changes);
      equal([amount, currency], ['1234.50', 'CHF'], 'the amount and the currency');
    });

    inBoth('4/details/billing-money', async (server, create) => {
      const billing = await billingOf(server, create);
      for (const name of ['amount', 'outstanding', ...sums]) {
        const value = billing[name];
        const isMoney = typeof value === 'string' && /^-?(0|[1-9]\d*)\.\d\d$/.test(value);
        check(isMoney, `${name} is money\n  actual: ${show(value)}`);
      }
    });

    inBoth('6.3/details/billing-nothing-moved', async (server, create) => {
      const billing = await billingOf(server, create);
      for (const name of sums) equal(billing[name], '0.00', `the sum ${name}`);
    });

    inBoth('6.3/details/billing-identity', async (server, create) => {
      const billing = await billingOf(server, create);
      const cents = (...names: readonly (typeof sums)[number][]) =>
        names.map((name) => centsOf(billing[name])).reduce((sum, each) => sum + each, 0n);
      const [left, right] = [
        cents('paid', 'loss'),
        cents('held', 'released', 'refunded', 'fees', 'charged_back'),
      ];
      check(left === right, `both sides are equal\n  actual: ${show(billing)}`);
    });

    inBoth('6.7/details/billing-outstanding', async (server, create) => {
      const { outstanding } = await billingOf(server, create, { [create.money]: '1234.50' });
      // a fee of the employer comes on top
      check(centsOf(outstanding) >= 123_450n, `1234.50 or more\n  actual: ${show(outstanding)}`);
    });

    inBoth('6.3/details/billing-no-payments', async (server, create) => {
      const { employer_payments, contractor_payments } = await billingOf(server, create);
      equal([employer_payments, contractor_payments], [[], []], 'the payments of both sides');
    });
  },
);

async function billingOf(server: Server, create: DealCreate, changes = {}) {
  const { billing } = await stored(server, create, changes);
  return membersOf(billing, 'the member billing');
}
