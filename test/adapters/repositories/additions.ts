import { fromMinorUnits } from 'dealwright';
import type { ContractorRegistration, DealAddition, DealV2Addition } from 'dealwright/ports';
import { contractor } from '../../kit/requests.js';

const created_at = '2026-01-01T00:00:00.000Z';
const beginning = { status: 'created', freelancer_status: 'new', created_at } as const;

const idempotencyOf = (key: string | undefined) =>
  key === undefined ? undefined : { key, fingerprint: 'fingerprint' };

export const contractorKey = { register: '', email_key: contractor.email };

/** The registration of the documented contractor. */
export function registrationOf(key?: string): ContractorRegistration {
  return { key: contractorKey, contractor, events: [], idempotency: idempotencyOf(key) };
}

/** A 1.0 deal whose money is in no canonical form but the core's. */
export function additionOf(key?: string, partner_id = 'order-1'): DealAddition {
  const budget = fromMinorUnits(100_001n);
  return {
    deal: {
      partner_id,
      contractor_email: contractor.email,
      name: 'Deal name',
      description: 'Deal description',
      budget,
      currency: 'EUR',
      work_days: 30,
      sub_category_id: 75,
      ...beginning,
      stages: [{ name: 'Deal name', budget, work_days: 30, status: 'pending' }],
    },
    contractor: contractorKey,
    events: [],
    idempotency: idempotencyOf(key),
  };
}

/** A 2.0 deal, whose token another service issues. */
export function additionV2Of(key?: string, partner_id = 'order-2'): DealV2Addition {
  return {
    deal: {
      partner_id,
      email_freelancer: 'freelancer@example.com',
      title: 'Deal title',
      description: 'Deal description',
      subcategory_id: 75,
      amount: fromMinorUnits(50_000n),
      currency: 'PLN',
      copyright_transfer: 'full_transfer',
      freelancer_language: 'pl',
      payment_token: '',
      ...beginning,
    },
    events: [],
    idempotency: idempotencyOf(key),
  };
}
