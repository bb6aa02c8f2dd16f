import type { Answer, DealPart, DealWith, Store, Tenant, WriteSet } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, createPause, type Fault, settle } from './store-parts.js';

type Expected = WriteSet['expect'][number];

const numbers = '2.4/store/integers-are-unique';
const torn = '4/store/one-moment';
const someOrder = '7/store/interleavings';

/** Judges, and makes the write a moment later, on a state that may have changed. */
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

type ReadBy<K> = <P extends DealPart>(
  tenant: Tenant,
  key: K,
  parts: readonly P[],
) => Answer<DealWith<P> | undefined>;

/** Reads a deal, and a moment later its parts, as a database does in two statements. */
const inTwoReads =
  <K>(read: ReadBy<K>): ReadBy<K> =>
  async (tenant, key, parts) => {
    const early = await settle(read(tenant, key, []));
    await undefined;
    const late = await settle(read(tenant, key, parts));
    return ok(early && late && { ...late, deal: early.deal });
  };

/** Stores with a mistake that only concurrent calls show, and a law that it breaks. */
export const brokenRaces: BrokenStores = {
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
  'gives integers of its block, though other processes have later ones': [
    ({ reserve }) => {
      const size = 100;
      let next = 0;
      let end = 0;
      return {
        async reserve(environment, count) {
          if (environment === 'production' || count > size) return reserve(environment, count);
          if (count > end - next) {
            next = await settle(reserve(environment, size));
            end = next + size;
          }
          next += count;
          return ok(next - count);
        },
      };
    },
    '9.4/store/integers-above',
  ],
  'has one sequence for both environments': [
    ({ reserve }) => ({ reserve: (_, count) => reserve('sandbox', count) }),
    '2.4/store/integers-of-an-environment',
  ],
  'gives integers behind the last': [
    ({ reserve }) => ({
      reserve: async (environment, count) => {
        const answer = await reserve(environment, count);
        return answer.isErr() ? ok(2 ** 53) : answer;
      },
    }),
    '2.4/store/last-integer',
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
    '2.3/store/race-for-a-contractor',
  ],
  'checks first and acts later': [
    judgingEarly(
      () => true,
      (each) => 'present' in each,
    ),
    '2.2/store/race-for-a-partner-id',
  ],
  'checks the bound first and appends later': [
    judgingEarly(
      ({ insert }) => insert.some(({ kind }) => kind === 'work_file'),
      (each) => !('fewer' in each),
    ),
    '6.2/store/race-for-a-bound',
  ],
  'reads a deal and then its parts': [
    ({ deals }) => ({
      deals: {
        ...deals,
        byId: inTwoReads(deals.byId),
        byPartnerId: inTwoReads(deals.byPartnerId),
      },
    }),
    torn,
  ],
  'reads a deal by its token and then its parts': [
    ({ deals }) => ({ deals: { ...deals, byPaymentToken: inTwoReads(deals.byPaymentToken) } }),
    torn,
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
    '8/store/hammer',
  ],
};
