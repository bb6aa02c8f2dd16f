import { isTenant } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from './values.js';

describe('isTenant', () => {
  it('takes both environments, and partners of 1 to 128 characters', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('production', 'sandbox'),
        textOf(1, 128),
        (environment, partner) => {
          expect(isTenant({ environment, partner })).toBe(true);
        },
      ),
      {
        examples: [
          ['sandbox', 'a'],
          ['production', '😀'.repeat(128)],
          ['sandbox', 'x'.repeat(128)],
        ],
      },
    );
  });

  it.each([
    '',
    'x'.repeat(129),
    '😀'.repeat(129),
    '\ud800',
    'a\0',
    7,
    null,
    undefined,
    ['acme'],
    {},
  ])('refuses the partner %j', (partner) => {
    expect(isTenant({ environment: 'sandbox', partner })).toBe(false);
  });

  it.each(['', 'staging', 'Production', 'SANDBOX', 'sandbox ', 'toString', null, undefined, 1, {}])(
    'refuses the environment %j',
    (environment) => {
      expect(isTenant({ environment, partner: 'acme' })).toBe(false);
    },
  );

  it('refuses everything else without a throw', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(isTenant(value)).toBe(false);
      }),
    );
    expect(isTenant(null)).toBe(false);
    expect(isTenant(undefined)).toBe(false);
    const callable = Object.assign(() => 1, { environment: 'sandbox', partner: 'acme' });
    expect(isTenant(callable)).toBe(false);
  });
});
