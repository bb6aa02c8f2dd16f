import * as fc from 'fast-check';
import { tenant } from '../arbitraries-values.js';
import { holds } from '../expectations.js';
import { claims } from './issuing.js';
import {
  acme,
  acmeLive,
  deal,
  expectVerdict,
  globex,
  group,
  issue,
  type PaymentTokenIssuerSubject,
} from './subject.js';

/** The tenant and the deal of a token. */
export const verifying = group(
  'whose a token is',
  {
    must: {
      '3/tokens/valid':
        'A token is valid for the tenant and the deal that it was issued for, as often as it is verified.',
      '3/tokens/valid-among-others': 'A token stays valid if other tokens are issued after it.',
      '3/tokens/valid-over-restart':
        'A token stays valid, and invalid for other partners, if the issuer is started again.',
      '2.1/tokens/other-partner':
        'A token is invalid for every other partner, even one with a similar name.',
      '2.1/tokens/other-environment': 'A token is invalid in the other environment.',
      '3/tokens/binding':
        'A token is invalid for another deal of its tenant if its issuer binds tokens to deals, and otherwise valid.',
    },
  },
  (define) => {
    define('3/tokens/valid', async (subject) => {
      const anyDeal = fc.asyncProperty(tenant(), claims(), async (owner, each) => {
        const held = await issue(subject, owner, each);
        await expectVerdict('valid', subject.issuer, owner, held, 'a new token');
        await expectVerdict('valid', subject.issuer, owner, held, 'a token that was asked about');
      });
      await holds(anyDeal, { numRuns: 50 });
    });

    define('3/tokens/valid-among-others', async (subject) => {
      const first = await issue(subject);
      const others = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          issue(subject, acme, { ...deal, partner_id: `order-${index}` }),
        ),
      );
      for (const held of [first, ...others, await issue(subject)]) {
        await expectVerdict('valid', subject.issuer, acme, held, 'one of many tokens');
      }
    });

    define('3/tokens/valid-over-restart', async (subject) => {
      const held = await issue(subject);
      const issuer = await subject.restarted();
      await expectVerdict('valid', issuer, acme, held, 'a token of before');
      await expectVerdict('invalid', issuer, globex, held, "another partner's token of before");
    });

    define('2.1/tokens/other-partner', async (subject) => {
      const held = await issue(subject);
      await expectVerdict('invalid', subject.issuer, globex, held, "another partner's token");
      const strangers = fc.asyncProperty(
        tenant(),
        claims(),
        async ({ environment, partner }, each) => {
          const [owner, stranger] = [acme, { environment, partner: `not ${partner}` }];
          await expectVerdict('invalid', subject.issuer, stranger, held, "another partner's token");
          const theirs = await issue(subject, stranger, each);
          await expectVerdict('invalid', subject.issuer, owner, theirs, "another partner's token");
        },
      );
      await holds(strangers, { numRuns: 30 });
      // similar names
      for (const partner of ['acm', 'acme2', 'acme.', 'Acme', 'acme ']) {
        const stranger = { ...acme, partner };
        await expectVerdict('invalid', subject.issuer, stranger, held, `a token, for "${partner}"`);
      }
    });

    define('2.1/tokens/other-environment', async (subject) => {
      const sandbox = await issue(subject, acme);
      const live = await issue(subject, acmeLive);
      await expectVerdict('invalid', subject.issuer, acmeLive, sandbox, 'a token of the sandbox');
      await expectVerdict('invalid', subject.issuer, acme, live, 'a token of production');
    });

    define('3/tokens/binding', async (subject) => {
      const held = await issue(subject);
      const expected = subject.bindsDeals ? 'invalid' : 'valid';
      const others = [
        { partner_id: 'order-3' },
        { partner_id: 'Order-2' },
        { amount: '500.01' },
        { amount: '5000.00' },
        { currency: 'EUR' },
      ];
      for (const other of others) {
        const what = `a token of another deal: ${JSON.stringify(other)}`;
        await expectVerdict(expected, subject.issuer, acme, { ...held, ...other }, what);
      }
    });
  },
);

const year = 365 * 24 * 60 * 60 * 1000;

/** How long a token is valid. */
export const expiry = group(
  'how long a token is valid',
  {
    must: {
      '3/tokens/lifetime':
        'A token is valid until one second before the end of its lifetime and `expired` from the end on; without a lifetime it never expires.',
    },
  },
  (define) => {
    for (const phase of [0, 1, 500, 999]) {
      define(
        '3/tokens/lifetime',
        async (subject) => {
          const { timer, issuer, lifetime } = subject;
          timer.advance(1000 - (timer.now() % 1000) + phase);
          const held = await issue(subject);
          if (lifetime === undefined) return staysValid(subject, held);
          timer.advance((lifetime - 1) * 1000);
          await expectVerdict('valid', issuer, acme, held, 'a token in its last second');
          timer.advance(1000);
          await expectVerdict('expired', issuer, acme, held, 'a token whose time is over');
          const restarted = await subject.restarted();
          await expectVerdict('expired', restarted, acme, held, 'a token whose time is over');
          for (const stranger of [globex, acmeLive]) {
            await expectVerdict('invalid', issuer, stranger, held, "another's token, over by now");
          }
          await expectVerdict('valid', issuer, acme, await issue(subject), 'a new token');
          timer.advance(50 * year);
          await expectVerdict('expired', issuer, acme, held, 'a token of long ago');
        },
        `issued ${phase} ms after a second`,
      );
    }
  },
);

async function staysValid(
  { timer, issuer }: PaymentTokenIssuerSubject,
  held: Parameters<typeof expectVerdict>[3],
): Promise<void> {
  for (const years of [1, 10, 100]) {
    timer.advance(years * year);
    await expectVerdict('valid', issuer, acme, held, `a token after ${years} years`);
  }
}
