import * as fc from 'fast-check';
import { isTenant } from '../../src/domain/values/tenant.js';
import { check, holds } from '../expectations.js';
import { acme, expectVerdict, group, issue } from './subject.js';

/** A token that can be written without a key: the deal is right, and the signature is missing. */
const unsigned =
  'eyJhbGciOiJub25lIiwidHlwIjoicGF5bWVudC10b2tlbitqd3QifQ.' +
  'eyJzdWIiOiJvcmRlci0yIiwiZW52aXJvbm1lbnQiOiJzYW5kYm94IiwicGFydG5lciI6ImFjbWUiLCJhbW91bnQiOiI1MDAuMDAiLCJjdXJyZW5jeSI6IlBMTiIsImlhdCI6MTc2NzIyNTYwMCwianRpIjoieHh4eHh4eHh4eHh4eHh4eHh4eHh4eCJ9.';

/** Texts that the issuer did not issue, and can tell that. */
function spoiled(token: string): readonly string[] {
  return [
    '',
    '.',
    '..',
    unsigned,
    `${unsigned}AAAA`,
    // three parts, none of them JSON
    'bm8ganNvbg.bm8ganNvbg.bm8ganNvbg',
    token.slice(0, -1),
    token.slice(1),
    token.slice(0, 21),
    [...token].reverse().join(''),
    token + token,
    `${token}.`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    `${token}\0`,
    token + 'A'.repeat(2048),
  ];
}

/** Texts that no issuer has issued. */
export const garbage = group(
  'what is not a token of its own',
  {
    must: {
      '3/tokens/changed':
        'A token that is shortened, extended, changed or not signed is invalid, and the unchanged one stays valid.',
      '3/tokens/foreign':
        'A text that the issuer did not issue is `invalid`, and makes no verification fail.',
      '3/tokens/tenant-of-foreign':
        'For any text that it did not issue, an issuer names a tenant or none, and does not throw.',
      '3/tokens/any-time-of-issue':
        'A verification gives one of the three verdicts for any time of issue, even a malformed one.',
    },
  },
  (define) => {
    define('3/tokens/changed', async (subject) => {
      const held = await issue(subject);
      for (const [index, payment_token] of spoiled(held.payment_token).entries()) {
        const what = `spoiled token ${index}`;
        await expectVerdict('invalid', subject.issuer, acme, { ...held, payment_token }, what);
      }
      await expectVerdict('valid', subject.issuer, acme, held, 'the token itself');
    });

    define('3/tokens/foreign', async (subject) => {
      const held = await issue(subject);
      const letters = fc.constantFrom(...'abcXYZ019._~-');
      const texts = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc.string({ unit: letters, minLength: 22, maxLength: 100 }),
        fc.string({ unit: letters, minLength: 2000, maxLength: 2100, size: 'max' }),
      );
      const anyText = fc.asyncProperty(texts, async (payment_token) => {
        await expectVerdict('invalid', subject.issuer, acme, { ...held, payment_token }, 'a text');
      });
      await holds(anyText, { numRuns: 60 });
    });

    define('3/tokens/tenant-of-foreign', async (subject) => {
      const { payment_token } = await issue(subject);
      const texts = [...spoiled(payment_token), '\ud800', 's..', 'p.!.x', 'null', '{}'];
      const isOne = (text: string) => {
        const said = subject.issuer.tenantOf(text);
        check(said === undefined || isTenant(said), 'a tenant, or none');
      };
      for (const text of texts) isOne(text);
      const anyText = fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => isOne(text));
      await holds(anyText, { numRuns: 60 });
    });

    define('3/tokens/any-time-of-issue', async (subject) => {
      const held = await issue(subject);
      for (const issued_at of ['', 'yesterday', '9999-12-31T23:59:59.999Z', '\0']) {
        const result = await subject.issuer.verify(acme, { ...held, issued_at });
        check(result.isOk(), 'there is a verdict');
        check(
          ['valid', 'expired', 'invalid'].includes(result.value),
          'there is one verdict of three',
        );
      }
    });
  },
);
