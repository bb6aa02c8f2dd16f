import { emailKey, formatMoney } from 'dealwright';
import type {
  AddDealOutcome,
  AddDealV2Outcome,
  DealAddition,
  DealV2Addition,
  DomainEvent,
  Tenant,
} from 'dealwright/ports';
import { existsByKey, existsByPartnerId, type FirstAnswer } from '../sql/first-answer.js';
import { tenantText } from '../sql/tenant.js';
import { dealV2Values, dealValues, type Value } from './row-values.js';

/** A create of either version, on its way. */
export type Addition =
  | { readonly api_version: '1.0'; readonly tenant: Tenant; readonly given: DealAddition }
  | { readonly api_version: '2.0'; readonly tenant: Tenant; readonly given: DealV2Addition };

type AdditionOf<V extends Addition['api_version']> = Extract<Addition, { readonly api_version: V }>;

/** How many integer ids a create needs: of the deal, and of each stage. */
export function idCount(addition: Addition): number {
  return addition.api_version === '1.0' ? 1 + addition.given.deal.stages.length : 0;
}

/** The values of `addOneStatement`: the create has one event. */
export function valuesOfOne(addition: Addition, ids: readonly number[]): Value[] {
  return addition.api_version === '1.0' ? valuesOfDeal(addition, ids) : valuesOfDealV2(addition);
}

function valuesOfDeal({ tenant, given }: AdditionOf<'1.0'>, ids: readonly number[]): Value[] {
  const { deal, contractor, events, idempotency } = given;
  const [event] = events;
  const id = ids[0] ?? null;
  const event_id = event?.id ?? '';
  const values = dealValues(tenantText(tenant), id, events.length, event_id, idempotency, deal);
  values.push(tenant.environment, contractor.register, contractor.email_key);
  if (event !== undefined) pushEvent(values, event);
  for (const [at, { name, budget, work_days, status }] of deal.stages.entries()) {
    values.push(ids[at + 1] ?? null, name, formatMoney(budget), work_days, status);
  }
  return values;
}

function valuesOfDealV2({ tenant, given }: AdditionOf<'2.0'>): Value[] {
  const { deal, events, idempotency } = given;
  const [event] = events;
  const event_id = event?.id ?? '';
  const values = dealV2Values(tenantText(tenant), events.length, event_id, idempotency, deal);
  if (event !== undefined) pushEvent(values, event);
  return values;
}

/** Its id is the deal's already. */
function pushEvent(values: Value[], { type, subject, sequence, at, data }: DomainEvent): void {
  values.push(type, subject, sequence, at, JSON.stringify(data));
}

/** The three JSON texts of `addManyStatement`. */
export function valuesOfMany(
  additions: readonly Addition[],
  idsOf: readonly (readonly number[])[],
): string[] {
  const deals: unknown[] = [];
  const stages: unknown[] = [];
  const events: unknown[] = [];
  for (const [n, addition] of additions.entries()) {
    const ids = idsOf[n] ?? [];
    if (addition.api_version === '1.0') {
      deals.push(rowOfDeal(addition, n, ids[0]));
      for (const [
        at,
        { name, budget, work_days, status },
      ] of addition.given.deal.stages.entries()) {
        stages.push({ n, id: ids[at + 1], name, budget: formatMoney(budget), work_days, status });
      }
    } else {
      deals.push(rowOfDealV2(addition, n));
    }
    for (const { id, type, subject, sequence, at, data } of addition.given.events) {
      events.push({ n, id, type, subject, sequence, at, data: JSON.stringify(data) });
    }
  }
  return [JSON.stringify(deals), JSON.stringify(stages), JSON.stringify(events)];
}

// as in row-values.ts, each member by its name

function rowOfDeal({ tenant, given }: AdditionOf<'1.0'>, n: number, id: number | undefined) {
  const { deal, contractor, events, idempotency } = given;
  return {
    n,
    tenant: tenantText(tenant),
    environment: tenant.environment,
    register: contractor.register,
    contractor_key: contractor.email_key,
    partner_id: deal.partner_id,
    api_version: '1.0',
    id,
    created_at: deal.created_at,
    event_id: events[0]?.id,
    version: events.length,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    email_key: emailKey(deal.contractor_email),
    idempotency_key: idempotency?.key,
    fingerprint: idempotency?.fingerprint,
    description: deal.description,
    currency: deal.currency,
    contractor_email: deal.contractor_email,
    name: deal.name,
    budget: formatMoney(deal.budget),
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
  };
}

function rowOfDealV2({ tenant, given }: AdditionOf<'2.0'>, n: number) {
  const { deal, events, idempotency } = given;
  return {
    n,
    tenant: tenantText(tenant),
    partner_id: deal.partner_id,
    api_version: '2.0',
    created_at: deal.created_at,
    event_id: events[0]?.id,
    version: events.length,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    email_key: emailKey(deal.email_freelancer),
    idempotency_key: idempotency?.key,
    fingerprint: idempotency?.fingerprint,
    description: deal.description,
    currency: deal.currency,
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    amount: formatMoney(deal.amount),
    subcategory_id: deal.subcategory_id,
    copyright_transfer: deal.copyright_transfer,
    freelancer_language: deal.freelancer_language,
    payment_token: deal.payment_token,
  };
}

/** What a create was answered, but for one whose winner is not seen yet. */
export type Added = AddDealOutcome | AddDealV2Outcome;

/** Reads the answer of either statement; nothing where the winner is not seen yet. */
export function outcomeOf(
  { api_version }: Addition,
  ids: readonly number[],
  text: string,
): Added | undefined {
  if (text === 'unseen') return undefined;
  if (text === 'created') {
    return api_version === '1.0' ? createdWith(ids[0], ids.slice(1)) : { outcome: 'created' };
  }
  if (text === 'taken') return existsByPartnerId;
  if (text === 'contractor_missing') return { outcome: 'contractor_missing' };
  const first = JSON.parse(text) as First;
  if (first.by === 'attempt') {
    return api_version === '1.0'
      ? createdWith(first.id ?? undefined, first.stage_ids ?? [])
      : { outcome: 'created' };
  }
  return existsByKey(first);
}

interface First extends FirstAnswer {
  /** Where it is this very attempt that was first, it says no more than the ids. */
  readonly by: 'key' | 'attempt';
}

function createdWith(id: number | undefined, stage_ids: readonly number[]): Added {
  return { outcome: 'created', id: id ?? 0, stage_ids };
}
