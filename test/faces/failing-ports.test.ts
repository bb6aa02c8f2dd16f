import { createMarketplace, fromMinorUnits } from 'dealwright';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { acme, createWorld, day, file } from './world.js';

const down = () => unavailable({ outcome: 'none' });
const fail = (): never => {
  throw new Error('down');
};
type Break = (ports: MarketplacePorts) => Partial<MarketplacePorts>;

/** Each port that a command needs, out of order. */
const breaks: readonly (readonly [port: string, break_: Break])[] = [
  [
    'store.deals.byPartnerId',
    ({ store }) => ({ store: { ...store, deals: { ...store.deals, byPartnerId: down } } }),
  ],
  ['store.commit', ({ store }) => ({ store: { ...store, commit: down } })],
  ['clock.now', () => ({ clock: { now: fail } })],
  ['ids.next', () => ({ ids: { next: fail } })],
  ['digest', () => ({ digest: fail })],
  ['payments.executes', () => ({ payments: { executes: fail, execute: down } })],
];

describe.each(breaks)('a command without %s', (port, break_) => {
  it('is unavailable, changes nothing, and can be given again', async () => {
    const { details, offer, ports } = createWorld();
    const { partner_id } = await offer();
    const broken = createMarketplace({ ...ports, ...break_(ports) }).partner(acme);
    const key = { idempotencyKey: 'k' };
    // one that changes something, and one that is refused: the key is judged before
    for (const answer of [
      await broken.invite(partner_id, {}, key),
      await broken.approve(partner_id, {}, key),
    ]) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port });
    }
    expect((await details()).freelancer_status).toBe('new');
    const healthy = createMarketplace(ports).partner(acme);
    expect((await healthy.invite(partner_id, {}, key)).isOk()).toBe(true);
  });
});

it('ids that fail after the first one leave nothing of a command', async () => {
  const { api, details, offer, ports } = createWorld();
  const { partner_id, freelancer } = await offer();
  await freelancer.uploadFile(file);
  await freelancer.deliver();
  for (const good of [1, 2, 3, 4]) {
    let left = good;
    const ids = { next: () => (left-- > 0 ? ports.ids.next() : fail()) };
    const broken = createMarketplace({ ...ports, ids }).partner(acme);
    const answer = await broken.approve(partner_id);
    if (answer.isErr()) expect(answer.error).toMatchObject({ port: 'ids.next' });
    else expect(good).toBe(4);
  }
  expect((await details()).status).toBe('approved');
  expect((await api.approve(partner_id)).isOk()).toBe(true);
});

it('a command is given up where others are quicker each time', async () => {
  const { offer, ports } = createWorld();
  const { partner_id } = await offer();
  let commits = 0;
  const store: MarketplacePorts['store'] = {
    ...ports.store,
    commit() {
      commits += 1;
      return ok({ outcome: 'refused', expectation: 1 });
    },
  };
  const busy = createMarketplace({ ...ports, store }).partner(acme);
  expect((await busy.invite(partner_id))._unsafeUnwrapErr()).toMatchObject({
    code: 'unavailable',
    outcome: 'none',
    retryable: true,
  });
  expect(commits).toBe(32);
});

describe('a policy of fees that breaks its promise', () => {
  const money = fromMinorUnits;
  it.each([
    ['throws', fail],
    ['is below zero', () => ({ employer_fee: money(-1n), contractor_fee: money(0n) })],
    [
      'is more than the amount',
      () => ({ employer_fee: money(0n), contractor_fee: money(10n ** 9n) }),
    ],
  ])('and %s makes no deal', async (_how, feePolicy) => {
    const { api } = createWorld({ feePolicy });
    await api.registerContractor(contractorBody);
    for (const answer of [await api.createDeal(dealBody), await api.createDealV2(dealV2Body)]) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port: 'feePolicy' });
    }
    expect((await api.listEmployerDeals())._unsafeUnwrap().results).toEqual([]);
  });
});

it('the freelancer hears of what fails, and of a token that has expired', async () => {
  const { offer, ports } = createWorld();
  const { payment_token, freelancer } = await offer();
  const uploaded = (await freelancer.uploadFile(file))._unsafeUnwrap();
  const { paymentTokens, store, files } = ports;
  const view = (broken: Partial<MarketplacePorts>) =>
    createMarketplace({ ...ports, ...broken }).freelancer('sandbox', payment_token);
  const cases: readonly (readonly [Partial<MarketplacePorts>, string])[] = [
    [{ paymentTokens: { ...paymentTokens, tenantOf: fail } }, 'unavailable'],
    [{ paymentTokens: { ...paymentTokens, verify: down } }, 'unavailable'],
    [{ paymentTokens: { ...paymentTokens, verify: () => ok('expired') } }, 'unauthorized'],
    [{ store: { ...store, deals: { ...store.deals, byPaymentToken: down } } }, 'unavailable'],
    [{ files: { ...files, get: down } }, 'unavailable'],
    [{ files: { ...files, get: () => ok(undefined) } }, 'unavailable'],
  ];
  for (const [broken, code] of cases) {
    const answer = await view(broken).downloadFile(uploaded.id);
    expect(answer._unsafeUnwrapErr().code).toBe(code);
  }
  const unknown = await freelancer.downloadFile('01KDVE0000000000000000000A');
  expect(unknown._unsafeUnwrapErr().code).toBe('not_found');
  const files_ = {
    ...files,
    get: () =>
      ok(
        (async function* () {
          yield Uint8Array.of(1);
          throw new Error('the disk is gone');
        })(),
      ),
  };
  const { content } = (await view({ files: files_ }).downloadFile(uploaded.id))._unsafeUnwrap();
  await expect(
    (async () => {
      for await (const _ of content);
    })(),
  ).rejects.toThrow();
});

describe('a run of what is due', () => {
  it.each([
    ['store.tenants', ({ store }) => ({ store: { ...store, tenants: down } })],
    ['clock.now', () => ({ clock: { now: fail } })],
  ] as const satisfies readonly (readonly [string, Break])[])(
    'ends where %s fails',
    async (port, break_) => {
      const { api, clock, offer, ports } = createWorld();
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      await offer('5.00', 'second');
      clock.advance(31 * day);
      const staff = createMarketplace({ ...ports, ...break_(ports) }).operator('sandbox');
      for (const ran of [await staff.runTimers(), await staff.runEffects()]) {
        expect(ran._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port });
      }
    },
  );

  it.each([
    ['store.due', ({ store }) => ({ store: { ...store, due: down } })],
    ['store.commit', ({ store }) => ({ store: { ...store, commit: down } })],
  ] as const satisfies readonly (readonly [string, Break])[])(
    'tells of %s where it fails for a partner',
    async (port, break_) => {
      const { api, clock, offer, ports } = createWorld();
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      await offer('5.00', 'second');
      clock.advance(31 * day);
      const staff = createMarketplace({ ...ports, ...break_(ports) }).operator('sandbox');
      for (const ran of [await staff.runTimers(), await staff.runEffects()]) {
        const { done, failures } = ran._unsafeUnwrap();
        const reason = `${port} failed or did not answer`;
        expect([done, failures[0]]).toMatchObject([0, { partner: 'acme', reason }]);
      }
    },
  );

  it('leaves the other environment alone', async () => {
    const { clock, marketplace, offer, operator } = createWorld();
    await offer();
    const live = marketplace.partner({ environment: 'production', partner: 'acme' });
    await live.createDealV2(dealV2Body);
    clock.advance(31 * day);
    expect((await operator.runTimers())._unsafeUnwrap()).toEqual({
      done: 1,
      failed: 0,
      failures: [],
    });
    const other = await live.retrieveDealDetails(dealV2Body.partner_id);
    expect(other._unsafeUnwrap().status).toBe('created');
  });

  it('says which effect a gateway failed with, and why; its cause stays in the process', async () => {
    const cause = new Error('the account of somebody is closed');
    const payments = {
      executes: () => true,
      execute: () => {
        throw cause;
      },
    };
    const { api, offer, operator } = createWorld({}, payments);
    const ids = Array.from({ length: 101 }, (_, at) => `order-${at}`);
    for (const partner_id of ids) {
      const { freelancer } = await offer('500.00', partner_id);
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
    }
    const { failed, failures } = (await operator.runEffects())._unsafeUnwrap();
    expect([failed, failures.length]).toEqual([101, 100]);
    expect(failures[0]).toEqual({
      partner: 'acme',
      partner_id: ids[0],
      reason: 'payments.execute failed or did not answer',
    });
    expect(failures[0]?.cause).toBe(cause);
    expect(JSON.stringify(failures)).not.toContain('somebody');
  });

  it('counts as failed what a gateway reports against the rules', async () => {
    const payments = {
      executes: () => true,
      execute: () => ok([{ status: 'paid' as const, reference: '' }]),
    };
    const { api, details, offer, operator } = createWorld({}, payments);
    const { partner_id, freelancer } = await offer();
    await freelancer.uploadFile(file);
    await freelancer.deliver();
    await api.approve(partner_id);
    const other = await offer('500.00', 'of-another-deal');
    await other.freelancer.uploadFile(file);
    await other.freelancer.deliver();
    await api.approve(other.partner_id);
    // each is asked for again later, and holds up nothing else
    const reason = 'report of the gateway, reference: must have at least 1 character';
    expect((await operator.runEffects())._unsafeUnwrap()).toEqual({
      done: 0,
      failed: 2,
      failures: [partner_id, other.partner_id].map((each) => ({
        partner: 'acme',
        partner_id: each,
        reason,
      })),
    });
    const { billing } = await details(partner_id);
    expect(billing.employer_payments).toMatchObject([{ status: 'requested', reference: null }]);
  });
});
