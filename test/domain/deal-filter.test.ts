import { type DealFilter, passes, type Row } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDealId, isPartnerId } from '../../src/domain/deals/deal.js';

const deal = {
  partner_id: 'b',
  status: 'accepted',
  freelancer_status: 'accepted',
  email_key: 'b@example.com',
  created_at: '2026-01-02T00:00:00.001Z',
} as Row<'deal'>;

describe('a filter of a list', () => {
  const exact = ['partner_id', 'status', 'freelancer_status', 'email_key'] as const;

  it('that is empty lets every deal through', () => {
    expect(passes({}, deal)).toBe(true);
  });

  it.each(exact)('lets through what has its %s, and nothing else', (field) => {
    expect(passes({ [field]: deal[field] }, deal)).toBe(true);
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other !== deal[field]);
        expect(passes({ [field]: other } as DealFilter, deal)).toBe(false);
      }),
    );
  });

  it('begins with its first moment, and ends before its last', () => {
    const [before, after] = ['2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.002Z'];
    for (const [filter, expected] of [
      [{ created_from: before }, true],
      [{ created_from: deal.created_at }, true],
      [{ created_from: after }, false],
      [{ created_to: before }, false],
      [{ created_to: deal.created_at }, false],
      [{ created_to: after }, true],
      [{ created_from: before, created_to: after }, true],
    ] as const) {
      expect(passes(filter, deal), JSON.stringify(filter)).toBe(expected);
    }
  });

  it('lets through what passes all of it', () => {
    const all = Object.fromEntries(exact.map((field) => [field, deal[field]]));
    expect(passes(all, deal)).toBe(true);
    for (const field of exact) expect(passes({ ...all, [field]: 'x' }, deal)).toBe(false);
  });
});

describe('what names a deal', () => {
  it('is text of 1 to 40 characters that a store can keep', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), (text) => {
        expect(isPartnerId(text)).toBe(true);
      }),
    );
    expect(isPartnerId('😀'.repeat(40))).toBe(true);
    for (const other of ['', 'x'.repeat(41), 'a\0b', '\ud800', 1, null, undefined, {}, ['x']]) {
      expect(isPartnerId(other)).toBe(false);
    }
  });

  it('or an integer from 1 on', () => {
    for (const id of [1, 2, Number.MAX_SAFE_INTEGER]) expect(isDealId(id)).toBe(true);
    for (const other of [0, -1, 0.5, 2 ** 53, '1', null, undefined, Number.NaN, 1n, [1]]) {
      expect(isDealId(other)).toBe(false);
    }
  });
});
