import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseResult, exitCodeOf, type VerifyOptions, verify } from 'dealwright/verify';
import { afterAll, describe, expect, it } from 'vitest';
import { startStranger } from '../examples/stranger.js';
import { seed } from '../kit/seed.js';
import { isLong } from '../tiers.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-strangers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = { token: 'secret', otherToken: 'other', environment: 'sandbox' } as const;

async function judge(program: string, more: Partial<VerifyOptions> = {}) {
  const { baseUrl, stop } = await startStranger(program);
  try {
    return await verify({ ...options, baseUrl, rate: 1e6, ...more });
  } finally {
    await stop();
  }
}

/** Mistakes in the Python server: the file, the right code, the wrong code, the law that finds it. */
const mistakes = [
  [
    'deals.py',
    "if deal is None and command['partner_id'] in deals",
    'if False',
    'i/identity/exists',
  ],
  ['deals.py', 'first_command not in (None, command)', 'False', '2.7/keys/other-input'],
  ['deals.py', 'if key is not None:', 'if False:', '2.7/keys/replay'],
  ['deals.py', 'setdefault(tenant, {})', "setdefault('all', {})", '2.1/identity/own-names'],
  ['deals.py', 'reversed(found[start:end])', 'found[start:end]', '4/list/newest-first'],
  ['deals.py', "'created_to': lt", "'created_to': lambda a, b: a <= b", '4/list/to-exclusive'],
  [
    'deals.py',
    'signed = json.dumps([direction, bound, wanted]',
    'signed = json.dumps([direction, bound]',
    '4/list/cursor-of-other-filter',
  ],
  ['fields.py', "'title': text(1, 200)", "'title': text(1, 100)", '3/deal/title/max'],
  [
    'fields.py',
    "return f'{int(whole or 0)}.{cents:0<2}'",
    'return value',
    '1.4/create/money-two-decimals',
  ],
  ['fields.py', 'lambda value: email(value).lower()', 'email', '1.3/list/filter-freelancer-case'],
  [
    'server.py',
    "operation = methods.get('GET' if self.command == 'HEAD' else self.command)",
    'operation = methods.get(self.command)',
    '5.2/methods/head',
  ],
  ['server.py', "{'WWW-Authenticate': 'Token'}", '{}', '5.2/auth/challenge'],
  [
    'server.py',
    "is_encoded = self.header('Content-Encoding') is not None",
    'is_encoded = False',
    '5.2/bodies/encoding',
  ],
  [
    'server.py',
    "body = {'type': f'urn:dealwright:error:{problem.code}'",
    "body = {'type': 'about:blank'",
    '5.1/errors/type',
  ],
] as const;

/** A long run makes all mistakes, others a third of them, which the seed chooses. */
const made = mistakes.filter((_, at) => isLong || (at + seed) % 3 === 0);

describe('a server in Python, of version 2.0', () => {
  const program = 'examples/python-server/server.py';

  it('keeps every law that it promises', async () => {
    const report = await judge(program);
    expect(report.profiles).toEqual(['idempotency', 'v2', 'lists']);
    expect(failedOf(report.results)).toEqual([]);
    expect(passedOf(report.results).size).toBeGreaterThan(150);
    expect(exitCodeOf(report)).toBe(0);
  }, 600_000);

  it.each(made)('is judged: %s with %s as %s breaks %s', async (file, right, wrong, law) => {
    const copy = mkdtempSync(join(folder, 'python-'));
    cpSync('examples/python-server', copy, { recursive: true });
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text).toContain(right);
    writeFileSync(
      join(copy, file),
      text.replace(right, () => wrong),
    );
    const { results } = await judge(join(copy, 'server.py'), { only: law });
    expect(results.map(({ outcome }) => outcome)).toContain('failed');
  });
});

describe('a server in plain JavaScript, of version 1.0', () => {
  const program = 'examples/plain-server/server.mjs';

  it('keeps every law of the profiles that are named', async () => {
    const report = await judge(program, { profiles: ['v1', 'files'] });
    const failed = report.results.filter(({ outcome }) => outcome === 'failed');
    // it keeps no types of contents, and reads the plain name in a form
    expect(new Set(failed.map(({ law }) => law.id))).toEqual(
      new Set(['4/file/any-name', '4/file/type-of-content']),
    );
    expect(passedOf(report.results).size).toBeGreaterThan(100);
    expect(exitCodeOf(report)).toBe(0);
  }, 600_000);
});

const failedOf = (results: readonly CaseResult[]) =>
  results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ law, variant, failure }) =>
      [law.id, variant, failure?.message, failure?.curl, failure?.answer].join('\n'),
    );

const passedOf = (results: readonly CaseResult[]) =>
  new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ law }) => law.id));
