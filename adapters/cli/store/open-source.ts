import { resolve } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import type { FileStore, StoreArchive } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';
import { withPostgres, withSqlite } from './connect.js';
import { databaseIn, filesIn } from './folder.js';
import type { KeptPlace } from './place.js';
import { postgresMismatch, sqliteMismatch } from './schema-version.js';
import { type StoreProblem, unlike } from './store-problem.js';

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
  return place.kind === 'sqlite'
    ? withSqlite(process, databaseIn(folder), async ({ name, connect, openArchive, close }) => {
        const problem = sqliteMismatch(connect());
        return problem === undefined ? ok({ files, openArchive, close }) : unlike(name, problem);
      })
    : withPostgres(place.url, async ({ name, connect, openArchive, close }) => {
        const problem = await postgresMismatch(connect());
        return problem === undefined ? ok({ files, openArchive, close }) : unlike(name, problem);
      });
}
