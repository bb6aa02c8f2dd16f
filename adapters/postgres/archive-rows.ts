import { emailKey, formatMoney } from 'dealwright';
import type { StoreRecord, Tenant } from 'dealwright/ports';
import { tenantOf, tenantText } from '../sql/tenant.js';
import { createTableRows, type RestoredTable, type TableRows } from './archive-tables.js';

type RecordOf<K extends StoreRecord['record']> = Extract<StoreRecord, { readonly record: K }>;
type Rows = Readonly<Record<RestoredTable, TableRows>>;

/** Records on their way into tables. */
export interface RowCollector {
  /** Makes rows of a record. Throws where it is none. */
  add(record: StoreRecord): void;
  /** The rows that were made since it was last asked, by their tables. */
  take(): Rows;
  /** How many characters those are. */
  size(): number;
  /** The highest id of a deal or a stage that came; 0 where none did. */
  highestId(): number;
}

/** Makes rows of records, which come in the order of an archive. */
export function createRowCollector(): RowCollector {
  let rows = emptyRows();
  let highest = 0;
  const positions = new Map<string, number>();

  const addContractor = ({ tenant, key, contractor, ...own }: RecordOf<'contractor'>) => {
    rows.contractors.add(
      columnOf(tenant),
      tenant.environment,
      key.register,
      key.email_key,
      own.version,
      own.event_id,
      own.idempotency?.key,
      own.idempotency?.fingerprint,
      contractor.email,
      contractor.name,
      contractor.surname,
      contractor.country_code,
      contractor.street,
      contractor.house_no,
      contractor.apartment_no,
      contractor.postal_code,
      contractor.city,
      contractor.language,
      contractor.bank_account_currency,
      contractor.bank_account_iban,
      contractor.bank_account_bic,
      contractor.pesel,
      contractor.nip,
      contractor.tax_id,
    );
  };
  const addDeal = ({ tenant, deal, work_file_keys, ...own }: RecordOf<'deal'>) => {
    const column = columnOf(tenant);
    rows.deals.add(
      column,
      deal.partner_id,
      '1.0',
      deal.id,
      deal.created_at,
      own.event_id,
      own.version,
      deal.status,
      deal.freelancer_status,
      emailKey(deal.contractor_email),
      own.idempotency?.key,
      own.idempotency?.fingerprint,
      deal.description,
      deal.currency,
      deal.contractor_email,
      deal.name,
      formatMoney(deal.budget),
      deal.work_days,
      deal.sub_category_id,
    );
    highest = Math.max(highest, deal.id);
    for (const { id, name, budget, work_days, status } of deal.stages) {
      rows.stages.add(column, deal.id, id, name, formatMoney(budget), work_days, status);
      highest = Math.max(highest, id);
    }
    addWorkFiles(column, deal, work_file_keys);
  };
  const addWorkFiles = (
    column: string,
    { id: deal_id, stages }: RecordOf<'deal'>['deal'],
    work_file_keys: RecordOf<'deal'>['work_file_keys'],
  ) => {
    const keys = new Map(work_file_keys.map((each) => [each.file_id, each]));
    let sequence = 0;
    for (const file of stages.flatMap(({ work_files }) => work_files)) {
      // the sequences of later files are those of their events, of which there is one for each
      sequence += 1;
      const key = keys.get(file.id);
      keys.delete(file.id);
      const { id, stage_id, name, size, sha256, content_type, uploaded_at } = file;
      const beside = [column, deal_id, sequence, key?.key, key?.fingerprint] as const;
      rows.work_files.add(...beside, id, stage_id, name, size, sha256, content_type, uploaded_at);
    }
    if (keys.size > 0) throw new Error('the key of a work file names none of its deal');
  };
  const addDealV2 = ({ tenant, deal, ...own }: RecordOf<'deal_v2'>) => {
    const noneOfVersion1 = [null, null, null, null, null];
    rows.deals.add(
      columnOf(tenant),
      deal.partner_id,
      '2.0',
      null,
      deal.created_at,
      own.event_id,
      own.version,
      deal.status,
      deal.freelancer_status,
      emailKey(deal.email_freelancer),
      own.idempotency?.key,
      own.idempotency?.fingerprint,
      deal.description,
      deal.currency,
      ...noneOfVersion1,
      deal.email_freelancer,
      deal.title,
      formatMoney(deal.amount),
      deal.subcategory_id,
      deal.copyright_transfer,
      deal.freelancer_language,
      deal.payment_token,
    );
  };
  const addEvent = ({ tenant, event }: RecordOf<'event'>) => {
    if (event.environment !== tenant.environment || event.partner !== tenant.partner) {
      throw new Error("an event is not of its record's tenant");
    }
    const { id, type, subject, sequence, at, data } = event;
    const column = columnOf(tenant);
    const position = (positions.get(column) ?? 0) + 1;
    positions.set(column, position);
    rows.events.add(column, position, id, type, subject, sequence, at, JSON.stringify(data));
  };

  return {
    add(given) {
      switch (given.record) {
        case 'contractor':
          addContractor(given);
          break;
        case 'deal':
          addDeal(given);
          break;
        case 'deal_v2':
          addDealV2(given);
          break;
        case 'event':
          addEvent(given);
          break;
        default:
          throw new Error('an archive holds contractors, deals and events, and this is none');
      }
    },
    take() {
      const taken = rows;
      rows = emptyRows();
      return taken;
    },
    size: () => tablesOf(rows).reduce((sum, { size }) => sum + size, 0),
    highestId: () => highest,
  };
}

function tablesOf(rows: Rows): readonly TableRows[] {
  return [rows.contractors, rows.deals, rows.stages, rows.work_files, rows.events];
}

function emptyRows(): Rows {
  return {
    contractors: createTableRows('contractors'),
    deals: createTableRows('deals'),
    stages: createTableRows('stages'),
    work_files: createTableRows('work_files'),
    events: createTableRows('events'),
  };
}

/** What names the tenant, which has to be one: a dump would not know another. */
function columnOf(tenant: Tenant): string {
  const text = tenantText(tenant);
  tenantOf(text);
  return text;
}
