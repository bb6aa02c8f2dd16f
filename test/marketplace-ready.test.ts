import { createMarketplace, type Tenant } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { type Store, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { createPorts } from './kit/ports.js';
import { contractor } from './kit/requests.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const fails = () => unavailable({ outcome: 'none', cause: new Error('the disk is full') });

/** A marketplace over a store that refuses calls as the test says. */
function create(isKept = false) {
  const timer = createManualClock();
  const memory = createMemoryStore();
  const broken = { record: false, room: false, writes: false, reads: false };
  const asked = { reserve: 0, commits: 0 };
  let probing: Promise<void> | undefined;
  const { prune: _, ...keeping } = memory;
  const store: Store = {
    ...(isKept ? keeping : memory),
    async commit(tenant, write) {
      const isProbe = tenant.partner === 'dealwright';
      if (isProbe) asked.commits += 1;
      if (isProbe) await probing;
      // a small write fits into the free space
      const isLarge = JSON.stringify(write).length > 60_000;
      const isRefused = broken.record && !isProbe;
      return isRefused || broken.writes || (broken.room && (isLarge || !isProbe))
        ? fails()
        : memory.commit(tenant, write);
    },
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
    hold(until: Promise<void>) {
      probing = until;
    },
    memory,
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
    // and the store is not called any more
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

  it('also if one record alone is refused, however often', async () => {
    const { timer, broken, asked, isReady, write } = create();
    broken.record = true;
    for (let time = 1; time < 4; time += 1) {
      expect((await write()).isErr()).toBe(true);
      expect(await isReady()).toBe(true);
      expect(await isReady()).toBe(true);
      expect(asked.commits).toBe(time);
      timer.advance(100);
    }
  });

  it('not if there is no room, though ids are given and a probe was made just before', async () => {
    const { broken, isReady, write } = create();
    broken.record = true;
    await write();
    expect(await isReady()).toBe(true);
    broken.room = true;
    await write();
    expect(await isReady()).toBe(false);
    expect(await isReady()).toBe(false);
  });

  it('not by a probe that began before the last write failed', async () => {
    const { broken, asked, hold, isReady, write } = create();
    broken.record = true;
    await write();
    let go = () => {};
    hold(
      new Promise((resolve) => {
        go = resolve;
      }),
    );
    const first = isReady();
    await expect.poll(() => asked.commits).toBe(1);
    await write();
    const second = isReady();
    const third = isReady();
    go();
    expect([await first, await second, await third]).toEqual([true, true, true]);
    // one more probe answered both of the others
    expect(asked.commits).toBe(2);
  });

  it('by probes of which nothing is left, and of which a store that keeps all has one', async () => {
    for (const isKept of [false, true]) {
      const { broken, memory, isReady, write } = create(isKept);
      broken.record = true;
      for (let time = 0; time < 3; time += 1) {
        await write();
        expect(await isReady()).toBe(true);
      }
      expect((await memory.tenants(undefined, 10))._unsafeUnwrap()).toEqual([]);
      const left: string[] = [];
      for await (const { kind } of memory.archive.dump()) left.push(kind);
      expect(left).toEqual(isKept ? ['answer'] : []);
    }
  });

  it('not if nothing can be read', async () => {
    const { broken, isReady } = create();
    broken.reads = true;
    expect(await isReady()).toBe(false);
  });
});
