import { defaultValueSets, formatMoney, interfaceProfile } from 'dealwright';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dealTermsOf, translated } from '../../src/domain/deals/deal.js';
import { dealRow } from '../../src/domain/deals/deal-v2.js';
import { isStored } from '../../src/domain/records/stored.js';
import { dealBody, dealV2Body } from './field-tables.js';

const rules = interfaceProfile(defaultValueSets);
const at = '2026-01-02T03:04:05.678Z';
const earlier = '2026-01-01T03:04:05.678Z';
const given = {
  created_at: at,
  mode: 'prepaid',
  expires_at: null,
  notice_at: null,
  employer_fee: '0.00',
  contractor_fee: '0.05',
} as const;
const stored = { attempt: '01KDVE0000000000000000000A', version: 1 };

it('the record of a new deal gives back its terms under the names of version 1.0', () => {
  const words = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(words, words, fc.integer(), fc.integer(), (name, partner_id, id, work_days) => {
      const body = { ...dealBody, name, partner_id, work_days };
      const terms = rules.parseDeal(body)._unsafeUnwrap();
      const row = dealRow(translated(terms), { id, api_version: '1.0', ...given });
      expect(isStored('deal', { ...row, ...stored })).toBe(true);
      expect(row).toMatchObject({ id, api_version: '1.0', payment_token: null, created_at: at });
      expect(row).toMatchObject({ status: 'created', freelancer_status: 'new' });
      expect(dealTermsOf(row)).toEqual({ ...terms, budget: formatMoney(terms.budget) });
    }),
  );
});

it('the clock visits a new deal for its notice, or for its end', () => {
  const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
  const visit = (expires_at: string | null, notice_at: string | null) =>
    dealRow(terms, { id: 7, api_version: '2.0', ...given, expires_at, notice_at }).due_at;
  expect([visit(null, null), visit(at, null), visit(at, earlier)]).toEqual([null, at, earlier]);
});

it('the record of a new 2.0 deal has all its terms and its payment token', () => {
  const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
  const payment_token = 'a-token-of-22-or-more-characters';
  const row = dealRow(terms, {
    id: 7,
    api_version: '2.0',
    payment_token,
    ...given,
    expires_at: at,
    notice_at: earlier,
  });
  expect(isStored('deal', { ...row, ...stored })).toBe(true);
  expect(row).toMatchObject({
    ...terms,
    amount: formatMoney(terms.amount),
    id: 7,
    api_version: '2.0',
    payment_token,
    status: 'created',
    freelancer_status: 'new',
    created_at: at,
    mode: 'prepaid',
    employer_fee: '0.00',
    contractor_fee: '0.05',
    agreed_amount: null,
    expires_at: at,
    notice_at: earlier,
    due_at: earlier,
  });
});
