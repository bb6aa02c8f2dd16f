import { defaultValueSets, describeIssue, interfaceProfile } from 'dealwright';
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

it('hands out figures that cannot be changed for others', () => {
  const [finding] = parseContractor({ language: 'de' })
    ._unsafeUnwrapErr()
    .filter(({ code }) => code === 'not_allowed');
  expect(finding?.params).toEqual({ allowed: ['pl', 'en'] });
  expect(Object.isFrozen(finding?.params)).toBe(true);
  expect(Object.isFrozen(Reflect.get(finding?.params ?? {}, 'allowed'))).toBe(true);
});

it('hands out one frozen issue for a broken rule, in each language', () => {
  const [first] = parseContractor({ language: 'de' })._unsafeUnwrapErr();
  const [second] = parseContractor({ language: 'de' })._unsafeUnwrapErr();
  if (first === undefined || second === undefined) throw new Error('there is a finding');
  const issue = describeIssue(first, 'en');
  expect(issue).toBe(describeIssue(second, 'en'));
  expect(Object.isFrozen(issue) && Object.isFrozen(issue.path)).toBe(true);
  expect(issue).toEqual({ path: ['email'], code: 'required', message: 'is required', params: {} });
  expect(describeIssue(first, 'pl').message).toBe('jest wymagane');
  expect(describeIssue({ ...first, path: ['other'] }, 'en').path).toEqual(['other']);
});
