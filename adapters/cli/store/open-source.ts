import { resolve } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import type { FileStore, StoreArchive } from 'dealwright/ports';
import { printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations } from 'dealwright/sqlite';
import { ok, type Result } from 'neverthrow';
import { withPostgres, withSqlite } from './connect.js';
import { databaseIn, filesIn } from './folder.js';
import type { KeptPlace } from './place.js';
import { failed, type StoreProblem } from './store-problem.js';

/** A store that is read and left as it is: no folder is made, and no step of the schema taken. */
export interface Source {
  readonly files: FileStore;
  openArchive(): Promise<StoreArchive>;
  close(): Promise<void>;
}

/** Opens what a dump reads. One of another schema is refused: it may hold what we do not know. */
export function openSource(
  process: NodeJS.Process,
  place: KeptPlace,
): Promise<Result<Source, StoreProblem>> {
  const folder = resolve(place.folder);
  const files = createFolderFileStore({ folder: filesIn(folder) });
  if (place.kind === 'sqlite') {
    return withSqlite(
      process,
      databaseIn(folder),
      async ({ name, connect, openArchive, close }) => {
        const text = 'select max(number) as latest from dealwright_migrations';
        const latest = Object(connect().prepare(text).get()).latest;
        const problem = mismatch(latest, sqliteMigrations.length);
        return problem === undefined
          ? ok({ files, openArchive, close })
          : unmigrated(name, problem);
      },
    );
  }
  return withPostgres(place.url, async ({ name, connect, openArchive, close }) => {
    const text = 'select max(number)::text as latest from dealwright.migrations';
    const { rows } = await connect().query({ text });
    // each step stands behind a line that names it
    const known = printPostgresMigrations().match(/^-- dealwright, migration \d+:/gm) ?? [];
    const problem = mismatch(rows[0]?.['latest'], known.length);
    return problem === undefined ? ok({ files, openArchive, close }) : unmigrated(name, problem);
  });
}

function unmigrated(name: string, message: string) {
  return failed(name, { code: 'unmigrated', message });
}

/** Why the last step of a database is another than ours, where it is. */
function mismatch(latest: unknown, known: number): string | undefined {
  const found = Number(latest ?? 0);
  if (found === known) return undefined;
  return found > known
    ? `it has migration ${found} and this version of dealwright knows ${known}: use a newer one`
    : `it has ${found} of ${known} migrations: run dealwright migrate`;
}
