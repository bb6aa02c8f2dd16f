import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOf, lifecycle } from 'dealwright/life';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { program, type RunningService, runHere, startService, stopAll } from './dealwright.js';
import { ask, settingsOf, token } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-offer-'));
const draft = join(folder, 'own.txt');
const week = ['--advance-seconds', '604800'];

let service: RunningService;
beforeAll(async () => {
  writeFileSync(draft, 'The draft');
  const other = 'other-t0ken-of-production=production:acme';
  service = await startService({ DEALWRIGHT_TOKENS: `${token}=sandbox:acme,${other}` });
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

/** Runs a command that must succeed, and returns its JSON. */
async function done(args: readonly string[], environment: Record<string, string> = {}) {
  const ended = await runHere([...args, '--json'], { ...settingsOf(service), ...environment });
  expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

/** Creates a deal whose employer never pays by itself; returns the commands of its freelancer. */
async function offerOf(partner_id: string) {
  const file = join(folder, `${partner_id}.json`);
  writeFileSync(file, JSON.stringify({ ...dealV2, partner_id, amount: '500.04' }));
  const { payment_token } = await done(['deals', 'create', '--file', file]);
  // the token of the partner does not help here
  const own = { DEALWRIGHT_TOKEN: '', DEALWRIGHT_PAYMENT_TOKEN: payment_token };
  return {
    ask: (...args: string[]) =>
      runHere(['offer', ...args], { DEALWRIGHT_URL: service.baseUrl, ...own }),
    done: (...args: string[]) => done(['offer', ...args], own),
  };
}

const actAs = (...args: string[]) => done(['sandbox', 'as', ...args]);

it('a deal is led to its end by the commands of docs/how-to/test-your-integration.md', async () => {
  const page = readFileSync('docs/how-to/test-your-integration.md', 'utf8');
  const [, section = ''] = page.split('\n## In the sandbox, from the command line\n');
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/^```sh\n(.*?)^```/gms);
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    DEALWRIGHT_URL: service.baseUrl,
  };
  let said = '';
  const shell = (block: string) => {
    const script = `set -e\ndealwright() { "${process.execPath}" "${program}" "$@"; }\n${block}`;
    const ended = spawnSync('sh', ['-c', script], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    expect(ended, block).toMatchObject({ status: 0, stderr: '' });
    return ended.stdout;
  };
  let last = '';
  for (const [, block = ''] of blocks) {
    const [, name, member] = /^export (\w+)='the (?:(payment_token) of|token of)/.exec(block) ?? [];
    if (name === undefined) {
      last = block;
      said = shell(block);
      continue;
    }
    const printed = new RegExp(`^${member} +(\\S+)$`, 'm').exec(said)?.[1] ?? '';
    environment[name] = member === undefined ? token : printed;
  }
  expect(last).toBe('dealwright deals get order-1\n');
  // the sandbox makes the payout a second later
  await expect.poll(() => shell(last)).toMatch(/^status +completed$/m);
});

describe('the commands of an offer', () => {
  it('are those of the life cycle, and what the token shows and takes besides', async () => {
    const { stdout } = await runHere(['offer', '--help']);
    const named = [...stdout.matchAll(/^ {2}([a-z-]+) \[options\]/gm)].map(([, name]) => name);
    const others = [
      ...['view', 'upload', 'files', 'download', 'events', 'propose', 'accept-proposal'],
      ...['reject-proposal', 'withdraw-proposal', 'proposals', 'proposal', 'promises', 'terms'],
    ];
    expect(named.sort()).toEqual([...commandsOf(lifecycle, 'freelancer'), ...others].sort());
  });

  it('show a deal, its files and its events, and nothing of the employer', async () => {
    const offer = await offerOf('shown');
    const { id } = await offer.done('upload', draft, '--name', 'text.txt');
    expect(await offer.done('deliver', '--message', 'Done.')).toMatchObject({
      status: 'delivered',
      freelancer_status: 'accepted',
    });
    const shown = await offer.ask('view');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^status +delivered$/m);
    expect(shown.stdout).toMatch(/\nstage\nid .*\nwork file\nid /s);
    expect(shown.stdout).not.toMatch(/billing|payment_token|shown/);
    expect((await offer.ask('files')).stdout).toMatch(/^id .*\n\S+ .*freelancer +text\.txt\n$/);
    expect((await offer.ask('download', id)).stdout).toBe('The draft');
    const out = join(folder, 'received.txt');
    expect(await offer.done('download', id, '--out', out)).toMatchObject({ name: 'text.txt' });
    expect(readFileSync(out, 'utf8')).toBe('The draft');

    const first = (await offer.ask('events', '--page-size', '1')).stdout;
    expect(first).toMatch(/^at +type +actor\n\S+ +deal\.created +partner\n\nnext: /);
    const [, cursor = ''] = /^next: dealwright offer events .*--after '(\S+)'$/m.exec(first) ?? [];
    const { results, next } = await offer.done('events', '--after', cursor);
    const types = results.map(({ type }: { readonly type: string }) => type);
    expect(types).toEqual(['work_file.stored', 'deal.accepted', 'deal.delivered']);
    expect((await offer.ask('events', '--after', next)).stdout).toMatch(/^no events\n\nnext: /);
  });

  it('say what is refused', async () => {
    const offer = await offerOf('refused');
    for (const [args, code, says] of [
      [['deliver'], 3, 'reason: no_files'],
      [['dispute'], 3, 'reason: is required'],
      [['dispute', '--reason', 'No.'], 3, '(illegal_transition)'],
      [['dispute', '--reason', 'No.'], 3, '\n  legal: accept, decline, deliver\n'],
      [['decline', '--reason', ''], 3, 'reason: '],
      [['download', '01KDVE00000000000000000000'], 3, '(not_found)'],
      [['events', '--after', 'nonsense'], 3, '(invalid_cursor)'],
      [['events', '--page-size', '0'], 2, '--page-size takes'],
      [['deliver', '--stage-id', 'x'], 2, '--stage-id takes a whole number'],
      [['upload', draft, '--stage-id', '999999'], 3, 'stage_id: '],
      [['upload', '/nowhere'], 2, 'no such file'],
      [['upload'], 2, "missing required argument 'path'"],
      [['approve'], 2, "unknown command 'approve'"],
    ] as const) {
      const ended = await offer.ask(...args);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toContain(says);
    }
    const asJson = JSON.parse((await offer.ask('deliver', '--json')).stderr);
    expect(asJson.error).toMatchObject({ code: 'precondition_failed', reason: 'no_files' });
    expect(await offer.done('decline')).toMatchObject({ freelancer_status: 'declined' });
  });

  it('need a payment token that a deal has, from the environment or a file', async () => {
    const offer = await offerOf('known');
    const none = await ask(service, ['offer', 'view']);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('no payment token of a deal: set DEALWRIGHT_PAYMENT_TOKEN');
    const path = join(folder, 'wrong');
    writeFileSync(path, `s.YWNtZQ.${'wr0ng'.repeat(9)}\n`);
    const wrong = await offer.ask('accept', '--token-file', path);
    expect(wrong).toMatchObject({ code: 4, stdout: '' });
    expect(wrong.stderr).toContain('does not know the token of --token-file (unauthorized)');
    const api = await runHere(['offer', 'view'], {
      DEALWRIGHT_URL: service.baseUrl,
      DEALWRIGHT_PAYMENT_TOKEN: token,
    });
    expect(api).toMatchObject({ code: 4, stdout: '' });
    expect(api.stderr).toContain('does not know the token of DEALWRIGHT_PAYMENT_TOKEN');
    expect(wrong.stderr + api.stderr).not.toMatch(/wr0ng|t0ken/);
    expect(await offer.done('view')).toMatchObject({ status: 'created' });
  });
});

describe('the commands of the sandbox', () => {
  it('lead a deal to its end for every side', async () => {
    await offerOf('played');
    expect(await actAs('operator', 'invite', 'played')).toMatchObject({
      freelancer_status: 'invited',
    });
    expect(await actAs('freelancer', 'accept', 'played')).toMatchObject({ status: 'accepted' });
    await done(['files', 'upload', 'played', draft, '--by-partner-id']);
    const { stages } = await actAs('freelancer', 'deliver', 'played');
    const stage = ['--stage-id', String(stages[0].id)];
    const approved = await actAs('partner', 'approve', 'played', ...stage);
    expect(approved).toMatchObject({ status: 'approved' });
    const [{ id }] = approved.billing.employer_payments;
    const report = ['--payment-id', id, '--status', 'paid', '--reference', 'bank-1'];
    const paid = await actAs('payments', 'record-employer-payment', 'played', ...report);
    expect(paid.billing).toMatchObject({ paid: '500.04' });
    const read = async () => (await done(['deals', 'get', 'played'])).status;
    await expect.poll(read).toBe('completed');
  });

  it('resolve a dispute', async () => {
    await offerOf('resolved');
    await done(['files', 'upload', 'resolved', draft, '--by-partner-id']);
    await actAs('freelancer', 'accept', 'resolved');
    await actAs('freelancer', 'deliver', 'resolved');
    await actAs('freelancer', 'dispute', 'resolved', '--reason', 'No answer.');
    const resolve = ['operator', 'resolve', 'resolved', '--agreed-amount', '250.00'];
    expect(await actAs(...resolve)).toMatchObject({ status: 'approved', agreed_amount: '250.00' });
  });

  it('move the time of the partner', async () => {
    await offerOf('forgotten');
    const before = await done(['sandbox', 'clock', '--advance-seconds', '1']);
    for (let weeks = 0; weeks < 5; weeks += 1) await done(['sandbox', 'clock', ...week]);
    const { now, due_left } = await done(['sandbox', 'clock', '--advance-seconds', '1']);
    const seconds = (Date.parse(now) - Date.parse(before.now)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(5 * 604_800 + 1);
    expect(seconds).toBeLessThan(5 * 604_800 + 60);
    expect(due_left).toBe(false);
    expect(await done(['deals', 'get', 'forgotten'])).toMatchObject({ status: 'expired' });
    const shown = await ask(service, ['sandbox', 'clock', '--advance-seconds', '1']);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^now +\S+Z\ndue_left +false\n$/);
  });

  it('say what is refused', async () => {
    await offerOf('guarded');
    for (const [args, code, says] of [
      [['as', 'partner', 'approve', 'guarded'], 3, '(illegal_transition)'],
      [['as', 'freelancer', 'dispute', 'guarded', '--reason', 'x'], 3, '\n  legal: accept, '],
      [['as', 'freelancer', 'deliver', 'guarded'], 3, 'reason: no_files'],
      [['as', 'freelancer', 'accept', 'nowhere'], 3, '(not_found)'],
      [['as', 'operator', 'cancel', 'guarded'], 3, 'reason: '],
      [
        ['as', 'freelancer', 'approve', 'guarded'],
        2,
        'is one of accept, decline, deliver, dispute',
      ],
      [['as', 'clock', 'expire', 'guarded'], 2, 'one of partner, freelancer, operator, payments'],
      [['as', 'constructor', 'name', 'guarded'], 2, 'an actor is one of'],
      [['as', 'partner', 'cancel', 'guarded', '--amount', '1'], 2, 'cancel has no --amount'],
      [['as', 'partner', 'cancel'], 2, "missing required argument 'partner-id'"],
      [['clock'], 3, 'advance_seconds: '],
      [['clock', '--advance-seconds', '0'], 3, 'advance_seconds: '],
      [['clock', '--advance-seconds', 'x'], 2, '--advance-seconds takes a whole number'],
    ] as const) {
      const ended = await ask(service, ['sandbox', ...args]);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toContain(says);
    }
    expect(await done(['deals', 'get', 'guarded'])).toMatchObject({ status: 'created' });
  });

  it('are of the sandbox alone', async () => {
    const production = {
      DEALWRIGHT_URL: service.baseUrl,
      DEALWRIGHT_TOKEN: 'other-t0ken-of-production',
    };
    for (const args of [
      ['clock', ...week],
      ['as', 'freelancer', 'accept', 'guarded'],
    ]) {
      const ended = await runHere(['sandbox', ...args], production);
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toContain('(not_found)');
    }
  });
});
