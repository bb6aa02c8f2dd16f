import {
  type AnyRow,
  type JudgedStore,
  judge,
  type RecordKind,
  referencesOf,
  type WriteSet,
} from 'dealwright/ports';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

const kinds = ['deal', 'work_file', 'answer'] as const;
const keys = ['a', 'b', 'deal"]'] as const;
const attempts = ['first', 'second'] as const;
const wheres = [undefined, {}, { status: ['created'] }, { status: ['created', null] }] as const;

const kind = fc.constantFrom(...kinds);
const key = fc.constantFrom(...keys);
const where = fc.constantFrom(...wheres);
const expectation = fc.oneof(
  fc.record({ absent: kind, key }),
  fc.record({ present: kind, key, where }),
  fc.record({ fewer: kind, under: fc.option(key, { nil: undefined }), where, than: fc.nat(3) }),
);
const write = fc.record({
  attempt: fc.constantFrom(...attempts),
  expect: fc.array(expectation, { maxLength: 6 }),
  insert: fc.constant([]),
  change: fc.array(fc.record({ kind, key, set: fc.constant({}) }), { maxLength: 3 }),
  subject: fc.option(fc.record({ kind: fc.constant('deal' as const), key }), { nil: undefined }),
  events: fc.constant([]),
}) as fc.Arbitrary<WriteSet>;

/** Any state: each record exists or not, and each count has some value. */
const state = fc
  .record({
    rows: fc.array(
      fc.option(
        fc.record({
          attempt: fc.constantFrom(...attempts),
          status: fc.constantFrom('created', 'other', null),
          fingerprint: fc.string(),
          answer: fc.string(),
        }),
        { nil: undefined },
      ),
      { minLength: 9, maxLength: 9 },
    ),
    counts: fc.array(fc.nat(4), { minLength: 48, maxLength: 48 }),
  })
  .map(({ rows, counts }): JudgedStore => {
    const unders: readonly unknown[] = [undefined, ...keys];
    const find = (of: RecordKind, at: string | number): AnyRow | undefined =>
      rows[[...kinds].indexOf(of as 'deal') * 3 + [...keys].indexOf(at as 'a')];
    const whereAt = (given: object) =>
      wheres.findIndex((each) => JSON.stringify(each ?? {}) === JSON.stringify(given));
    return {
      find,
      count: (of, under, given) =>
        counts[
          [...kinds].indexOf(of as 'deal') * 16 + unders.indexOf(under) * 4 + whereAt(given)
        ] ?? 0,
    };
  });

it('names all that a write is judged by, so that it is judged alike by what was read before', () => {
  fc.assert(
    fc.property(write, state, (set, stored) => {
      const { records, counts, found } = referencesOf(set);
      const rows = records.map((each) => stored.find(each.kind, each.key));
      const sizes = counts.map((each) => stored.count(each.kind, each.under, each.where));
      expect(judge(set, found(rows, sizes))).toEqual(judge(set, stored));
      // any number that is below will do
      const least = counts.map((each, at) => ((sizes[at] ?? 0) < each.than ? 0 : (sizes[at] ?? 0)));
      expect(judge(set, found(rows, least))).toEqual(judge(set, stored));
      const texts = [...records, ...counts].map((each) => JSON.stringify(each));
      expect(new Set(texts).size).toBe(texts.length);
      for (const { kind, key } of [...set.change, ...(set.subject ? [set.subject] : [])]) {
        expect(records).toContainEqual({ kind, key });
      }
    }),
    { numRuns: 1000 },
  );
});
