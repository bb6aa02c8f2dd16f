import type { StoreRecord } from 'dealwright/ports';
import { createRestorer, type RestoredParts } from '../sql/restorer.js';
import { turn } from '../sql/turn.js';
import { longestWait } from './dump.js';
import { codeOf } from './failures.js';
import { createInserts, type Inserts } from './inserts.js';
import { rollBack } from './roll-back.js';
import { type Prepare, preparer, type SqliteLike } from './sqlite-like.js';

/** Writes all records into an empty database, in one transaction. */
export async function restore(
  db: SqliteLike,
  records: AsyncIterable<StoreRecord>,
): Promise<number> {
  const prepare = preparer(db);
  const restorer = createRestorer(partsInto(createInserts(prepare)));
  const setPosition = prepare(
    'insert into dealwright_tenants (tenant, last_position) values (?, ?)',
  );
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin immediate').run();
  try {
    const found = prepare(`select exists (select 1 from dealwright_contractors)
      or exists (select 1 from dealwright_deals)
      or exists (select 1 from dealwright_tenants) as found`).get<{ found: number }>();
    if (found?.found !== 0) {
      throw new Error('the database holds something already: nothing was restored');
    }
    let count = 0;
    for await (const record of records) {
      restorer.add(record);
      count += 1;
      // records that are at hand would let nobody else in
      if (count % 1_000 === 0) await turn();
    }
    for (const [tenant, position] of restorer.positions()) setPosition.run(tenant, position);
    prepare('update dealwright_ids set next = max(next, ?)').run(restorer.highestId() + 1);
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

/** Puts the parts of records into their tables. */
function partsInto(inserts: Inserts): RestoredParts {
  return {
    contractor(tenant, record) {
      const { environment } = record.tenant;
      inserts.contractor(environment, record.key, { ...record, tenant }, record.contractor);
    },
    deal(tenant, record) {
      inserts.deal({ ...record, tenant }, record.deal.id, record.deal);
    },
    dealV2(tenant, record) {
      inserts.dealV2({ ...record, tenant }, record.deal);
    },
    stage(tenant, deal_id, stage) {
      inserts.stage(tenant, deal_id, stage.id, stage);
    },
    workFile: inserts.workFile,
    event: inserts.event,
  };
}
