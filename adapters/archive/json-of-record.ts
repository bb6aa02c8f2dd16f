import { type EventData, formatMoney } from 'dealwright';
import type {
  Contractor,
  Deal,
  DealV2,
  DomainEvent,
  Idempotency,
  Stage,
  StoreRecord,
  Tenant,
  WorkFile,
} from 'dealwright/ports';

type RecordOf<K extends StoreRecord['record']> = Extract<StoreRecord, { readonly record: K }>;

/** All members, so that the compiler keeps them complete. */
type MembersOf<T> = Readonly<Record<keyof T, unknown>>;

/**
 * The text of a record. Its members are named one by one, so that they stand in one order, whatever
 * order a store has them in: the same record is the same text from each. Money is a decimal, as JSON
 * has no integers without bounds.
 */
export function jsonOf(given: StoreRecord): string {
  switch (given.record) {
    case 'contractor':
      return JSON.stringify(contractorRecord(given));
    case 'deal':
      return JSON.stringify(dealRecord(given));
    case 'deal_v2':
      return JSON.stringify(dealV2Record(given));
    case 'event':
      return JSON.stringify(eventRecord(given));
    default:
      return unknown('record', Object(given).record);
  }
}

/** What a store gave that is not of this version: left out, nobody would miss it before a restore. */
function unknown(what: string, kind: unknown): never {
  throw new TypeError(`an archive has no ${what} ${JSON.stringify(kind)}`);
}

function contractorRecord(given: RecordOf<'contractor'>): MembersOf<RecordOf<'contractor'>> {
  const { record, tenant, key, contractor, version, event_id, idempotency } = given;
  return {
    record,
    tenant: tenantOf(tenant),
    key: { register: key.register, email_key: key.email_key },
    contractor: contractorOf(contractor),
    version,
    event_id,
    idempotency: idempotencyOf(idempotency),
  };
}

function contractorOf(contractor: Contractor): MembersOf<Contractor> {
  return {
    email: contractor.email,
    name: contractor.name,
    surname: contractor.surname,
    country_code: contractor.country_code,
    street: contractor.street,
    house_no: contractor.house_no,
    apartment_no: contractor.apartment_no,
    postal_code: contractor.postal_code,
    city: contractor.city,
    language: contractor.language,
    bank_account_currency: contractor.bank_account_currency,
    bank_account_iban: contractor.bank_account_iban,
    bank_account_bic: contractor.bank_account_bic,
    pesel: contractor.pesel,
    nip: contractor.nip,
    tax_id: contractor.tax_id,
  };
}

function dealRecord(given: RecordOf<'deal'>): MembersOf<RecordOf<'deal'>> {
  const { record, tenant, deal, version, event_id, idempotency, work_file_keys } = given;
  return {
    record,
    tenant: tenantOf(tenant),
    deal: dealOf(deal),
    work_file_keys: work_file_keys.map(({ key, fingerprint, file_id }) => {
      return { key, fingerprint, file_id };
    }),
    version,
    event_id,
    idempotency: idempotencyOf(idempotency),
  };
}

function dealOf(deal: Deal): MembersOf<Deal> {
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
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
    stages: deal.stages.map(stageOf),
  };
}

function stageOf({ id, name, budget, work_days, status, work_files }: Stage): MembersOf<Stage> {
  const files = work_files.map(workFileOf);
  return { id, name, budget: formatMoney(budget), work_days, status, work_files: files };
}

function workFileOf(file: WorkFile): MembersOf<WorkFile> {
  const { id, stage_id, name, size, sha256, content_type, uploaded_at } = file;
  return { id, stage_id, name, size, sha256, content_type, uploaded_at };
}

function dealV2Record(given: RecordOf<'deal_v2'>): MembersOf<RecordOf<'deal_v2'>> {
  const { record, tenant, deal, version, event_id, idempotency } = given;
  return {
    record,
    tenant: tenantOf(tenant),
    deal: dealV2Of(deal),
    version,
    event_id,
    idempotency: idempotencyOf(idempotency),
  };
}

function dealV2Of(deal: DealV2): MembersOf<DealV2> {
  return {
    partner_id: deal.partner_id,
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    description: deal.description,
    subcategory_id: deal.subcategory_id,
    amount: formatMoney(deal.amount),
    currency: deal.currency,
    copyright_transfer: deal.copyright_transfer,
    freelancer_language: deal.freelancer_language,
    payment_token: deal.payment_token,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    created_at: deal.created_at,
  };
}

function eventRecord(given: RecordOf<'event'>): MembersOf<RecordOf<'event'>> {
  return { record: given.record, tenant: tenantOf(given.tenant), event: eventOf(given.event) };
}

function eventOf(event: DomainEvent): MembersOf<DomainEvent> {
  const { id, type, environment, partner, subject, sequence, at } = event;
  return { id, type, environment, partner, subject, sequence, at, data: dataOf(event) };
}

function dataOf({ type, data }: DomainEvent): object {
  switch (type) {
    case 'contractor.registered': {
      const { contractor_email, country_code, language } = data;
      return { contractor_email, country_code, language } satisfies MembersOf<typeof data>;
    }
    case 'deal.created':
      return dealCreatedOf(data);
    case 'work_file.stored': {
      const { partner_id, stage_id, work_file_id, name, size, sha256, content_type } = data;
      const file = { partner_id, stage_id, work_file_id, name, size, sha256, content_type };
      return file satisfies MembersOf<typeof data>;
    }
    default:
      return unknown('event', type);
  }
}

function dealCreatedOf(data: EventData['deal.created']): object {
  if (data.api_version === '2.0') {
    return {
      api_version: data.api_version,
      partner_id: data.partner_id,
      email_freelancer: data.email_freelancer,
      title: data.title,
      amount: data.amount,
      currency: data.currency,
      subcategory_id: data.subcategory_id,
    } satisfies MembersOf<typeof data>;
  }
  return {
    api_version: data.api_version,
    partner_id: data.partner_id,
    contractor_email: data.contractor_email,
    name: data.name,
    budget: data.budget,
    currency: data.currency,
    work_days: data.work_days,
    sub_category_id: data.sub_category_id,
  } satisfies MembersOf<typeof data>;
}

function tenantOf({ environment, partner }: Tenant): MembersOf<Tenant> {
  return { environment, partner };
}

function idempotencyOf(given: Idempotency | undefined): MembersOf<Idempotency> | undefined {
  return given && { key: given.key, fingerprint: given.fingerprint };
}
