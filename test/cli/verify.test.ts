import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiles, reporters, verifiedLaws } from 'dealwright/verify';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { isLong } from '../tiers.js';
import { run, runHere, startService, stopAll } from './dealwright.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(stopAll);

const tokens = { token: 't0ken-of-acme', other: 't0ken-of-globex', operator: 't0ken-of-operator' };

const startJudged = () =>
  startService({
    DEALWRIGHT_TOKENS: `${tokens.token}=sandbox:acme,${tokens.other}=sandbox:globex`,
    DEALWRIGHT_OPERATOR_TOKENS: `${tokens.operator}=sandbox`,
    DEALWRIGHT_WEBHOOK_PRIVATE: '1',
  });

// what a process, a network and receivers can spoil: the other laws are judged in memory
const ofServices = ['i', '1.1', '4/file', '5', '7.2', '7.3', '7.7', '9.7'];

it('judges serve by every profile, as one command of the program', async () => {
  const { baseUrl } = await startJudged();
  const output = join(folder, 'report.json');
  const { token, other, operator } = tokens;
  const { ended } = run(
    [
      ...['verify', baseUrl, ...(isLong ? [] : ofServices)],
      ...['--other-token', other, '--operator-token', operator],
      ...['--partner', 'acme', '--reporter', 'json', '--output', output, '--seed', `${seed}`],
      // a machine that is busy with something else is slow, not wrong
      ...['--timeout', '60'],
    ],
    { DEALWRIGHT_TOKEN: token },
  );
  const { code, stdout, stderr } = await ended;
  const text = readFileSync(output, 'utf8');
  const report = JSON.parse(text);
  const failed = report.results.filter((each: { outcome: string }) => each.outcome === 'failed');
  expect({ failed, code, stdout, stderr }).toEqual({ failed: [], code: 0, stdout: '', stderr: '' });
  expect(report.counts).toMatchObject({ failed: 0, mustFailed: 0 });
  expect(report.counts.passed).toBeGreaterThan(isLong ? 900 : 200);
  expect(new Set(report.profiles)).toEqual(new Set(profiles));
  for (const secret of Object.values(tokens)) expect(text).not.toContain(secret);
}, 600_000);

describe('verify', () => {
  it('judges one law, in the form that is asked for', async () => {
    const { baseUrl } = await startJudged();
    const judge = (...args: string[]) =>
      runHere(['verify', baseUrl, '5.2/auth/missing', '--token', tokens.token, ...args]);
    const text = await judge();
    expect(text.code).toBe(0);
    expect(text.stdout).toContain(': 1 law (');
    expect((await judge('--reporter', 'tap')).stdout).toMatch(/^TAP version 14\n1\.\.2\nok 1 - /);
    expect((await judge('--reporter', 'junit')).stdout).toMatch(/<testsuites .* tests="2"/);
    const baseline = join(folder, 'baseline');
    writeFileSync(baseline, '# known\n5.2/auth/missing\n');
    const mended = await judge('--baseline', baseline);
    expect([mended.code, mended.stdout]).toEqual([1, expect.stringContaining('take them off')]);
  });

  it('lists the laws without a server', async () => {
    const { code, stdout } = await runHere(['verify', '--list', '--reporter', 'json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, verifiedLaws()]);
    expect((await runHere(['verify', '--list'])).stdout).toContain('5.2/auth/missing');
  });

  it.each([
    [[], 'the base URL of a server is missing'],
    [['http://127.0.0.1:1'], '--token'],
    [['http://127.0.0.1:9', '--token', 'x'], 'there is no server'],
    [['no url', '--token', 'x'], 'the base URL is'],
    [['http://127.0.0.1:9', '--token', 'x', '--profile', 'v3'], 'there is no profile v3'],
    [['http://127.0.0.1:9', '--token', 'x', '--seed', 'one'], '--seed is a whole number'],
    [['http://127.0.0.1:9', '--token', 'x', '--sandbox', '--production'], 'exclude each other'],
    [['http://127.0.0.1:9', '--token', 'x', '--baseline', '/nowhere/x'], 'cannot read'],
    [['http://127.0.0.1:9', '--token', 'x', '--reporter', 'xml'], 'text, tap, junit, json, html'],
    [['http://127.0.0.1:9', '99', '--token', 'x'], 'no law has an id that begins with 99'],
  ] as const)('refuses %j', async (args, why) => {
    const { code, stderr } = await runHere(['verify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('names every profile and every form in its help', async () => {
    const { stdout } = await runHere(['verify', '--help']);
    const help = stdout.replace(/\s+/g, ' ').replaceAll(', ', ',');
    for (const name of [...profiles, ...Object.keys(reporters)]) expect(help).toContain(name);
  });
});
