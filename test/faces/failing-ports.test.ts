import { createMarketplace, type Fees, type FeeTerms } from 'dealwright';
import { type MarketplacePorts, type PaymentGateway, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { acme, createWorld, day, file } from './world.js';

const down = () => unavailable({ outcome: 'none' });
const fail = (): never => {
  throw new Error('down');
};
type Break = (ports: MarketplacePorts) => Partial<MarketplacePorts>;

/** Breaks each port that a command needs. */
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
    // one command that makes a change, and one that is refused: the key is judged first
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

it('a command is given up if others are quicker each time', async () => {
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

/** What a gateway may answer. */
const answerRule =
  'must be { reports } or { refused: { reason, retry } }, not both, or a list of reports';

describe('a policy of fees that breaks its promise', () => {
  const allowed = (name: string, most: string) =>
    `feePolicy: ${name} is a decimal string from 0.00 to ${most}`;
  const [ofEmployer, ofContractor] = [
    allowed('employer_fee', '999999999999999999.99'),
    allowed('contractor_fee', '1000.00'),
  ];
  const fees =
    (employer_fee: unknown, contractor_fee: unknown = '0.00') =>
    (): Fees =>
      ({ employer_fee, contractor_fee }) as never;
  it.each<readonly [how: string, feePolicy: () => Fees, message: string]>([
    ['throws', fail, 'down'],
    ['is below zero', fees('-0.01'), ofEmployer],
    ['has 19 digits', fees('1000000000000000000.00'), ofEmployer],
    ['has three decimals', fees('0.001'), ofEmployer],
    ['is a number', fees(1), ofEmployer],
    ['is a bigint', fees(1n), ofEmployer],
    ['is missing', fees(undefined), ofEmployer],
    ['answers nothing', () => undefined as never, ofEmployer],
    ['answers later', () => Promise.resolve() as never, ofEmployer],
    ['is more than the amount', fees('0.00', '1000.01'), ofContractor],
    ['is empty', fees('0.00', ''), ofContractor],
  ])('and %s makes no deal, and says what is allowed', async (_how, feePolicy, message) => {
    const { api } = createWorld({ feePolicy });
    await api.registerContractor(contractorBody);
    for (const answer of [
      await api.createDeal({ ...dealBody, budget: '1000.00' }),
      await api.createDealV2({ ...dealV2Body, amount: '1000.00' }),
    ]) {
      const error = answer._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'unavailable', port: 'feePolicy', retryable: false });
      expect(error).toHaveProperty('cause.message', message);
    }
    expect((await api.listDeals())._unsafeUnwrap().results).toEqual([]);
  });

  it('gets the terms of a deal of either version in text, and may write a decimal in any form', async () => {
    const asked: FeeTerms[] = [];
    const { api } = createWorld({
      feePolicy(terms) {
        asked.push(terms);
        return { employer_fee: '5', contractor_fee: '.5' };
      },
    });
    await api.registerContractor(contractorBody);
    const partner_id = 'of-2.0';
    for (const made of [
      await api.createDeal({ ...dealBody, budget: '1000' }),
      await api.createDealV2({ ...dealV2Body, partner_id, amount: '0100.5' }),
    ]) {
      expect(made.isOk()).toBe(true);
    }
    const { sub_category_id: subcategory_id, contractor_email, currency } = dealBody;
    expect(asked).toEqual([
      {
        ...{ partner_id: dealBody.partner_id, email_freelancer: contractor_email },
        ...{ subcategory_id, amount: '1000.00', currency },
      },
      {
        ...{ partner_id, email_freelancer: dealV2Body.email_freelancer },
        ...{ subcategory_id: dealV2Body.subcategory_id, amount: '100.50' },
        currency: dealV2Body.currency,
      },
    ]);
    const details = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
    expect(details.billing).toMatchObject({ amount: '100.50' });
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
    'ends if %s fails',
    async (port, break_) => {
      const { api, clock, offer, ports } = createWorld();
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      await offer('5.00', 'second');
      clock.advance(31 * day);
      const operatorDeals = createMarketplace({ ...ports, ...break_(ports) }).operator('sandbox');
      for (const ran of [await operatorDeals.runTimers(), await operatorDeals.runEffects()]) {
        expect(ran._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', port });
      }
    },
  );

  it.each([
    ['store.due', ({ store }) => ({ store: { ...store, due: down } })],
    ['store.commit', ({ store }) => ({ store: { ...store, commit: down } })],
  ] as const satisfies readonly (readonly [string, Break])[])(
    'reports %s if it fails for a partner',
    async (port, break_) => {
      const { api, clock, offer, ports } = createWorld();
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      await offer('5.00', 'second');
      clock.advance(31 * day);
      const operatorDeals = createMarketplace({ ...ports, ...break_(ports) }).operator('sandbox');
      for (const ran of [await operatorDeals.runTimers(), await operatorDeals.runEffects()]) {
        const { done, failures } = ran._unsafeUnwrap();
        const reason = `${port} failed`;
        expect([done, failures[0]]).toMatchObject([0, { partner: 'acme', reason }]);
      }
    },
  );

  it('leaves the other environment alone', async () => {
    const { clock, marketplace, offer, operator } = createWorld({ expiryNoticeDays: 0 });
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
      reason: 'payments.execute threw an error',
    });
    expect(failures[0]?.cause).toBe(cause);
    expect(JSON.stringify(failures)).not.toContain('somebody');
  });

  const secret = 'sk_live_1234';
  it.each<
    readonly [how: string, execute: () => unknown, reason: string, cause: string | undefined]
  >([
    [
      'throws',
      () => {
        throw new Error(secret);
      },
      'threw an error',
      secret,
    ],
    ['rejects', () => Promise.reject(new Error(secret)), 'rejected its promise', secret],
    [
      'never answers',
      () => new Promise(() => undefined),
      'did not answer within 0.05 s',
      'no answer within 50 ms',
    ],
    [
      'says that it failed',
      () => unavailable({ outcome: 'none', cause: new Error(secret) }),
      'failed',
      secret,
    ],
    [
      'answers no Result',
      () => [secret],
      'gave a wrong answer: neither ok() nor unavailable()',
      'neither ok() nor unavailable()',
    ],
    [
      'answers later with no Result',
      async () => secret,
      'gave a wrong answer: neither ok() nor unavailable()',
      'neither ok() nor unavailable()',
    ],
    ['answers no list', () => ok(secret), `gave a wrong answer: ${answerRule}`, answerRule],
    [
      'refuses and reports',
      () => ok({ reports: [], refused: { reason: 'other', retry: 'later' } }),
      `gave a wrong answer: ${answerRule}`,
      answerRule,
    ],
    [
      'refuses without a reason that is one',
      () => ok({ refused: { reason: 'bored', retry: 'later' } }),
      `gave a wrong answer: ${answerRule}`,
      answerRule,
    ],
    [
      'reports a refund of an employer that is asked to pay',
      () => ok([{ status: 'refunded', reference: 'a' }]),
      'gave a wrong answer: an effect request_payment is not answered by refunded',
      undefined,
    ],
    [
      'reports nothing',
      () => ok([{}]),
      'gave a wrong answer: status: is required; reference: is required',
      undefined,
    ],
  ])(
    'tells how a gateway fails that %s, and keeps what it said in the process',
    async (_how, execute, reason, cause) => {
      const payments: PaymentGateway = { executes: () => true, execute: execute as never };
      const { api, offer, operator } = createWorld({ deadline: 50 }, payments);
      const { partner_id, freelancer } = await offer();
      await freelancer.uploadFile(file);
      await freelancer.deliver();
      await api.approve(partner_id);
      const { failures } = (await operator.runEffects())._unsafeUnwrap();
      expect(failures).toEqual([
        { partner: 'acme', partner_id, reason: `payments.execute ${reason}` },
      ]);
      expect(JSON.stringify(failures)).not.toContain(secret);
      const said = failures[0]?.cause;
      expect(said instanceof Error ? said.message : said).toBe(cause);
    },
  );

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
    // each is tried again later, and delays no other
    const reason =
      'payments.execute gave a wrong answer: reference: must have at least 1 character';
    const { failures, ...counts } = (await operator.runEffects())._unsafeUnwrap();
    expect(counts).toEqual({ done: 0, failed: 2 });
    // both are under way at once: either may end first
    expect(new Set(failures)).toEqual(
      new Set(
        [partner_id, other.partner_id].map((each) => ({
          partner: 'acme',
          partner_id: each,
          reason,
        })),
      ),
    );
    const { billing } = await details(partner_id);
    expect(billing.employer_payments).toMatchObject([{ status: 'requested', reference: null }]);
  });
});
