import { defaultValueSets, interfaceProfile } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPaymentToken } from '../../src/domain/deals/deal-v2.js';
import { initialStatuses } from '../../src/domain/values/status.js';
import { dealV2Body } from './field-tables.js';

const unreserved = fc.constantFrom(
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-',
);

describe('a payment token', () => {
  it('has 22 to 2048 characters that a URL takes as they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: unreserved, minLength: 22, maxLength: 2048, size: 'max' }),
        (token) => {
          expect(isPaymentToken(token)).toBe(true);
          expect(encodeURIComponent(token)).toBe(token);
        },
      ),
      { examples: [['a'.repeat(22)], ['Z'.repeat(2048)], ['._~-'.repeat(6)]] },
    );
  });

  it('has no other character, nowhere', () => {
    const some = fc.string({ unit: unreserved, minLength: 22, maxLength: 30 });
    const other = fc
      .integer({ min: 0, max: 0x10ffff })
      .map((point) => String.fromCodePoint(point))
      .filter((character) => !/[A-Za-z0-9._~-]/.test(character));
    fc.assert(
      fc.property(some, other, some, (before, character, after) => {
        expect(isPaymentToken(before + character)).toBe(false);
        expect(isPaymentToken(character + after)).toBe(false);
        expect(isPaymentToken(before + character + after)).toBe(false);
      }),
      {
        examples: [
          ['a'.repeat(22), '\n', 'a'.repeat(22)],
          ['a'.repeat(22), '/', 'a'.repeat(22)],
        ],
      },
    );
  });

  it.each([
    'a'.repeat(21),
    'a'.repeat(2049),
    '',
    undefined,
    null,
    7,
    ['a'.repeat(22)],
    { toString: () => 'a'.repeat(22) },
  ])('is not %j', (token) => {
    expect(isPaymentToken(token)).toBe(false);
  });
});

describe('a new deal', () => {
  it('is created, and its freelancer is new', () => {
    expect(initialStatuses).toEqual({ status: 'created', freelancer_status: 'new' });
  });
});

describe('sets of values', () => {
  it('are those of the decisions unless the host has its own', () => {
    expect(defaultValueSets).toEqual({
      copyright_transfer: ['full_transfer', 'license', 'none'],
      freelancer_language: ['pl', 'en'],
    });
    const { parseDealV2 } = interfaceProfile({
      copyright_transfer: ['all'],
      freelancer_language: ['pl', 'en', 'de'],
    });
    const own = { ...dealV2Body, copyright_transfer: 'all', freelancer_language: 'de' };
    expect(parseDealV2(own).isOk()).toBe(true);
    expect(parseDealV2({ ...own, copyright_transfer: 'none' })._unsafeUnwrapErr()).toEqual([
      { path: ['copyright_transfer'], code: 'not_allowed', params: { allowed: ['all'] } },
    ]);
  });

  it('are read once: a host that changes its list changes no rule', () => {
    const copyright_transfer = ['none'];
    const { parseDealV2 } = interfaceProfile({ ...defaultValueSets, copyright_transfer });
    copyright_transfer.push('full_transfer');
    expect(parseDealV2(dealV2Body)._unsafeUnwrapErr()).toEqual([
      { path: ['copyright_transfer'], code: 'not_allowed', params: { allowed: ['none'] } },
    ]);
  });
});
