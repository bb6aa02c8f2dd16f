import { afterEach, expect, it } from 'vitest';
import { contractor } from '../kit/requests.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';

afterEach(stopAll);

const [a, b, c] = ['a', 'b', 'c'].map((name) => `token-of-twenty-letters-${name}`) as [
  string,
  string,
  string,
];
const two = `${a}=sandbox:acme,${b}=sandbox:other`;

async function register({ baseUrl }: RunningService, token: string, iban?: string) {
  const response = await fetch(`${baseUrl}/api/1.0/contractor/`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(
      iban === undefined ? contractor : { ...contractor, bank_account_iban: iban },
    ),
  });
  const { code, errors } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code, errors };
}

it('partners of an environment share their contractors, and serve warns of it', async () => {
  const service = await startService({ DEALWRIGHT_TOKENS: `${two},${c}=production:acme` });
  expect(service.said().stderr).toMatch(
    /^dealwright: the 2 partners in sandbox share their contractors: [^\n]* DEALWRIGHT_CONTRACTOR_SCOPE=partner [^\n]*\n$/,
  );
  expect((await register(service, a)).status).toBe(201);
  expect((await register(service, b)).code).toBe('contractor_exists');
});

it('DEALWRIGHT_CONTRACTOR_SCOPE=partner keeps them apart, without a warning', async () => {
  const settings = { DEALWRIGHT_TOKENS: two, DEALWRIGHT_CONTRACTOR_SCOPE: 'partner' };
  const service = await startService(settings);
  for (const token of [a, b]) {
    expect((await register(service, token)).status).toBe(201);
    expect((await register(service, token)).code).toBe('contractor_exists');
  }
  expect(service.said().stderr).toBe('');
});

it('no warning is given for one partner in each environment, with several tokens', async () => {
  const tokens = `${a}=sandbox:acme,${b}=sandbox:acme,${c}=production:other`;
  expect((await startService({ DEALWRIGHT_TOKENS: tokens })).said().stderr).toBe('');
});

it('DEALWRIGHT_PROFILE=strict refuses an IBAN with wrong check digits', async () => {
  const wrong = 'AT611904300234573202';
  const tokens = { DEALWRIGHT_TOKENS: `${a}=sandbox:acme` };
  const lenient = await startService({ ...tokens, DEALWRIGHT_PROFILE: 'interface' });
  expect((await register(lenient, a, wrong)).status).toBe(201);
  const strict = await startService({ ...tokens, DEALWRIGHT_PROFILE: 'strict' });
  expect(await register(strict, a, wrong)).toMatchObject({
    status: 400,
    errors: [{ path: ['bank_account_iban'], code: 'iban_wrong_checksum' }],
  });
});

it('wrong values are refused together', async () => {
  const wrong = { DEALWRIGHT_CONTRACTOR_SCOPE: 'tenant', DEALWRIGHT_PROFILE: '' };
  const { code, stdout, stderr } = await run(['serve', '--memory'], wrong).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    'dealwright: DEALWRIGHT_CONTRACTOR_SCOPE is "tenant": set it to environment or partner (default environment)\n',
  );
  expect(stderr).toContain(
    'dealwright: DEALWRIGHT_PROFILE is empty: set it to interface or strict (default interface)\n',
  );
});
