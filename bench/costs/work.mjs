import { deal } from '../validation/cases.mjs';

export const rounds = 5;
const pageSize = 20;

/** The measured work: how many at a time, how many a round, and the call, by its number. */
export const works = {
  'a create, 64 in flight, gathered': {
    inFlight: 64,
    count: 8_000,
    call: (api, number) => api.createDeal({ ...deal, partner_id: `deal-${number}` }),
  },
  'a create, 1 in flight': {
    inFlight: 1,
    count: 1_500,
    call: (api, number) => api.createDeal({ ...deal, partner_id: `deal-${number}` }),
  },
  'a deal by its partner_id, 8 in flight': {
    inFlight: 8,
    count: 5_000,
    call: (api, number) => api.retrieveDealDetails(`deal-${1 + (number % 8_000)}`),
  },
  [`a page of ${pageSize} deals, 8 in flight`]: {
    inFlight: 8,
    count: 2_000,
    call: (api) => api.listDeals({ page_size: pageSize }),
  },
};

/** How many deals all rounds create, the first one included, which warms up. */
export const created = Object.entries(works)
  .filter(([name]) => name.startsWith('a create'))
  .reduce((sum, [, { count }]) => sum + count * (rounds + 1), 0);

/** Does all of it in turns, and returns by name the `cost` of each round, per call. */
export async function measure(api, cost) {
  const figures = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  let last = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { inFlight, count, call }] of Object.entries(works)) {
      let left = count;
      const keepCalling = async () => {
        while (left > 0) {
          left -= 1;
          last += 1;
          (await call(api, last))._unsafeUnwrap();
        }
      };
      const spent = cost();
      await Promise.all(Array.from({ length: inFlight }, keepCalling));
      const each = spent().map((microseconds) => microseconds / count);
      if (round > 0) figures[name].push(each);
    }
  }
  return figures;
}

/** CPU time of this process from now on, in microseconds. */
export function ownCost() {
  const begin = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };
}
