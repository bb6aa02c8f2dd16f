import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { type Guard, lifecycle } from 'dealwright/life';
import {
  type DealPart,
  dealParts,
  type MarketplacePorts,
  type PaymentEffect,
  type Store,
  type WriteSet,
} from 'dealwright/ports';
import fc from 'fast-check';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { applyChanges, type Changes } from '../../src/domain/payments/draft.js';
import { asStored, inHand } from '../../src/usecases/find-deal.js';
import { acme, createWorld, file } from '../faces/world.js';

const partner_id = 'deal-v2-1';

/** A deal over a store that the test watches. */
async function withDeal(
  watch: (store: Store) => Store,
  meanwhile: (effect: PaymentEffect) => Promise<object> = async () => ({}),
  options: MarketplaceOptions = {},
) {
  const world = createWorld();
  const payments: MarketplacePorts['payments'] = {
    executes: () => true,
    async execute(_, effect) {
      const status = effect.kind === 'pay_out' ? 'paid' : 'refunded';
      return ok([{ status, reference: effect.id, ...(await meanwhile(effect)) }]);
    },
  };
  const ports = { ...world.ports, payments, store: watch(world.ports.store) };
  const marketplace = createMarketplace(ports, options);
  const deal = await world.offer('500.00', partner_id);
  return {
    ...{ world, marketplace },
    api: marketplace.partner(acme),
    operator: marketplace.operator('sandbox'),
    operatorDeals: marketplace.operator('sandbox').partner('acme'),
    freelancer: marketplace.freelancer('sandbox', deal.payment_token),
  };
}

type Deal = Awaited<ReturnType<typeof withDeal>>;

const wholeDeal = async (store: Store) =>
  (await store.deals.byPartnerId(acme, partner_id, dealParts))._unsafeUnwrap();

/** A store that notes the deal after each write, beside the state known without a read. */
const noting =
  (pairs: unknown[][]) =>
  (store: Store): Store => ({
    ...store,
    async commit(tenant, write) {
      const before = await wholeDeal(store);
      const outcome = await store.commit(tenant, write);
      if (before === undefined || outcome._unsafeUnwrap().outcome !== 'committed') return outcome;
      pairs.push([knownAfter(before, write), await wholeDeal(store)]);
      return outcome;
    },
  });

function knownAfter(before: Parameters<typeof applyChanges>[0], write: WriteSet) {
  const isPart = ({ kind }: { readonly kind: string }) => dealParts.includes(kind as DealPart);
  const changes: Changes = {
    insert: write.insert.filter(isPart) as Changes['insert'],
    change: write.change.filter(
      (each) => each.kind === 'deal' || isPart(each),
    ) as Changes['change'],
    events: [],
  };
  const version = Reflect.get(before.deal, 'version') + write.events.length;
  return asStored(applyChanges(before, changes), changes, { attempt: write.attempt, version });
}

const paymentsOf = async ({ operatorDeals }: Deal) =>
  (await operatorDeals.retrieveDeal(partner_id))._unsafeUnwrap().billing.employer_payments;

const steps: readonly ((deal: Deal, at: number) => unknown)[] = [
  ({ freelancer }) => freelancer.accept(),
  ({ freelancer }) => freelancer.uploadFile(file),
  ({ freelancer }) => freelancer.deliver(),
  ({ api }) => api.approve(partner_id),
  ({ operatorDeals }) => operatorDeals.cancel(partner_id, { reason: 'no more' }),
  ({ operatorDeals }) => operatorDeals.requestPayment(partner_id, {}),
  ({ operator }) => operator.runEffects(),
  ({ operator, world }) => {
    world.clock.advance(20 * 24 * 60 * 60 * 1000);
    return operator.runTimers();
  },
  // the keys of these are not in the order of the reports
  ({ operatorDeals }, at) =>
    operatorDeals.recordEmployerPayment(partner_id, {
      ...{ status: 'paid', amount: '70.00', reference: `paid-${99 - at}` },
    }),
  async (deal, at) => {
    const [payment] = await paymentsOf(deal);
    const report = { payment_id: payment?.id ?? '', reference: `back-${99 - at}` };
    return deal.operatorDeals.recordEmployerPayment(partner_id, {
      ...report,
      ...{ status: at % 2 === 0 ? 'refunded' : 'processing', amount: '10.00' },
    });
  },
];

describe('a deal in hand', () => {
  it('is known after each write as the store has it: any commands, reports and effects', async () => {
    const dice = fc.array(fc.nat(steps.length - 1), { minLength: 5, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(dice, async (thrown) => {
        const pairs: unknown[][] = [];
        const deal = await withDeal(noting(pairs));
        for (const [at, nth] of thrown.entries()) await steps[nth]?.(deal, at);
        for (const [known, stored] of pairs) expect(known).toEqual(stored);
      }),
      { numRuns: 100 },
    );
  });

  it('is read once for all that is due of it in a turn', async () => {
    let reads = 0;
    const deal = await withDeal((store) => ({
      ...store,
      deals: {
        ...store.deals,
        byPartnerId(...given) {
          reads += 1;
          return store.deals.byPartnerId(...given);
        },
      },
    }));
    for (let at = 0; at < 20; at += 1) {
      const report = { status: 'paid', amount: '1.00', reference: `paid-${at}` } as const;
      (await deal.operatorDeals.recordEmployerPayment(partner_id, report))._unsafeUnwrap();
    }
    (await deal.operatorDeals.cancel(partner_id, { reason: 'no more' }))._unsafeUnwrap();
    reads = 0;
    expect((await deal.operator.runEffects())._unsafeUnwrap()).toMatchObject({ failed: 0 });
    // a busy machine takes another turn for it, which reads it again
    expect(reads).toBeLessThan(5);
    const payments = await paymentsOf(deal);
    expect(payments.map(({ status }) => status)).toEqual(payments.map(() => 'refunded'));
  });

  it('is read again once another call has changed it, and what is due is done once', async () => {
    let [writes, left] = [0, 0];
    const deal = await withDeal((store) => ({
      ...store,
      async commit(tenant, write) {
        writes += 1;
        // another process is faster every second time
        if (left > 0 && writes % 2 === 0) {
          left -= 1;
          const report = { status: 'paid', amount: '1.00', reference: `other-${left}` } as const;
          (
            await deal.world.operatorDeals.recordEmployerPayment(partner_id, report)
          )._unsafeUnwrap();
          (await deal.world.operatorDeals.refundSurplus(partner_id))._unsafeUnwrap();
        }
        return store.commit(tenant, write);
      },
    }));
    for (let at = 0; at < 6; at += 1) {
      const report = { status: 'paid', amount: '1.00', reference: `paid-${at}` } as const;
      (await deal.operatorDeals.recordEmployerPayment(partner_id, report))._unsafeUnwrap();
    }
    (await deal.operatorDeals.cancel(partner_id, { reason: 'no more' }))._unsafeUnwrap();
    left = 10;
    expect((await deal.operator.runEffects())._unsafeUnwrap()).toMatchObject({ failed: 0 });
    expect(left).toBe(0);
    const { billing } = (await deal.operatorDeals.retrieveDeal(partner_id))._unsafeUnwrap();
    expect([billing.held, billing.loss, billing.refunded]).toEqual(['0.00', '0.00', billing.paid]);
  });

  it('is read again if something is due that is not known of it', async () => {
    let left = 3;
    const deal = await withDeal((store) => ({
      ...store,
      async due(...given) {
        // between two turns, another machine records money that must go back
        if (given[1] === 'intent' && left > 0) {
          left -= 1;
          const report = { status: 'paid', amount: '1.00', reference: `late-${left}` } as const;
          (
            await deal.world.operatorDeals.recordEmployerPayment(partner_id, report)
          )._unsafeUnwrap();
          (await deal.world.operatorDeals.refundSurplus(partner_id))._unsafeUnwrap();
        }
        return store.due(...given);
      },
    }));
    const first = { status: 'paid', amount: '1.00', reference: 'paid' } as const;
    (await deal.operatorDeals.recordEmployerPayment(partner_id, first))._unsafeUnwrap();
    (await deal.operatorDeals.cancel(partner_id, { reason: 'no more' }))._unsafeUnwrap();
    const run = (await deal.operator.runEffects())._unsafeUnwrap();
    expect([left, run.done, run.failed]).toEqual([0, 4, 0]);
    const payments = await paymentsOf(deal);
    expect(payments.map(({ status }) => status)).toEqual(payments.map(() => 'refunded'));
  });

  it('is read again before a report is refused: the bank knew more than this process', async () => {
    const twoReports: Guard = {
      reason: 'not_paid',
      says: 'before a refund, two payments are known',
      holds: ({ state, command }) =>
        command.report?.status !== 'refunded' || state.payment_report.length > 1,
    };
    const deal = await withDeal(
      (store) => store,
      async ({ payment_id, before }) => {
        // another machine gets a report while the gateway refunds
        const report = { payment_id, status: 'paid', amount: '1.00', reference: 'second' } as const;
        if (before > 0) return {};
        (await deal.world.operatorDeals.recordEmployerPayment(partner_id, report))._unsafeUnwrap();
        // it may be the first one under another name
        (await deal.world.operatorDeals.refundSurplus(partner_id))._unsafeUnwrap();
        return {};
      },
      {
        lifecycle: lifecycle.map((rule) =>
          rule.command === 'record-employer-payment' ? { ...rule, guards: [twoReports] } : rule,
        ),
      },
    );
    const first = { status: 'paid', amount: '1.00', reference: 'first' } as const;
    (await deal.operatorDeals.recordEmployerPayment(partner_id, first))._unsafeUnwrap();
    (await deal.operatorDeals.cancel(partner_id, { reason: 'no more' }))._unsafeUnwrap();
    const run = (await deal.operator.runEffects())._unsafeUnwrap();
    expect([run.done, run.failed, run.failures]).toEqual([2, 0, []]);
    const { billing } = (await deal.operatorDeals.retrieveDeal(partner_id))._unsafeUnwrap();
    expect([billing.paid, billing.refunded, billing.held]).toEqual(['2.00', '2.00', '0.00']);
  });

  it('is forgotten if a write may have failed', async () => {
    const rows = [{ version: 1 }, { version: 2 }];
    const finder = inHand({
      name: 'deal',
      find: async () => ok({ deal: rows.shift() } as never),
    });
    const version = async () => (await finder.find([]))._unsafeUnwrap().deal.version;
    expect([await version(), await version()]).toEqual([1, 1]);
    finder.wrote?.(undefined);
    expect([await version(), await version()]).toEqual([2, 2]);
  });
});
