import { formatMoney } from 'dealwright';
import { createRestorer, type RestoredParts, type Restorer } from '../sql/restorer.js';
import { columnsOf, dealColumns } from './add-sql.js';
import { createTableRows, type RestoredTable, type TableRows } from './archive-tables.js';
import { contractorValues, dealV2Values, dealValues } from './row-values.js';

type Rows = Readonly<Record<RestoredTable, TableRows>>;

/** Records on their way into tables. */
export interface RowCollector extends Restorer {
  /** The rows that were made since it was last asked, by their tables. */
  take(): Rows;
  /** How many characters those are. */
  size(): number;
}

/** Where the values of a deal of version 2.0 stand among its own, for each column of the table. */
const placesOfV2 = ['tenant', ...dealColumns.map(([name]) => name)].map((name) =>
  ['tenant', ...columnsOf['2.0']].indexOf(name),
);

/** Makes rows of records, which come in the order of an archive. */
export function createRowCollector(): RowCollector {
  let rows = emptyRows();
  const parts: RestoredParts = {
    contractor(_, { tenant, key, version, event_id, idempotency, contractor }) {
      rows.contractors.add(
        contractorValues(tenant, key, version, event_id, idempotency, contractor),
      );
    },
    deal(tenant, { version, event_id, idempotency, deal }) {
      rows.deals.add(dealValues(tenant, deal.id, version, event_id, idempotency, deal));
    },
    dealV2(tenant, { version, event_id, idempotency, deal }) {
      const values = dealV2Values(tenant, version, event_id, idempotency, deal);
      // a column of version 1.0 has no place, and no value
      rows.deals.add(placesOfV2.map((at) => values[at]));
    },
    stage(tenant, deal_id, { id, name, budget, work_days, status }) {
      rows.stages.add([tenant, deal_id, id, name, formatMoney(budget), work_days, status]);
    },
    workFile(tenant, deal_id, sequence, file, idempotency) {
      const { id, stage_id, name, size, sha256, content_type, uploaded_at } = file;
      const beside = [tenant, deal_id, sequence, idempotency?.key, idempotency?.fingerprint];
      rows.work_files.add([...beside, id, stage_id, name, size, sha256, content_type, uploaded_at]);
    },
    event(tenant, position, { id, type, subject, sequence, at, data }) {
      const text = JSON.stringify(data);
      rows.events.add([tenant, position, id, type, subject, sequence, at, text]);
    },
  };

  return {
    ...createRestorer(parts),
    take() {
      const taken = rows;
      rows = emptyRows();
      return taken;
    },
    size: () => tablesOf(rows).reduce((sum, { size }) => sum + size, 0),
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
