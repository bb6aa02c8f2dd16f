import type { StoreRecord } from 'dealwright/ports';
import { tenantText } from '../sql/tenant.js';
import { turn } from '../sql/turn.js';
import { longestWait } from './dump.js';
import { codeOf } from './failures.js';
import { createInserts, type Inserts } from './inserts.js';
import { createLedgers, type Ledger } from './ledger.js';
import { rollBack } from './roll-back.js';
import { type Prepare, preparer, type SqliteLike } from './sqlite-like.js';

/** Writes all records into an empty database, in one transaction. */
export async function restore(
  db: SqliteLike,
  records: AsyncIterable<StoreRecord>,
): Promise<number> {
  const prepare = preparer(db);
  const inserts = createInserts(prepare);
  const openLedger = createLedgers(prepare, inserts);
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin immediate').run();
  try {
    const found = prepare(`select exists (select 1 from dealwright_contractors)
      or exists (select 1 from dealwright_deals)
      or exists (select 1 from dealwright_tenants) as found`).get<{ found: number }>();
    if (found?.found !== 0) {
      throw new Error('the database holds something already: nothing was restored');
    }
    const ledger = openLedger();
    let count = 0;
    let lastId = 0;
    for await (const record of records) {
      lastId = Math.max(lastId, write(inserts, ledger, record));
      count += 1;
      // records that are at hand would let nobody else in
      if (count % 1_000 === 0) await turn();
    }
    ledger.settle();
    prepare('update dealwright_ids set next = max(next, ?)').run(lastId + 1);
    commit(prepare);
    return count;
  } catch (cause) {
    rollBack(prepare);
    throw cause;
  }
}

/** A disk that fails may have taken the mark of the commit, and show it after the next start. */
function commit(prepare: Prepare): void {
  try {
    prepare('commit').run();
  } catch (cause) {
    if (codeOf(cause) !== 'SQLITE_IOERR') throw cause;
    throw new Error(
      'everything may have been restored, or nothing: the disk failed at the end. Look whether deals are there',
      { cause },
    );
  }
}

/** Writes one record, and answers with the highest id in it. */
function write(inserts: Inserts, ledger: Ledger, record: StoreRecord): number {
  const tenant = tenantText(record.tenant);
  switch (record.record) {
    case 'contractor':
      inserts.contractor(
        record.tenant.environment,
        record.key,
        { ...record, tenant },
        record.contractor,
      );
      return 0;
    case 'deal_v2':
      inserts.dealV2({ ...record, tenant }, record.deal);
      return 0;
    case 'deal':
      return writeDeal(inserts, tenant, record);
    case 'event':
      writeEvent(ledger, record);
      return 0;
    default:
      return refuse(record);
  }
}

function refuse(record: never): never {
  throw new TypeError(`a record of another kind: ${String(Object(record).record)}`);
}

function writeEvent(
  ledger: Ledger,
  { tenant, event }: Extract<StoreRecord, { record: 'event' }>,
): void {
  // a column says whose an event is, and says it once
  if (event.environment !== tenant.environment || event.partner !== tenant.partner) {
    throw new TypeError("a record has another tenant's event");
  }
  ledger.append(tenantText(tenant), [event]);
}

function writeDeal(
  inserts: Inserts,
  tenant: string,
  record: Extract<StoreRecord, { record: 'deal' }>,
): number {
  const { deal, work_file_keys } = record;
  inserts.deal({ ...record, tenant }, deal.id, deal);
  const keys = new Map(work_file_keys.map((each) => [each.file_id, each]));
  let highest = deal.id;
  let sequence = 0;
  for (const stage of deal.stages) {
    highest = Math.max(highest, stage.id);
    inserts.stage(tenant, deal.id, stage.id, stage);
    for (const file of stage.work_files) {
      sequence += 1;
      inserts.workFile(tenant, deal.id, sequence, file, keys.get(file.id));
      keys.delete(file.id);
    }
  }
  if (keys.size > 0) throw new TypeError('a record has the key of a file that its deal has not');
  return highest;
}
