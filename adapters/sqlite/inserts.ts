import { emailKey, formatMoney } from 'dealwright';
import type {
  Contractor,
  ContractorKey,
  DealV2,
  DomainEvent,
  Idempotency,
  NewDeal,
  NewStage,
  WorkFile,
} from 'dealwright/ports';
import type { Prepare } from './sqlite-like.js';

/** What is written beside every record. */
interface Beside {
  /** As a column names it. */
  readonly tenant: string;
  readonly version: number;
  readonly event_id: string;
  readonly idempotency: Idempotency | undefined;
}

/** What puts a row into each table: for writes, and for restoring. */
export type Inserts = ReturnType<typeof createInserts>;

const list = (columns: string) => columns.trim().split(/\s+/);

function insertInto(table: string, columns: readonly string[]): string {
  const values = columns.map(() => '?').join(', ');
  return `insert into dealwright_${table} (${columns.join(', ')}) values (${values})`;
}

const dealColumns = list(`api_version tenant partner_id version event_id idempotency_key fingerprint
  email_key created_at status freelancer_status currency description`);

/** Prepares the statements that put rows in. */
export function createInserts(prepare: Prepare) {
  const contractor = prepare(
    insertInto(
      'contractors',
      list(`environment register email_key tenant version event_id idempotency_key fingerprint
        email name surname country_code street house_no apartment_no postal_code city language
        bank_account_currency bank_account_iban bank_account_bic pesel nip tax_id`),
    ),
  );
  const deal = prepare(
    insertInto('deals', [
      ...dealColumns,
      ...list('id contractor_email name budget work_days sub_category_id'),
    ]),
  );
  const dealV2 = prepare(
    insertInto('deals', [
      ...dealColumns,
      ...list(`email_freelancer title amount subcategory_id copyright_transfer freelancer_language
        payment_token`),
    ]),
  );
  const stage = prepare(
    insertInto('stages', list('tenant deal_id id name budget work_days status')),
  );
  const workFile = prepare(
    insertInto(
      'work_files',
      list(`tenant deal_id sequence id stage_id name size sha256 content_type uploaded_at
        idempotency_key fingerprint`),
    ),
  );
  const event = prepare(
    insertInto('events', list('tenant position id type subject sequence at data')),
  );

  const dealValues = (
    api_version: '1.0' | '2.0',
    { tenant, version, event_id, idempotency }: Beside,
    value: NewDeal | DealV2,
    email: string,
  ) =>
    [
      api_version,
      tenant,
      value.partner_id,
      version,
      event_id,
      idempotency?.key ?? null,
      idempotency?.fingerprint ?? null,
      emailKey(email),
      value.created_at,
      value.status,
      value.freelancer_status,
      value.currency,
      value.description,
    ] as const;

  return {
    contractor(
      environment: string,
      { register, email_key }: ContractorKey,
      { tenant, version, event_id, idempotency }: Beside,
      value: Contractor,
    ): void {
      contractor.run(
        environment,
        register,
        email_key,
        tenant,
        version,
        event_id,
        idempotency?.key ?? null,
        idempotency?.fingerprint ?? null,
        value.email,
        value.name,
        value.surname,
        value.country_code,
        value.street,
        value.house_no ?? null,
        value.apartment_no ?? null,
        value.postal_code,
        value.city,
        value.language,
        value.bank_account_currency,
        value.bank_account_iban,
        value.bank_account_bic ?? null,
        value.pesel ?? null,
        value.nip ?? null,
        value.tax_id ?? null,
      );
    },
    deal(beside: Beside, id: number, value: NewDeal): void {
      deal.run(
        ...dealValues('1.0', beside, value, value.contractor_email),
        id,
        value.contractor_email,
        value.name,
        formatMoney(value.budget),
        value.work_days,
        value.sub_category_id,
      );
    },
    dealV2(beside: Beside, value: DealV2): void {
      dealV2.run(
        ...dealValues('2.0', beside, value, value.email_freelancer),
        value.email_freelancer,
        value.title,
        formatMoney(value.amount),
        value.subcategory_id,
        value.copyright_transfer,
        value.freelancer_language,
        value.payment_token,
      );
    },
    stage(tenant: string, deal_id: number, id: number, value: NewStage): void {
      const { name, budget, work_days, status } = value;
      stage.run(tenant, deal_id, id, name, formatMoney(budget), work_days, status);
    },
    /** `sequence` orders the files of a deal. */
    workFile(
      tenant: string,
      deal_id: number,
      sequence: number,
      file: WorkFile,
      idempotency: Idempotency | undefined,
    ): void {
      workFile.run(
        tenant,
        deal_id,
        sequence,
        file.id,
        file.stage_id,
        file.name,
        file.size,
        file.sha256,
        file.content_type,
        file.uploaded_at,
        idempotency?.key ?? null,
        idempotency?.fingerprint ?? null,
      );
    },
    event(tenant: string, position: number, value: DomainEvent): void {
      const { id, type, subject, sequence, at, data } = value;
      event.run(tenant, position, id, type, subject, sequence, at, JSON.stringify(data));
    },
  };
}
