import { EventEmitter } from 'node:events';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createMarketplace } from 'dealwright';
import { toNdjson } from 'dealwright/archive';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkOut, dumpFrom } from '../../adapters/cli/store/dump-command.js';
import { restoreInto } from '../../adapters/cli/store/restore-command.js';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, tenant } from '../kit/requests.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process whose streams and signals belong to the test. */
function createProcess(stdout: Writable = new Writable()) {
  let said = '';
  const stderr = new Writable({
    write(chunk, _, done) {
      said += String(chunk);
      done();
    },
  });
  const signals = new EventEmitter();
  const own: NodeJS.Process = Object.create(process, {
    stdout: { value: stdout },
    stderr: { value: stderr },
    on: { value: signals.on.bind(signals) },
    off: { value: signals.off.bind(signals) },
  });
  return { own, signals, said: () => said };
}

/** A store with a contractor and so many deals, each longer than a chunk of text. */
async function createFilled(deals: number) {
  const ports = createPorts();
  const api = createMarketplace(ports).partner(tenant);
  (await api.registerContractor(contractor))._unsafeUnwrap();
  for (let at = 0; at < deals; at += 1) {
    const given = { ...deal, partner_id: `${at}`, description: 'x'.repeat(70_000) };
    (await api.createDeal(given))._unsafeUnwrap();
  }
  const { archive } = ports.store;
  const source = { files: ports.files, openArchive: async () => archive, close: async () => {} };
  return { archive, source };
}

it('waits for a slow reader without a listener more for each piece', async () => {
  const { source } = await createFilled(30);
  let text = '';
  let most = 0;
  const stdout = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      text += String(chunk);
      for (const name of this.eventNames()) most = Math.max(most, this.listenerCount(name));
      setImmediate(done);
    },
  });
  const { own, said } = createProcess(stdout);
  expect(await dumpFrom(own, source, {})).toBe(0);
  expect(said()).toMatch(/dumped 92 records/);
  expect(text.split('\n')).toHaveLength(95);
  expect(most).toBeLessThan(5);
});

it('refuses a target that is not a file, or the database itself', async () => {
  const database = join(folder, 'deals.db');
  writeFileSync(database, '');
  writeFileSync(`${database}-wal`, '');
  linkSync(`${database}-wal`, join(folder, 'hard'));
  symlinkSync(folder, join(folder, 'linked'));
  symlinkSync(database, join(folder, 'soft'));
  symlinkSync('none', join(folder, 'nowhere'));
  const earlier = join(folder, 'deals.ndjson');
  writeFileSync(earlier, 'earlier');
  for (const [out, told] of [
    ['', '--out is empty: name a file'],
    [folder, `--out is the folder ${folder}`],
    ['/dev/null', '--out is /dev/null, which is not a file'],
    [database, `--out is ${database}, the very database that is read`],
    [`${database}-wal`, `--out is ${database}-wal, the very database that is read`],
    [`${database}-shm`, `--out is ${database}-shm, the very database that is read`],
    [join(folder, 'hard'), 'the very database that is read'],
    [join(folder, 'linked', 'deals.db-journal'), 'the very database that is read'],
    [join(folder, 'soft'), 'the very database that is read'],
    [join(folder, 'nowhere'), `--out is ${join(folder, 'nowhere')}, a link that leads nowhere`],
    [join(database, 'below'), `--out: cannot write ${database}/below: a part of the path is a`],
  ] as const) {
    expect((await checkOut(out, database))._unsafeUnwrapErr()).toContain(told);
  }
  for (const out of [undefined, '-', earlier, join(folder, 'new')]) {
    expect((await checkOut(out, database)).isOk()).toBe(true);
  }
});

it('replaces what a link leads to, and leaves the link', async () => {
  const { source } = await createFilled(0);
  const real = join(folder, 'backups', 'deals.ndjson');
  mkdirSync(join(folder, 'backups'));
  writeFileSync(real, 'earlier');
  const out = join(folder, 'latest');
  symlinkSync(real, out);
  expect(await dumpFrom(createProcess().own, source, { out })).toBe(0);
  expect(readlinkSync(out)).toBe(real);
  expect(readFileSync(real, 'utf8')).toMatch(/"kind":"contractor"/);
  expect(readdirSync(folder).sort()).toEqual(['backups', 'latest']);
  expect(readdirSync(join(folder, 'backups'))).toEqual(['deals.ndjson']);
});

it('blames the store if the store is not there, and touches no file', async () => {
  const { source } = await createFilled(0);
  const out = join(folder, 'deals.ndjson');
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const gone = { ...source, openArchive: () => Promise.reject(refused) };
  const { own, said } = createProcess();
  expect(await dumpFrom(own, gone, { out })).toBe(1);
  expect(said()).toBe('dealwright: nothing was dumped: connect ECONNREFUSED\n');
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('leaves no incomplete file at %s', async (name, code) => {
  const { archive, source } = await createFilled(4);
  const out = join(folder, 'deals.ndjson');
  writeFileSync(out, 'earlier');
  const { own, signals, said } = createProcess();
  let isClosed = false;
  const stopped = {
    ...source,
    openArchive: async () => ({
      ...archive,
      async *dump() {
        let count = 0;
        for await (const record of archive.dump()) {
          yield record;
          count += 1;
          if (count < 4) continue;
          expect(readdirSync(folder).some((each) => each.endsWith('.part'))).toBe(true);
          signals.emit(name);
          // a database that no longer answers
          await new Promise(() => {});
        }
      },
    }),
    close: async () => {
      isClosed = true;
    },
  };
  expect(await dumpFrom(own, stopped, { out })).toBe(code);
  expect(said()).toBe(`dealwright: the dump is not complete: it was ended by ${name}\n`);
  expect(readdirSync(folder)).toEqual(['deals.ndjson']);
  expect(readFileSync(out, 'utf8')).toBe('earlier');
  expect(signals.listenerCount(name)).toBe(0);
  expect(isClosed).toBe(true);
});

it('does not say that nothing was restored if all of it may be', async () => {
  const { archive } = await createFilled(1);
  const ports = createPorts();
  const own = ports.store.archive;
  const lost = {
    ...own,
    async restore(...given: Parameters<typeof own.restore>) {
      await own.restore(...given);
      const cause = new Error('Connection terminated unexpectedly');
      throw new Error('everything may have been restored: look', { cause });
    },
  };
  const opened = { ports, openArchive: async () => lost, where: 'there', close: async () => {} };
  const streams = createProcess();
  const given = { path: 'deals.ndjson', source: toNdjson(archive.dump()) };
  expect(await restoreInto(streams.own, opened, given, { withoutFiles: true })).toBe(1);
  expect(streams.said()).toBe(
    'dealwright: everything from deals.ndjson may have been restored, or nothing: look before you restore it again (Connection terminated unexpectedly)\n',
  );
});
