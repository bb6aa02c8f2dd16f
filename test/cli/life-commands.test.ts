import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOf, describeCommands, lifecycle } from 'dealwright/life';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { type RunningService, runHere, startService, stopAll } from './dealwright.js';
import { ask, token } from './service-client.js';

const operatorToken = 't0ken-of-the-operators';
const folder = mkdtempSync(join(tmpdir(), 'dealwright-life-'));
const fileOf = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const draft = fileOf('draft.txt', 'The draft');

let service: RunningService;
beforeAll(async () => {
  // in production, only the reports of these tests move money
  service = await startService({
    DEALWRIGHT_TOKENS: `${token}=production:acme`,
    DEALWRIGHT_OPERATOR_TOKENS: `${operatorToken}=production`,
  });
  await done(['contractors', 'create', '--file', fileOf('c.json', JSON.stringify(contractor))]);
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

/** Runs a command that must succeed, and returns its JSON. */
async function done(args: readonly string[]) {
  const ended = await ask(service, [...args, '--json']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

/** Runs a command of the operator. */
function asOperator(args: readonly string[], environment: Record<string, string> = {}) {
  return runHere(['payments', ...args], {
    DEALWRIGHT_URL: service.baseUrl,
    DEALWRIGHT_OPERATOR_TOKEN: operatorToken,
    ...environment,
  });
}

async function doneByOperator(args: readonly string[]) {
  const ended = await asOperator([...args, '--json']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

/** Creates a deal of version 1.0. */
async function create(partner_id: string): Promise<string> {
  const file = fileOf(`${partner_id}.json`, JSON.stringify({ ...deal, partner_id }));
  await done(['deals', 'create', '--api-version', '1.0', '--file', file]);
  return partner_id;
}

const deliver = async (id: string) => {
  await done(['files', 'upload', id, draft, '--by-partner-id']);
  return done(['deals', 'deliver', id, '--message', 'The draft.']);
};

/** Creates a deal whose work is approved. */
async function createApproved(partner_id: string): Promise<string> {
  await create(partner_id);
  await done(['deals', 'accept', partner_id]);
  await deliver(partner_id);
  expect(await done(['deals', 'approve', partner_id])).toMatchObject({ status: 'approved' });
  return partner_id;
}

describe('the commands of deals', () => {
  it('are those that a partner can ever give, each with what it takes', async () => {
    const { stdout } = await runHere(['deals', '--help']);
    const named = [...stdout.matchAll(/^ {2}([a-z-]+) .*<partner-id>/gm)].map(([, name]) => name);
    const others = [
      ...['propose', 'accept-proposal', 'reject-proposal', 'withdraw-proposal'],
      ...['proposals', 'proposal', 'terms', 'deliveries'],
    ];
    const own: readonly string[] = commandsOf(lifecycle, 'partner');
    expect(named.sort()).toEqual([...own, ...others].sort());
    const described = describeCommands(lifecycle).filter(
      ({ by, command }) => by.includes('partner') && own.includes(command),
    );
    expect(described.length).toBeGreaterThan(5);
    for (const { command, input } of described) {
      const help = (await runHere(['deals', command, '--help'])).stdout;
      const flags = input.map(({ name }) => `--${name.replaceAll('_', '-')}`);
      const [before = ''] = help.split('--idempotency-key');
      const listed = [...before.matchAll(/(--[a-z0-9-]+) <(?:text|number)>/g)].map(
        ([, flag]) => flag,
      );
      expect([command, listed]).toEqual([command, flags]);
      expect(/\(required\)/.test(help)).toBe(input.some(({ required }) => required));
    }
  });

  it('lead a deal from the invitation through a correction to its approval', async () => {
    const id = await create('led');
    expect(await done(['deals', 'invite', id])).toMatchObject({ freelancer_status: 'invited' });
    expect(await done(['deals', 'accept', id])).toMatchObject({ status: 'accepted' });
    const { stages, ...delivered } = await deliver(id);
    expect(delivered).toMatchObject({ status: 'delivered' });
    const stage = ['--stage-id', String(stages[0].id)];
    const back = ['deals', 'request-changes', id, ...stage, '--reason', 'Longer, please.'];
    expect(await done(back)).toMatchObject({ status: 'changes_requested' });
    await deliver(id);
    const shown = await ask(service, ['deals', 'approve', id, ...stage]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^status +approved$/m);
    expect(shown.stdout).toMatch(/^employer_payments +\[\{"id":/m);
  });

  it('end a deal or stop it', async () => {
    const [declined, cancelled] = [await create('declined'), await create('cancelled')];
    const reason = ['--reason', 'No time.'];
    expect(await done(['deals', 'decline', declined, ...reason])).toMatchObject({
      status: 'cancelled',
      freelancer_status: 'declined',
    });
    expect(await done(['deals', 'cancel', cancelled])).toMatchObject({
      status: 'cancelled',
      freelancer_status: 'removed',
    });
    const disputed = await createApproved('disputed');
    expect(await done(['deals', 'dispute', disputed, ...reason])).toMatchObject({
      status: 'disputed',
    });
  });

  it('are repeated with a key as the same, and not as others', async () => {
    const id = await create('keyed');
    const args = ['deals', 'cancel', id, '--idempotency-key', 'k', '--reason'];
    expect(await done([...args, 'one'])).toEqual(await done([...args, 'one']));
    const other = await ask(service, [...args, 'two']);
    expect(other).toMatchObject({ code: 3, stdout: '' });
    expect(other.stderr).toContain('(idempotency_key_reused)');
  });

  it('say what is refused', async () => {
    const id = await create('refused');
    for (const [args, code, says] of [
      [['approve', id], 3, '(illegal_transition)'],
      [['approve', id], 3, '\n  legal: '],
      [['approve', id], 3, '\n  deal_status: created, freelancer_status: new\n'],
      [['deliver', id], 3, 'reason: no_files'],
      [['approve', 'nowhere'], 3, '(not_found)'],
      [['dispute', id], 3, 'reason: '],
      [['deliver', id, '--stage-id', '999999'], 3, 'stage_id: '],
      [['deliver', id, '--stage-id', 'x'], 2, '--stage-id takes a whole number'],
      [['deliver'], 2, "missing required argument 'partner-id'"],
      [['cancel', id, '--stage-id', '1'], 2, "unknown option '--stage-id'"],
    ] as const) {
      const ended = await ask(service, ['deals', ...args]);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toContain(says);
    }
    await done(['deals', 'accept', id]);
    const bare = await ask(service, ['deals', 'deliver', id, '--json']);
    expect(JSON.parse(bare.stderr).error).toMatchObject({ reason: 'no_files' });
  });

  it('are for the freelancer of version 1.0 alone', async () => {
    await done(['deals', 'create', '--file', fileOf('v2.json', JSON.stringify(dealV2))]);
    const ended = await ask(service, ['deals', 'accept', dealV2.partner_id, '--json']);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stderr).error).toMatchObject({
      code: 'illegal_transition',
      deal_status: 'created',
    });
  });
});

describe('the commands of payments', () => {
  it('take the statuses that the life cycle knows', async () => {
    for (const [name, command] of [
      ['record-employer', 'record-employer-payment'],
      ['record-contractor', 'record-contractor-payment'],
    ] as const) {
      const { input } = describeCommands(lifecycle).find((row) => row.command === command) ?? {};
      const allowed = input?.find((each) => each.name === 'status')?.allowed ?? [];
      expect(allowed.length).toBeGreaterThan(3);
      const { stdout } = await runHere(['payments', name, '--help']);
      const choices = allowed.map((each) => `"${each}"`).join(', ');
      expect(stdout.replace(/\s+/g, ' ')).toContain(`(choices: ${choices})`);
    }
  });

  it('lead an approved deal to its payout, over a request and a payout that fail', async () => {
    const id = await createApproved('paid');
    const of = ['acme', id];
    const { billing } = await doneByOperator(['get', ...of]);
    const [{ id: first }] = billing.employer_payments;
    const failed = ['--payment-id', first, '--status', 'failed', '--reference', 'a'];
    await doneByOperator(['record-employer', ...of, ...failed]);
    const asked = await doneByOperator(['request', ...of, '--reason', 'It failed.']);
    const { id: second } = asked.billing.employer_payments.at(-1);
    expect(second).not.toBe(first);
    const flags = ['--payment-id', second, '--status', 'paid', '--amount', '1000.00'];
    const paid = await doneByOperator(['record-employer', ...of, ...flags, '--reference', 'b']);
    expect(paid.billing).toMatchObject({ paid: '1000.00', held: '1000.00' });
    const { id: payout } = paid.billing.contractor_payments[0];
    const report = async (status: string, reference: string) => {
      const said = ['--payment-id', payout, '--status', status, '--reference', reference];
      return doneByOperator(['record-contractor', ...of, ...said]);
    };
    await report('failed', 'c');
    const retried = await doneByOperator(['retry', ...of, '--payment-id', payout]);
    expect(retried.billing.contractor_payments[0].status).toBe('scheduled');
    expect(await report('paid', 'd')).toMatchObject({ status: 'completed' });
    const again = await doneByOperator(['record-employer', ...of, ...flags, '--reference', 'b']);
    expect(again.billing.paid).toBe('1000.00');
  });

  it('ask anew for a refund that failed, which a list of deals shows until then', async () => {
    const id = await createApproved('refunded');
    const of = ['acme', id];
    const report = async (status: string, ...said: readonly string[]) =>
      doneByOperator(['record-employer', ...of, '--status', status, ...said]);
    const { billing } = await doneByOperator(['get', ...of]);
    const payment = ['--payment-id', billing.employer_payments[0].id];
    await report('paid', ...payment, '--amount', '1500.00', '--reference', 'in');
    const [{ id: payout }] = (await doneByOperator(['get', ...of])).billing.contractor_payments;
    const out = ['--payment-id', payout, '--status', 'paid', '--reference', 'out'];
    await doneByOperator(['record-contractor', ...of, ...out]);
    await report('refunded', ...payment, '--amount', '500.00', '--reference', 'back');
    const attended = async (...flags: readonly string[]) => {
      const { results } = await done(['deals', 'list', '--attention', 'true', ...flags]);
      return results.map((each: { readonly partner_id: string }) => each.partner_id);
    };
    expect(await attended()).toEqual([]);
    const nothing = await asOperator(['retry-refund', ...of]);
    expect(nothing).toMatchObject({ code: 3, stdout: '' });
    expect(nothing.stderr).toContain('nothing_to_retry');
    const failed = await report('refund_failed', ...payment, '--reference', 'back');
    expect(failed).toMatchObject({ attention: ['refund_failed'], billing: { refunded: '0.00' } });
    expect(await attended()).toEqual([id]);
    expect(await attended('--status', 'created')).toEqual([]);
    const again = await doneByOperator(['retry-refund', ...of, ...payment]);
    expect(again).toMatchObject({ attention: [], billing: { held: '500.00' } });
    expect(await attended()).toEqual([]);
    const last = await report('refunded', ...payment, '--amount', '500.00', '--reference', 'again');
    expect(last.billing).toMatchObject({ held: '0.00', refunded: '500.00' });
    const wrong = await ask(service, ['deals', 'list', '--attention', 'false']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  it('show the work files, which the operator downloads', async () => {
    const id = await createApproved('judged');
    const { stages } = await doneByOperator(['get', 'acme', id]);
    const file = stages[0].work_files[0].id;
    const download = (partner: string) =>
      runHere(['operator', 'download', partner, id, file], {
        DEALWRIGHT_URL: service.baseUrl,
        DEALWRIGHT_OPERATOR_TOKEN: operatorToken,
      });
    expect(await download('acme')).toMatchObject({ code: 0, stdout: 'The draft', stderr: '' });
    expect(await download('globex')).toMatchObject({ code: 3, stdout: '' });
  });

  it('list the reports that match no payment, of which one is dismissed', async () => {
    const give = (...args: readonly string[]) =>
      runHere(['operator', ...args], {
        DEALWRIGHT_URL: service.baseUrl,
        DEALWRIGHT_OPERATOR_TOKEN: operatorToken,
      });
    expect(await give('reports')).toMatchObject({ code: 0, stdout: 'no reports\n' });
    for (const reference of ['bank-1', 'bank-2']) {
      const said = ['--status', 'paid', '--amount', '40.00', '--reference', reference];
      expect(await asOperator(['record-employer', 'acme', 'nowhere', ...said])).toMatchObject({
        code: 3,
      });
    }
    const first = await give('reports', '--page-size', '1');
    expect(first.stdout).toMatch(/^acme +nowhere +employer_payment +paid +40\.00 +unknown_deal /m);
    expect(first.stdout).toContain('bank-1');
    expect(first.stdout).not.toContain('bank-2');
    expect(first.stdout).toMatch(/^more: dealwright operator reports .*--cursor /m);
    const { results } = JSON.parse((await give('reports', '--json')).stdout);
    expect(results).toHaveLength(2);
    expect(await give('dismiss', 'acme', results[0].id)).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/^is_dismissed +true$/m) },
    });
    expect((await give('reports')).stdout).not.toContain('bank-1');
    expect(await give('dismiss', 'globex', results[1].id)).toMatchObject({ code: 3, stdout: '' });
    expect((await give('summary')).stdout).toMatch(/^report_unmatched +1 /m);
  });

  it('are of no need if a partner asks for payment itself', async () => {
    const id = await createApproved('asked');
    const open = await done(['deals', 'request-payment', id]);
    expect(open.billing.employer_payments).toHaveLength(1);
  });

  it('show no payment token, and what is refused', async () => {
    const file = fileOf('v2-secret.json', JSON.stringify({ ...dealV2, partner_id: 'secret' }));
    const { payment_token } = await done(['deals', 'create', '--file', file]);
    const shown = await asOperator(['get', 'acme', 'secret']);
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^partner_id +secret$/m),
    });
    expect(shown.stdout).not.toContain(payment_token);
    for (const [args, code, says] of [
      [['get', 'globex', 'secret'], 3, '(not_found)'],
      [['get', '', 'secret'], 2, 'a partner has 1 to 128 characters'],
      [['retry', 'acme', 'secret'], 3, 'nothing_to_retry'],
      [['record-employer', 'acme', 'secret'], 3, 'reference: '],
      [['record-contractor', 'acme', 'secret', '--status', 'refunded'], 2, 'Allowed choices are'],
    ] as const) {
      const ended = await asOperator(args);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toContain(says);
    }
  });

  it('need the token of the operator, from the environment or a file', async () => {
    const args = ['get', 'acme', 'secret'];
    const path = fileOf('operator', `${operatorToken}\n`);
    const other = { DEALWRIGHT_OPERATOR_TOKEN: token };
    expect(await asOperator([...args, '--token-file', path], other)).toMatchObject({ code: 0 });
    const none = await asOperator(args, { DEALWRIGHT_OPERATOR_TOKEN: '', DEALWRIGHT_TOKEN: token });
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('no token of an operator: set DEALWRIGHT_OPERATOR_TOKEN');
    const wrong = await asOperator(args, other);
    expect(wrong).toMatchObject({ code: 4, stdout: '' });
    expect(wrong.stderr).toContain('does not know the token of DEALWRIGHT_OPERATOR_TOKEN');
    expect(none.stderr + wrong.stderr).not.toContain('t0ken');
    const { stdout } = await runHere(['payments', 'get', '--help']);
    expect(stdout).toMatch(/^ {2}DEALWRIGHT_OPERATOR_TOKEN {2}/m);
    expect(stdout).not.toMatch(/DEALWRIGHT_TOKEN\b/);
  });
});
