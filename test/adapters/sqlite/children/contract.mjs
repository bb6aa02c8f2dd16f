// @ts-check
// Runs the contract of stores against SQLite by the driver of this runtime, and prints the failures
// as JSON. It loads the published package.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from 'dealwright/spec';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';

/** @typedef {import('dealwright/sqlite').SqliteLike & { close(): void }} Driver */

const folder = mkdtempSync(join(tmpdir(), 'dealwright-sqlite-'));
let number = 0;

/** @returns {Promise<(path: string) => Driver>} */
async function driver() {
  // names in variables: the types of the checking runtime have neither module
  const [bun, node] = ['bun:sqlite', 'node:sqlite'];
  if ('bun' in process.versions) {
    const { Database } = await import(bun);
    return (path) => new Database(path);
  }
  const { DatabaseSync } = await import(node);
  return (path) => new DatabaseSync(path);
}

const open = await driver();
const makeStore = () => {
  number += 1;
  const path = join(folder, `${number}.db`);
  const db = open(path);
  // every case would wait for the disk, and the answers are the same
  const hurry = () => db.prepare('pragma synchronous = off').run();
  hurry();
  const migrated = migrateSqlite(db);
  if (migrated.isErr()) throw migrated.error;
  const store = createSqliteStore(db);
  hurry();
  return {
    ...store,
    close: async () => {
      await store.close();
      db.close();
    },
  };
};

/** @type {[name: string, body: () => Promise<void>][]} */
const cases = [];
const runner = {
  /** @param {string} _ @param {() => void} body */
  describe: (_, body) => body(),
  /** @param {string} name @param {() => Promise<void>} body */
  it: (name, body) => cases.push([name, body]),
};
storeContract(runner, makeStore);

/** @type {string[]} */
const failures = [];
for (const [name, body] of cases) {
  await body().catch((error) => failures.push(`${name}: ${error}`));
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ cases: cases.length, failures }));
