import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amendmentFields, createProposalParser } from '../../../src/domain/deals/proposal-input.js';
import { defaultValueSets } from '../../../src/domain/values/value-sets.js';
import { money } from '../decimal-values.js';
import { choice, integer, type Refused, text, textOf, type Values } from '../values.js';

const parse = createProposalParser(amendmentFields(defaultValueSets));

const copyrights = ['full_transfer', 'license', 'none'];
/** The members of an amendment, of a stage and of a settlement, and of the body. */
const tables: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  changes: {
    title: text(1, 200),
    description: text(1, 20_000),
    amount: money('any'),
    work_days: integer(),
    copyright_transfer: choice(copyrights, 'not_allowed', { allowed: copyrights }, ['License']),
  },
  kept: { name: text(1, 200), budget: money('any'), work_days: integer() },
};
const message = text(1, 2_000);

const amendment = (changes: unknown, more: object = {}) => ({
  kind: 'amendment',
  changes,
  ...more,
});
const settlement = (changes: unknown) => ({ kind: 'settlement', changes });

/** The issues of an input: path and code. */
function issuesOf(input: unknown): readonly string[] {
  return parse(input).match(
    () => [],
    (findings) => findings.map(({ path, code }) => `${path.join('.')}:${code}`),
  );
}

/** Puts the value of a member at its place in a body, and says the path of that place. */
const places: readonly [string, Values, readonly string[], (value: unknown) => unknown][] = [
  ...Object.entries(tables['changes'] ?? {}).map(
    ([name, values]) =>
      [name, values, ['changes', name], (value: unknown) => amendment({ [name]: value })] as const,
  ),
  ...Object.entries(tables['kept'] ?? {}).flatMap(([name, values]) => [
    [
      `${name} of a stage that is kept`,
      values,
      ['changes', 'stages', '1', name],
      (value: unknown) => amendment({ stages: [{ id: 1 }, { id: 2, [name]: value }] }),
    ] as const,
    [
      `${name} of a stage that is added`,
      values,
      ['changes', 'stages', '0', name],
      (value: unknown) => amendment({ stages: [{ name: 'a', budget: '1', [name]: value }] }),
    ] as const,
  ]),
  [
    'id of a stage',
    integer(),
    ['changes', 'stages', '0', 'id'],
    (value: unknown) => amendment({ stages: [{ id: value }] }),
  ],
  [
    'message',
    message,
    ['message'],
    (value: unknown) => amendment({ title: 'x' }, { message: value }),
  ],
].map((place) => [...place] as [string, Values, readonly string[], (value: unknown) => unknown]);

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);

describe.each(places)('%s', (_, values, path, bodyOf) => {
  const takes = (value: unknown, parsed: unknown) => {
    const found = parse(bodyOf(value))._unsafeUnwrap();
    expect(at(found, path)).toBe(parsed);
  };
  const refuses = ({ value, code, params }: Refused) => {
    // a member of JSON has no value `undefined`
    if (value === undefined) return;
    expect(parse(bodyOf(value))._unsafeUnwrapErr()).toStrictEqual([{ path, code, params }]);
  };

  it('takes what its field takes', () => {
    for (const { value, parsed } of values.takenEdges) {
      if (typeof value === 'string' && value.length > 20_000 && path.at(-1) !== 'description')
        continue;
      takes(value, parsed);
    }
    fc.assert(
      fc.property(values.taken, ({ value, parsed }) => takes(value, parsed)),
      { numRuns: 40 },
    );
  });

  it('refuses what its field refuses, with its place', () => {
    for (const each of values.refusedEdges) refuses(each);
    fc.assert(fc.property(values.refused, refuses), { numRuns: 40 });
    for (const [value, code] of [
      [null, 'null_not_allowed'],
      [{}, 'wrong_type'],
      [[], 'wrong_type'],
      [true, 'wrong_type'],
    ] as const) {
      expect(issuesOf(bodyOf(value))).toEqual([`${path.join('.')}:${code}`]);
    }
  });
});

describe('the form of a proposal', () => {
  it.each<[string, unknown, ...string[]]>([
    ['nothing', undefined, ':required'],
    ['null', null, ':null_not_allowed'],
    ['a list', [], ':wrong_type'],
    ['a text', 'x', ':wrong_type'],
    ['no member', {}, 'kind:required', 'changes:required'],
    ['another kind', { kind: 'Amendment', changes: {} }, 'kind:not_allowed'],
    ['a kind of no text', { kind: 1, changes: {} }, 'kind:wrong_type'],
    ['no changes', amendment(undefined), 'changes:required'],
    ['changes of null', amendment(null), 'changes:null_not_allowed'],
    ['a list of changes', amendment([]), 'changes:wrong_type'],
    ['changes without a member', amendment({}), 'changes:empty'],
    ['undefined members', amendment({ title: undefined, stages: undefined }), 'changes:empty'],
    ['a currency', amendment({ currency: 'EUR' }), 'changes.currency:unknown_parameter'],
    [
      'an amendment that settles',
      amendment({ agreed_amount: '1' }),
      'changes.agreed_amount:unknown_parameter',
    ],
    [
      'a settlement that amends',
      settlement({ agreed_amount: '1', title: 'x' }),
      'changes.title:unknown_parameter',
    ],
    ['a settlement of nothing', settlement({}), 'changes.agreed_amount:required'],
    [
      'a settlement below zero',
      settlement({ agreed_amount: '-0.01' }),
      'changes.agreed_amount:not_negative',
    ],
    [
      'a settlement of no decimal',
      settlement({ agreed_amount: '1.001' }),
      'changes.agreed_amount:invalid_decimal',
    ],
    [
      'a settlement of a number',
      settlement({ agreed_amount: 1 }),
      'changes.agreed_amount:wrong_type',
    ],
    ['no stage', amendment({ stages: [] }), 'changes.stages:empty'],
    ['stages of null', amendment({ stages: null }), 'changes.stages:null_not_allowed'],
    ['an object of stages', amendment({ stages: {} }), 'changes.stages:wrong_type'],
    ['a stage of null', amendment({ stages: [null] }), 'changes.stages.0:null_not_allowed'],
    ['a stage that is a list', amendment({ stages: [[]] }), 'changes.stages.0:wrong_type'],
    [
      'a stage that is a number',
      amendment({ stages: [{ id: 1 }, 7] }),
      'changes.stages.1:wrong_type',
    ],
    [
      'a stage without members',
      amendment({ stages: [{}] }),
      ...['changes.stages.0.name:required', 'changes.stages.0.budget:required'],
    ],
    [
      'an id of null',
      amendment({ stages: [{ id: null }] }),
      'changes.stages.0.id:null_not_allowed',
    ],
    [
      'an unknown member',
      amendment({ stages: [{ id: 1, x: 1 }] }),
      'changes.stages.0.x:unknown_parameter',
    ],
    [
      'an unknown member of a new stage',
      amendment({ stages: [{ name: 'a', budget: '1', status: 'paid' }] }),
      'changes.stages.0.status:unknown_parameter',
    ],
    [
      'one stage twice',
      amendment({ stages: [{ id: 1 }, { id: 2 }, { id: 1 }, { id: 1 }] }),
      ...['changes.stages.2.id:repeated', 'changes.stages.3.id:repeated'],
    ],
    [
      'days beside stages',
      amendment({ stages: [{ id: 1 }], work_days: 3 }),
      'changes.work_days:unknown_parameter',
    ],
    [
      'all problems at once',
      { kind: 'amendment', message: '', changes: { title: '', stages: [{ id: '1' }], x: 1 } },
      ...['message:too_short', 'changes.title:too_short', 'changes.x:unknown_parameter'],
      'changes.stages.0.id:wrong_type',
    ],
  ])('refuses %s', (_, input, ...issues) => {
    expect(issuesOf(input)).toEqual(issues);
  });

  it('takes a settlement from zero up', () => {
    const decimals = money('any').taken;
    fc.assert(
      fc.property(decimals, ({ value, parsed }) => {
        const found = parse(settlement({ agreed_amount: value }));
        if (Number(parsed) >= 0) {
          expect(found._unsafeUnwrap().changes).toStrictEqual({ agreed_amount: parsed });
        } else expect(found.isErr()).toBe(true);
      }),
    );
  });

  it('ignores other members of the body alone', () => {
    expect(
      parse(amendment({ title: 'x' }, { x: 1, currency: 'EUR' }))._unsafeUnwrap(),
    ).toStrictEqual({ kind: 'amendment', changes: { title: 'x' } });
  });

  it('takes 100 stages, and not 101', () => {
    const stages = Array.from({ length: 101 }, (_, id) => ({ id }));
    expect(issuesOf(amendment({ stages }))).toEqual(['changes.stages:too_many_stages']);
    expect(issuesOf(amendment({ stages: stages.slice(1) }))).toEqual([]);
    const added = Array.from({ length: 101 }, () => ({ name: 'a', budget: '1' }));
    expect(issuesOf(amendment({ stages: added }))).toEqual(['changes.stages:too_many_stages']);
    expect(issuesOf(amendment({ stages: added.slice(1) }))).toEqual([]);
  });
});

describe('hostile input', () => {
  it('with thousands of unknown members is refused with ten of them, each cut short', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`${at} ${'😀'.repeat(100)}`, at]),
    );
    for (const [input, from] of [
      [amendment(many), 1],
      [settlement({ agreed_amount: '1', ...many }), 1],
      [amendment({ stages: [{ id: 1, ...many }] }), 3],
    ] as const) {
      const findings = parse(input)._unsafeUnwrapErr();
      expect(findings).toHaveLength(10);
      for (const { path, code } of findings) {
        expect(code).toBe('unknown_parameter');
        expect(path).toHaveLength(from + 1);
        expect(String(path.at(-1)).length).toBeLessThanOrEqual(64);
        expect(String(path.at(-1)).isWellFormed()).toBe(true);
      }
    }
  });

  it('names no prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const evil = `{"${name}":{"title":"x"}}`;
      expect(issuesOf(JSON.parse(`{"kind":"amendment","changes":${evil}}`))).toEqual([
        `changes.${name}:unknown_parameter`,
      ]);
      const stage = `{"id":1,"${name}":{}}`;
      expect(issuesOf(JSON.parse(`{"kind":"amendment","changes":{"stages":[${stage}]}}`))).toEqual([
        `changes.stages.0.${name}:unknown_parameter`,
      ]);
      const body = `{"${name}":1,"kind":"amendment","changes":{"title":"x"}}`;
      expect(parse(JSON.parse(body))._unsafeUnwrap()).toStrictEqual({
        kind: 'amendment',
        changes: { title: 'x' },
      });
    }
    expect(Reflect.get({}, 'title')).toBeUndefined();
  });

  it('is read once', () => {
    let reads = 0;
    const once = (value: unknown) => {
      reads += 1;
      if (reads > 1) throw new Error('read twice');
      return value;
    };
    const withGetter = (name: string, value: unknown) =>
      Object.defineProperty({}, name, { enumerable: true, get: () => once(value) });
    for (const input of [
      amendment(withGetter('title', 'x')),
      amendment(withGetter('stages', [{ id: 1 }])),
      amendment({ stages: [withGetter('id', 1)] }),
      settlement(withGetter('agreed_amount', '1')),
      Object.assign(withGetter('changes', { title: 'x' }), { kind: 'amendment' }),
    ]) {
      reads = 0;
      expect(issuesOf(input)).toEqual([]);
    }
  });

  it('that throws counts as none', () => {
    const throwing = new Proxy({}, { ownKeys: () => fail() });
    const fail = () => {
      throw new Error('mine');
    };
    expect(issuesOf(throwing)).toEqual([':wrong_type']);
    expect(issuesOf(amendment(throwing))).toEqual(['changes:wrong_type']);
    expect(issuesOf(amendment({ stages: throwing }))).toEqual(['changes.stages:wrong_type']);
    expect(issuesOf(amendment({ stages: [throwing] }))).toEqual(['changes.stages.0:wrong_type']);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(issuesOf(amendment({ stages: proxy }))).toEqual(['changes.stages:wrong_type']);
  });

  it('with a list that does not end is read to its length', () => {
    const endless = [{ id: 1 }];
    endless[Symbol.iterator] = function* () {
      for (let id = 1; ; id += 1) yield { id };
    };
    expect(issuesOf(amendment({ stages: endless }))).toEqual([]);
    for (const length of [101, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY]) {
      const long = new Proxy([{ id: 1 }], {
        get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)),
      });
      expect(issuesOf(amendment({ stages: long }))).toEqual(['changes.stages:too_many_stages']);
    }
  });

  it('of any JSON is refused or taken, and never throws', () => {
    const near = fc.record(
      {
        kind: fc.constantFrom('amendment', 'settlement', 'x'),
        message: textOf(0, 3),
        changes: fc.oneof(
          fc.record(
            {
              title: fc.jsonValue(),
              amount: fc.oneof(fc.constant('1'), fc.jsonValue()),
              stages: fc.oneof(
                fc.array(
                  fc.record(
                    { id: fc.nat(3), name: textOf(0, 2), budget: fc.constantFrom('1', 'x') },
                    { requiredKeys: [] },
                  ),
                ),
                fc.jsonValue(),
              ),
              agreed_amount: fc.constantFrom('1', '-1'),
            },
            { requiredKeys: [] },
          ),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue()), (input) => {
        const before = JSON.stringify(input);
        const found = parse(input);
        expect(JSON.stringify(input)).toBe(before);
        if (found.isErr()) expect(found.error.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
