import { emailKey, formatMoney } from 'dealwright';
import type {
  Contractor,
  ContractorKey,
  DealV2,
  Idempotency,
  NewDeal,
  Tenant,
} from 'dealwright/ports';
import { tenantText } from '../sql/tenant.js';

export type Value = string | number | null;

// below each member by its name: V8 takes ten times as long to copy what is spread

/** The values of a contractor's row: tenant, key, and those of `contractorColumns`. */
export function contractorValues(
  tenant: Tenant,
  key: ContractorKey,
  version: number,
  event_id: string,
  idempotency: Idempotency | undefined,
  contractor: Contractor,
): Value[] {
  return [
    tenantText(tenant),
    tenant.environment,
    key.register,
    key.email_key,
    version,
    event_id,
    idempotency?.key ?? null,
    idempotency?.fingerprint ?? null,
    contractor.email,
    contractor.name,
    contractor.surname,
    contractor.country_code,
    contractor.street,
    contractor.house_no ?? null,
    contractor.apartment_no ?? null,
    contractor.postal_code,
    contractor.city,
    contractor.language,
    contractor.bank_account_currency,
    contractor.bank_account_iban,
    contractor.bank_account_bic ?? null,
    contractor.pesel ?? null,
    contractor.nip ?? null,
    contractor.tax_id ?? null,
  ];
}

/** The values of a deal's row: tenant, and those of `columnsOf['1.0']`. */
export function dealValues(
  tenant: string,
  id: number | null,
  version: number,
  event_id: string,
  idempotency: Idempotency | undefined,
  deal: NewDeal,
): Value[] {
  return [
    tenant,
    deal.partner_id,
    '1.0',
    id,
    deal.created_at,
    event_id,
    version,
    deal.status,
    deal.freelancer_status,
    emailKey(deal.contractor_email),
    idempotency?.key ?? null,
    idempotency?.fingerprint ?? null,
    deal.description,
    deal.currency,
    deal.contractor_email,
    deal.name,
    formatMoney(deal.budget),
    deal.work_days,
    deal.sub_category_id,
  ];
}

/** The values of a deal's row: tenant, and those of `columnsOf['2.0']`. */
export function dealV2Values(
  tenant: string,
  version: number,
  event_id: string,
  idempotency: Idempotency | undefined,
  deal: DealV2,
): Value[] {
  return [
    tenant,
    deal.partner_id,
    '2.0',
    deal.created_at,
    event_id,
    version,
    deal.status,
    deal.freelancer_status,
    emailKey(deal.email_freelancer),
    idempotency?.key ?? null,
    idempotency?.fingerprint ?? null,
    deal.description,
    deal.currency,
    deal.email_freelancer,
    deal.title,
    formatMoney(deal.amount),
    deal.subcategory_id,
    deal.copyright_transfer,
    deal.freelancer_language,
    deal.payment_token,
  ];
}
