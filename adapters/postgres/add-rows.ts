import { emailKey, formatMoney } from 'dealwright';
import type {
  AddDealOutcome,
  AddDealV2Outcome,
  DealAddition,
  DealV2Addition,
  DomainEvent,
  Tenant,
} from 'dealwright/ports';
import { tenantText } from '../sql/tenant.js';
import { columnsOf, type DealColumn } from './add-sql.js';

/** A create of either version, on its way. */
export type Addition =
  | { readonly api_version: '1.0'; readonly tenant: Tenant; readonly given: DealAddition }
  | { readonly api_version: '2.0'; readonly tenant: Tenant; readonly given: DealV2Addition };

type Value = string | number | null;
type DealRow = Readonly<Partial<Record<DealColumn, Value>>>;

/** How many integer ids a create needs: of the deal, and of each stage. */
export function idCount(addition: Addition): number {
  return addition.api_version === '1.0' ? 1 + addition.given.deal.stages.length : 0;
}

function dealRow(addition: Addition, id: number | undefined): DealRow {
  const { events, idempotency } = addition.given;
  const beside = {
    event_id: events[0]?.id ?? '',
    version: events.length,
    idempotency_key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
  };
  if (addition.api_version === '1.0') {
    const { deal } = addition.given;
    return {
      ...beside,
      api_version: '1.0',
      id: id ?? null,
      partner_id: deal.partner_id,
      created_at: deal.created_at,
      status: deal.status,
      freelancer_status: deal.freelancer_status,
      email_key: emailKey(deal.contractor_email),
      description: deal.description,
      currency: deal.currency,
      contractor_email: deal.contractor_email,
      name: deal.name,
      budget: formatMoney(deal.budget),
      work_days: deal.work_days,
      sub_category_id: deal.sub_category_id,
    };
  }
  const { deal } = addition.given;
  return {
    ...beside,
    api_version: '2.0',
    partner_id: deal.partner_id,
    created_at: deal.created_at,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    email_key: emailKey(deal.email_freelancer),
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

/** The values of `addOneStatement`: the create has one event. */
export function valuesOfOne(addition: Addition, ids: readonly number[]): Value[] {
  const { tenant, given } = addition;
  const row = dealRow(addition, ids[0]);
  const values: Value[] = [tenantText(tenant)];
  for (const name of columnsOf[addition.api_version]) values.push(row[name] ?? null);
  if (addition.api_version === '1.0') {
    const { register, email_key } = addition.given.contractor;
    values.push(tenant.environment, register, email_key);
  }
  const [event] = given.events;
  if (event !== undefined) values.push(...eventValues(event).slice(1));
  if (addition.api_version === '1.0') {
    for (const [at, { name, budget, work_days, status }] of addition.given.deal.stages.entries()) {
      values.push(ids[at + 1] ?? null, name, formatMoney(budget), work_days, status);
    }
  }
  return values;
}

/** An event's columns in their order. */
export function eventValues({ id, type, subject, sequence, at, data }: DomainEvent): Value[] {
  return [id, type, subject, sequence, at, JSON.stringify(data)];
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
    const { tenant, given } = addition;
    const ids = idsOf[n] ?? [];
    const { environment } = tenant;
    const row = dealRow(addition, ids[0]);
    const own = { n, tenant: tenantText(tenant), environment };
    if (addition.api_version === '1.0') {
      const { register, email_key } = addition.given.contractor;
      deals.push({ ...own, register, contractor_key: email_key, ...row });
      for (const [at, stage] of addition.given.deal.stages.entries()) {
        const { name, work_days, status } = stage;
        stages.push({
          n,
          id: ids[at + 1],
          name,
          budget: formatMoney(stage.budget),
          work_days,
          status,
        });
      }
    } else {
      deals.push({ ...own, ...row });
    }
    for (const { id, type, subject, sequence, at, data } of given.events) {
      events.push({ n, id, type, subject, sequence, at, data: JSON.stringify(data) });
    }
  }
  return [deals, stages, events].map((rows) => JSON.stringify(rows));
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
  if (text === 'taken') return { outcome: 'exists', by: 'partner_id' };
  if (text === 'contractor_missing') return { outcome: 'contractor_missing' };
  const first = JSON.parse(text) as FirstAnswer;
  if (first.by === 'attempt') {
    return api_version === '1.0'
      ? createdWith(first.id ?? undefined, first.stage_ids ?? [])
      : { outcome: 'created' };
  }
  const { fingerprint, id, stage_ids, payment_token } = first;
  const answer =
    id === null
      ? { fingerprint, ...(payment_token === null ? {} : { payment_token }) }
      : { fingerprint, ids: { id, stage_ids: stage_ids ?? [] } };
  return { outcome: 'exists', by: 'idempotency_key', first: answer };
}

interface FirstAnswer {
  readonly by: 'key' | 'attempt';
  readonly fingerprint: string;
  readonly id: number | null;
  readonly stage_ids: readonly number[] | null;
  readonly payment_token: string | null;
}

function createdWith(id: number | undefined, stage_ids: readonly number[]): Added {
  return { outcome: 'created', id: id ?? 0, stage_ids };
}
