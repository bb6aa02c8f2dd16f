import {
  createMarketplace,
  type FreelancerApi,
  type MarketplaceOptions,
  type OperatorApi,
  type PartnerApi,
} from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { Row, Store } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { acme, createWorld, day, file } from './world.js';

type Staff = ReturnType<OperatorApi['partner']>;

/**
 * A deal whose real time a test moves, over a store that reports its writes: an offer, which expires,
 * or one of version 1.0 that does not, if the options say so.
 */
async function timedDeal(options: MarketplaceOptions = {}) {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const store = createMemoryStore();
  const rows: Row<'answer'>[] = [];
  const watched: Store = {
    ...store,
    async commit(tenant, write) {
      const outcome = await store.commit(tenant, write);
      const isMade = outcome.isOk() && outcome.value.outcome === 'committed';
      if (isMade) for (const { kind, row } of write.insert) if (kind === 'answer') rows.push(row);
      return outcome;
    },
  };
  const ports = { ...createPorts(), clock, timer: clock, store: watched };
  const marketplace = createMarketplace(ports, options);
  const api = marketplace.partner(acme);
  const isLasting = options.expireV1Deals === false;
  if (isLasting) {
    (await api.registerContractor(contractorBody))._unsafeUnwrap();
    (await api.createDeal(dealBody))._unsafeUnwrap();
  } else (await api.createDealV2(dealV2Body))._unsafeUnwrap();
  const { partner_id } = isLasting ? dealBody : dealV2Body;
  return { api, clock, rows, partner_id, marketplace, ports };
}

describe('the key of a command', () => {
  it('is answered again exactly, after any later commands of any side', async () => {
    const dice = fc.array(fc.tuple(fc.nat(12), fc.nat(5), fc.nat(3)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(dice, fc.constantFrom('invoice', 'prepaid'), async (steps, mode) => {
        const world = createWorld({ mode: mode as 'invoice', feePolicy: fees });
        const deal = await world.offer();
        const first: (() => Promise<void>)[] = [];
        for (const [at, [what, which, how]] of steps.entries()) {
          world.clock.advance(how * 1000);
          const give = command(world, deal, what, which, how);
          // some have no key, and some the key of another step
          const key = { idempotencyKey: `k${at}` };
          if (how === 3) {
            await give({});
            continue;
          }
          const answer = await give(key);
          if (answer.isErr()) continue;
          const text = JSON.stringify(answer.value);
          first.push(async () => {
            const again = await give(key);
            expect(JSON.stringify(again._unsafeUnwrap())).toBe(text);
          });
        }
        for (const again of first) await again();
      }),
      { numRuns: 150 },
    );
  });

  it('keeps little, and all keys of one version share it', async () => {
    const { api, rows, partner_id } = await timedDeal();
    (await api.invite(partner_id))._unsafeUnwrap();
    const answers = new Set<string>();
    for (let at = 0; at < 50; at += 1) {
      const again = await api.invite(partner_id, {}, { idempotencyKey: `k${at}` });
      answers.add(JSON.stringify(again._unsafeUnwrap()));
    }
    expect(answers.size).toBe(1);
    expect(rows.filter(({ answer_key }) => answer_key.startsWith('state '))).toHaveLength(1);
    const longest = Math.max(...rows.map(({ answer }) => answer.length));
    expect(longest).toBeLessThan(220);
    (await api.cancel(partner_id, {}))._unsafeUnwrap();
    const repeat = await api.invite(partner_id, {}, { idempotencyKey: 'k7' });
    expect(answers.has(JSON.stringify(repeat._unsafeUnwrap()))).toBe(true);
  });

  it('ends after thirty days, and is then judged as new, by one of many', async () => {
    const { api, clock, rows, partner_id } = await timedDeal({ expireV1Deals: false });
    const key = { idempotencyKey: 'the-key' };
    const first = (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    expect(rows.at(-1)?.ends_at).toBe('2026-01-31T00:00:00.000Z');
    clock.advance(30 * day - 1);
    const other = { message: 'Come.' };
    expect((await api.invite(partner_id, other, key))._unsafeUnwrapErr()).toMatchObject({
      code: 'idempotency_key_reused',
    });
    clock.advance(1);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) => api.invite(partner_id, at % 2 === 0 ? other : {}, key)),
    );
    // the call that was first has the key now
    const refused = made.filter((each) => each.isErr());
    expect(refused).toHaveLength(10);
    for (const each of refused) {
      expect(each._unsafeUnwrapErr()).toMatchObject({ code: 'idempotency_key_reused' });
    }
    for (const each of made) if (each.isOk()) expect(each.value).toStrictEqual(first);
    (await api.cancel(partner_id, {}))._unsafeUnwrap();
    const again = await api.invite(partner_id, made[0]?.isOk() ? other : {}, key);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
  });

  it('moves a deal by a key that has ended, once', async () => {
    const { api, clock, partner_id } = await timedDeal({ keyDays: 1 });
    const key = { idempotencyKey: 'the-key' };
    (await api.invite(partner_id, {}, key))._unsafeUnwrap();
    clock.advance(day);
    // another command under a living key of the same partner would be 422
    const all = await Promise.all(Array.from({ length: 9 }, () => api.cancel(partner_id, {}, key)));
    for (const each of all) expect(each._unsafeUnwrap().status).toBe('cancelled');
    const events = (await api.listDealEvents(partner_id))._unsafeUnwrap().results;
    expect(events.map(({ type }) => type)).toEqual([
      'deal.created',
      'deal.invited',
      'deal.cancelled',
    ]);
  });

  it('says a whole answer again, as versions before kept it', async () => {
    const { api, ports, partner_id } = await timedDeal();
    const key = { idempotencyKey: 'the-key' };
    const details = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
    const old = { ...details, title: 'As it was then' };
    const digest = ports.digest(JSON.stringify(['invite', []]));
    const row = {
      answer_key: `command partner ${partner_id} the-key`,
      fingerprint: digest,
      answer: JSON.stringify(old),
      ends_at: null,
    };
    const attempt = '01KDVE0000000000000000000A';
    await ports.store.commit(acme, {
      attempt,
      expect: [{ absent: 'answer', key: row.answer_key }],
      insert: [{ kind: 'answer', row }],
      change: [],
      events: [],
    });
    expect((await api.invite(partner_id, {}, key))._unsafeUnwrap()).toStrictEqual(old);
    (await api.cancel(partner_id))._unsafeUnwrap();
    expect((await api.invite(partner_id, {}, key))._unsafeUnwrap()).toStrictEqual(old);
  });

  it('of a report is kept as long as the deal', async () => {
    const { clock, rows, partner_id, marketplace } = await timedDeal({ expireV1Deals: false });
    const operatorDeals = marketplace.operator('sandbox').partner('acme');
    const key = { idempotencyKey: 'the-key' };
    const report = { status: 'paid', amount: '5.00', reference: 'r' } as const;
    const first = (
      await operatorDeals.recordEmployerPayment(partner_id, report, key)
    )._unsafeUnwrap();
    expect(rows.at(-1)?.ends_at).toBe(null);
    clock.advance(1000 * day);
    (await operatorDeals.cancel(partner_id, { reason: 'Over.' }))._unsafeUnwrap();
    const again = await operatorDeals.recordEmployerPayment(partner_id, report, key);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
  });
});

const fees = () => ({ employer_fee: '7.00', contractor_fee: '3.00' });

type Answered = Promise<{ isErr(): boolean; value?: unknown; _unsafeUnwrap(): unknown }>;

/** One of all commands of all sides. */
function command(
  { api, operatorDeals }: { api: PartnerApi; operatorDeals: Staff },
  { partner_id, freelancer }: { partner_id: string; freelancer: FreelancerApi },
  what: number,
  which: number,
  how: number,
): (options: object) => Answered {
  const reference = `r${which}${'x'.repeat(how * 10)}`;
  const payment = async (side: 'employer_payments' | 'contractor_payments') => {
    const { billing } = (await api.retrieveDealDetails(partner_id))._unsafeUnwrap();
    return billing[side][which % Math.max(1, billing[side].length)]?.id;
  };
  const statuses = ['paid', 'processing', 'failed', 'refunded', 'charged_back', 'paid'] as const;
  const ends = ['paid', 'processing', 'failed', 'returned', 'paid', 'paid'] as const;
  const all: ((options: object) => unknown)[] = [
    (options) => freelancer.accept({}, options),
    (options) => freelancer.uploadFile(file, options),
    (options) => freelancer.deliver({}, options),
    (options) => api.requestChanges(partner_id, { reason: 'More.' }, options),
    (options) => api.approve(partner_id, {}, options),
    (options) => api.invite(partner_id, {}, options),
    (options) => api.requestPayment(partner_id, {}, options),
    (options) => operatorDeals.retryPayout(partner_id, {}, options),
    (options) => freelancer.dispute({ reason: 'No.' }, options),
    (options) =>
      operatorDeals.resolve(
        partner_id,
        { agreed_amount: `${which * 100}.00`, reason: 'So.' },
        options,
      ),
    (options) => operatorDeals.cancel(partner_id, { reason: 'Over.' }, options),
  ];
  const own = all[what];
  if (own !== undefined) return (options) => own(options) as Answered;
  const isEmployer = what === 11;
  // the payment is chosen once, so that a repeat is the same
  let input: object | undefined;
  return async (options) => {
    if (isEmployer) {
      const status = statuses[which] ?? 'paid';
      input ??= {
        ...(how > 0 && { payment_id: await payment('employer_payments') }),
        ...{ status, reference, amount: `${100 * (how + 1)}.00` },
      };
      return operatorDeals.recordEmployerPayment(partner_id, input as never, options);
    }
    input ??= {
      ...{ payment_id: await payment('contractor_payments') },
      ...{ status: ends[which] ?? 'paid', reference },
    };
    return operatorDeals.recordContractorPayment(partner_id, input as never, options);
  };
}
