import type { CommitOutcome, Store, Tenant, WriteSet } from 'dealwright/ports';
import { ok } from 'neverthrow';
import {
  answering,
  createPause,
  type Fault,
  folding,
  judgingFirst,
  merging,
  reading,
  settle,
  writing,
} from './store-parts.js';

type Expected = WriteSet['expect'][number];

const exact = 'compares keys exactly, of every kind';
const tenants = 'keeps tenants apart, but for what an environment shares';
const order = 'judges expectations in their order: the first that fails is told';
const first = 'tells the first answer where none was expected, as it was given';
const asks = 'asks about the fields that an expectation names, and their values';
const bound = 'counts what is under a record, up to its bound';
const again = 'a write that comes again is committed, once';
const whole = 'makes all of a write, or nothing of it';
const version = 'moves the version of a subject on by its events, whose sequence it is';
const change = 'changes what a write names, and nothing else';
const numbers = 'reserves integers that nobody else of the environment gets';
const given = 'does not keep what it was given';
const someOrder = 'what comes at once is what the model says in some order of it';

const expecting = (replace: (expected: Expected) => Expected) =>
  writing((write) => ({ ...write, expect: write.expect.map(replace) }));

const isAsked = (expected: Expected) => 'present' in expected;

/** Forgets a field that an expectation asks about. */
const ignoring = (field: string) =>
  expecting((expected) => {
    if (!('present' in expected) || expected.where === undefined) return expected;
    const entries = Object.entries(expected.where).filter(([name]) => name !== field);
    return { ...expected, where: Object.fromEntries(entries) };
  });

const bounding = (more: number) =>
  expecting((each) => ('fewer' in each ? { ...each, than: each.than + more } : each));

/** Judges, and makes the write a moment later, on a state that may be another one. */
const judgingEarly =
  (isJudged: (write: WriteSet) => boolean, keep: (expected: Expected) => boolean): Fault =>
  ({ commit }) => {
    const pause = createPause();
    return {
      async commit(tenant, write) {
        if (!isJudged(write)) return commit(tenant, write);
        const probe = { ...write, insert: [], change: [], events: [] };
        const never = { fewer: 'stage', under: '', than: 0 } as const;
        const judged = await settle(commit(tenant, { ...probe, expect: [...write.expect, never] }));
        if (judged.outcome === 'committed' || judged.expectation < write.expect.length) {
          return ok(judged);
        }
        await pause();
        return commit(tenant, { ...write, expect: write.expect.filter(keep) });
      },
    };
  };

/** Keeps, by what `nameOf` says of a write, what `keep` makes of it. */
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

/** Stores with a mistake in what they write, and a case that finds it. */
export const brokenWrites: Readonly<Record<string, readonly [fault: Fault, foundBy: string]>> = {
  'ignores where': [
    expecting((each) =>
      'present' in each ? ({ present: each.present, key: each.key } as Expected) : each,
    ),
    asks,
  ],
  'writes over a newer version': [ignoring('version'), version],
  'ignores the status that is asked for': [ignoring('status'), asks],
  'ignores whose stage it is': [ignoring('partner_id'), asks],
  'finds what nobody has inserted': [
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
  'answers an attempt that comes again as another one': [
    ({ commit }) => {
      const attempts = new Set<string>();
      return {
        async commit(tenant, write) {
          const outcome = await settle(commit(tenant, write));
          const isAgain = attempts.size === attempts.add(write.attempt).size;
          return ok(isAgain ? { outcome: 'refused', expectation: 0 } : outcome);
        },
      };
    },
    again,
  ],
  'takes a contractor who is known for the same attempt': [
    answering((outcome, { expect: [expected], events }) =>
      expected !== undefined &&
      'absent' in expected &&
      expected.absent === 'contractor' &&
      events.length > 0
        ? { outcome: 'committed' }
        : outcome,
    ),
    again,
  ],
  'stores a file that comes again a second time': [
    ({ commit }) => {
      let time = 0;
      return {
        commit: (tenant, write) => {
          time += 1;
          const attempt = write.insert.some(({ kind }) => kind === 'work_file')
            ? `${write.attempt}${time}`
            : write.attempt;
          return commit(tenant, { ...write, attempt });
        },
      };
    },
    again,
  ],
  'keeps half of a write that is refused': [
    ({ commit }) => ({
      async commit(tenant, write) {
        const outcome = await settle(commit(tenant, write));
        if (outcome.outcome === 'refused') {
          const insert = write.insert.filter(({ kind }) => kind === 'answer');
          const expect = write.expect.filter(
            (each) => 'absent' in each && each.absent === 'answer',
          );
          await commit(tenant, { ...write, insert, expect, change: [], events: [] });
        }
        return ok(outcome);
      },
    }),
    whole,
  ],
  'forgets events of writes that insert': [
    writing((write) => (write.insert.length > 0 ? { ...write, events: [] } : write)),
    'gives events in the order of their writes, in pages of any size',
  ],
  'forgets events of changes': [
    writing((write) => (write.change.length > 0 ? { ...write, events: [] } : write)),
    change,
  ],
  'forgets all events of a write but the first': [
    writing((write) => ({ ...write, events: write.events.slice(0, 1) })),
    version,
  ],
  'moves a version on by one': [
    reading((deal) => ({
      ...deal,
      deal: { ...deal.deal, version: Math.min(deal.deal.version, 4) },
    })),
    change,
  ],
  'moves all stages on that are pending': [
    writing((write) => ({
      ...write,
      change: write.change.flatMap((each) =>
        each.kind === 'stage' && typeof each.key === 'number'
          ? [each, { ...each, key: each.key + 1 }]
          : [each],
      ),
    })),
    change,
  ],
  'changes the first status only': [
    writing((write) => ({
      ...write,
      change: write.change.map((each) =>
        each.kind === 'deal' && each.set.status
          ? { ...each, set: { status: each.set.status } }
          : each,
      ),
    })),
    change,
  ],
  'gives a file to another stage': [
    writing((write) => ({
      ...write,
      insert: write.insert.map((each) =>
        each.kind === 'work_file' ? { kind: each.kind, row: { ...each.row, stage_id: 1 } } : each,
      ),
    })),
    change,
  ],
  'cuts the names of files as paths': [
    writing((write) => ({
      ...write,
      insert: write.insert.map((each) =>
        each.kind === 'work_file'
          ? {
              kind: each.kind,
              row: { ...each.row, name: each.row.name.split('/').at(-1)?.slice(0, 255) ?? '' },
            }
          : each,
      ),
    })),
    'keeps records of every kind as they were given',
  ],
  'lets partners see each other': [
    merging(({ environment }) => ({ environment, partner: 'all' })),
    tenants,
  ],
  'has one environment': [merging(({ partner }) => ({ environment: 'sandbox', partner })), tenants],
  'writes to the deal of somebody else': [
    ({ commit }) => ({
      async commit(tenant, write) {
        const outcome = await settle(commit(tenant, write));
        const isThere =
          write.change.length > 0 && outcome.outcome === 'refused' && tenant.partner === 'globex';
        return isThere ? commit({ ...tenant, partner: 'acme' }, write) : ok(outcome);
      },
    }),
    tenants,
  ],
  'takes files of a partner who is not the owner': [
    ({ commit }) => ({
      async commit(tenant, write) {
        const outcome = await settle(commit(tenant, write));
        const isFile = write.insert.some(({ kind }) => kind === 'work_file');
        return outcome.outcome === 'refused' && isFile
          ? commit({ environment: 'sandbox', partner: 'acme' }, write)
          : ok(outcome);
      },
    }),
    whole,
  ],
  'keeps what it was given': [
    ({ commit, deals }) => {
      const titles = new Map<string, { readonly title: string }>();
      return {
        commit: (tenant, write) => {
          for (const { kind, row } of write.insert)
            if (kind === 'deal') titles.set(row.partner_id, row);
          return commit(tenant, write);
        },
        ...reading((deal) => ({
          ...deal,
          deal: { ...deal.deal, title: titles.get(deal.deal.partner_id)?.title ?? '' },
        }))({ commit, deals } as Parameters<Fault>[0]),
      };
    },
    given,
  ],
  'gives a number twice': [
    ({ reserve }) => {
      let last: ReturnType<Store['reserve']> | undefined;
      let time = 0;
      return {
        reserve: (environment, count) => {
          time += 1;
          if (time % 7 !== 0 || last === undefined) last = reserve(environment, count);
          return last;
        },
      };
    },
    numbers,
  ],
  'gives numbers twice to those who come at once': [
    ({ reserve }) => {
      const next = { production: 1, sandbox: 1 };
      return {
        async reserve(environment, count) {
          const first = next[environment];
          await undefined;
          next[environment] = first + count;
          return count > 2 ** 52 ? reserve(environment, count) : ok(first);
        },
      };
    },
    numbers,
  ],
  'counts from 1 each time': [() => ({ reserve: () => ok(1) }), numbers],
  'has one sequence for both environments': [
    ({ reserve }) => ({ reserve: (_, count) => reserve('sandbox', count) }),
    'reserves integers again that one environment has used in the other',
  ],
  'gives integers behind the last': [
    ({ reserve }) => ({
      reserve: async (environment, count) => {
        const answer = await reserve(environment, count);
        return answer.isErr() ? ok(2 ** 53) : answer;
      },
    }),
    'refuses what it cannot reserve, and says that a retry is in vain',
  ],
  'judges a version, and writes a moment later': [
    judgingEarly(
      ({ change: { length } }) => length > 0,
      (each) => 'absent' in each,
    ),
    someOrder,
  ],
  'tells two partners that come at once that each registered the contractor': [
    ({ commit }) => {
      const pause = createPause();
      return {
        async commit(tenant, write) {
          const isNew = ({ partner: _ }: Tenant) =>
            write.insert.some(({ kind }) => kind === 'contractor');
          const probe = {
            ...write,
            insert: [],
            change: [],
            events: [],
            expect: [...write.expect, { fewer: 'stage', under: '', than: 0 } as const],
          };
          const early = await settle(commit(tenant, probe));
          const wasFree = early.outcome === 'refused' && early.expectation === write.expect.length;
          await pause();
          const outcome = await settle(commit(tenant, write));
          return ok(isNew(tenant) && wasFree ? { outcome: 'committed' } : outcome);
        },
      };
    },
    'of 40 registrations of one contractor, by two partners, one is made',
  ],
  'checks first and acts later': [
    judgingEarly(
      () => true,
      (each) => 'present' in each,
    ),
    'of 40 creations of one partner_id one is made',
  ],
  'checks the bound first and appends later': [
    judgingEarly(
      ({ insert }) => insert.some(({ kind }) => kind === 'work_file'),
      (each) => !('fewer' in each),
    ),
    'of 40 files for a deal that takes five, five are stored',
  ],
  'loses a write whose answer was lost': [
    ({ commit }) => {
      let nth = 0;
      return {
        commit: (tenant, write) => {
          nth += 1;
          return nth % 50 === 0 ? ok({ outcome: 'committed' }) : commit(tenant, write);
        },
      };
    },
    'what a hammer is answered is what is stored, though answers are lost',
  ],
};
