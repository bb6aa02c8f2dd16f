import { setTimeout as delay } from 'node:timers/promises';
import { createMarketplace, type RunFailure } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import { type Store, type Timer, unavailable } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHost, day, live, sandboxed } from './due-host.js';

type Failure = Partial<Omit<RunFailure, 'cause'>> & { readonly cause: unknown };

/** Too many to be done without a lease. */
const many = 20;
/** A second of most of these hosts is shorter by this factor. */
const usual = 20;
const began = Date.now();

/** Real time that passes more quickly by a factor, and jumps when the test says so. */
function quickTimer(speed = usual) {
  let leapt = 0;
  const timer: Timer = {
    now: () => began + (Date.now() - began) * speed + leapt,
    sleep(milliseconds, wake) {
      const handle = setTimeout(wake, milliseconds / speed);
      return () => clearTimeout(handle);
    },
  };
  return {
    timer,
    leap(milliseconds: number) {
      leapt += milliseconds;
    },
  };
}

/** A store of which some calls fail; the test chooses them by method and number. */
function failing(isFailing: (method: string, count: number) => boolean, cause?: Error): Store {
  const memory = createMemoryStore();
  const counts = new Map<string, number>();
  const guarded = <T extends (...given: never[]) => unknown>(method: string, call: T): T =>
    ((...given: never[]) => {
      const count = counts.get(method) ?? 0;
      counts.set(method, count + 1);
      return isFailing(method, count)
        ? unavailable({ outcome: 'none', ...(cause && { cause }) })
        : call(...given);
    }) as T;
  return {
    ...memory,
    commit: guarded('commit', memory.commit),
    due: guarded('due', memory.due) as Store['due'],
    tenants: guarded('tenants', memory.tenants),
    records: {
      ...memory.records,
      byKey: guarded('byKey', memory.records.byKey) as Store['records']['byKey'],
    },
  };
}

const leaseOf = async (store: Store, tenant = live('acme')) =>
  (await store.records.byKey(tenant, 'consumer', 'due:deal'))._unsafeUnwrap()?.leased_until;

describe('work that is due, over ports that fail for a while', () => {
  it('is done in the end, and each failure is told with its cause', async () => {
    const where = fc.record({
      method: fc.constantFrom('tenants', 'due', 'byKey', 'commit'),
      from: fc.nat(8),
      times: fc.integer({ min: 1, max: 2 }),
      tenant: fc.constantFrom(live('acme'), sandboxed('acme')),
      cause: fc.constantFrom(undefined, new Error('the disk is full')),
    });
    await fc.assert(
      fc.asyncProperty(where, async ({ method, from, times, tenant, cause }) => {
        let isArmed = false;
        let first: number | undefined;
        const store = failing((called, count) => {
          if (!isArmed || called !== method) return false;
          first ??= count;
          return count >= first + from && count < first + from + times;
        }, cause);
        const { timer } = quickTimer();
        const { time, marketplace, create, statusOf } = createHost({ store, timer });
        for (let index = 0; index < many; index += 1) await create(tenant, `deal-${index}`);
        if (tenant.environment === 'production') time.now += 31 * day;
        else {
          // a day before the deadline, and a day after it by the real clock
          const moved = { advance_seconds: 29 * 24 * 60 * 60 };
          (await marketplace.sandbox(tenant).advanceClock(moved))._unsafeUnwrap();
          time.now += 2 * day;
        }
        isArmed = true;
        const failures: Failure[] = [];
        const running = createRelay(marketplace).runDue({
          onFailure: (failure) => failures.push(failure),
        });
        const left = async () => {
          const all = Array.from({ length: many }, (_, index) => `deal-${index}`);
          const statuses = await Promise.all(all.map((id) => statusOf(tenant, id).catch(() => '')));
          return statuses.filter((status) => status !== 'expired').length;
        };
        await expect.poll(left, { timeout: 20_000 }).toBe(0);
        // time for one more look
        await new Promise((resolve) => setTimeout(resolve, 2_000 / usual));
        await running.stop();
        for (const failure of failures) {
          if (cause === undefined) expect(failure).toHaveProperty('cause');
          else expect(failure.cause).toBe(cause);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('is left to the process that has the lease, until that one is gone', async () => {
    const memory = createMemoryStore();
    // a lease lasts for 4 s
    const { timer, leap } = quickTimer(2);
    const host = createHost({ store: memory, timer });
    const { time, ports, create, statusOf } = host;
    for (let index = 0; index < many; index += 1) await create(live('acme'), `deal-${index}`);
    time.now += 31 * day;
    // its writes hang once it has the lease
    const stuck: Store = {
      ...memory,
      commit: (tenant, write) =>
        write.events[0]?.type === 'deal.expired'
          ? new Promise(() => undefined)
          : memory.commit(tenant, write),
    };
    void createRelay(
      createMarketplace({ ...ports, store: stuck }, { deadline: 3_600_000 }),
    ).runDue();
    await expect.poll(() => leaseOf(memory)).toBeDefined();
    const running = createRelay(host.marketplace).runDue();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await statusOf(live('acme'), 'deal-0')).toBe('created');
    leap(10_000);
    await expect.poll(() => statusOf(live('acme'), 'deal-19')).toBe('expired');
    await running.stop();
  });

  it('is given back by a process that stops in the middle of it', async () => {
    const { timer } = quickTimer();
    const { time, ports, marketplace, create, statusOf } = createHost({ timer });
    for (let index = 0; index < 1_000; index += 1) await create(live('acme'), `deal-${index}`);
    time.now += 31 * day;
    const running = createRelay(marketplace).runDue();
    await expect.poll(() => leaseOf(ports.store), { interval: 1 }).toBeDefined();
    await running.stop();
    expect(await statusOf(live('acme'), 'deal-999')).toBe('created');
    expect(await leaseOf(ports.store)).toBe(null);
  });

  it('is not begun without an id for the process', () => {
    const { ports } = createHost();
    const ids = { next: () => unavailable({ outcome: 'none' }) as never };
    expect(() => createRelay(createMarketplace({ ...ports, ids })).runDue()).toThrow(
      new TypeError('what is due needs ids'),
    );
  });
});

describe('one run by hand, over ports that fail', () => {
  it.each([
    ['the list of tenants', 'tenants'],
    ['the clock', 'clock'],
  ])('says so without %s', async (_, method) => {
    const store = failing((called) => called === method);
    const clock = { now: () => (method === 'clock' ? Number.NaN : Date.now()) };
    const { marketplace } = createHost({ store, clock });
    const ran = await marketplace.operator('production').runTimers();
    expect(ran._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable' });
  });

  it('goes on with the next partner, and tells of no more failures than can be read', async () => {
    const memory = createMemoryStore();
    const store: Store = {
      ...memory,
      due(tenant, kind, before, limit) {
        const isBroken = tenant.partner.startsWith('broken') && kind === 'deal';
        return isBroken
          ? unavailable({ outcome: 'none' })
          : memory.due(tenant, kind, before, limit);
      },
    };
    const { time, marketplace, create, statusOf } = createHost({ store });
    for (let index = 0; index < 150; index += 1) await create(live(`broken-${index}`), 'one');
    await create(live('whole'), 'one');
    time.now += 31 * day;
    const report = (await marketplace.operator('production').runTimers())._unsafeUnwrap();
    expect(report).toMatchObject({ done: 1, failed: 150 });
    expect(report.failures).toHaveLength(100);
    expect(report.failures[0]).toMatchObject({
      partner: expect.stringMatching(/^broken-/),
      partner_id: '',
      reason: expect.stringMatching(/^store\.due failed$/),
    });
    expect(await statusOf(live('whole'), 'one')).toBe('expired');
  });

  it.each([
    ['at once', 0],
    ['after the end of the turn', 100],
  ])('gives a partner up after many failures in a row, %s', async (_, milliseconds) => {
    const memory = createMemoryStore();
    const store: Store = {
      ...memory,
      commit(tenant, write) {
        if (write.events[0]?.type !== 'deal.expired') return memory.commit(tenant, write);
        const failed = unavailable({ outcome: 'none' });
        return milliseconds === 0 ? failed : delay(milliseconds, failed);
      },
    };
    const { time, marketplace, create } = createHost({ store });
    for (let index = 0; index < 200; index += 1) await create(live('acme'), `deal-${index}`);
    time.now += 31 * day;
    const report = (await marketplace.operator('production').runTimers())._unsafeUnwrap();
    expect(report.done).toBe(0);
    expect(report.failed).toBeGreaterThan(10);
    // as many as are under way at once
    expect(report.failed).toBeLessThan(180);
  });
});

describe('what the clock of a sandbox leaves', () => {
  it.each([
    [['sandbox'], 0],
    [['production'], 200],
  ] as const)('is done by a loop of %s: %i stay', async (environments, expected) => {
    const { marketplace, create } = createHost();
    const tenant = sandboxed('acme');
    for (let index = 0; index < 1_200; index += 1) await create(tenant, `deal-${index}`);
    const running = createRelay(marketplace).runDue({ environments });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const moved = { advance_seconds: 31 * 24 * 60 * 60 };
    const { due_left } = (await marketplace.sandbox(tenant).advanceClock(moved))._unsafeUnwrap();
    // a loop may have done the rest during the request
    if (expected > 0) expect(due_left).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await running.stop();
    const rest = (await marketplace.operator('sandbox').runTimers())._unsafeUnwrap();
    // more, if the machine is too busy for a thousand in a request
    if (expected === 0) expect(rest.done).toBe(0);
    else expect(rest.done).toBeGreaterThanOrEqual(expected);
  });
});
