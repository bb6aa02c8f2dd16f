import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultValueSets } from 'dealwright';
import { describeFields } from 'dealwright/fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { program, type RunningService, run, stopAll } from './dealwright.js';
import { ask, settingsOf, startKnownService, token } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-cli-'));
const fileOf = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const bodyOf = (body: object) => fileOf(`${randomUUID()}.json`, JSON.stringify(body));
const dealJson = bodyOf(deal);
const dealV2Json = bodyOf(dealV2);

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

describe('contractors create', () => {
  it('takes each field as a flag, before the file', async () => {
    const { email: _, house_no: __, ...rest } = contractor;
    const flags = Object.entries(rest).flatMap(([name, value]) => [
      `--${name.replaceAll('_', '-')}`,
      value,
    ]);
    const file = fileOf('odd.json', JSON.stringify({ email: 'no address', house_no: '1' }));
    const args = [
      'contractors',
      'create',
      ...flags,
      '--email',
      'flags@example.com',
      '--file',
      file,
    ];
    expect(await ask(service, [...args, '--json'])).toEqual({
      code: 0,
      stdout: '{\n  "contractor_email": "flags@example.com"\n}\n',
      stderr: '',
    });
  });

  it('says that there is one, and ends with 3', async () => {
    const args = ['contractors', 'create', '--file', bodyOf(contractor)];
    expect(await ask(service, args)).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'dealwright: A contractor with this e-mail address exists already. (contractor_exists)\n',
    });
  });

  it('gives the first answer to the same key', async () => {
    const keyed = { ...contractor, email: 'keyed@example.com' };
    const args = ['contractors', 'create', '--idempotency-key', 'k-1', '--file', bodyOf(keyed)];
    for (const _ of [1, 2]) expect((await ask(service, args)).code).toBe(0);
    const { code, stderr } = await ask(service, [...args, '--city', 'Linz']);
    expect(code).toBe(3);
    expect(stderr).toContain('(idempotency_key_reused)');
    expect(stderr).not.toContain('k-1');
  });

  it('says every issue with its path, for people and as data, in both languages', async () => {
    const body = bodyOf({ ...contractor, email: 'x', city: '' });
    const args = ['contractors', 'create', '--file', body];
    const [plain, json, polish] = await Promise.all([
      ask(service, args),
      ask(service, [...args, '--json']),
      ask(service, [...args, '--lang', 'pl']),
    ]);
    expect(plain).toMatchObject({ code: 3, stdout: '' });
    expect(plain.stderr).toMatch(
      /^dealwright: .* \(validation_failed\)\n {2}email: .* \(invalid_email\)\n {2}city: .* \(too_short\)\n$/,
    );
    expect(json).toMatchObject({ code: 3, stdout: '' });
    expect(JSON.parse(json.stderr)).toEqual({
      error: {
        code: 'validation_failed',
        message: expect.any(String),
        errors: [
          expect.objectContaining({ path: ['email'], code: 'invalid_email' }),
          expect.objectContaining({ path: ['city'], code: 'too_short', params: { min: 1 } }),
        ],
        request_id: expect.any(String),
      },
    });
    expect(polish.stderr).toMatch(/ {2}city: .*znak/);
  });
});

describe('deals', () => {
  it('are created in both versions, shown, and refused twice', async () => {
    const one = ['deals', 'create', '--api-version', '1.0', '--file', dealJson, '--work-days', '5'];
    const two = ['deals', 'create', '--file', dealV2Json];
    const [made, madeV2] = await Promise.all([
      ask(service, [...one, '--budget=-5.00', '--json']),
      ask(service, two),
    ]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { id } = JSON.parse(made.stdout) as { id: number };
    expect(madeV2).toMatchObject({ code: 0, stderr: '' });
    const secret = /^payment_token {6}(\S{22,})\n/.exec(madeV2.stdout)?.[1];
    expect(madeV2.stdout).toMatch(/\nstatus {13}created\nfreelancer_status {2}new\n$/);

    for (const args of [one, two]) {
      const { code, stdout, stderr } = await ask(service, args);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/^dealwright: .* \(deal_exists\)\n$/);
    }
    const byId = await ask(service, ['deals', 'get', '--id', String(id), '--json']);
    expect(JSON.parse(byId.stdout)).toMatchObject({ ...deal, budget: '-5.00', work_days: 5, id });
    const details = await ask(service, ['deals', 'get', dealV2.partner_id, '--json']);
    expect(JSON.parse(details.stdout)).toMatchObject({ ...dealV2, payment_token: secret });
    const text = await ask(service, ['deals', 'get', '--id', String(id)]);
    expect(text.stdout).toMatch(/^partner_id +unique-ID-of-deal$/m);
    expect(text.stdout).toMatch(/^billing$[\s\S]*^amount +-5\.00$[\s\S]*^outstanding +0\.00$/m);
    expect(text.stdout).toMatch(/^stage$[\s\S]*^work_days +5$/m);
  });

  it('of other versions have other fields', async () => {
    const { code, stderr } = await ask(service, [
      'deals',
      'create',
      '--budget',
      '1',
      '--name',
      'x',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dealwright: a deal of version 2\.0 has no --name, --budget: .*1\.0/);
  });

  it('that do not exist end with 3', async () => {
    for (const args of [['nowhere'], ['--id', '99999'], ['a/b?c']]) {
      const { code, stderr } = await ask(service, ['deals', 'get', ...args]);
      expect(code).toBe(3);
      expect(stderr).toContain('(not_found)');
    }
  });

  it('play no tricks on a terminal', async () => {
    const title = 'a\u001b[2Jb\u009b1Ac\u202ed\re';
    const create = ['deals', 'create', '--file', dealV2Json, '--partner-id', 'hostile'];
    expect((await ask(service, [...create, '--title', title])).code).toBe(0);
    const shown = 'a\\u001b[2Jb\\u009b1Ac\\u202ed\\re';
    const list = await ask(service, ['deals', 'list', '--partner-id', 'hostile']);
    expect(list.stdout.split('\n')).toHaveLength(3);
    expect(list.stdout).toContain(shown);
    expect((await ask(service, ['deals', 'get', 'hostile'])).stdout).toContain(shown);
    const json = await ask(service, ['deals', 'get', 'hostile', '--json']);
    expect((JSON.parse(json.stdout) as { title: string }).title).toBe(title);
    for (const { stdout } of [list, json]) {
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});

describe('deals list', () => {
  const email = ['--email-freelancer', 'LISTED@example.com'];
  beforeAll(async () => {
    for (const at of [1, 2, 3]) {
      const body = { ...dealV2, partner_id: `l-${at}`, email_freelancer: 'listed@example.com' };
      expect((await ask(service, ['deals', 'create', '--file', bodyOf(body)])).code).toBe(0);
    }
  });

  it('shows a page, and how to go on', async () => {
    const args = ['deals', 'list', ...email, '--page-size', '2'];
    const first = await ask(service, args);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^created_at +api +id +partner_id.*\n.* l-3 .*\n.* l-2 .*\n\nmore: /,
    );
    const cursor = /--cursor '([^']+)'\n$/.exec(first.stdout)?.[1] ?? '';
    const second = await ask(service, [...args, '--cursor', cursor]);
    expect(second.stdout).toMatch(/^created_at.*\n.* l-1 .*\n$/);
    const odd = await ask(service, ['deals', 'list', '--cursor', cursor]);
    expect(odd.code).toBe(3);
    expect(odd.stderr).toContain('(invalid_cursor)');
  });

  it('says how to go on so that a shell can be given it, filters and all', async () => {
    const quoted = { ...dealV2, email_freelancer: "o'brien@example.com" };
    for (const at of [1, 2]) {
      const body = bodyOf({ ...quoted, partner_id: `q-${at}` });
      expect((await ask(service, ['deals', 'create', '--file', body])).code).toBe(0);
    }
    const args = ['--status', 'created', '--email-freelancer', quoted.email_freelancer];
    const file = fileOf("it's a $HOME token", `${token}\n`);
    const all = [...args, '--page-size', '1', '--quiet', '--token-file', file];
    const first = await ask(service, ['deals', 'list', ...all]);
    const more = /\nmore: dealwright (deals list .*)\n$/.exec(first.stdout)?.[1] ?? '';
    expect(more).toContain("--status 'created'");
    const { DEALWRIGHT_URL } = settingsOf(service);
    const second = spawnSync('sh', ['-c', `'${process.execPath}' '${program}' ${more}`], {
      env: { DEALWRIGHT_URL },
      encoding: 'utf8',
    });
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(second.stdout).toMatch(/^created_at.*\n.* q-1 .*\n$/);
  });

  it('says how to go on so that a shell does nothing else, with any answer of the service', async () => {
    const next = "'; touch '/tmp/no'; echo '$(id)\u001b[2J";
    const data = { results: [], next, previous: null };
    const odd = createServer((_, response) => response.end(JSON.stringify({ data })));
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const { stdout } = await ask({ baseUrl }, ['deals', 'list']);
    await new Promise((resolve) => odd.close(resolve));
    const more = /more: dealwright (.*)\n$/.exec(stdout)?.[1] ?? '';
    const words = spawnSync('sh', ['-c', `printf '%s\\n' ${more}`], { encoding: 'utf8' }).stdout;
    const shown = next.replace('\u001b', '\\u001b');
    expect(words.split('\n')).toEqual(['deals', 'list', '--cursor', shown, '']);
  });

  it('is narrowed to the statuses that the interface knows', async () => {
    const { deal_list } = describeFields(defaultValueSets);
    const { stdout } = await run(['deals', 'list', '--help']).ended;
    const help = stdout.replace(/\s+/g, ' ');
    for (const name of ['status', 'freelancer_status']) {
      const field = deal_list.find((each) => each.name === name);
      const allowed = field?.rules.flatMap(({ params }) =>
        'allowed' in params ? params.allowed : [],
      );
      expect(allowed?.length).toBeGreaterThan(5);
      expect(help).toContain(`(choices: ${allowed?.map((each) => `"${each}"`).join(', ')})`);
    }
  });

  it('gives the page as it came with --json, and a line for each deal with --all', async () => {
    const args = ['deals', 'list', ...email, '--page-size', '2', '--json'];
    const page = JSON.parse((await ask(service, args)).stdout) as Record<string, unknown>;
    expect(page).toEqual({ results: expect.any(Array), next: expect.any(String), previous: null });
    const all = await ask(service, [...args, '--all']);
    const ids = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { partner_id: string }).partner_id);
    expect(ids).toEqual(['l-3', 'l-2', 'l-1']);
    const text = await ask(service, ['deals', 'list', ...email, '--page-size', '2', '--all']);
    expect(text.stdout).toMatch(/ l-3 .*\n.* l-2 .*\n\ncreated_at.*\n.* l-1 .*\n$/);
  });

  it.each([
    { args: ['--status', 'cancelled'], ids: 0 },
    { args: ['--status', 'created', '--freelancer-status', 'new'], ids: 3 },
    { args: ['--freelancer-status', 'removed'], ids: 0 },
    { args: ['--partner-id', 'l-2'], ids: 1 },
    { args: ['--created-from', '2999-01-01T00:00:00Z'], ids: 0 },
    { args: ['--created-to', '2999-01-01T00:00:00Z'], ids: 3 },
  ])('filters by $args', async ({ args, ids }) => {
    const { code, stdout } = await ask(service, ['deals', 'list', ...email, ...args]);
    expect(code).toBe(0);
    if (ids === 0) expect(stdout).toBe('no deals\n');
    else expect(stdout.match(/ l-\d /g)).toHaveLength(ids);
  });

  it('stops when its reader is gone', async () => {
    const { child, ended } = run(['deals', 'list', '--all', '--json'], settingsOf(service));
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('categories', () => {
  it('are a tree, named in the language that is asked for', async () => {
    const { code, stdout } = await ask(service, ['categories']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ id {2}name\n {2}1 {2}\S.*\n 21 {4}\S/);
    const polish = await ask(service, ['categories', '--lang', 'pl', '--json']);
    const tree = JSON.parse(polish.stdout) as { name: string; subcategories: unknown[] }[];
    expect(tree.some(({ name }) => name === 'Teksty i tłumaczenia' || /[ąęłóśźż]/.test(name))).toBe(
      true,
    );
    expect(tree[0]?.subcategories.length).toBeGreaterThan(0);
  });
});
