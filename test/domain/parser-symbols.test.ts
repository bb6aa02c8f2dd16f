import { defaultValueSets, interfaceProfile } from 'dealwright';
import { expect, it } from 'vitest';

const deal = {
  partner_id: 'order-1',
  contractor_email: 'user@example.com',
  name: 'Name',
  description: 'Description',
  budget: '1.00',
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
};
const { parseDeal, parseContractor } = interfaceProfile(defaultValueSets);

it('leaves out a member whose key is a symbol, as JSON would', () => {
  const parsed = parseDeal({ ...deal, [Symbol('mark')]: 1 })._unsafeUnwrap();
  expect(Object.getOwnPropertySymbols(parsed)).toEqual([]);
  expect(parsed).toEqual(parseDeal(deal)._unsafeUnwrap());
});

it('hands out figures that nobody can change for others', () => {
  const [finding] = parseContractor({ language: 'de' })
    ._unsafeUnwrapErr()
    .filter(({ code }) => code === 'not_allowed');
  expect(finding?.params).toEqual({ allowed: ['pl', 'en'] });
  expect(Object.isFrozen(finding?.params)).toBe(true);
  expect(Object.isFrozen(Reflect.get(finding?.params ?? {}, 'allowed'))).toBe(true);
});
