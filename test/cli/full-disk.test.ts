import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contractor, deal } from '../kit/requests.js';
import { startService, stopAll } from './dealwright.js';

const token = 't0ken-of-these-tests';
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-'));
});
afterEach(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

/** Runs a command with a private file system of so many MiB mounted on the folder. */
const within = (size: number) => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${size}m none "$0" && exec "$@"`,
  folder,
];
/** Changes the size of that file system. */
const resize = (pid: number | undefined, size: number) => {
  const enter = ['-t', String(pid), '--user', '--mount', '--preserve-credentials'];
  const mount = ['mount', '-o', `remount,size=${size}m`, folder];
  return spawnSync('nsenter', [...enter, ...mount], { encoding: 'utf8' });
};
// containers may forbid it; then the disk keeps its size, and nothing is refused
const mayMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;

it('a disk that is full loses nothing, and the same process goes on once there is room', async () => {
  const environment = { DEALWRIGHT_DATA: folder, DEALWRIGHT_TOKENS: `${token}=sandbox:acme` };
  const service = await startService(environment, [], mayMount ? within(3) : []);
  const api = createClient({ baseUrl: service.baseUrl, token, attempts: 1 });
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const description = 'd'.repeat(5_000);
  const create = (partner_id: string) => api.createDeal({ ...deal, partner_id, description });
  const isReady = async () => (await fetch(`${service.baseUrl}/readyz`)).ok;
  const created = new Map<string, number>();
  const refused: string[] = [];
  for (let round = 0; refused.length < 40 && round < 100; round += 1) {
    const names = Array.from({ length: 8 }, (_, at) => `deal-${round}-${at}`);
    const answers = await Promise.all(names.map(create));
    for (const [at, name] of names.entries()) {
      const answer = answers[at];
      if (answer?.isOk()) created.set(name, answer.value.id);
      else {
        // nothing was written, and the call may be repeated
        expect(answer?._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
        refused.push(name);
      }
    }
  }
  expect(created.size).toBeGreaterThan(20);
  expect(refused.length >= 40).toBe(mayMount);
  for (const [name, id] of created) {
    expect((await api.retrieveDeal(id))._unsafeUnwrap().partner_id).toBe(name);
  }
  const [first = 0] = created.values();
  const upload = { name: 'draft', content: new Uint8Array(4 * 1_024 * 1_024) };
  if (mayMount) {
    // SQLite finds a little room now and then: two refusals in a row mean that there is none
    let [unready, isBelieved] = [0, false];
    for (let time = 0; unready < 3 && time < 30; time += 1) {
      const isRefused = (await create(`again-${time}`)).isErr();
      expect(isBelieved && isRefused).toBe(false);
      isBelieved = isRefused && (await isReady());
      if (isRefused && !isBelieved) unready += 1;
    }
    expect(unready).toBe(3);
    expect((await api.uploadFile({ id: first }, upload))._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      outcome: 'none',
    });
    expect(resize(service.child.pid, 64)).toMatchObject({ status: 0, stderr: '' });
  }
  for (const name of refused) expect((await create(name)).isOk()).toBe(true);
  expect(await isReady()).toBe(true);
  expect((await api.uploadFile({ id: first }, upload)).isOk()).toBe(true);
  for (const [name, id] of created) {
    expect((await api.retrieveDeal(id))._unsafeUnwrap().partner_id).toBe(name);
  }
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
