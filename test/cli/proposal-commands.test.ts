import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseFees } from '../../adapters/cli/fees.js';
import { dealV2 } from '../kit/requests.js';
import { type RunningService, runHere, startService, stopAll } from './dealwright.js';
import { settingsOf, token } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-proposals-'));
const dealFile = join(folder, 'deal.json');
const stagesFile = join(folder, 'stages.json');

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
    DEALWRIGHT_FEES: '2.5,10',
  });
  writeFileSync(dealFile, JSON.stringify(dealV2));
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

const runAs = (environment: Record<string, string>, args: readonly string[]) =>
  runHere(args, { ...settingsOf(service), ...environment });
/** Runs a command that must succeed, and returns its output. */
async function done(args: readonly string[], environment: Record<string, string> = {}) {
  const ended = await runAs(environment, args);
  expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}
const json = async (args: readonly string[], environment: Record<string, string> = {}) =>
  JSON.parse(await done([...args, '--json'], environment));

/** A deal that its freelancer has accepted; returns the settings of the freelancer. */
async function openDeal(partner_id: string) {
  const created = await json([
    ...['deals', 'create', '--file', dealFile, '--partner-id', partner_id],
  ]);
  const own = { DEALWRIGHT_PAYMENT_TOKEN: created.payment_token };
  await done(['offer', 'accept'], own);
  return own;
}

describe('a proposal', () => {
  it('is shown with what it changes, old beside new, and is accepted by its digest', async () => {
    const own = await openDeal('order-1');
    const flags = ['--amount', '600.00', '--message', 'Two more pages.'];
    const made = await done(['offer', 'propose', ...flags], own);
    const [record = '', table = ''] = made.split('\n\n');
    expect(record).toMatch(/^status +open$/m);
    expect(record).toMatch(/^message +Two more pages\.$/m);
    // the freelancer's fee is ten per cent
    expect(record).toMatch(/^net +540\.00$/m);
    expect(table.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'terms | old | new',
      'version | 1 | 2',
      'amount | 500.00 | 600.00',
      expect.stringMatching(/^stage \d+ budget \| 500\.00 \| 600\.00$/),
      '',
    ]);
    const { results } = await json(['deals', 'proposals', 'order-1']);
    const [{ id, terms_sha256 }] = results;
    const views = [await done(['deals', 'get', 'order-1']), await done(['offer', 'view'], own)];
    for (const shown of views) {
      expect(shown).toMatch(/^proposal\nid +\w{26}$/m);
      expect(shown).toMatch(/\n\nchanges\namount +600\.00\n\n/);
    }
    expect(await done(['deals', 'proposal', 'order-1', id])).toContain(table);
    const refused = await runAs({}, [
      ...['deals', 'accept-proposal', 'order-1', id, '--terms-sha256', '0'.repeat(64)],
    ]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('terms_changed') });
    const accept = ['deals', 'accept-proposal', 'order-1', id, '--terms-sha256', terms_sha256];
    expect(await done(accept)).toMatch(/^status +accepted$/m);
    const terms = await done(['offer', 'terms'], own);
    expect(terms).toMatch(/^2 .* amendment +600\.00 +partner +[0-9a-f]{64}$/m);
    const closed = await runAs({}, ['deals', 'reject-proposal', 'order-1', id]);
    expect(closed).toMatchObject({ code: 3, stderr: expect.stringContaining('proposal_status') });
  });

  it('takes stages from a file, and compares them by their ids', async () => {
    await openDeal('order-2');
    const { stages } = await json(['deals', 'get', 'order-2']);
    const kept = { id: stages[0].id, budget: '300.00' };
    const added = { name: 'The cover', budget: '200.00', work_days: 5 };
    writeFileSync(stagesFile, JSON.stringify({ title: 'Both', stages: [kept, added] }));
    const args = ['deals', 'propose', 'order-2', '--file', stagesFile, '--title', 'A book'];
    const table = (await done(args)).split('\n\n')[1] ?? '';
    const rows = table.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
    expect(rows).toEqual([
      'terms | old | new',
      'version | 1 | 2',
      `title | ${dealV2.title} | A book`,
      `stage ${kept.id} budget | 500.00 | 300.00`,
      'stage new 2 name | - | The cover',
      'stage new 2 budget | - | 200.00',
      'stage new 2 work_days | - | 5',
      '',
    ]);
  });

  it('compares stages with those that the version before has added', async () => {
    const own = await openDeal('order-6');
    const first = (await json(['deals', 'get', 'order-6'])).stages[0];
    const propose = async (title: string, stages: readonly object[]) => {
      writeFileSync(stagesFile, JSON.stringify({ title, stages }));
      return json(['deals', 'propose', 'order-6', '--file', stagesFile]);
    };
    const accept = async ({ id, terms_sha256 }: { id: string; terms_sha256: string }) =>
      done(['offer', 'accept-proposal', id, '--terms-sha256', terms_sha256], own);
    const tableOf = async ({ id }: { id: string }) =>
      ((await done(['offer', 'proposal', id], own)).split('\n\n')[1] ?? '')
        .split('\n')
        .map((line) => line.replace(/ {2,}/g, ' | '));
    const added = (name: string) => ({ name, budget: '1.00' });
    await accept(
      await propose('A', [{ id: first.id }, added('One'), added('Two'), added('Three')]),
    );
    const ids = (await json(['deals', 'get', 'order-6'])).stages.map(
      ({ id }: { id: number }) => id,
    );
    const [, one, two, three] = ids;
    const kept = [{ id: first.id }, { id: one }, { id: two, budget: '2.00' }, { id: three }];
    expect(await tableOf(await propose('A', kept))).toEqual([
      'terms | old | new',
      'version | 2 | 3',
      'amount | 503.00 | 504.00',
      `stage ${two} budget | 1.00 | 2.00`,
      '',
    ]);
    // the second one is left out, and another one comes in its place
    const others = [{ id: first.id }, { id: one }, { id: three }, added('Four')];
    const table = await tableOf(await propose('A', others));
    expect(table).toEqual([
      'terms | old | new',
      'version | 2 | 3',
      'stage that was left out 3 name | Two | -',
      'stage that was left out 3 budget | 1.00 | -',
      'stage new 4 name | - | Four',
      'stage new 4 budget | - | 1.00',
      '',
    ]);
  });

  it('asks once for the old terms, and says so if they cannot be read', async () => {
    const own = await openDeal('order-7');
    for (const title of ['B', 'C', 'D']) {
      const { id, terms_sha256 } = await json(['deals', 'propose', 'order-7', '--title', title]);
      await done(['offer', 'accept-proposal', id, '--terms-sha256', terms_sha256], own);
    }
    const { results } = await json(['deals', 'proposals', 'order-7']);
    const { fetch } = globalThis;
    const asked: string[] = [];
    let isBroken = false;
    const watched: typeof fetch = async (url, init) => {
      if (!String(url).includes('/terms/')) return fetch(url, init);
      asked.push(String(url));
      return isBroken ? new Response('{}', { status: 404 }) : fetch(url, init);
    };
    vi.stubGlobal('fetch', watched);
    try {
      const show = () => done(['deals', 'proposal', 'order-7', results[0].id]);
      expect(await show()).toMatch(/^title +C +D$/m);
      expect(asked).toHaveLength(1);
      isBroken = true;
      const shown = await show();
      expect(shown).toMatch(/^title +- +D$/m);
      expect(shown).toContain('the old terms could not be read');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('settles the deal, where it says for how much', async () => {
    const own = await openDeal('order-3');
    const { id, kind, terms_sha256 } = await json(
      ['offer', 'propose', '--agreed-amount', '300.00'],
      own,
    );
    expect(kind).toBe('settlement');
    const accept = ['deals', 'accept-proposal', 'order-3', id, '--terms-sha256', terms_sha256];
    expect(await done(accept)).toMatch(/^agreed_amount +- +300\.00$/m);
    expect(await done(['deals', 'get', 'order-3'])).toMatch(/^agreed_amount +300\.00$/m);
  });

  it('is listed page by page', async () => {
    const own = await openDeal('the deal of "1"');
    await done(['offer', 'propose', '--title', 'One'], own);
    await done(['offer', 'propose', '--title', 'Two'], own);
    const args = ['deals', 'proposals', 'the deal of "1"', '--page-size', '1'];
    const [, more = ''] = (await done(args)).split('\n\n');
    const [, cursor = ''] = /^more: dealwright deals proposals '[^']+' .*--cursor '([^']+)'/.exec(
      more,
    ) ?? [''];
    const last = await done([...args, '--cursor', cursor]);
    expect(last).toMatch(/ superseded +500\.00 /);
    expect(last).not.toContain('more:');
    expect(await done(['deals', 'proposals', 'order-2'])).toContain(' open ');
  });

  it('is given and decided for either side in the sandbox', async () => {
    await openDeal('order-4');
    const as = (...args: string[]) => ['sandbox', 'as', ...args];
    const flags = ['--work-days', '5'];
    const { id, terms_sha256 } = await json(as('freelancer', 'propose', 'order-4', ...flags));
    const named = ['order-4', '--proposal-id', id];
    const accept = as('partner', 'accept-proposal', ...named, '--terms-sha256', terms_sha256);
    expect(await done(accept)).toMatch(/^stage \d+ work_days +- +5$/m);
    const stray = await runAs({}, as('partner', 'reject-proposal', ...named, '--title', 'x'));
    expect(stray).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('reject-proposal has no --title'),
    });
    for (const command of ['accept-proposal', 'reject-proposal', 'withdraw-proposal']) {
      expect(await runAs({}, as('partner', command, 'order-4'))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${command} needs --proposal-id`),
      });
    }
    // only the stages of a proposal are in a file
    for (const command of ['reject-proposal', 'accept-proposal', 'approve']) {
      const ended = await runAs({}, as('partner', command, 'order-4', '--file', stagesFile));
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${command} has no --file`),
      });
    }
    const other = await runAs({}, as('operator', 'propose', 'order-4', '--title', 'x'));
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a command of operator'),
    });
  });
});

it('a bonus is a stage that is approved', async () => {
  await openDeal('order-5');
  const args = ['deals', 'add-bonus', 'order-5', '--amount', '50.00', '--message', 'Well done'];
  const deal = await json(args);
  expect(deal.stages[1]).toMatchObject({ name: 'Well done', budget: '50.00', status: 'approved' });
  // two and a half per cent of 550.00
  expect(deal.billing.employer_fee).toBe('13.75');
  expect(await done(['deals', 'terms', 'order-5'])).toMatch(/^2 .* bonus +550\.00 /m);
});

describe('the fees of serve', () => {
  it.each([
    ['0,0', '0.00', '0.00'],
    ['2.5,10', '3.08', '12.34'],
    ['0.01,100', '0.01', '123.45'],
    ['33.33,99.99', '41.14', '123.43'],
  ])('of %s per cent are cut to the cent', (text, employer_fee, contractor_fee) => {
    const policy = parseFees(text)._unsafeUnwrap();
    const terms = { partner_id: 'p', email_freelancer: 'a@b', subcategory_id: 1, currency: 'EUR' };
    expect(policy?.({ ...terms, amount: '123.45' })).toEqual({ employer_fee, contractor_fee });
    expect(policy?.({ ...terms, amount: '-1.00' })).toEqual({
      employer_fee: '0.00',
      contractor_fee: '0.00',
    });
  });

  it.each([
    '',
    '1',
    '1,',
    ',1',
    '1,2,3',
    '1.234,2',
    '-1,2',
    '100.01,2',
    '1,x',
    '1;2',
    '1e1,2',
    '.5,1',
  ])('are not %j', (text) => {
    expect(parseFees(text)._unsafeUnwrapErr()).toMatch(
      /^DEALWRIGHT_FEES takes .* such as 2\.5,10$/,
    );
  });

  it('keep serve from starting, where they are something else', async () => {
    const ended = await runHere(['serve', '--memory'], { DEALWRIGHT_FEES: '1.234,2', PORT: '0' });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('DEALWRIGHT_FEES') });
  });
});
