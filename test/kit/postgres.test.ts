import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from './postgres.js';

async function rowsOf(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a PostgreSQL of the tests', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ settings: { max_connections: '17' } });
  });
  afterAll(() => postgres.stop());

  it('is real, durable and set up as asked, over TCP and over a socket', async () => {
    const shown = `select current_setting('fsync') fsync, current_setting('max_connections') most`;
    for (const url of [postgres.url, postgres.socketUrl]) {
      expect(await rowsOf(url, shown)).toEqual([{ fsync: 'on', most: '17' }]);
    }
  });

  it('gives databases that know nothing of each other', async () => {
    const [one, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
    await rowsOf(one.url, 'create table only_here ()');
    const tables = `select to_regclass('only_here') found`;
    expect(await rowsOf(one.socketUrl, tables)).toEqual([{ found: 'only_here' }]);
    expect(await rowsOf(other.url, tables)).toEqual([{ found: null }]);
    expect(await postgres.psql(`select 'a', 1`, one)).toBe('a|1\n');
    await expect(postgres.psql('select 1/0; select 2', one)).rejects.toThrow('division by zero');
  });

  it('keeps what was committed, whether it is killed or started again', async () => {
    await rowsOf(postgres.url, 'create table kept as select 1 as number');
    const before = postgres.pid();
    await postgres.kill();
    expect(postgres.pid()).toBeUndefined();
    await expect(rowsOf(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.restart();
    await postgres.restart();
    expect(postgres.pid()).not.toBe(before);
    expect(await rowsOf(postgres.url, 'select number from kept')).toEqual([{ number: 1 }]);
  });

  it('ends with the process that started it, and leaves nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-kit-'));
    const outfile = join(folder, 'program.mjs');
    await build({
      stdin: {
        contents: `import { startPostgres } from './postgres.ts';
const { socketUrl, pid } = await startPostgres();
console.log(new URL(socketUrl).searchParams.get('host') + ' ' + pid());
setInterval(() => {}, 1000);`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
    });
    const program = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [place = '', pid = ''] = String((await once(program.stdout, 'data'))[0]).split(/\s/);
    // a dead process has no command line
    const command = () =>
      existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    expect(command()).toContain(place);
    program.kill('SIGKILL');
    while (existsSync(place)) await sleep(20);
    expect(command() || '').toBe('');
    rmSync(folder, { recursive: true });
  });
});
