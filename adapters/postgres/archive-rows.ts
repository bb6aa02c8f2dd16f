import { emailKey, formatMoney } from 'dealwright';
import type { StoreRecord, Tenant } from 'dealwright/ports';
import { tenantOf, tenantText } from '../sql/tenant.js';

/** The tables that records become rows of, in the order in which they are written. */
export const restoredTables = ['contractors', 'deals', 'stages', 'work_files', 'events'] as const;

type Row = Readonly<Record<string, unknown>>;
type RecordOf<K extends StoreRecord['record']> = Extract<StoreRecord, { readonly record: K }>;

/** Records on their way into tables. */
export interface RowCollector {
  /** Makes rows of a record. Throws where it is none. */
  add(record: StoreRecord): void;
  /** The rows that were made since it was last asked, by their tables. */
  take(): Readonly<Record<(typeof restoredTables)[number], readonly Row[]>>;
  /** The highest id of a deal or a stage that came; 0 where none did. */
  highestId(): number;
}

/** Makes rows of records, which come in the order of an archive. */
export function createRowCollector(): RowCollector {
  let rows = emptyRows();
  let highest = 0;
  const positions = new Map<string, number>();

  const addContractor = (given: RecordOf<'contractor'>) => {
    const { register, email_key } = given.key;
    const { environment } = given.tenant;
    rows.contractors.push({
      ...given.contractor,
      environment,
      register,
      email_key,
      ...whose(given),
    });
  };
  const addDeal = (given: RecordOf<'deal'>) => {
    const { stages, ...deal } = given.deal;
    const own = whose(given);
    const { tenant } = own;
    rows.deals.push({
      ...deal,
      api_version: '1.0',
      email_key: emailKey(deal.contractor_email),
      budget: formatMoney(deal.budget),
      ...own,
    });
    highest = Math.max(highest, deal.id);
    const keys = new Map(given.work_file_keys.map((each) => [each.file_id, each]));
    let sequence = 0;
    for (const { work_files, ...stage } of stages) {
      const budget = formatMoney(stage.budget);
      rows.stages.push({ ...stage, tenant, deal_id: deal.id, budget });
      highest = Math.max(highest, stage.id);
      for (const file of work_files) {
        // the sequences of later files are those of their events, of which there is one for each
        sequence += 1;
        const key = keys.get(file.id);
        keys.delete(file.id);
        const kept = { idempotency_key: key?.key, fingerprint: key?.fingerprint };
        rows.work_files.push({ ...file, tenant, deal_id: deal.id, sequence, ...kept });
      }
    }
    if (keys.size > 0) throw new Error('the key of a work file names none of its deal');
  };
  const addDealV2 = (given: RecordOf<'deal_v2'>) => {
    const email_key = emailKey(given.deal.email_freelancer);
    const amount = formatMoney(given.deal.amount);
    rows.deals.push({ ...given.deal, api_version: '2.0', email_key, amount, ...whose(given) });
  };
  const addEvent = ({ tenant, event }: RecordOf<'event'>) => {
    if (event.environment !== tenant.environment || event.partner !== tenant.partner) {
      throw new Error("an event is not of its record's tenant");
    }
    const { id, type, subject, sequence, at, data } = event;
    const own = columnOf(tenant);
    const position = (positions.get(own) ?? 0) + 1;
    positions.set(own, position);
    rows.events.push({ tenant: own, position, id, type, subject, sequence, at, data });
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
    highestId: () => highest,
  };
}

function emptyRows(): Record<(typeof restoredTables)[number], Row[]> {
  return { contractors: [], deals: [], stages: [], work_files: [], events: [] };
}

function whose({
  tenant,
  version,
  event_id,
  idempotency,
}: Exclude<StoreRecord, { event: unknown }>) {
  return {
    tenant: columnOf(tenant),
    version,
    event_id,
    idempotency_key: idempotency?.key,
    fingerprint: idempotency?.fingerprint,
  };
}

/** What names the tenant, which has to be one: a dump would not know another. */
function columnOf(tenant: Tenant): string {
  const text = tenantText(tenant);
  tenantOf(text);
  return text;
}
