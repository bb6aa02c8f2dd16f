import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { findPostgres, findSqlite } from '../../adapters/cli/store/drivers.js';

const missing = (name: string) =>
  Promise.reject(Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' }));
const broken = (name: string) =>
  Promise.reject(Object.assign(new Error(name), { code: 'ERR_DLOPEN_FAILED' }));

it('looks for a driver of SQLite in its order', async () => {
  const asked: string[] = [];
  const from = (name: string) => {
    asked.push(name);
    return missing(name);
  };
  const found = await findSqlite(process, from);
  expect(asked).toEqual(['node:sqlite', 'libsql', 'better-sqlite3']);
  expect(found._unsafeUnwrapErr()).toMatch(/npm install libsql.*Node 22\.13.*--memory$/);
});

it('takes the first that is there, and opens with it', async () => {
  const opened: string[] = [];
  class Opened {
    constructor(path: string) {
      opened.push(path);
    }
  }
  for (const [there, module] of [
    ['node:sqlite', { DatabaseSync: Opened }],
    ['libsql', { default: Opened }],
    ['better-sqlite3', { default: Opened }],
  ] as const) {
    const from = (name: string) =>
      name === there ? Promise.resolve({ ...module }) : missing(name);
    (await findSqlite(process, from))._unsafeUnwrap()(there);
  }
  expect(opened).toEqual(['node:sqlite', 'libsql', 'better-sqlite3']);
});

it('says which driver is there and cannot be loaded', async () => {
  const from = (name: string) => (name === 'libsql' ? broken(name) : missing(name));
  const found = await findSqlite(process, from);
  expect(found._unsafeUnwrapErr()).toMatch(/libsql cannot be loaded \(ERR_DLOPEN_FAILED\)$/);
  expect((await findPostgres(missing))._unsafeUnwrapErr()).toMatch(/"npm install pg"$/);
  expect((await findPostgres(broken))._unsafeUnwrapErr()).toMatch(/ERR_DLOPEN_FAILED/);
});

it('keeps the warning of Node about its SQLite to itself, and no other', async () => {
  const warned: string[] = [];
  const emitWarning = (warning: string | Error) => void warned.push(String(warning));
  const fake: NodeJS.Process = Object.assign(Object.create(process), { emitWarning });
  await findSqlite(fake, async () => {
    fake.emitWarning('SQLite is an experimental feature and might change at any time');
    fake.emitWarning('something else');
    return { DatabaseSync: EventEmitter };
  });
  expect(warned).toEqual(['something else']);
  expect(fake.emitWarning).toBe(emitWarning);
});
