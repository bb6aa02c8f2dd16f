import { defaultValueSets, interfaceProfile } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText, isIdempotencyKey } from '../../src/domain/values/idempotency.js';
import {
  contractorBody,
  contractorTable,
  dealBody,
  dealTable,
  dealV2Body,
  type Row,
} from './field-tables.js';

const rules = interfaceProfile(defaultValueSets);
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

describe('an idempotency key', () => {
  it('has 1 to 255 visible ASCII characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: visible, minLength: 1, maxLength: 255, size: 'max' }),
        (key) => {
          expect(isIdempotencyKey(key)).toBe(true);
        },
      ),
      { examples: [['!'], ['~'], ['k'.repeat(255)], ['"quoted"']] },
    );
  });

  it('has no other character, nowhere', () => {
    const other = fc
      .oneof(fc.integer({ min: 0, max: 0x20 }), fc.integer({ min: 0x7f, max: 0x10ffff }))
      .map((point) => String.fromCodePoint(point));
    const part = fc.string({ unit: visible, maxLength: 20 });
    fc.assert(
      fc.property(part, other, part, (before, character, after) => {
        expect(isIdempotencyKey(before + character + after)).toBe(false);
      }),
      {
        examples: [
          ['a', '\n', ''],
          ['', ' ', 'a'],
          ['a', '\u007f', ''],
          ['', '\n', 'a'],
        ],
      },
    );
  });

  it.each(['', 'k'.repeat(256), 7, null, undefined, ['key'], { toString: () => 'key' }, true])(
    'is not %j',
    (key) => {
      expect(isIdempotencyKey(key)).toBe(false);
    },
  );
});

/** Any valid body of a table, its members in any order, and the same in another order. */
const inTwoOrders = (table: readonly Row[]) =>
  fc
    .record(Object.fromEntries(table.map(({ name, values }) => [name, values.taken])), {
      requiredKeys: table.filter(({ required }) => required).map(({ name }) => name),
    })
    .map((taken) => Object.entries(taken).map(([name, { value }]) => [name, value] as const))
    .chain((entries) =>
      fc.tuple(
        fc.constant(Object.fromEntries(entries)),
        fc
          .shuffledSubarray(entries, { minLength: entries.length })
          .map((shuffled) => Object.fromEntries(shuffled)),
      ),
    );

describe('the canonical text of a command', () => {
  const contractor = (input: unknown) =>
    canonicalText('register_contractor', rules.parseContractor(input)._unsafeUnwrap());
  const deal = (input: unknown) =>
    canonicalText('create_deal', rules.parseDeal(input)._unsafeUnwrap());
  const dealV2 = (input: unknown) =>
    canonicalText('create_deal_v2', rules.parseDealV2(input)._unsafeUnwrap());

  it('does not depend on the order of members, nor on members that are unknown', () => {
    fc.assert(
      fc.property(inTwoOrders(contractorTable), ([one, other]) => {
        expect(contractor({ zip: 1, ...other })).toBe(contractor(one));
      }),
    );
    fc.assert(
      fc.property(inTwoOrders(dealTable), ([one, other]) => {
        expect(deal({ ...other, status: 'created' })).toBe(deal(one));
      }),
    );
  });

  it('is of the command after defaults: 30 work days are those that are not given', () => {
    const { work_days: _, ...silent } = dealBody;
    expect(deal(silent)).toBe(deal(dealBody));
    expect(deal({ ...silent, work_days: 31 })).not.toBe(deal(dealBody));
  });

  it('is of canonical money', () => {
    for (const budget of ['1000', '1000.', '1000.0', '01000.00']) {
      expect(deal({ ...dealBody, budget })).toBe(deal(dealBody));
    }
    for (const amount of ['500', '500.0', '0500.']) {
      expect(dealV2({ ...dealV2Body, amount })).toBe(dealV2(dealV2Body));
    }
    expect(deal({ ...dealBody, budget: '-0' })).toBe(deal({ ...dealBody, budget: '0.00' }));
    expect(deal({ ...dealBody, budget: '1000.01' })).not.toBe(deal(dealBody));
  });

  it('differs if any member or the operation does', () => {
    fc.assert(
      fc.property(inTwoOrders(dealTable), inTwoOrders(dealTable), ([one], [other]) => {
        const [first, second] = [one, other].map((input) => rules.parseDeal(input)._unsafeUnwrap());
        const isSame = Object.keys({ ...first, ...second }).every((name) =>
          Object.is(Reflect.get(first ?? {}, name), Reflect.get(second ?? {}, name)),
        );
        expect(deal(one) === deal(other)).toBe(isSame);
      }),
    );
    const command = { partner_id: 'a' };
    expect(canonicalText('create_deal', command)).not.toBe(
      canonicalText('create_deal_v2', command),
    );
    expect(contractor({ ...contractorBody, nip: '1' })).not.toBe(contractor(contractorBody));
    expect(canonicalText('x', { a: '1', b: '2' })).not.toBe(canonicalText('x', { a: '1","b":"2' }));
  });

  it('stays what it is: records that were kept must go on to match', () => {
    expect(deal(dealBody)).toBe(
      '["create_deal",[["budget","100000"],["contractor_email","user@example.com"],' +
        '["currency","EUR"],["description","Deal description"],["name","Deal name"],' +
        '["partner_id","unique-ID-of-deal"],["sub_category_id",75],["work_days",30]]]',
    );
  });
});
