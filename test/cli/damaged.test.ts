import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { apiOf, must, useDataFolder } from './data-folder.js';
import { type RunningService, run, startService } from './dealwright.js';

const { data, environment } = useDataFolder();
const database = () => join(data(), 'deals.db');

/** A database of some hundred kilobytes that was closed cleanly, and then a process that is killed. */
async function killed(): Promise<void> {
  const first = await startService(environment());
  await fill(first, 150);
  first.child.kill('SIGTERM');
  await first.ended;
  expect(statSync(`${database()}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const second = await startService(environment());
  await fill(second, 1, 'later');
  second.child.kill('SIGKILL');
  await second.ended;
  expect(statSync(`${database()}-wal`).size).toBeGreaterThan(0);
}

async function fill(service: RunningService, count: number, name = 'deal') {
  const api = apiOf(service);
  const creates = Array.from({ length: count }, (_, at) =>
    api.createDealV2({ ...dealV2, partner_id: `${name}-${at}`, description: 'x'.repeat(1_000) }),
  );
  for (const created of await Promise.all(creates)) must(created);
}

/** Overwrites whole pages in the middle of the file, which are in no log. */
function damage(): void {
  const file = openSync(database(), 'r+');
  const half = Math.floor(statSync(database()).size / 2 / 4096) * 4096;
  writeSync(file, Buffer.alloc(16 * 4096, 0x5a), 0, 16 * 4096, half);
  closeSync(file);
}

it('starts over a sound database after a kill', async () => {
  await killed();
  const service = await startService(environment());
  expect(service.said().stderr).toBe('');
  expect((await apiOf(service).retrieveDealDetails('later-0')).isOk()).toBe(true);
});

const named =
  /^dealwright: the database \S+deals\.db is not used: it is damaged \(.+\): stop every service on it, keep a copy of it with its -wal file, and copy it back from a backup, or have sqlite3 read what is left with \.recover\n$/;

it.each<[string, () => void]>([
  ['its log has writes', () => {}],
  ['its log is empty', () => truncateSync(`${database()}-wal`)],
  [
    'its log is gone',
    () => {
      rmSync(`${database()}-wal`);
      rmSync(`${database()}-shm`);
    },
  ],
])('names a database that was damaged by a kill, and changes nothing, if %s', async (_, lose) => {
  await killed();
  lose();
  damage();
  for (let time = 0; time < 2; time += 1) {
    const ended = await run(['serve'], { ...environment(), PORT: '0' }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(named);
  }
  const db = new Database(database(), { readonly: true });
  expect(String(Object(db.prepare('pragma quick_check(1)').all()[0]).quick_check)).not.toBe('ok');
  db.close();
});

it('names a damaged log, uses nothing of it, and starts once the writes that follow are given up', async () => {
  const first = await startService(environment());
  for (const name of ['one', 'two', 'three', 'four', 'five']) await fill(first, 1, name);
  first.child.kill('SIGKILL');
  await first.ended;
  const log = `${database()}-wal`;
  const bytes = readFileSync(log);
  // in the page of a frame in the middle
  const at = 32 + 4120 * Math.floor((bytes.length - 32) / 4120 / 2) + 1_000;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(log, bytes);
  for (const command of [['serve'], ['sweep'], ['migrate'], ['dump']]) {
    const ended = await run(command, { ...environment(), PORT: '0' }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^dealwright: the database \S+deals\.db is not used: SQLite would lose writes that were answered \(frame \d+ of \d+ in its -wal file is wrong, and committed writes follow\): stop every service on it, keep a copy of it with its -wal file, and copy both back from a backup, or give up the writes that follow with sqlite3 \S+deals\.db "pragma wal_checkpoint\(truncate\)"\n$/,
    );
  }
  expect(readFileSync(log).equals(bytes)).toBe(true);
  const db = new Database(database());
  db.prepare('pragma wal_checkpoint(truncate)').get();
  db.close();
  const again = await startService(environment());
  const api = apiOf(again);
  expect(again.said().stderr).toBe('');
  const found = ['one-0', 'five-0'].map(async (id) => (await api.retrieveDealDetails(id)).isOk());
  expect(await Promise.all(found)).toEqual([true, false]);
});

const marks = () => readdirSync(data()).filter((name) => name.startsWith('running'));

it('keeps a mark for each process at work, and none after an end in order', async () => {
  const first = await startService(environment());
  const second = await startService(environment());
  expect(marks()).toHaveLength(2);
  first.child.kill('SIGTERM');
  await first.ended;
  expect(marks()).toEqual([`running-${second.child.pid}`]);
  second.child.kill('SIGKILL');
  await second.ended;
  // other commands on the database meanwhile end in order, and have checked it
  expect(await run(['sweep'], environment()).ended).toMatchObject({ code: 0, stderr: '' });
  expect(marks()).toEqual([]);
});

it('leaves no mark if it could not start', async () => {
  const first = await startService(environment());
  const taken = { ...environment(), PORT: String(first.port) };
  expect(await run(['serve'], taken).ended).toMatchObject({ code: 1 });
  expect(marks()).toEqual([`running-${first.child.pid}`]);
});
