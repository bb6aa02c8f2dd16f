import * as fc from 'fast-check';
import { isPaymentToken } from '../../src/domain/deals/deal-v2.js';
import { formatMoney, fromMinorUnits } from '../../src/domain/values/money.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { PaymentTokenClaims } from '../../src/ports/payment-token-issuer.js';
import { tenant, textField } from '../arbitraries-values.js';
import { check, equal, holds } from '../expectations.js';
import { acme, acmeLive, deal, globex, group, issue } from './subject.js';

/** Deals with any name and any price. */
export function claims(): fc.Arbitrary<PaymentTokenClaims> {
  return fc.record(
    {
      partner_id: textField(1, 40).valid,
      amount: fc
        .bigInt({ min: 1n, max: 10n ** 20n - 1n })
        .map((cents) => formatMoney(fromMinorUnits(cents))),
      currency: fc.constantFrom('PLN', 'EUR', 'USD'),
    },
    { noNullPrototype: true },
  );
}

/** The fewest places in which two tokens of one deal differ: with 128 random bits, far more do. */
const fewestDifferences = 10;

/** Issued tokens: secrets of the documented form. */
export const issuing = group(
  'tokens',
  {
    must: {
      '3/tokens/form':
        'A payment token has 22 to 2,048 characters of `A-Za-z0-9._~-`, for any tenant and any deal.',
      '3/tokens/tenant':
        'A token names the tenant that it was issued for, also to an issuer that is started again.',
      '3/tokens/unique':
        'No token is issued twice, not even for the same deal or at the same time.',
      '3/tokens/unpredictable':
        'Two tokens in a row differ in so many places that one does not tell the next.',
      '3/tokens/unique-over-restart':
        'An issuer that is started again does not issue the same tokens again.',
    },
  },
  (define) => {
    define('3/tokens/form', async (subject) => {
      const anyDeal = fc.asyncProperty(tenant(), claims(), async (owner, each) => {
        const { payment_token } = await issue(subject, owner, each);
        check(isPaymentToken(payment_token), 'a token has 22 to 2048 characters of A-Za-z0-9._~-');
      });
      await holds(anyDeal, { numRuns: 50 });
    });

    define('3/tokens/tenant', async (subject) => {
      const expectTenant = async (owner: Tenant, each: PaymentTokenClaims) => {
        const { payment_token } = await issue(subject, owner, each);
        const restarted = await subject.restarted();
        for (const issuer of [subject.issuer, restarted]) {
          const said = issuer.tenantOf(payment_token);
          const { environment, partner } = said ?? {};
          equal({ environment, partner }, { ...owner }, 'the tenant that a token says it is of');
        }
      };
      for (const owner of [acme, globex, acmeLive]) await expectTenant(owner, deal);
      await holds(fc.asyncProperty(tenant(), claims(), expectTenant), { numRuns: 50 });
    });

    define('3/tokens/unique', async (subject) => {
      const one = [];
      for (let count = 0; count < 100; count += 1) one.push((await issue(subject)).payment_token);
      const together = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const each = index % 2 === 0 ? deal : { ...deal, partner_id: `order-${index}` };
          return (await issue(subject, acme, each)).payment_token;
        }),
      );
      equal(new Set([...one, ...together]).size, 200, 'the number of different tokens');
    });

    define('3/tokens/unpredictable', async (subject) => {
      let last = (await issue(subject)).payment_token;
      for (let count = 0; count < 50; count += 1) {
        const next = (await issue(subject)).payment_token;
        const different = differences(last, next);
        check(different >= fewestDifferences, `only ${different} places of two tokens differ`);
        last = next;
      }
    });

    define('3/tokens/unique-over-restart', async (subject) => {
      const issuer = await subject.restarted();
      const before = (await issue(subject)).payment_token;
      const after = (await issue({ ...subject, issuer })).payment_token;
      check(differences(before, after) >= fewestDifferences, 'the token comes again');
    });
  },
);

function differences(one: string, other: string): number {
  const alike = [...one].filter((character, place) => character === other[place]).length;
  return Math.max(one.length, other.length) - alike;
}
