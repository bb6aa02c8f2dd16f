import { defaultValueSets, fromMinorUnits, interfaceProfile } from 'dealwright';
import { expect, it } from 'vitest';
import { newDeal } from '../../src/domain/deal.js';
import { newDealV2 } from '../../src/domain/deal-v2.js';
import { dealBody, dealV2Body } from './field-tables.js';

const rules = interfaceProfile(defaultValueSets);
const begun = {
  status: 'created',
  freelancer_status: 'new',
  created_at: '2026-01-02T03:04:05.678Z',
};

it('a new deal has all its terms, its stages and the statuses of a beginning', () => {
  const terms = rules.parseDeal(dealBody)._unsafeUnwrap();
  const stages = [
    { name: 'All', budget: fromMinorUnits(100000n), work_days: 30, status: 'pending' },
  ] as const;
  expect(newDeal(terms, stages, begun.created_at)).toStrictEqual({ ...terms, ...begun, stages });
});

it('a new 2.0 deal has all its terms, its payment token and the statuses of a beginning', () => {
  const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
  const payment_token = 'a-token-of-22-or-more-characters';
  expect(newDealV2(terms, payment_token, begun.created_at)).toStrictEqual({
    ...terms,
    ...begun,
    payment_token,
  });
});
