import { createMarketplace, type LocalMarketplace } from 'dealwright';
import { createKeyValueStore } from 'dealwright/key-value';
import { createMemoryStore } from 'dealwright/memory';
import { createSandboxGateway } from 'dealwright/payments';
import { type MarketplacePorts, type Store, type Tenant, unavailable } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { afterEach, describe, expect, it } from 'vitest';
import { atOnce } from '../../src/domain/values/timestamp.js';
import { createHost, day, live, sandboxed, start } from './due-host.js';

/** Counts the calls of a store. */
function counted(store: Store) {
  const calls: string[] = [];
  const note = <T extends (...given: never[]) => unknown>(name: string, call: T): T =>
    ((...given: never[]) => {
      calls.push(name);
      return call(...given);
    }) as T;
  const counting: Store = {
    ...store,
    commit: note('commit', store.commit),
    due: note('due', store.due) as Store['due'],
    tenants: note('tenants', store.tenants),
    records: {
      byKey: note('byKey', store.records.byKey) as Store['records']['byKey'],
      list: note('list', store.records.list) as Store['records']['list'],
      byIndex: note('byIndex', store.records.byIndex) as Store['records']['byIndex'],
    },
    events: {
      after: note('after', store.events.after),
      of: note('of', store.events.of),
    },
  };
  return { store: counting, calls };
}

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});
function begin(marketplace: LocalMarketplace, failures: unknown[] = []) {
  running.push(createRelay(marketplace).runDue({ onFailure: (failure) => failures.push(failure) }));
}

describe('work that is due', () => {
  it('of one partner does not hold up that of another', async () => {
    const { time, marketplace, create, statusOf } = createHost();
    for (let index = 0; index < 3_000; index += 1) await create(live('many'), `deal-${index}`);
    time.now += 1_000;
    // the deal that is due last, of the last partner
    await create(live('other'), 'one');
    time.now += 31 * day;
    begin(marketplace);
    await expect.poll(() => statusOf(live('other'), 'one')).toBe('expired');
    expect(await statusOf(live('many'), 'deal-2999')).toBe('created');
  });

  it('goes on beside a record that the store refuses for ever, within the same run', async () => {
    const memory = createMemoryStore();
    let refused = 0;
    const store: Store = {
      ...memory,
      commit(tenant, write) {
        const isBad = write.subject?.key === 'bad' && write.events[0]?.type === 'deal.expired';
        if (!isBad) return memory.commit(tenant, write);
        refused += 1;
        return unavailable({ outcome: 'none', retryable: false });
      },
    };
    const { time, marketplace, create, statusOf } = createHost({ store });
    await create(live('acme'), 'bad');
    time.now += 1;
    for (let index = 0; index < 150; index += 1) await create(live('acme'), `deal-${index}`);
    await create(live('globex'), 'other');
    time.now += 31 * day;
    const report = (await marketplace.operator('production').runTimers())._unsafeUnwrap();
    expect(report).toMatchObject({
      done: 151,
      failed: 1,
      failures: [{ partner: 'acme', partner_id: 'bad' }],
    });
    expect(await statusOf(live('globex'), 'other')).toBe('expired');
    const before = refused;
    const failures: unknown[] = [];
    begin(marketplace, failures);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    // tried again after 1 s and after 2 s more, not each second
    expect(refused - before).toBeLessThanOrEqual(2);
    expect(failures).toHaveLength(refused - before);
  });

  it('of a slow gateway of one partner leaves room for the payments of others', async () => {
    const inner = createSandboxGateway();
    const payments: MarketplacePorts['payments'] = {
      executes: () => true,
      execute: (tenant, effect) =>
        tenant.partner.startsWith('slow')
          ? new Promise(() => undefined)
          : inner.execute(tenant, effect),
    };
    const { marketplace, create, statusOf } = createHost({ payments });
    const lead = async (partner: string) => {
      const { payment_token } = await create(sandboxed(partner), 'one');
      const freelancer = marketplace.freelancer('sandbox', payment_token);
      await freelancer.uploadFile({ name: 'draft.txt', content: Uint8Array.of(1) });
      (await freelancer.deliver())._unsafeUnwrap();
      (await marketplace.partner(sandboxed(partner)).approve('one'))._unsafeUnwrap();
    };
    for (let index = 0; index < 10; index += 1) await lead(`slow-${index}`);
    await lead('quick');
    void createRelay(marketplace).runDue();
    await expect.poll(() => statusOf(sandboxed('quick'), 'one')).toBe('completed');
  });

  it('is done by several processes together, each record once', async () => {
    const { time, ports, marketplace, create } = createHost();
    for (let index = 0; index < 300; index += 1) await create(live('acme'), `deal-${index}`);
    time.now += 31 * day;
    const { store, calls } = counted(ports.store);
    const failures: unknown[] = [];
    for (let index = 0; index < 3; index += 1)
      begin(createMarketplace({ ...ports, store }), failures);
    const expired = async () =>
      (
        await marketplace.partner(live('acme')).listEvents({ page_size: 100, type: 'deal.expired' })
      ).isOk() &&
      (
        await marketplace.partner(live('acme')).listDeals({ status: 'created', page_size: 1 })
      )._unsafeUnwrap().results.length;
    await expect.poll(expired).toBe(0);
    // one write for each, and the writes of leases
    expect(calls.filter((name) => name === 'commit').length).toBeLessThanOrEqual(320);
    expect(failures).toEqual([]);
  });

  it('costs a few statements a second if nothing is, however many partners there are', async () => {
    const { store, calls } = counted(createMemoryStore());
    const { marketplace, create } = createHost({ store });
    for (let index = 0; index < 2_500; index += 1) await create(live(`partner-${index}`), 'one');
    begin(marketplace);
    running.push(createRelay(marketplace).relayWebhooks());
    await expect.poll(() => calls.filter((name) => name === 'list').length).toBe(2_500);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    calls.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(calls.length / 3).toBeLessThanOrEqual(10);
  });

  it('of a partner whose sandbox clock was moved is done, and asked for only once', async () => {
    const { store, calls } = counted(createMemoryStore());
    const { marketplace, create, statusOf } = createHost({ store });
    await create(sandboxed('acme'), 'one');
    const sandbox = marketplace.sandbox(sandboxed('acme'));
    (await sandbox.advanceClock({ advance_seconds: 20 * 24 * 60 * 60 }))._unsafeUnwrap();
    begin(marketplace);
    await new Promise((resolve) => setTimeout(resolve, 500));
    calls.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(calls.filter((name) => name !== 'tenants')).toEqual([]);
    // a change by another process is found once the log has grown
    const other = createHost({ store }).marketplace.sandbox(sandboxed('acme'));
    (await other.advanceClock({ advance_seconds: 11 * 24 * 60 * 60 }))._unsafeUnwrap();
    expect(await statusOf(sandboxed('acme'), 'one')).toBe('expired');
  });

  it('is found over a store that does not say who has something due', async () => {
    const memory = createMemoryStore();
    const store: Store = { ...memory, tenants: (after, limit) => memory.tenants(after, limit) };
    const { time, marketplace, create, statusOf } = createHost({ store });
    await create(live('acme'), 'one');
    time.now += 31 * day;
    begin(marketplace);
    await expect.poll(() => statusOf(live('acme'), 'one')).toBe('expired');
    expect(typeof createKeyValueStore).toBe('function');
  });
});

describe("the sandbox's clock", () => {
  it('is the same after a restart and in a second process, and of one partner alone', async () => {
    const { ports, marketplace, create } = createHost();
    const advance = (seconds: number, host = marketplace) =>
      host.sandbox(sandboxed('acme')).advanceClock({ advance_seconds: seconds });
    const first = (await advance(60))._unsafeUnwrap();
    expect(first).toEqual({ now: new Date(start + 60_000).toISOString(), due_left: false });
    const second = createMarketplace(ports);
    const all = await Promise.all(Array.from({ length: 10 }, () => advance(10, second)));
    expect(all.every((each) => each.isOk())).toBe(true);
    const { now } = (await advance(1))._unsafeUnwrap();
    expect(now).toBe(new Date(start + 161_000).toISOString());
    await create(sandboxed('acme'), 'one');
    await create(sandboxed('globex'), 'one');
    const createdAt = async (tenant: Tenant) =>
      (await second.partner(tenant).retrieveDealDetails('one'))._unsafeUnwrap().created_at;
    expect(await createdAt(sandboxed('acme'))).toBe(now);
    expect(await createdAt(sandboxed('globex'))).toBe(new Date(start).toISOString());
  });

  it('does 1,000 of what is due in a request, and says that some are left', async () => {
    const { marketplace, create } = createHost();
    for (let index = 0; index < 1_300; index += 1) await create(sandboxed('acme'), `deal-${index}`);
    const sandbox = marketplace.sandbox(sandboxed('acme'));
    const first = (await sandbox.advanceClock({ advance_seconds: 31 * 86_400 }))._unsafeUnwrap();
    expect(first.due_left).toBe(true);
    const rest = (await marketplace.operator('sandbox').runTimers())._unsafeUnwrap();
    // exactly this many, unless the machine is too busy for a thousand in 5 s
    expect(rest.done).toBeGreaterThanOrEqual(300);
    const second = (await sandbox.advanceClock({ advance_seconds: 1 }))._unsafeUnwrap();
    expect(second.due_left).toBe(false);
  });

  it('moves no intent: what goes out is due in real time', async () => {
    const payments: MarketplacePorts['payments'] = {
      executes: () => true,
      execute: () => unavailable({ outcome: 'none' }),
    };
    const { time, ports, marketplace, create } = createHost({ payments });
    const sandbox = marketplace.sandbox(sandboxed('acme'));
    (await sandbox.advanceClock({ advance_seconds: 365 * 86_400 }))._unsafeUnwrap();
    const { payment_token } = await create(sandboxed('acme'), 'one');
    const freelancer = marketplace.freelancer('sandbox', payment_token);
    await freelancer.uploadFile({ name: 'draft.txt', content: Uint8Array.of(1) });
    (await freelancer.deliver())._unsafeUnwrap();
    (await marketplace.partner(sandboxed('acme')).approve('one'))._unsafeUnwrap();
    const dueAt = async () => {
      const found = await ports.store.due(sandboxed('acme'), 'intent', '9', 10);
      return found._unsafeUnwrap().map(({ due_at }) => due_at);
    };
    expect(await dueAt()).toEqual([atOnce]);
    (await marketplace.operator('sandbox').runEffects())._unsafeUnwrap();
    expect(await dueAt()).toEqual([new Date(time.now + 10_000).toISOString()]);
  });
});
