import { err, ok, type Result } from 'neverthrow';
import type { DealDetails, DealRetrieved, StageRetrieved } from '../api/answers.js';
import { unpaidBilling } from '../domain/billing.js';
import { type Deal, isDealId, isPartnerId } from '../domain/deal.js';
import type { DealV2 } from '../domain/deal-v2.js';
import { plainError, type RetrieveDealError } from '../domain/errors.js';
import type { Language } from '../domain/messages.js';
import { formatMoney } from '../domain/money.js';
import type { Stage } from '../domain/stage.js';
import type { Tenant } from '../domain/tenant.js';
import type { PortFailure } from '../ports/answer.js';
import type { StoredDeal } from '../ports/deal-index.js';
import { type Context, languageOf, portFailed, promiseBroken } from './context.js';

type ReadOptions = { readonly language?: Language } | undefined;

/**
 * A deal of version 1.0 by its id (interface, Retrieve a specific deal). What is no id names no
 * deal, and somebody else's deal is none (decision 2.5).
 */
export async function retrieveDeal(
  { ports, guard }: Context,
  tenant: Tenant,
  id: unknown,
  options: ReadOptions,
): Promise<Result<DealRetrieved, RetrieveDealError>> {
  const language = languageOf(options);
  if (!isDealId(id)) return err(plainError('not_found', language));
  const found = await guard('none', () => ports.deals.byId(tenant, id));
  return answer('deals.byId', found, language, ({ value }) => {
    if (value.id !== id) throw new Error('not the deal that was asked for');
    return dealRetrieved(value);
  });
}

/** A deal of either version by its `partner_id` (interface, Retrieve deal details). */
export async function retrieveDealDetails(
  { ports, guard }: Context,
  tenant: Tenant,
  partner_id: unknown,
  options: ReadOptions,
): Promise<Result<DealDetails, RetrieveDealError>> {
  const language = languageOf(options);
  if (!isPartnerId(partner_id)) return err(plainError('not_found', language));
  const found = await guard('none', () => ports.dealIndex.byPartnerId(tenant, partner_id));
  return answer('dealIndex.byPartnerId', found, language, (stored: StoredDeal) => {
    const details =
      stored.api_version === '1.0' ? detailsOfDeal(stored.value) : detailsOfDealV2(stored.value);
    if (details.partner_id !== partner_id) throw new Error('not the deal that was asked for');
    return details;
  });
}

function answer<S, T>(
  port: string,
  found: Result<S | undefined, PortFailure>,
  language: Language,
  show: (stored: S) => T,
): Result<T, RetrieveDealError> {
  if (found.isErr()) {
    return err(portFailed(port, { ...found.error, outcome: 'none' }, { language }));
  }
  if (found.value === undefined) return err(plainError('not_found', language));
  try {
    return ok(show(found.value));
  } catch (cause) {
    return err(promiseBroken(port, cause, 'none', { language }));
  }
}

function dealRetrieved(deal: Deal): DealRetrieved {
  return {
    id: deal.id,
    partner_id: deal.partner_id,
    contractor_email: deal.contractor_email,
    name: deal.name,
    description: deal.description,
    budget: formatMoney(deal.budget),
    currency: deal.currency,
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
    status: deal.status,
    stages: deal.stages.map(stageRetrieved),
    billing: unpaidBilling(deal.budget, deal.currency),
    created_at: deal.created_at,
  };
}

function stageRetrieved({
  id,
  name,
  budget,
  work_days,
  status,
  work_files,
}: Stage): StageRetrieved {
  return {
    id,
    name,
    budget: formatMoney(budget),
    work_days,
    status,
    work_files: work_files.map((file) => ({ ...file })),
  };
}

function detailsOfDeal(deal: Deal): DealDetails {
  return {
    partner_id: deal.partner_id,
    api_version: '1.0',
    id: deal.id,
    email_freelancer: deal.contractor_email,
    title: deal.name,
    description: deal.description,
    subcategory_id: deal.sub_category_id,
    amount: formatMoney(deal.budget),
    currency: deal.currency,
    copyright_transfer: null,
    freelancer_language: null,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    payment_token: null,
    billing: unpaidBilling(deal.budget, deal.currency),
    created_at: deal.created_at,
  };
}

function detailsOfDealV2(deal: DealV2): DealDetails {
  return {
    partner_id: deal.partner_id,
    api_version: '2.0',
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    description: deal.description,
    subcategory_id: deal.subcategory_id,
    amount: formatMoney(deal.amount),
    currency: deal.currency,
    copyright_transfer: deal.copyright_transfer,
    freelancer_language: deal.freelancer_language,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    payment_token: deal.payment_token,
    billing: unpaidBilling(deal.amount, deal.currency),
    created_at: deal.created_at,
  };
}
