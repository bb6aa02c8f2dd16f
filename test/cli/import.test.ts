import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { type RunningService, run, stopAll } from './dealwright.js';
import { ask, partnerIdsOf, settingsOf, startKnownService, token } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

let service: RunningService;
beforeEach(async () => {
  service = await startKnownService();
});
afterEach(stopAll);

const total = 1_000;
const isBad = (number: number) => number % 100 === 50;
const emailOf = (number: number) => `c${number % 40}@example.com`;
/** Contractors, and after them deals of both versions; every hundredth is bad. */
interface Line {
  readonly contractor?: object;
  readonly deal?: {
    readonly partner_id: string;
    readonly amount?: string;
    readonly contractor_email?: string;
  };
  readonly deal_v2?: {
    readonly partner_id: string;
    readonly amount?: string;
    readonly contractor_email?: string;
  };
}

const lines = Array.from({ length: total }, (_, at): Line => {
  const number = at + 1;
  if (number <= 40) return { contractor: { ...contractor, email: emailOf(number) } };
  const partner_id = `d-${number}`;
  if (isBad(number)) return { deal_v2: { ...dealV2, partner_id, amount: '-1' } };
  return number % 2 === 0
    ? { deal: { ...deal, partner_id, contractor_email: emailOf(number) } }
    : { deal_v2: { ...dealV2, partner_id } };
});
const deals = lines.flatMap((line) => {
  const made = line.deal ?? line.deal_v2;
  return made === undefined || made.amount === '-1' ? [] : [made.partner_id];
});
const bad = lines.flatMap((_, at) => (at >= 40 && isBad(at + 1) ? [at + 1] : []));
const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const file = join(folder, 'lines.ndjson');
writeFileSync(file, text);

const reportOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Waits until the service has a deal. */
async function untilThere(partner_id: string): Promise<void> {
  const api = createClient({ baseUrl: service.baseUrl, token });
  while ((await api.retrieveDealDetails(partner_id)).isErr()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function expectAllOnce(): Promise<void> {
  expect((await partnerIdsOf(service)).sort()).toEqual([...deals].sort());
}

const whole = {
  lines: total,
  created: total - bad.length,
  already_there: 0,
  refused: bad.length,
  failed: 0,
  unanswered: 0,
  stopped: null,
  next_line: null,
};

// a thousand requests, in several runs: minutes on a busy machine
describe('an import', { timeout: 120_000 }, () => {
  it('makes everything that is good, and tells of everything that is bad', async () => {
    expect(bad).toHaveLength(10);
    const report = join(folder, 'report.ndjson');
    const ended = await ask(service, ['import', file, '--report', report]);
    expect(ended).toMatchObject({
      code: 3,
      stdout: '1000 lines: 990 created, 0 already there, 10 refused, 0 failed\n',
    });
    expect(
      ended.stderr.match(/^line \d+ refused: .*\n {2}amount: .* \(not_positive\)$/gm),
    ).toHaveLength(10);
    // only these lines: no progress goes to a pipe
    expect(ended.stderr.split('\n')).toHaveLength(21);
    expect(reportOf(report)).toEqual(
      bad.map((line) => ({
        line,
        is: 'refused',
        code: 'validation_failed',
        message: expect.any(String),
        errors: [expect.objectContaining({ path: ['amount'], code: 'not_positive' })],
        request_id: expect.any(String),
      })),
    );
    await expectAllOnce();
  });

  it('that was killed, and run again from elsewhere, makes nothing twice', async () => {
    const first = run(['import', '-', '--quiet'], settingsOf(service), { open: true });
    const half = text.length / 2;
    first.child.stdin?.write(text.slice(0, half));
    await untilThere('d-401');
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBe(null);
    const between = (await partnerIdsOf(service)).length;
    expect(between).toBeGreaterThan(100);
    expect(between).toBeLessThan(600);

    const again = await ask(service, ['import', file, '--json', '--concurrency', '32']);
    expect(again.code).toBe(3);
    expect(JSON.parse(again.stdout)).toEqual(whole);
    expect(
      again.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).line),
    ).toEqual(bad);
    await expectAllOnce();
  });

  it('that was interrupted says where it was, ends with 130, and can be run again', async () => {
    const first = run(['import', '-', '--json'], settingsOf(service), { open: true });
    first.child.stdin?.write(text.slice(0, text.length / 2));
    await untilThere('d-401');
    first.child.kill('SIGINT');
    const { code, stdout } = await first.ended;
    expect(code).toBe(130);
    const summary = JSON.parse(stdout) as { readonly next_line: number };
    expect(summary).toMatchObject({ stopped: 'interrupted', failed: 0 });
    expect(summary.next_line).toBeGreaterThan(401);
    expect(summary.next_line).toBeLessThan(600);

    const again = await ask(service, ['import', file, '--json']);
    expect(JSON.parse(again.stdout)).toEqual(whole);
    await expectAllOnce();
  });

  it('interrupted in the middle of a file stops there', async () => {
    const first = run(['import', file, '--concurrency', '1'], settingsOf(service));
    await untilThere('d-101');
    first.child.kill('SIGTERM');
    const { code, stdout, stderr } = await first.ended;
    expect(code).toBe(143);
    expect(stdout).toMatch(/^\d+ lines: /);
    expect(stderr).toMatch(
      /dealwright: interrupted; the lines before line \d+ have their answers\. Run it again: /,
    );
    expect((await partnerIdsOf(service)).length).toBeLessThan(deals.length);
  });

  it('reads stdin, marks, other line breaks, empty lines, and passes over what is too long', async () => {
    const [one, two] = [
      JSON.stringify({ deal_v2: { ...dealV2, partner_id: 'one' } }),
      JSON.stringify({ deal_v2: { ...dealV2, partner_id: 'two' } }),
    ];
    const long = JSON.stringify({ deal_v2: { ...dealV2, description: 'x'.repeat(1024 * 1024) } });
    const stdin = `\ufeff${one}\r\n\r\n\n  \n${long}\r\n{"deal_v2":\n{"order":{}}\n${two}`;
    const ended = await ask(service, ['import', '-', '--json'], stdin);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({ lines: 5, created: 2, refused: 3 });
    expect(
      ended.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ line, code }) => [line, code]),
    ).toEqual([
      [5, 'payload_too_large'],
      [6, 'invalid_json'],
      [7, 'invalid_line'],
    ]);
    expect((await partnerIdsOf(service)).sort()).toEqual(['one', 'two']);
  });

  it('takes the lines of the how-to', async () => {
    const howTo = readFileSync('docs/how-to/import-in-bulk.md', 'utf8');
    const [, shown = ''] = /^```json\n([\s\S]*?)^```/m.exec(howTo) ?? [];
    expect(await ask(service, ['import', '-'], shown)).toEqual({
      code: 0,
      stdout: '3 lines: 3 created, 0 already there, 0 refused, 0 failed\n',
      stderr: '',
    });
  });

  it('of nothing is done', async () => {
    expect(await ask(service, ['import', '-'], '')).toEqual({
      code: 0,
      stdout: '0 lines: 0 created, 0 already there, 0 refused, 0 failed\n',
      stderr: '',
    });
  });

  it('refuses deals that exist already, unless that is fine', async () => {
    const create = ['deals', 'create', '--file', '-'];
    expect((await ask(service, create, JSON.stringify(dealV2))).code).toBe(0);
    const stdin = JSON.stringify({ deal_v2: dealV2 });
    const refused = await ask(service, ['import', '-'], stdin);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/^line 1 refused: .* \(deal_exists\)\n$/);
    expect(await ask(service, ['import', '-', '--skip-existing'], stdin)).toEqual({
      code: 0,
      stdout: '1 lines: 0 created, 1 already there, 0 refused, 0 failed\n',
      stderr: '',
    });
  });
});

/** A service that answers every request with one status. */
async function withAnswer(status: number, body: (baseUrl: string) => Promise<void>): Promise<void> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('an import that cannot go on', () => {
  const args = ['import', file, '--json', '--attempts', '1'];

  it('stops after ten failures in a row', async () => {
    await withAnswer(503, async (baseUrl) => {
      const ended = await ask({ baseUrl }, args);
      expect(ended.code).toBe(1);
      const summary = JSON.parse(ended.stdout) as Record<string, number>;
      expect(summary).toMatchObject({ stopped: 'outage', created: 0, next_line: 1 });
      expect(summary['failed']).toBeGreaterThanOrEqual(10);
      expect(summary['failed']).toBeLessThan(40);
      const first = JSON.parse(ended.stderr.split('\n')[0] ?? '') as object;
      expect(first).toMatchObject({ line: 1, is: 'failed', code: 'unavailable' });
    });
  });

  it('stops at once if the token is not known', async () => {
    await withAnswer(401, async (baseUrl) => {
      const ended = await ask({ baseUrl }, [...args, '--concurrency', '1']);
      expect(ended.code).toBe(4);
      expect(JSON.parse(ended.stdout)).toMatchObject({ stopped: 'unauthorized', next_line: 1 });
      expect(ended.stderr).not.toContain(token);
    });
  });
});
