import { fromMinorUnits } from 'dealwright';
import type {
  ContractorRegistration,
  DealAddition,
  DealV2Addition,
  DomainEvent,
  Idempotency,
  Tenant,
} from 'dealwright/ports';
import { createUlids } from 'dealwright/system';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const at = '2026-01-01T00:00:00.000Z';
const ids = createUlids();
const address = 'user@example.com';

/** The key of the contractor that deals are for. */
export const contractor = { register: '', email_key: address };

/** The registration of that contractor. */
export function registration(tenant = acme): ContractorRegistration {
  const event: DomainEvent = {
    id: ids.next(),
    type: 'contractor.registered',
    ...tenant,
    subject: `contractor:${address}`,
    sequence: 1,
    at,
    data: { contractor_email: address, country_code: 'AT', language: 'en' },
  };
  const value = {
    email: address,
    name: 'Name',
    surname: 'Surname',
    country_code: 'AT',
    street: 'Street',
    postal_code: '5020',
    city: 'City',
    language: 'en',
    bank_account_currency: 'EUR',
    bank_account_iban: 'AT611904300234573201',
  };
  return { key: contractor, contractor: value, events: [event], idempotency: undefined };
}

/** What a test says of a deal. */
export interface DealPart {
  readonly description?: string;
  readonly created_at?: string;
  readonly idempotency?: Idempotency;
}

/** A deal of version 1.0 with one stage. */
export function addition(
  partner_id: string,
  { description = 'Description', created_at = at, idempotency }: DealPart = {},
  tenant = acme,
): DealAddition {
  const deal = {
    partner_id,
    contractor_email: address,
    name: 'Deal name',
    description,
    budget: fromMinorUnits(100_000n),
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
    status: 'created' as const,
    freelancer_status: 'new' as const,
    created_at,
    stages: [
      {
        name: 'Stage',
        budget: fromMinorUnits(100_000n),
        work_days: 30,
        status: 'pending' as const,
      },
    ],
  };
  return { deal, contractor, events: [created(tenant, partner_id)], idempotency };
}

/** A deal of version 2.0. */
export function additionV2(
  partner_id: string,
  { description = 'Description', created_at = at, idempotency }: DealPart = {},
  tenant = acme,
): DealV2Addition {
  const deal = {
    partner_id,
    email_freelancer: address,
    title: 'Title',
    description,
    subcategory_id: 75,
    amount: fromMinorUnits(50_000n),
    currency: 'PLN',
    copyright_transfer: 'full_transfer',
    freelancer_language: 'pl',
    payment_token: `token-of-the-deal-${ids.next()}`,
    status: 'created' as const,
    freelancer_status: 'new' as const,
    created_at,
  };
  return { deal, events: [created(tenant, partner_id)], idempotency };
}

function created(tenant: Tenant, partner_id: string): DomainEvent {
  return {
    id: ids.next(),
    type: 'deal.created',
    ...tenant,
    subject: `deal:${partner_id}`,
    sequence: 1,
    at,
    data: {
      api_version: '2.0',
      partner_id,
      email_freelancer: address,
      title: 'Title',
      amount: '500.00',
      currency: 'PLN',
      subcategory_id: 75,
    },
  };
}
