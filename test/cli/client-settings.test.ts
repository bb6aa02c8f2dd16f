import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractor, deal } from '../kit/requests.js';
import { type RunningService, run, runHere, stopAll } from './dealwright.js';
import { ask, settingsOf, startKnownService, token } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-cli-'));
const fileOf = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const dealJson = fileOf('deal.json', JSON.stringify(deal));

let service: RunningService;
beforeAll(async () => {
  service = await startKnownService();
  const made = await ask(
    service,
    ['contractors', 'create', '--file', '-'],
    JSON.stringify(contractor),
  );
  expect(made).toEqual({ code: 0, stdout: 'contractor_email  user@example.com\n', stderr: '' });
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

describe('any command', () => {
  it.each([
    { args: ['deals', 'list', '--page-size', '101'], says: '--page-size takes a whole number' },
    {
      args: ['deals', 'list', '--status', 'odd'],
      says: "option '--status <status>' argument 'odd'",
    },
    { args: ['deals', 'list', '--timeout', '0'], says: '--timeout takes' },
    { args: ['deals', 'list', '--attempts', 'x'], says: '--attempts takes' },
    { args: ['deals', 'get'], says: 'either the partner_id' },
    { args: ['deals', 'get', 'a', '--id', '1'], says: 'either the partner_id' },
    { args: ['deals', 'get', '--id', '1.5'], says: '--id takes a whole number' },
    { args: ['deals', 'create'], says: 'nothing is given' },
    { args: ['deals', 'create', '--subcategory-id', 'x'], says: '--subcategory-id takes' },
    { args: ['deals', 'create', '--file', '/nowhere.json'], says: 'there is no such file' },
    { args: ['deals', 'creat'], says: '(Did you mean create?)' },
    { args: ['deals', 'list', '--al'], says: '(Did you mean --all?)' },
    { args: ['deals'], says: 'Usage: dealwright deals' },
    { args: ['categorie'], says: '(Did you mean categories?)' },
    { args: ['import', '/nowhere.ndjson'], says: 'there is no such file' },
    { args: ['import', '/'], says: 'it is a folder' },
    { args: ['import', dealJson, '--report', dealJson], says: 'it is the file that is read' },
    { args: ['import', dealJson, '--concurrency', '65'], says: '--concurrency takes' },
    { args: ['deals', 'list', '--url', 'ftp://x'], says: '--url is not a URL' },
    { args: ['deals', 'list', '--url', 'http://u:p@x/'], says: '--url has a user' },
    { args: ['deals', 'list', '--token-file', '/nowhere'], says: 'cannot read /nowhere' },
  ])('ends with 2 for $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await ask(service, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    if (says.startsWith('Usage')) return;
    const known = ['deals', 'list', 'get', 'create', 'import'];
    const path = args.filter((each, at) => at < 2 && known.includes(each));
    expect(
      stderr.endsWith(`\nRun ${['dealwright', ...path].join(' ')} --help for what is there.\n`),
    ).toBe(true);
  });

  it('writes no report over the file that comes on stdin', async () => {
    const path = fileOf('lines.ndjson', '{}\n');
    const lines = openSync(path, 'r');
    const args = ['import', '-', '--report', path];
    const { code, stderr } = await run(args, settingsOf(service), lines).ended;
    closeSync(lines);
    expect([code, readFileSync(path, 'utf8')]).toEqual([2, '{}\n']);
    expect(stderr).toContain('it is the file that is read');
  });

  it.each([
    ['{', 'no JSON in UTF-8'],
    ['[1]', 'no JSON object'],
    ['', 'no JSON in UTF-8'],
  ])('does not send %j', async (text, says) => {
    const { code, stderr } = await ask(service, ['deals', 'create', '--file', '-'], text);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `dealwright: what came on stdin is ${says}\nRun dealwright deals create --help for what is there.\n`,
    );
  });

  it('wants a token, from the environment or a file', async () => {
    const { DEALWRIGHT_URL = '' } = settingsOf(service);
    const none = await runHere(['categories'], { DEALWRIGHT_URL });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('set DEALWRIGHT_TOKEN');
    const path = fileOf('token', `${token}\n`);
    const args = ['categories', '--token-file', path];
    expect((await runHere(args, { DEALWRIGHT_URL })).code).toBe(0);
  });

  it('says whom it asked if there is no answer, and the request if there is one', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
    await new Promise((resolve) => gone.close(resolve));
    const args = ['deals', 'list', '--attempts', '1'];
    const plain = await ask({ baseUrl }, args);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(
      / \(unavailable, ECONNREFUSED, it had no effect\): no server answered at /,
    );
    expect(plain.stderr.endsWith(` ${baseUrl}\n`)).toBe(true);
    const json = JSON.parse((await ask({ baseUrl }, [...args, '--json'])).stderr) as object;
    expect(json).toMatchObject({ error: { cause: 'ECONNREFUSED', url: baseUrl } });
    const line = '{"deal_v2":{}}\n';
    const imported = await ask({ baseUrl }, ['import', '-', '--attempts', '1'], line);
    expect(imported.stderr).toContain(`not everything was answered by ${baseUrl};`);

    const asked = await ask({ baseUrl: `${service.baseUrl}/elsewhere` }, ['deals', 'list']);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(/ \(unexpected_response, .*, request [0-9A-Z]{26}\)\n$/);
    const data = await ask(service, ['deals', 'get', 'nowhere', '--json']);
    expect(JSON.parse(data.stderr)).toEqual({
      error: {
        code: 'not_found',
        message: 'There is no such deal.',
        resource: 'deal',
        request_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      },
    });
  });

  it('says no token in any error', async () => {
    const base = settingsOf(service);
    for (const [environment, code] of [
      [{ ...base, DEALWRIGHT_TOKEN: 'another-t0ken' }, 4],
      [{ ...base, DEALWRIGHT_TOKEN: 'with a space t0ken' }, 2],
      [{ ...base, DEALWRIGHT_URL: 'http://127.0.0.1:1' }, 1],
      [{ ...base, DEALWRIGHT_URL: `${base['DEALWRIGHT_URL']}/elsewhere` }, 1],
    ] as const) {
      for (const flags of [[], ['--json']]) {
        const ended = await runHere(['deals', 'list', '--attempts', '1', ...flags], environment);
        expect(ended).toMatchObject({ code, stdout: '' });
        expect(ended.stderr).not.toContain('t0ken');
        expect(ended.stderr).toMatch(
          /^dealwright: .*\n(?:Run .*\n)?$|^\{"error":\{"code":.*\}\}\n$/,
        );
      }
    }
  });
});
