import { ok } from 'neverthrow';
import {
  answering,
  type BrokenStores,
  cutMoney,
  type Fault,
  merging,
  reading,
  settle,
  writing,
} from './store-parts.js';

const tenants = '2.1/store/tenants-are-apart';
const again = '8/store/attempt-again';
const whole = '7/store/all-or-nothing';
const version = '7/store/sequences';
const change = '6/store/nothing-else-changes';
const given = '1.2/store/input-is-copied';
const largest = '1.4/store/largest-money';

/** Stores with a mistake in their writes, and a law that it breaks. */
export const brokenWrites: BrokenStores = {
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
  'keeps 18 digits of money that is inserted': [
    writing((write) => ({
      ...write,
      // each row keeps its kind
      insert: write.insert.map(
        (each) => ({ ...each, row: cutMoney(each.kind, each.row) }) as typeof each,
      ),
    })),
    largest,
  ],
  'keeps 18 digits of money that changes': [
    writing((write) => ({
      ...write,
      change: write.change.map(
        (each) => ({ ...each, set: cutMoney(each.kind, each.set) }) as typeof each,
      ),
    })),
    largest,
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
    '7/store/log-in-order',
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
    '1.2/store/values-are-kept',
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
};
