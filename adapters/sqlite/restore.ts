import { type ArchiveRecord, shapeOf } from 'dealwright/ports';
import { createRestoredRecords } from '../sql/restored-records.js';
import { kinds, tables } from '../sql/tables.js';
import { turn } from '../sql/turn.js';
import { longestWait } from './dump.js';
import { codeOf } from './failures.js';
import { rollBack } from './roll-back.js';
import { type Prepare, preparer, type SqliteLike } from './sqlite-like.js';
import { createInsert, nameOf } from './statements.js';

/** Writes all records into an empty database, in one transaction. */
export async function restore(
  db: SqliteLike,
  records: AsyncIterable<ArchiveRecord>,
): Promise<number> {
  const prepare = preparer(db);
  const insert = createInsert(prepare);
  const restored = createRestoredRecords();
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin immediate').run();
  try {
    refuseUnlessEmpty(prepare);
    let count = 0;
    for await (const record of records) {
      const { kind, names, row } = restored.read(record);
      insert(kind, row, { ...row, ...names });
      count += 1;
      // records that are at hand would let nobody else in
      if (count % 1_000 === 0) await turn();
    }
    refuseOrphans(prepare);
    const setPosition = prepare(
      'insert into dealwright_tenants (tenant, last_position) values (?, ?)',
    );
    for (const [tenant, position] of restored.positions()) setPosition.run(tenant, position);
    const setNumber = prepare('update dealwright_numbers set last = ? where environment = ?');
    for (const environment of ['production', 'sandbox'] as const) {
      setNumber.run(restored.highest(environment), environment);
    }
    commit(prepare);
    return count;
  } catch (cause) {
    rollBack(prepare);
    throw cause;
  }
}

/** Who has taken integers would go on with them, beside those that come. */
function refuseUnlessEmpty(prepare: Prepare): void {
  const full = kinds.map((kind) => `exists (select 1 from ${nameOf(tables[kind])})`);
  const found = prepare(`select ${full.join(' or ')} as records,
    exists (select 1 from dealwright_numbers where last > 0) as numbers`).get<{
    records: number;
    numbers: number;
  }>();
  if (found?.records !== 0) {
    throw new Error('the database holds something already: nothing was restored');
  }
  if (found.numbers !== 0) {
    throw new Error(
      'a store has taken integers of this database already: stop it, and restore into a new file',
    );
  }
}

/** Throws where a record is under one that did not come. */
function refuseOrphans(prepare: Prepare): void {
  for (const kind of kinds) {
    const { under } = shapeOf(kind);
    const parent = kinds.find((each) => each === under?.kind);
    if (under === undefined || parent === undefined) continue;
    const { owner, key } = tables[parent];
    const orphan = prepare(`select 1 as found from ${nameOf(tables[kind])} c
      where not exists (select 1 from ${nameOf(tables[parent])} p
        where p.${owner} = c.${owner} and p.${key} = c.${under.by}) limit 1`);
    if (orphan.get() !== undefined) {
      throw new Error(`a ${kind} of the archive is under a ${parent} that did not come`);
    }
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
