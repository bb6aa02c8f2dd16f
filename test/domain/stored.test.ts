import { isJson, isStored, type Kind, membersOf, records, type Value } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRecord } from '../adapters/archive/any-records.js';

const kinds = Object.keys(records) as Kind[];

const wrongOf = {
  text: [1, true, {}, undefined],
  money: [1, true, {}, undefined],
  integer: ['1', 0.5, 2 ** 53, true, undefined],
  json: ['{}', 1, [], undefined, { a: [[]] }, { a: [0.5] }, { a: {} }, { a: true }, { a: 0.5 }],
} as const;

describe.each(kinds)('a stored %s', (kind) => {
  it('is one if every member has its type', () => {
    fc.assert(
      fc.property(anyRecord(kind), ({ row }) => {
        expect(isStored(kind, row)).toBe(true);
        expect(isStored(kind, { ...row, more: 1 })).toBe(true);
      }),
    );
  });

  it('is not one if a member has another type, is missing, or is null and must not be', () => {
    fc.assert(
      fc.property(anyRecord(kind), ({ row }) => {
        for (const [name, { type, isOptional }] of Object.entries(membersOf(kind))) {
          for (const wrong of wrongOf[type]) {
            expect(isStored(kind, { ...row, [name]: wrong }), `${name}: ${wrong}`).toBe(false);
          }
          expect(isStored(kind, { ...row, [name]: null }), name).toBe(isOptional);
        }
      }),
    );
  });

  it.each([undefined, null, 1, 'row', [], {}, true])('is not %j', (value) => {
    expect(isStored(kind, value)).toBe(false);
  });
});

describe('JSON of a record', () => {
  const value = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.constant(null));
  const member = fc.oneof(value, fc.array(value));

  it('is an object of texts, integers, nulls and lists of them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), fc.string(), (json, name) => {
        expect(isJson(json)).toBe(true);
        for (const wrong of [
          undefined,
          0.5,
          2 ** 53,
          true,
          [[]],
          [0.5],
          {},
          () => 1,
          Symbol('s'),
          1n,
          'a\0b',
          '\ud800',
          ['\udc00'],
        ]) {
          const members: Record<string, unknown> = { ...json };
          Object.defineProperty(members, name, { value: wrong, enumerable: true });
          expect(isJson(members)).toBe(false);
        }
      }),
    );
  });

  it.each(['a\0b', '\ud800', '\udc00x'])('has no member of the name %j', (name) => {
    expect(isJson({ [name]: 1 })).toBe(false);
  });

  it.each([undefined, null, 1, '{}', []] as (Value | undefined)[])('is not %j', (other) => {
    expect(isJson(other)).toBe(false);
  });
});
