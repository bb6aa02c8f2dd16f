import type { Row, Store, Tenant, WriteSet } from 'dealwright/ports';
import { createUlids } from 'dealwright/system';

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const at = '2026-01-01T00:00:00.000Z';
const ids = createUlids();
const address = 'user@example.com';

/** The write that registers the contractor of the deals. */
export function registration(row: Partial<Row<'contractor'>> = {}): WriteSet {
  const contractor: Row<'contractor'> = {
    contractor_key: address,
    email: address,
    name: 'Name',
    surname: 'Surname',
    country_code: 'AT',
    street: 'Street',
    house_no: null,
    apartment_no: null,
    postal_code: '5020',
    city: 'City',
    language: 'en',
    bank_account_currency: 'EUR',
    bank_account_iban: 'AT611904300234573201',
    bank_account_bic: null,
    pesel: null,
    nip: null,
    tax_id: null,
    ...row,
  };
  const key = contractor.contractor_key;
  return {
    attempt: ids.next(),
    expect: [{ absent: 'contractor', key }],
    insert: [{ kind: 'contractor', row: contractor }],
    change: [],
    subject: { kind: 'contractor', key },
    events: [eventOf('contractor.registered', `contractor:${key}`)],
  };
}

/** The members of a deal that a test chooses. */
export interface DealPart extends Partial<Row<'deal'>> {
  readonly stage?: string;
  readonly key?: string;
  readonly fingerprint?: string;
}

/** The write that creates a deal of version 1.0 with one stage; its integers are reserved. */
export async function addition(
  store: Pick<Store, 'reserve'>,
  partner_id: string,
  { stage = 'Stage', key, fingerprint = 'fingerprint', ...row }: DealPart = {},
  { environment } = acme,
): Promise<WriteSet> {
  const id = (await store.reserve(environment, 2))._unsafeUnwrap();
  return additionOf(id, partner_id, { stage, fingerprint, ...(key && { key }), ...row });
}

/** The same, with integers that are not reserved. */
export function additionOf(
  id: number,
  partner_id: string,
  { stage = 'Stage', key, fingerprint = 'fingerprint', ...row }: DealPart = {},
): WriteSet {
  const deal: Row<'deal'> = {
    partner_id,
    id,
    api_version: '1.0',
    email_freelancer: address,
    email_key: address,
    title: 'Deal name',
    description: 'Description',
    subcategory_id: 75,
    amount: '1000.00',
    currency: 'EUR',
    work_days: 30,
    copyright_transfer: null,
    freelancer_language: null,
    payment_token: null,
    status: 'created',
    freelancer_status: 'new',
    created_at: at,
    mode: 'invoice',
    employer_fee: '10.00',
    contractor_fee: '20.00',
    agreed_amount: null,
    expires_at: null,
    notice_at: null,
    due_at: null,
    attention: null,
    terms_version: null,
    terms_sha256: null,
    accepted_by: null,
    issued_amount: null,
    proposal: null,
    status_since: null,
    alert: null,
    alert_at: null,
    ...row,
  };
  const answer_key = `deal ${key}`;
  const answer = JSON.stringify({ id: deal.id, stage_ids: [id + 1] });
  const { amount: budget, work_days } = deal;
  const untouched = {
    ...({ status: 'pending', agreed_amount: null, submitted_at: null } as const),
    ...{ kind: null, started_at: null, deadline: null, overdue_told: null, notice_at: null },
  };
  return {
    attempt: ids.next(),
    expect: [
      ...(key === undefined ? [] : [{ absent: 'answer', key: answer_key } as const]),
      { absent: 'deal', key: partner_id },
      { present: 'contractor', key: address },
    ],
    insert: [
      { kind: 'deal', row: deal },
      {
        kind: 'stage',
        row: { id: id + 1, partner_id, name: stage, budget, work_days, ...untouched },
      },
      ...(key === undefined
        ? []
        : [{ kind: 'answer', row: { answer_key, fingerprint, answer, ends_at: null } } as const]),
    ],
    change: [],
    subject: { kind: 'deal', key: partner_id },
    events: [eventOf('deal.created', `deal:${partner_id}`)],
  };
}

function eventOf(type: string, subject: string) {
  return {
    id: ids.next(),
    type,
    subject,
    at,
    actor: 'partner',
    cause: null,
    data: { subject },
  } as const;
}

/** The outcomes of a create. */
export const committed = { outcome: 'committed' } as const;
export const refused = (expectation: number) => ({ outcome: 'refused', expectation }) as const;
