import type { CommitOutcome, WriteSet } from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  answering,
  type BrokenStores,
  type Fault,
  folding,
  judgingFirst,
  settle,
  writing,
} from './store-parts.js';

type Expected = WriteSet['expect'][number];

const exact = '2.2/store/keys-are-exact';
const order = '2.7/store/order-of-judgement';
const first = '2.7/store/first-answer';
const asks = '6.2/store/expected-values';
const bound = '6.2/store/bounds-under-a-record';
const whole = '7/store/all-or-nothing';
const version = '7/store/sequences';

const expecting = (replace: (expected: Expected) => Expected) =>
  writing((write) => ({ ...write, expect: write.expect.map(replace) }));

const isAsked = (expected: Expected) => 'present' in expected;

/** Ignores a field of an expectation. */
const ignoring = (field: string) =>
  expecting((expected) => {
    if (!('present' in expected) || expected.where === undefined) return expected;
    const entries = Object.entries(expected.where).filter(([name]) => name !== field);
    return { ...expected, where: Object.fromEntries(entries) };
  });

const bounding = (more: number) =>
  expecting((each) => ('fewer' in each ? { ...each, than: each.than + more } : each));

/** Changes the outcome of a write by the writes before it. */
const remembering = (
  change: (seen: Map<string, WriteSet>, write: WriteSet, outcome: CommitOutcome) => CommitOutcome,
): Fault => {
  const seen = new Map<string, WriteSet>();
  return ({ commit }) => ({
    commit: async (tenant, write) => ok(change(seen, write, await settle(commit(tenant, write)))),
  });
};

const keyOf = ({ expect: [expected] }: WriteSet) =>
  expected !== undefined && 'absent' in expected && expected.absent === 'answer'
    ? expected.key
    : undefined;

/** Stores with a mistake in how they judge a write, and a law that it breaks. */
export const brokenJudgement: BrokenStores = {
  'ignores where': [
    expecting((each) =>
      'present' in each ? ({ present: each.present, key: each.key } as Expected) : each,
    ),
    asks,
  ],
  'writes over a newer version': [ignoring('version'), version],
  'ignores the status that is asked for': [ignoring('status'), asks],
  'ignores whose stage it is': [ignoring('partner_id'), asks],
  'does not look whether a contractor is there': [
    writing((write) => ({
      ...write,
      expect: write.expect.filter((each) => !('present' in each) || each.present !== 'contractor'),
    })),
    order,
  ],
  'allows one more than the bound': [bounding(1), bound],
  'allows one fewer than the bound': [bounding(-1), bound],
  'judges what must be present first': [judgingFirst(isAsked), order],
  'judges the record before the key': [
    judgingFirst((each) => 'absent' in each && each.absent !== 'answer'),
    order,
  ],
  'judges a bound first': [judgingFirst((each) => 'fewer' in each), order],
  'tells the last expectation': [
    answering((outcome, { expect }) =>
      outcome.outcome === 'refused' ? { ...outcome, expectation: expect.length - 1 } : outcome,
    ),
    order,
  ],
  'forgets answers': [
    writing((write) => ({
      ...write,
      insert: write.insert.filter(({ kind }) => kind !== 'answer'),
    })),
    first,
  ],
  'does not tell the first answer': [
    answering((outcome) =>
      outcome.outcome === 'refused'
        ? { outcome: 'refused', expectation: outcome.expectation }
        : outcome,
    ),
    first,
  ],
  'tells the answer of the one who asks': [
    answering((outcome, { insert }) => {
      const own = insert.find(({ kind }) => kind === 'answer');
      if (outcome.outcome !== 'refused' || outcome.first === undefined || own?.kind !== 'answer')
        return outcome;
      return { ...outcome, first: { fingerprint: own.row.fingerprint, answer: own.row.answer } };
    }),
    first,
  ],
  'writes an answer in its own way': [
    writing((write) => ({
      ...write,
      insert: write.insert.map((each) =>
        each.kind === 'answer'
          ? {
              kind: each.kind,
              row: { ...each.row, answer: JSON.stringify(JSON.parse(each.row.answer)) },
            }
          : each,
      ),
    })),
    first,
  ],
  'remembers the key of a refusal': [
    remembering((seen, write, outcome) => {
      const key = keyOf(write);
      if (key === undefined) return outcome;
      if (outcome.outcome === 'refused') seen.set(String(key), write);
      else if (seen.has(String(key))) return { outcome: 'refused', expectation: 0 };
      return outcome;
    }),
    whole,
  ],
  'has one set of keys for deals and files': [
    folding((key) => key.replace('work_file ', 'deal ')),
    first,
  ],
  'folds the case of keys': [folding((key) => key.toLowerCase()), exact],
  'trims keys': [folding((key) => key.trim()), exact],
  'normalises keys': [folding((key) => key.normalize('NFC')), exact],
};
