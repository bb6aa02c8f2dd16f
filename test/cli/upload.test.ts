import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractor, deal } from '../kit/requests.js';
import { program, type RunningService, run, stopAll } from './dealwright.js';
import { ask, settingsOf, startKnownService } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-upload-'));
const content = randomBytes(3 * 1024 * 1024);
const sha256 = createHash('sha256').update(content).digest('hex');
const path = join(folder, 'żółć \u001b[2J\u202e.bin');

let service: RunningService;
beforeAll(async () => {
  writeFileSync(path, content);
  service = await startKnownService();
  await ask(service, ['contractors', 'create', '--file', '-'], JSON.stringify(contractor));
  const made = await ask(
    service,
    ['deals', 'create', '--api-version', '1.0', '--file', '-'],
    JSON.stringify(deal),
  );
  expect(made).toMatchObject({ code: 0, stdout: 'id         1\nstage_ids  2\n' });
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

describe('files upload', () => {
  it('sends a file from the disk, and shows no progress to a pipe', async () => {
    const { code, stdout, stderr } = await ask(service, ['files', 'upload', '1', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^name +żółć \\u001b\[2J\\u202e\.bin$/m);
    expect(stdout).toMatch(/^size +3145728$/m);
    expect(stdout).toMatch(new RegExp(`^sha256 +${sha256}$`, 'm'));
  });

  it('says what the flags say, and makes nothing twice with a key', async () => {
    const flags = ['--name', 'x.txt', '--content-type', 'text/plain', '--stage-id', '2'];
    const args = ['files', 'upload', '1', path, ...flags, '--json', '--idempotency-key', 'k'];
    const [one, two] = [await ask(service, args), await ask(service, args)];
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(two).toEqual(one);
    expect(JSON.parse(one.stdout)).toMatchObject({ name: 'x.txt', stage_id: 2, sha256 });
  });

  it('sends what comes in on stdin, under the name that it is given', async () => {
    const upload = ['files', 'upload', '1', '-'];
    const sent = await ask(service, [...upload, '--name', 'in.txt', '--json'], 'the text');
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(sent.stdout)).toMatchObject({ name: 'in.txt', size: 8 });
    const nameless = await ask(service, upload, 'the text');
    expect(nameless).toMatchObject({ code: 2, stdout: '' });
    expect(nameless.stderr).toMatch(/^dealwright: .*--name\n/);
  });

  it('says what is refused', async () => {
    for (const [args, code, says] of [
      [['1', path, '--stage-id', '99'], 3, 'stage_id: '],
      [['99', path], 3, '(not_found)'],
      [['order-1', path], 2, 'by its number'],
      [['1', '/nowhere'], 2, 'no such file'],
      [['1', folder], 2, 'is no file'],
      [['1', path, '--stage-id', 'x'], 2, '--stage-id takes'],
    ] as const) {
      const ended = await ask(service, ['files', 'upload', ...args]);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toContain(says);
    }
  });
});

describe('a large file', () => {
  it('is never in memory as a whole', async () => {
    const large = join(folder, 'large.bin');
    writeFileSync(large, '');
    truncateSync(large, 256 * 1024 * 1024);
    let received = 0;
    const sink = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => response.writeHead(400).end());
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
    const args = ['files', 'upload', '1', large];
    const { child, ended } = run(args, settingsOf({ baseUrl }));
    let peak = 0;
    const look = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
      } catch {
        // the process has ended
      }
    }, 5);
    expect(await ended).toMatchObject({ code: 1 });
    clearInterval(look);
    await new Promise((resolve) => sink.close(resolve));
    expect(received).toBeGreaterThan(256 * 1024 * 1024);
    // KiB; the program itself takes some 90 MiB
    expect(peak).toBeGreaterThan(40 * 1024);
    expect(peak).toBeLessThan(200 * 1024);
  });
});

/** Runs the command with a terminal of 70 columns as its stdout and stderr. */
function onTerminal(args: readonly string[]): string {
  const quoted = [process.execPath, program, ...args].map((each) => `'${each}'`).join(' ');
  const { stdout } = spawnSync('script', ['-qec', `stty cols 70; ${quoted}`, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...settingsOf(service) },
    encoding: 'utf8',
  });
  return stdout;
}

describe('on a terminal', () => {
  it('an upload has a bar that is taken away at the end', () => {
    const seen = onTerminal(['files', 'upload', '1', path]);
    expect(seen).toMatch(/\[[=-]{30}\] \d+% {2}\S+ \w+ of 3\.0 MiB/);
    // the line is emptied before the table is written
    expect(seen).toMatch(/\[2Kid +\S+\r\n/);
    for (const flag of ['--quiet', '--json']) {
      expect(onTerminal(['files', 'upload', '1', path, flag])).not.toContain('MiB');
    }
  });

  it('an import has one too, and refused lines stand above it', () => {
    const lines = join(folder, 'lines.ndjson');
    writeFileSync(lines, '{"deal_v2":{}}\n'.repeat(3));
    const seen = onTerminal(['import', lines]);
    expect(seen).toMatch(/\d+% {2}\S+ B of 45 B {2}\d lines/);
    expect(seen.match(/line \d refused: /g)).toHaveLength(3);
  });

  it('a table is no wider than it', () => {
    const seen = onTerminal(['deals', 'get', '--id', '1']).split('\r\n');
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.filter((line) => line.length > 70)).toEqual([]);
    expect(seen.some((line) => line.length > 60)).toBe(true);
  });
});

describe('a command that is interrupted', () => {
  it('cancels its request and ends with 130, or by SIGTERM with 143', async () => {
    const asked: (() => void)[] = [];
    const silent = createServer(() => asked.shift()?.());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        const isAsked = new Promise<void>((resolve) => asked.push(resolve));
        const { child, ended } = run(['deals', 'list'], settingsOf({ baseUrl }));
        await isAsked;
        child.kill(signal);
        expect(await ended).toMatchObject({ code, stdout: '' });
        expect((await ended).stderr).toMatch(/^dealwright: .* \(aborted/);
      }
    } finally {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  it('twice, ends at once', async () => {
    const asked: (() => void)[] = [];
    const silent = createServer(() => asked.shift()?.());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      const isAsked = new Promise<void>((resolve) => asked.push(resolve));
      const { child, ended } = run(['import', '-'], settingsOf({ baseUrl }), '{"deal_v2":{}}\n');
      await isAsked;
      // two equal signals could arrive as one
      child.kill('SIGINT');
      child.kill('SIGTERM');
      const { code, stdout } = await ended;
      expect([130, 143]).toContain(code);
      // an import that waits for its requests ends with a summary
      expect(stdout).toBe('');
    } finally {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
    }
  });
});
