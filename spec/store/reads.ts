import type { DealFilter } from '../../src/domain/deals/deal-list.js';
import {
  type ListedKind,
  type RecordKind,
  shapeOf,
  type TimedKind,
  type Value,
} from '../../src/domain/records/records.js';
import type { DealStatus, FreelancerStatus } from '../../src/domain/values/status.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { DealRange, RecordRange, Store } from '../../src/ports/store.js';
import { type Model, rangeOf } from './model.js';
import type { Plan, Universe } from './plans.js';
import { dueUnder, listedKinds, timedKinds } from './rows.js';
import { endOfTime, parts } from './session.js';
import { ask, recordByKey } from './subject.js';

/** One call of a store, and the answer of the model. */
export interface Operation {
  /** The description for a failure. */
  readonly what: string;
  run(store: Store): Promise<unknown>;
  expect(model: Model): unknown;
}

/** The few values of the fields that reads and expectations ask about. */
export const few = ['created', 'accepted', 'Created'] as const;
export const times = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
] as const;

/** Reads of single records, and of due records. */
export function readsOf(
  plan: Plan,
  names: Universe,
  tenant: Tenant,
  model: Model,
): readonly Operation[] {
  const wanted = parts.filter((_, at) => (plan.value >> at) % 2 === 0);
  const partOf = (now: Model, partner_id: Value | undefined) => {
    const found = partner_id === undefined ? undefined : now.deal(tenant, String(partner_id));
    const some = found && wanted.map((part) => [part, found[part]]);
    return found && { deal: found.deal, ...Object.fromEntries(some ?? []) };
  };
  const deals = model.rows(tenant, 'deal');
  const known = plan.isStray ? undefined : deals[plan.name % Math.max(1, deals.length)];
  const partner_id = String(known?.['partner_id'] ?? names.names('deal')[plan.name]);
  const { tokens } = model.named;
  const token = String((plan.isStray ? [...tokens].at(-1) : known?.['payment_token']) ?? 'none');
  const timed = timedKinds[plan.name % timedKinds.length] as TimedKind;
  const dueAbove = dueUnder(timed);
  const under = dueAbove && names.names(dueAbove)[plan.parent];
  const before = [...times, endOfTime][plan.value % 4] ?? endOfTime;
  const limit = plan.events;
  const listed = listedKinds[plan.name % listedKinds.length] as ListedKind;
  const key = names.names(listed)[plan.more] ?? '';
  const above = shapeOf(listed).under?.kind as RecordKind | undefined;
  const range: RecordRange = {
    direction: plan.value % 2 === 0 ? 'ascending' : 'descending',
    ...(above && plan.value > 3 && { under: names.names(above)[plan.parent] ?? '' }),
    ...(plan.isStray && { after: key }),
    limit,
  };
  const files = names.names('work_file');
  const id = [...model.named.ids].at(-1 - plan.more) ?? 1;
  return [
    {
      what: `the deal ${partner_id}`,
      run: (store) => ask(store.deals.byPartnerId(tenant, partner_id, wanted)),
      expect: (now) => partOf(now, partner_id),
    },
    {
      what: `the deal ${id}`,
      run: (store) => ask(store.deals.byId(tenant, id, wanted)),
      expect: (now) =>
        partOf(now, now.rows(tenant, 'deal').find((row) => row['id'] === id)?.['partner_id']),
    },
    {
      what: `the deal with the token ${token}`,
      run: (store) => ask(store.deals.byPaymentToken(tenant, token, wanted)),
      expect: (now) => partOf(now, now.tokenHolder(tenant, token)),
    },
    {
      what: `what is due of ${timed} at ${before}, ${limit} at most`,
      run: (store) => ask(store.due(tenant, timed, before, limit, under)),
      expect: (now) => now.due(tenant, timed, before, limit, under),
    },
    {
      what: `the ${listed} ${key}`,
      run: (store) => ask(recordByKey(store, tenant, listed, key)),
      expect: (now) => now.of(tenant).find(listed, key),
    },
    {
      what: `${listed} in the range ${JSON.stringify(range)}`,
      run: (store) => ask(store.records.list(tenant, listed, range)),
      expect: (now) => now.records(tenant, listed, range),
    },
    {
      what: 'the files that are recorded',
      run: async (store) => [...(await ask(store.workFiles.recorded(tenant, files)))].sort(),
      expect: (now) => files.filter((each) => now.of(tenant).find('work_file', each)).sort(),
    },
  ];
}

/** Two ranges of one list. */
export function listsOf(plan: Plan, tenant: Tenant, model: Model): readonly Operation[] {
  const { value, name, more, events: limit } = plan;
  const status = few[name % 3] as DealStatus;
  const freelancer_status = few[name % 3] as FreelancerStatus;
  const email_key = few[name % 3] as string;
  const time = times[name % 3] as string;
  const filters: readonly DealFilter[] = [
    ...[{}, { status }, { freelancer_status }, { email_key }, { created_from: time }],
    ...[{ created_to: time }, { status, created_from: time }, { status, email_key }],
    { email_key, freelancer_status, created_to: time },
    ...[{ attention: 'true' as const }, { attention: 'true' as const, status }],
  ];
  const filter = filters[value] ?? {};
  const from = more === 0 ? undefined : model.list(tenant, {}).at(more);
  const position = from && { created_at: from.created_at, attempt: from.attempt };
  return (['older', 'newer'] as const).map((direction) => {
    const range: DealRange = { direction, from: position, limit };
    return {
      what: `a range ${JSON.stringify(range)} of what passes ${JSON.stringify(filter)}`,
      run: (store) => ask(store.deals.list(tenant, filter, range)),
      expect: (now) => rangeOf(now.list(tenant, filter), range),
    };
  });
}
