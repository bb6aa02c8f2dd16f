import type { AddWorkFileOutcome, DealRepository, WorkFile } from 'dealwright/ports';
import { tenantText } from '../sql/tenant.js';
import type { Connection } from './connection.js';
import type { Inserts } from './inserts.js';
import { workFileJson } from './selects.js';
import type { Prepare } from './sqlite-like.js';

/** What a repository of 1.0 deals does with the records of work files. */
export function createWorkFiles(
  prepare: Prepare,
  inserts: Inserts,
  { read, write }: Connection,
): Pick<DealRepository, 'addWorkFile' | 'recordedWorkFiles'> {
  const findFirst = prepare(`select f.fingerprint, ${workFileJson} as json
    from dealwright_work_files f where f.tenant = ? and f.idempotency_key = ?`);
  const findRecorded = prepare(
    'select 1 as found from dealwright_work_files where tenant = ? and id = ?',
  );
  const versionOf = prepare('select version from dealwright_deals where tenant = ? and id = ?');
  const advance = prepare('update dealwright_deals set version = ? where tenant = ? and id = ?');
  const recorded = prepare(`select id from dealwright_work_files
    where tenant = ? and id in (select value from json_each(?))`);

  return {
    addWorkFile({ environment, partner }, { deal_id, version, file, events, idempotency }) {
      const tenant = tenantText({ environment, partner });
      return write<AddWorkFileOutcome>({
        name: 'deals.addWorkFile',
        apply(ledger) {
          const first =
            idempotency &&
            findFirst.get<{ fingerprint: string; json: string }>(tenant, idempotency.key);
          if (first !== undefined) {
            const { fingerprint, json } = first;
            const file = JSON.parse(json) as WorkFile;
            return { outcome: 'exists', by: 'idempotency_key', first: { fingerprint, file } };
          }
          if (findRecorded.get(tenant, file.id) !== undefined) return { outcome: 'stored' };
          const stored = versionOf.get<{ version: number }>(tenant, deal_id)?.version;
          if (stored !== version) return { outcome: stored === undefined ? 'missing' : 'stale' };
          // a version is of one write: files of a deal stand in the order of theirs
          inserts.workFile(tenant, deal_id, version + 1, file, idempotency);
          advance.run(version + events.length, tenant, deal_id);
          ledger.append(tenant, events);
          return { outcome: 'stored' };
        },
      });
    },
    recordedWorkFiles(tenant, ids) {
      return read('deals.recordedWorkFiles', () => {
        const rows = recorded.all<{ id: string }>(tenantText(tenant), JSON.stringify(ids));
        const found = new Set(rows.map(({ id }) => id));
        return ids.filter((id) => found.has(id));
      });
    },
  };
}
