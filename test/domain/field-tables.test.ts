import { defaultValueSets, interfaceProfile } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contractorBody,
  contractorTable,
  dealBody,
  dealTable,
  dealV2Body,
  dealV2Table,
  type Row,
} from './field-tables.js';
import type { Refused, Taken } from './values.js';

const rules = interfaceProfile(defaultValueSets);

const aggregates = [
  {
    name: 'Contractor',
    parse: rules.parseContractor,
    table: contractorTable,
    body: contractorBody,
    parsedMoney: {},
  },
  {
    name: 'Deal 1.0',
    parse: rules.parseDeal,
    table: dealTable,
    body: dealBody,
    parsedMoney: { budget: 100000n },
  },
  {
    name: 'Deal 2.0',
    parse: rules.parseDealV2,
    table: dealV2Table,
    body: dealV2Body,
    parsedMoney: { amount: 50000n },
  },
] as const;

/** Values of types that no member of a body has. */
const neverTyped = [
  true,
  false,
  [],
  {},
  ['a'],
  { length: 3 },
  1n,
  Symbol('s'),
  () => 'a',
  new Date(),
];

describe.each(aggregates)('the field table of $name', ({ parse, table, body, parsedMoney }) => {
  const findingsOf = (input: unknown): unknown => {
    const parsed = parse(input);
    return parsed.isErr() ? parsed.error : [];
  };
  const outputOf = (input: unknown): Readonly<Record<string, unknown>> => {
    const parsed = parse(input);
    expect(parsed.isErr() ? parsed.error : []).toEqual([]);
    return { ...parsed._unsafeUnwrap() };
  };

  it('takes the documented example', () => {
    expect(outputOf(body)).toStrictEqual({ ...body, ...parsedMoney });
  });

  it('names every field of the table, and no other, in its order', () => {
    expect(findingsOf(Object.fromEntries(table.map(({ name }) => [name, null])))).toEqual(
      table.map(({ name }) => ({ path: [name], code: 'null_not_allowed', params: {} })),
    );
  });

  describe.each(table)('$name', ({ name, required, values, fallback }: Row) => {
    const refused = ({ code, params }: Refused) => [{ path: [name], code, params }];

    it('takes every value inside its rule', () => {
      fc.assert(
        fc.property(values.taken, ({ value, parsed }) => {
          expect(outputOf({ ...body, [name]: value })[name]).toStrictEqual(parsed);
        }),
        {
          examples: values.takenEdges.map((edge): [Taken] => [edge]),
          numRuns: runs(values.takenEdges),
        },
      );
    });

    it('refuses every value outside of it, and says which rule', () => {
      fc.assert(
        fc.property(values.refused, (outside) => {
          expect(findingsOf({ ...body, [name]: outside.value })).toEqual(refused(outside));
        }),
        {
          examples: values.refusedEdges.map((edge): [Refused] => [edge]),
          numRuns: runs(values.refusedEdges),
        },
      );
    });

    it('refuses null with its own code, and other types with theirs', () => {
      const { expected } = values;
      const others = expected === 'string' ? [7, 0, Number.NaN, new String('a')] : ['', '30'];
      expect(findingsOf({ ...body, [name]: null })).toEqual([
        { path: [name], code: 'null_not_allowed', params: {} },
      ]);
      for (const value of [...neverTyped, ...others]) {
        expect(findingsOf({ ...body, [name]: value })).toEqual([
          { path: [name], code: 'wrong_type', params: { expected } },
        ]);
      }
    });

    it(required ? 'is required' : 'may be absent', () => {
      const { [name]: _, ...absent } = body as Readonly<Record<string, unknown>>;
      for (const input of [absent, { ...absent, [name]: undefined }]) {
        if (required) {
          expect(findingsOf(input)).toEqual([{ path: [name], code: 'required', params: {} }]);
        } else if (fallback === undefined) {
          expect(Object.keys(outputOf(input))).not.toContain(name);
        } else {
          expect(outputOf(input)[name]).toBe(fallback);
        }
      }
    });
  });

  it('reports all problems at once, one a field, in the order of the fields', () => {
    const member = ({ name, required, values }: Row) =>
      fc.oneof(
        values.taken.map(({ value }) => ({ entries: [[name, value]], findings: [] })),
        values.refused.map(({ value, code, params }) => ({
          entries: [[name, value]],
          findings: [{ path: [name], code, params }],
        })),
        fc.constant({
          entries: [],
          findings: required ? [{ path: [name], code: 'required', params: {} }] : [],
        }),
      );
    fc.assert(
      fc.property(fc.tuple(...table.map(member)), fc.boolean(), (members, reversed) => {
        const entries = members.flatMap((each) => each.entries);
        const input = Object.fromEntries(reversed ? entries.reverse() : entries);
        expect(findingsOf(input)).toEqual(members.flatMap((each) => each.findings));
      }),
    );
  });

  it('ignores members of any unknown name', () => {
    const known = new Set(table.map(({ name }) => name));
    const strange = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON'),
      fc.constantFrom('id', 'status', 'payment_token', 'stages', 'created_at', 'length', '0', ''),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          strange.filter((name) => !known.has(name)),
          fc.oneof(fc.jsonValue(), fc.constant(undefined)),
        ),
        (unknown) => {
          const input = JSON.parse(
            `{${[...Object.entries(unknown), ...Object.entries(body)]
              .filter(([, value]) => value !== undefined)
              .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
              .join(',')}}`,
          );
          expect(outputOf(input)).toStrictEqual(outputOf(body));
          expect(outputOf({ ...unknown, ...body })).toStrictEqual(outputOf(body));
        },
      ),
      { examples: [[JSON.parse('{"__proto__":{"name":null,"email":1}}')], [{ a: undefined }]] },
    );
    expect(({} as Readonly<Record<string, unknown>>)['email']).toBeUndefined();
  });

  it('takes the last of members of one name, as JSON.parse does', () => {
    const [first = '', ...others] = Object.keys(body);
    const rest = others.map(
      (name) => `,${JSON.stringify(name)}:${JSON.stringify(Reflect.get(body, name))}`,
    );
    const text = `{"${first}":null,"${first}":${JSON.stringify(Reflect.get(body, first))}${rest.join('')}}`;
    expect(outputOf(JSON.parse(text))).toStrictEqual(outputOf(body));
  });

  it('refuses a value that is not an object', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.double(),
          fc.boolean(),
          fc.array(fc.jsonValue()),
          fc.constantFrom(undefined, 1n, Symbol('s'), () => body, [body]),
        ),
        (input) => {
          expect(findingsOf(input)).toEqual([
            { path: [], code: 'wrong_type', params: { expected: 'object' } },
          ]);
        },
      ),
    );
    expect(findingsOf(null)).toEqual([{ path: [], code: 'null_not_allowed', params: {} }]);
  });

  it('never throws, and reads each member once', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const failing = () => {
      throw new Error('not for you');
    };
    const inputs: readonly unknown[] = [
      revoked.proxy,
      new Proxy({ ...body }, { get: failing, ownKeys: failing, has: failing }),
      new Proxy({ ...body }, { getOwnPropertyDescriptor: failing }),
      Object.defineProperty({ ...body }, table[0]?.name ?? '', { get: failing, enumerable: true }),
    ];
    for (const input of inputs) expect(parse(input).isErr()).toBe(true);

    const reads = new Map<PropertyKey, number>();
    const counting = new Proxy(body as object, {
      get(target, name) {
        reads.set(name, (reads.get(name) ?? 0) + 1);
        return Reflect.get(target, name);
      },
    });
    expect(outputOf(counting)).toStrictEqual(outputOf(body));
    expect([...reads.values()].every((times) => times === 1)).toBe(true);
  });

  it('shares nothing with what it was given, and leaves that alone', () => {
    const input = { ...body };
    const output = parse(input)._unsafeUnwrap();
    expect(output).not.toBe(input);
    expect(input).toStrictEqual(body);
    const frozen = Object.freeze({ ...body, unknown: 1 });
    expect(outputOf(frozen)).toStrictEqual(outputOf(body));
    expect(outputOf(Object.assign(Object.create(null), body))).toStrictEqual(outputOf(body));
  });
});

/** Examples count as runs: leave as many arbitrary values beside them. */
function runs(edges: readonly unknown[]): number {
  return edges.length + 60;
}
