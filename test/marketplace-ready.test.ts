import { createMarketplace, type Tenant } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { type Store, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { createPorts } from './kit/ports.js';
import { contractor } from './kit/requests.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const fails = () => unavailable({ outcome: 'none', cause: new Error('the disk is full') });

/** A marketplace over a store that refuses what it is told to. */
function create() {
  const timer = createManualClock();
  const memory = createMemoryStore();
  const broken = { commits: false, writes: false, reads: false };
  const asked = { reserve: 0 };
  const store: Store = {
    ...memory,
    commit: (tenant, write) =>
      broken.commits || broken.writes ? fails() : memory.commit(tenant, write),
    reserve(environment, count) {
      asked.reserve += 1;
      return broken.writes ? fails() : memory.reserve(environment, count);
    },
    deals: {
      ...memory.deals,
      byId: (tenant, id, parts) => (broken.reads ? fails() : memory.deals.byId(tenant, id, parts)),
    },
  };
  const marketplace = createMarketplace({ ...createPorts(), timer, store });
  let written = 0;
  return {
    timer,
    broken,
    asked,
    isReady: async () => (await marketplace.ready()).isOk(),
    write: async () => {
      written += 1;
      const email = `user-${written}@example.com`;
      return marketplace.partner(acme).registerContractor({ ...contractor, email });
    },
  };
}

describe('a marketplace is ready', () => {
  it('while its store is read and written, without a write of its own', async () => {
    const { isReady, write, asked } = create();
    expect(await isReady()).toBe(true);
    await write();
    expect(await isReady()).toBe(true);
    expect(asked.reserve).toBe(0);
  });

  it('not after a write that failed, until a probe tells otherwise, each five seconds', async () => {
    const { timer, broken, asked, isReady, write } = create();
    broken.writes = true;
    await write();
    for (let time = 0; time < 3; time += 1) expect(await isReady()).toBe(false);
    expect(asked.reserve).toBe(1);
    broken.writes = false;
    timer.advance(4_999);
    expect(await isReady()).toBe(false);
    timer.advance(1);
    expect(await isReady()).toBe(true);
    expect(asked.reserve).toBe(2);
    // and nothing is asked any more
    timer.advance(60_000);
    expect(await isReady()).toBe(true);
    expect(asked.reserve).toBe(2);
  });

  it('at once after a write that was made', async () => {
    const { broken, isReady, write } = create();
    broken.writes = true;
    await write();
    expect(await isReady()).toBe(false);
    broken.writes = false;
    expect((await write()).isOk()).toBe(true);
    expect(await isReady()).toBe(true);
  });

  it('also where one record alone is refused', async () => {
    const { broken, isReady, write } = create();
    broken.commits = true;
    expect((await write()).isErr()).toBe(true);
    expect(await isReady()).toBe(true);
  });

  it('not where nothing can be read', async () => {
    const { broken, isReady } = create();
    broken.reads = true;
    expect(await isReady()).toBe(false);
  });
});
