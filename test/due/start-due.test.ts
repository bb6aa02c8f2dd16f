import { createMarketplace, type LocalMarketplace } from 'dealwright';
import { type MarketplacePorts, type Store, unavailable } from 'dealwright/ports';
import { createRelay, type DueOptions } from 'dealwright/relay';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { afterEach, describe, expect, it } from 'vitest';
import {
  causes,
  down,
  type Failing,
  failingHost,
  isSaving,
  made,
  rejecting,
  second,
} from '../relay/failing-host.js';
import { acme, createDeal, type globex, pass } from '../relay/kit.js';

const day = 24 * 3_600 * second;
const live = { environment: 'production', partner: 'acme' } as const;
type Tenant = typeof live | typeof acme | typeof globex;

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** Does due work until the test ends; returns the failures. */
function begin(marketplace: LocalMarketplace, options: DueOptions = {}) {
  const failures: unknown[] = [];
  const due = createRelay(marketplace).runDue({
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  running.push(due);
  return { ...due, failures };
}

/** How many deals of a tenant have this status. */
async function count({ marketplace }: Failing, status: 'created' | 'expired', tenant: Tenant) {
  const query = { status, page_size: 100 } as const;
  const listed = await marketplace.partner(tenant).listDeals(query);
  return listed._unsafeUnwrap().results.length;
}

/** A host with deals of a tenant whose deadline is over. */
async function withDue(deals = 1, tenant: Tenant = live) {
  const host = failingHost();
  for (let at = 0; at < deals; at += 1) await createDeal(host.marketplace, `deal-${at}`, tenant);
  host.timer.advance(31 * day);
  return host;
}

/** A host with a deal in a sandbox whose partner has moved the clock, but not to the deadline. */
async function withMoved() {
  const host = failingHost();
  await createDeal(host.marketplace, 'deal-0');
  const sandbox = host.marketplace.sandbox(acme);
  const advance = async (days: number) =>
    (await sandbox.advanceClock({ advance_seconds: days * 86_400 }))._unsafeUnwrap();
  await advance(20);
  return { host, advance };
}

/** Delivers and approves the work of a deal, so that its payment is due. */
async function finishWork(marketplace: LocalMarketplace, partner_id: string): Promise<void> {
  const api = marketplace.partner(live);
  const { payment_token } = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
  const freelancer = marketplace.freelancer('production', String(payment_token));
  await freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(1) });
  (await freelancer.deliver())._unsafeUnwrap();
  (await api.approve(partner_id))._unsafeUnwrap();
}

/** Whether a call expires a deal. */
const isExpiry = (path: string, given: readonly unknown[]) =>
  path === 'commit' && JSON.stringify(given[1]).includes('deal.expired');

describe('what does what is due', () => {
  it('does not begin without ids', () => {
    const host = failingHost();
    host.ids.isDown = true;
    expect(() => createRelay(host.marketplace).runDue()).toThrow(
      new TypeError('what is due needs ids'),
    );
  });

  it('leaves alone what is of no environment that it is for', async () => {
    const host = await withDue();
    await createDeal(host.marketplace, 'deal-0', acme);
    host.timer.advance(31 * day);
    const { failures } = begin(host.marketplace, { environments: [] });
    await pass(host.timer, 2 * second);
    const both = async () => [
      await count(host, 'expired', live),
      await count(host, 'expired', acme),
    ];
    expect([await both(), failures]).toEqual([[0, 0], []]);
    begin(host.marketplace, { environments: ['sandbox'] });
    await pass(host.timer, 2 * second);
    expect(await both()).toEqual([0, 1]);
  });
});

describe('what does what is due, over a store that fails', () => {
  it.each([
    ['who has something due', 'tenants', undefined, acme],
    ['what is due', 'due', 'deal', acme],
    ['what is due', 'due', 'deal', live],
    ['the time of a sandbox', 'records.byKey', 'sandbox_clock', acme],
  ] as const)('says that it cannot read %s (%s), and goes on', async (_, path, kind, tenant) => {
    for (const said of [down, undefined]) {
      const host = await withDue(1, tenant);
      const fault = rejecting(path, kind);
      host.fail(2, (...call) => {
        const instead = fault(...call);
        if (instead === made || said !== undefined) return instead;
        Promise.resolve(instead).catch(() => undefined);
        return unavailable({ outcome: 'none' });
      });
      const { failures } = begin(host.marketplace);
      await pass(host.timer);
      expect(await count(host, 'expired', tenant)).toBe(0);
      await pass(host.timer, 8 * second);
      expect(host.left()).toBe(0);
      expect(await count(host, 'expired', tenant)).toBe(1);
      expect(failures).toHaveLength(2);
      const partner = path === 'tenants' ? {} : { partner: 'acme' };
      // a port need not give a cause: then the failure itself is the cause
      const cause = said ?? { code: 'unavailable', port: `store.${path}` };
      expect(failures).toMatchObject([
        { ...partner, cause },
        { ...partner, cause },
      ]);
    }
  });

  it.each([
    ['who has the work', 'records.byKey'],
    ['that the work is its own', 'commit'],
  ])('begins no large work if it cannot settle %s', async (_, path) => {
    const host = await withDue(20);
    host.fail(2, (called, given) => {
      const isLease =
        path === 'commit'
          ? called === path && isSaving(called, given, 'consumer')
          : called === path && given.includes('due:deal');
      return isLease ? Promise.reject(down) : made;
    });
    const { failures } = begin(host.marketplace);
    await pass(host.timer);
    expect(await count(host, 'expired', live)).toBe(0);
    expect(failures).toMatchObject([{ partner: 'acme', cause: down }]);
    await pass(host.timer, 8 * second);
    expect(host.left()).toBe(0);
    expect(causes(failures)).toEqual([String(down), String(down)]);
    expect(await count(host, 'expired', live)).toBe(20);
  });

  it('needs an id to take large work', async () => {
    const host = await withDue(20);
    const { failures } = begin(host.marketplace);
    host.ids.isDown = true;
    await pass(host.timer);
    expect(failures).toMatchObject([{ partner: 'acme', cause: { message: 'no ids' } }]);
    host.ids.isDown = false;
    await pass(host.timer, 2 * second);
    expect(await count(host, 'expired', live)).toBe(20);
  });
});

describe('what does what is due, beside another process', () => {
  it('waits while the other one has large work, and takes over once its lease ends', async () => {
    const host = await withDue(20);
    // the other process takes the lease, and ends before it does any work
    let isTaken = false;
    host.fail(Number.POSITIVE_INFINITY, (path, given, call) => {
      if (isTaken) return new Promise(() => undefined);
      isTaken = path === 'commit' && isSaving(path, given, 'consumer');
      return isTaken ? call() : made;
    });
    void createRelay(host.marketplace).runDue();
    await pass(host.timer);
    expect(isTaken).toBe(true);
    const other = createMarketplace({ ...host.ports, store: host.inner });
    begin(other);
    const left = async () => {
      const listed = await other.partner(live).listDeals({ status: 'created', page_size: 100 });
      return listed._unsafeUnwrap().results.length;
    };
    await pass(host.timer, 7 * second);
    expect(await left()).toBe(20);
    await pass(host.timer, 2 * second);
    expect(await left()).toBe(0);
  });

  it('does each thing once if both begin at the same time', async () => {
    const host = await withDue(20);
    const writes: string[] = [];
    const store: Store = {
      ...host.inner,
      commit(tenant, write) {
        if (isExpiry('commit', [tenant, write])) writes.push(String(write.subject?.key));
        return host.inner.commit(tenant, write);
      },
    };
    const both = [1, 2].map(() => begin(createMarketplace({ ...host.ports, store })));
    await pass(host.timer, second);
    expect(await count(host, 'expired', live)).toBe(20);
    expect(new Set(writes).size).toBe(writes.length);
    expect(both.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it.each(['deals', 'payments'])(
    'gives many %s back if it is stopped, and another one goes on at once',
    async (kind) => {
      const host = failingHost();
      const done: string[] = [];
      let stop = () => {};
      const note = (partner_id: string) => {
        done.push(partner_id);
        if (done.length === 5) stop();
      };
      const { inner } = host;
      const ports: MarketplacePorts = {
        ...host.ports,
        paymentTokens: createOpaqueTokenIssuer(),
        payments: {
          executes: () => true,
          execute(_tenant, { partner_id }) {
            note(partner_id);
            return ok([]);
          },
        },
        store: {
          ...inner,
          commit(tenant, write) {
            if (isExpiry('commit', [tenant, write])) note(String(write.subject?.key));
            return inner.commit(tenant, write);
          },
        },
      };
      const marketplace = createMarketplace(ports, { expiryNoticeDays: 0 });
      const names = Array.from({ length: 150 }, (_, at) => `deal-${at}`);
      for (const name of names) await createDeal(marketplace, name, live);
      if (kind === 'deals') host.timer.advance(31 * day);
      else for (const name of names) await finishWork(marketplace, name);
      const first = begin(marketplace);
      stop = () => void first.stop();
      await pass(host.timer);
      const before = done.length;
      expect(before).toBeLessThan(100);
      await pass(host.timer, 2 * second);
      expect(done).toHaveLength(before);
      const { failures } = begin(createMarketplace(ports));
      // a lease that was not released would last for eight seconds
      await pass(host.timer, 500);
      expect([...done].sort()).toEqual([...names].sort());
      expect([...first.failures, ...failures]).toEqual([]);
    },
  );
});

describe('what does what is due, by a clock that a partner has moved', () => {
  it('does at once what a call of the clock has left, if it is for the sandbox', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      const { host, advance } = await withMoved();
      begin(host.marketplace, { environments: [environment] });
      await pass(host.timer, second);
      host.fail(1, (path, given) => (isExpiry(path, given) ? Promise.reject(down) : made));
      expect((await advance(11)).due_left).toBe(true);
      await pass(host.timer);
      expect(await count(host, 'expired', acme)).toBe(environment === 'sandbox' ? 1 : 0);
    }
  });

  it.each([
    ['the time of it', 'records.byKey', 'sandbox_clock'],
    ['what is due next', 'due', 'deal'],
  ])('says that it cannot read %s, and misses nothing', async (_, path, kind) => {
    const { host } = await withMoved();
    host.fail(1, rejecting(path, kind));
    const { failures } = begin(host.marketplace);
    await pass(host.timer, 3 * second);
    expect(host.left()).toBe(0);
    expect(failures).toMatchObject([{ partner: 'acme', cause: down }]);
    expect(await count(host, 'expired', acme)).toBe(0);
    host.timer.advance(10 * day);
    await pass(host.timer, 2 * second);
    expect(await count(host, 'expired', acme)).toBe(1);
  });

  it('asks of each once, and then of one with each look after ten minutes', async () => {
    const host = failingHost();
    const tenants = Array.from({ length: 30 }, (_, at) => ({ ...acme, partner: `partner-${at}` }));
    for (const tenant of tenants) {
      await createDeal(host.marketplace, 'one', tenant);
      const moved = host.marketplace.sandbox(tenant).advanceClock({ advance_seconds: 60 });
      (await moved)._unsafeUnwrap();
    }
    const calls: string[] = [];
    host.fail(Number.POSITIVE_INFINITY, (path) => {
      calls.push(path);
      return made;
    });
    begin(host.marketplace);
    await pass(host.timer, 5 * second);
    // the clock, the deals and the payments of each
    expect(calls.filter((path) => path !== 'tenants')).toHaveLength(3 * 30);
    calls.length = 0;
    await pass(host.timer, 590 * second);
    expect(calls.filter((path) => path !== 'tenants')).toEqual([]);
    await pass(host.timer, 20 * second);
    const asked = calls.filter((path) => path !== 'tenants');
    expect(asked.length).toBeGreaterThan(2 * 10);
    expect(asked.length).toBeLessThanOrEqual(2 * 20);
  });

  it('finds within ten minutes what another process has moved without an event', async () => {
    const { host } = await withMoved();
    begin(host.marketplace);
    await pass(host.timer, 2 * second);
    // ten minutes before it is due
    const other = createMarketplace({ ...host.ports, store: host.inner }).sandbox(acme);
    const almost = 10 * 86_400 - 602;
    (await other.advanceClock({ advance_seconds: almost }))._unsafeUnwrap();
    await pass(host.timer, 598 * second);
    expect(await count(host, 'expired', acme)).toBe(0);
    await pass(host.timer, 10 * second);
    expect(await count(host, 'expired', acme)).toBe(1);
  });

  it('tries what failed again after growing pauses', async () => {
    const { host, advance } = await withMoved();
    host.fail(4, (path, given) => (isExpiry(path, given) ? Promise.reject(down) : made));
    expect((await advance(11)).due_left).toBe(true);
    const { failures } = begin(host.marketplace);
    // at once, after one second, and two more
    await pass(host.timer, 6 * second);
    expect(failures).toHaveLength(3);
    expect(await count(host, 'expired', acme)).toBe(0);
    await pass(host.timer, 3 * second);
    expect(failures).toHaveLength(3);
    expect(await count(host, 'expired', acme)).toBe(1);
  });
});
