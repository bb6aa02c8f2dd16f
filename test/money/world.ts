import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import type { PaymentEffect, PaymentGateway, Row, Store } from 'dealwright/ports';
import { createPostgresStore } from 'dealwright/postgres';
import { createSystemPorts } from 'dealwright/system';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { createTables } from '../adapters/postgres/tables.js';
import { createHastyStore } from '../adapters/sqlite/database.js';
import { dealV2Body } from '../domain/field-tables.js';
import { startPostgres } from '../kit/postgres.js';
import { dealOf, eventsOf, settle } from '../kit/stored.js';
import { okOf } from '../usecases/terms-world.js';

export const [minute, day] = [60_000, 24 * 60 * 60 * 1000];

interface Opened {
  readonly store: Store;
  close(): unknown;
}

const stores: Readonly<Record<string, () => Opened | Promise<Opened>>> = {
  memory: () => ({ store: createMemoryStore(), close: () => undefined }),
  SQLite() {
    const store = createHastyStore();
    return { store, close: () => store.close() };
  },
  async PostgreSQL() {
    // what is compared does not depend on the disk
    const server = await startPostgres({ fsync: false });
    const pool = new pg.Pool({ connectionString: server.socketUrl, max: 4 });
    await createTables((sql) => server.psql(sql), 'dealwright');
    return {
      store: createPostgresStore(pool),
      async close() {
        await pool.end();
        await server.stop();
      },
    };
  },
};

/** Sequences of a deal and its gateway, in each store. */
export function inEachStore(name: string, cases: (begin: Begin) => void): void {
  describe.each(Object.entries(stores))(`${name}, in %s`, (_, open) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    }, 120_000);
    afterAll(() => opened?.close());
    let count = 0;
    cases((gateway, options, terms) => {
      count += 1;
      return beginDeal(opened.store, `partner-${count}`, gateway, options, terms);
    });
  });
}

type Answer = Awaited<ReturnType<PaymentGateway['execute']>>;

/** Answers an effect; `asked` has it, and those before it. */
export type Answering = (effect: PaymentEffect, asked: readonly PaymentEffect[]) => Answer;

export type Begin = (
  gateway: Answering,
  options?: MarketplaceOptions,
  terms?: DealTerms,
) => ReturnType<typeof beginDeal>;

type DealTerms = Partial<Pick<typeof dealV2Body, 'amount' | 'currency'>>;

/** A deal of 100.00 that is offered, unless the terms are others, and all of its sides. */
async function beginDeal(
  store: Store,
  partner: string,
  gateway: Answering,
  options: MarketplaceOptions = {},
  terms: DealTerms = {},
) {
  const tenant = { environment: 'production', partner } as const;
  const clock = createManualClock(Date.UTC(2026, 2, 1));
  const asked: PaymentEffect[] = [];
  const ports = {
    ...createSystemPorts(),
    ...{ store, clock, timer: clock },
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue(defaultCategoryTree),
    paymentTokens: createOpaqueTokenIssuer(),
    payments: {
      executes: (of: { readonly partner: string }) => of.partner === partner,
      async execute(_: unknown, effect: PaymentEffect) {
        asked.push(effect);
        return gateway(effect, asked);
      },
    },
  };
  const marketplace = createMarketplace(ports, { mode: 'prepaid', ...options });
  const api = marketplace.partner(tenant);
  const operator = marketplace.operator('production');
  const staff = operator.partner(partner);
  const { partner_id } = dealV2Body;
  const created = await okOf(api.createDealV2({ ...dealV2Body, amount: '100.00', ...terms }));
  const freelancer = marketplace.freelancer('production', created.payment_token);
  const details = () => okOf(staff.retrieveDeal(partner_id));
  const run = async () => {
    await okOf(operator.runTimers());
    return okOf(operator.runEffects());
  };
  return {
    ...{ partner_id, api, operator, staff, freelancer, clock, asked, details, run },
    body: dealV2Body,
    token: created.payment_token,
    /** Writes the deal as an earlier version had stored it. */
    rewrite: (set: Partial<Row<'deal'>>) =>
      settle(
        store.commit(tenant, {
          attempt: createSystemPorts().ids.next(),
          expect: [{ present: 'deal', key: partner_id }],
          insert: [],
          change: [{ kind: 'deal', key: partner_id, set }],
          events: [],
        }),
      ),
    /** The sides of the deal after its service has got other options. */
    under(others: MarketplaceOptions) {
      const later = createMarketplace(ports, { mode: 'prepaid', ...options, ...others });
      return { api: later.partner(tenant), staff: later.operator('production').partner(partner) };
    },
    /** Time passes, and what is due is done. */
    async pass(milliseconds: number) {
      clock.advance(milliseconds);
      return run();
    },
    /** The employer is asked to pay, and has paid. */
    async paid(reference = 'in') {
      await okOf(freelancer.accept());
      await run();
      const { id } = first((await details()).billing.employer_payments);
      await okOf(
        staff.recordEmployerPayment(partner_id, { payment_id: id, status: 'paid', reference }),
      );
      return id;
    },
    /** The work is delivered and approved. */
    async approved() {
      await okOf(freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(97) }));
      await okOf(freelancer.deliver());
      await okOf(api.approve(partner_id));
    },
    /** The effects that the gateway was asked for, of one kind. */
    calls: (kind: PaymentEffect['kind']) => asked.filter((each) => each.kind === kind).length,
    async types() {
      return (await eventsOf(store, tenant)).map(({ type }) => type);
    },
    /** Why the deal needs the operator by now. */
    async alerts() {
      const { alert, alert_at } = (await dealOf(store, tenant, partner_id))?.deal ?? {};
      const now = new Date(clock.now()).toISOString();
      return alert && alert_at && alert_at <= now ? [alert] : [];
    },
    async money() {
      const { billing } = await details();
      const { paid, held, released, refunded, charged_back, loss } = billing;
      return { paid, held, released, refunded, charged_back, loss };
    },
    async payouts() {
      const { contractor_payments } = (await details()).billing;
      return contractor_payments.map(({ status, waits_for }) =>
        waits_for === null ? status : `${status}, ${waits_for}`,
      );
    },
    async waiting() {
      return (await details()).effects.map(
        ({ kind, outcome, next_attempt_at }) =>
          `${kind} ${outcome}${next_attempt_at === null ? ', stopped' : ''}`,
      );
    },
  };
}

export function first<T>(all: readonly T[]): T {
  const [found] = all;
  if (found === undefined) throw new Error('there is none');
  return found;
}
