import { afterEach, describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { runHere, startService, stopAll } from './dealwright.js';

afterEach(stopAll);

const tokens = 'acme=sandbox:acme,live-token-of-acme-too=production:acme';

async function ask(url: string, authorization: string, body?: object) {
  const response = await fetch(url, {
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const json = await response.json();
  return { status: response.status, headers: response.headers, json };
}

describe('a bad setting of the life of a deal', () => {
  const [operatorTokens, since, sunset] = [
    'DEALWRIGHT_OPERATOR_TOKENS',
    'DEALWRIGHT_DEPRECATED_SINCE',
    'DEALWRIGHT_SUNSET',
  ];
  it.each<[Record<string, string>, ...string[]]>([
    [{ [operatorTokens]: '' }, `${operatorTokens} is empty`],
    [{ [operatorTokens]: 's3cret' }, `entry 1 of ${operatorTokens} has no "="`],
    [
      { [operatorTokens]: '=sandbox' },
      `entry 1 of ${operatorTokens} has no token in front of its last "="`,
    ],
    [
      { [operatorTokens]: 's3cret=staging' },
      'names neither production nor sandbox after its last "="',
    ],
    [{ [operatorTokens]: 's3cret=sandbox:acme' }, 'give <token>=production or <token>=sandbox'],
    [{ [operatorTokens]: 's3cret two=sandbox' }, 'no Authorization header can carry'],
    [{ [operatorTokens]: 's3cret=sandbox,' }, `entry 2 of ${operatorTokens} is empty`],
    [
      { [operatorTokens]: 's3cret=sandbox,s3cret=production' },
      `entry 2 of ${operatorTokens} has the token of entry 1: a token speaks for an operator in one environment`,
    ],
    [
      { DEALWRIGHT_MODE: 'later' },
      'DEALWRIGHT_MODE is "later": set it to invoice or prepaid (default invoice)',
    ],
    [{ DEALWRIGHT_MODE: '' }, 'DEALWRIGHT_MODE is empty: set it to'],
    [
      { DEALWRIGHT_ENVIRONMENT: 'staging' },
      'DEALWRIGHT_ENVIRONMENT is "staging": set it to both or sandbox or production (default both)',
    ],
    [{ DEALWRIGHT_ENVIRONMENT: 'production' }, 'DEALWRIGHT_TOKENS is not set: without it'],
    [
      { DEALWRIGHT_ENVIRONMENT: 'production', DEALWRIGHT_TOKENS: 's3cret=sandbox:acme' },
      'DEALWRIGHT_TOKENS has no token of production, and DEALWRIGHT_ENVIRONMENT is production',
    ],
    [
      { DEALWRIGHT_ENVIRONMENT: 'sandbox', DEALWRIGHT_TOKENS: 's3cret=production:acme' },
      'DEALWRIGHT_TOKENS has no token of sandbox, and DEALWRIGHT_ENVIRONMENT is sandbox',
    ],
    [{ [since]: '2027-02-30' }, `${since} is "2027-02-30", which is not a date: give one such as`],
    [{ [since]: '2027-1-1' }, `${since} is "2027-1-1", which is not a date`],
    [{ [since]: '' }, `${since} is empty, which is not a date`],
    [{ [sunset]: '2027-01-01' }, `${sunset} is set without ${since}: set both, or neither`],
    [
      { [since]: '2027-01-02', [sunset]: '2027-01-01' },
      `${sunset} is before ${since}: set it to that day or a later one`,
    ],
    [
      { [since]: 'x', [sunset]: 'y', DEALWRIGHT_MODE: 'z' },
      'DEALWRIGHT_MODE is "z"',
      `${since} is "x"`,
      `${sunset} is "y"`,
    ],
  ])('%j is refused', async (environment, ...says) => {
    const { code, stdout, stderr } = await runHere(['serve', '--memory'], {
      PORT: '0',
      ...environment,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const each of says) expect(stderr).toContain(`${each}`);
    // one line each, and the one that names the help
    expect(stderr.match(/\n/g)).toHaveLength(says.length + 1);
    expect(stderr).not.toContain('s3cr');
  });
});

describe('DEALWRIGHT_OPERATOR_TOKENS', () => {
  it('lets operators in, each token in its environment', async () => {
    const { baseUrl } = await startService({
      DEALWRIGHT_TOKENS: tokens,
      DEALWRIGHT_OPERATOR_TOKENS: 'a=b==sandbox, live-token-of-an-operator=production',
    });
    const made = await ask(`${baseUrl}/api/2.0/deal/`, 'Token acme', dealV2);
    expect(made.status).toBe(201);
    const deal = `${baseUrl}/operator/acme/deal/${dealV2.partner_id}/`;
    for (const [token, status] of [
      ['a=b=', 200],
      ['live-token-of-an-operator', 404],
      ['acme', 401],
      ['a', 401],
    ] as const) {
      expect([token, (await ask(deal, `Operator ${token}`)).status]).toEqual([token, status]);
    }
  });

  it('left out, leaves nothing below /operator/', async () => {
    const { baseUrl } = await startService({ DEALWRIGHT_TOKENS: tokens });
    for (const token of ['Operator acme', 'Token acme']) {
      expect((await ask(`${baseUrl}/operator/deal/?partner=acme`, token)).status).toBe(404);
      expect((await ask(`${baseUrl}/operator/run-timers/`, token, {})).status).toBe(404);
    }
  });
});

describe('DEALWRIGHT_ENVIRONMENT', () => {
  it('leaves the tokens of the other environment unknown', async () => {
    const service = await startService({
      DEALWRIGHT_TOKENS: tokens,
      DEALWRIGHT_OPERATOR_TOKENS: 's3cret=sandbox,live-token-of-an-operator=production',
      DEALWRIGHT_ENVIRONMENT: 'sandbox',
    });
    expect(service.said().stdout).toContain('(sandbox; ');
    const partners = `${service.baseUrl}/api/2.0/deal/`;
    expect((await ask(partners, 'Token acme')).status).toBe(200);
    expect((await ask(partners, 'Token live-token-of-acme-too')).status).toBe(401);
    const operatorDeals = `${service.baseUrl}/operator/deal/?partner=acme`;
    expect((await ask(operatorDeals, 'Operator s3cret')).status).toBe(200);
    expect((await ask(operatorDeals, 'Operator live-token-of-an-operator')).status).toBe(401);
  });

  it('by default is both', async () => {
    const service = await startService({ DEALWRIGHT_TOKENS: tokens });
    expect(service.said().stdout).toContain('(production and sandbox; ');
    expect(
      (await ask(`${service.baseUrl}/api/2.0/deal/`, 'Token live-token-of-acme-too')).status,
    ).toBe(200);
  });
});

describe('DEALWRIGHT_MODE', () => {
  it.each([
    [{}, 0],
    [{ DEALWRIGHT_MODE: 'invoice' }, 0],
    [{ DEALWRIGHT_MODE: 'prepaid' }, 1],
  ])('%j: on acceptance %i payment is requested', async (environment, payments) => {
    const { baseUrl } = await startService({ DEALWRIGHT_TOKENS: tokens, ...environment });
    const made = await ask(`${baseUrl}/api/2.0/deal/`, 'Token acme', dealV2);
    const offer = `Offer ${made.json.data.payment_token}`;
    expect((await ask(`${baseUrl}/api/2.0/offer/accept/`, offer, {})).status).toBe(200);
    const seen = await ask(`${baseUrl}/api/2.0/deal/${dealV2.partner_id}/`, 'Token acme');
    expect(seen.json.data.billing.employer_payments).toHaveLength(payments);
  });
});

describe('DEALWRIGHT_DEPRECATED_SINCE and DEALWRIGHT_SUNSET', () => {
  it.each([
    [{}, null, null],
    [{ DEALWRIGHT_DEPRECATED_SINCE: '2027-01-31' }, '@1801353600', null],
    [
      { DEALWRIGHT_DEPRECATED_SINCE: '2027-01-31', DEALWRIGHT_SUNSET: '2027-12-31' },
      '@1801353600',
      'Fri, 31 Dec 2027 00:00:00 GMT',
    ],
  ])('%j: version 1.0 says %s and %s, version 2.0 nothing', async (dates, deprecation, sunset) => {
    const { baseUrl } = await startService({ DEALWRIGHT_TOKENS: tokens, ...dates });
    const { headers } = await ask(`${baseUrl}/api/1.0/category/`, 'Token acme');
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([deprecation, sunset]);
    const later = await ask(`${baseUrl}/api/2.0/category/`, 'Token acme');
    expect(later.headers.get('deprecation')).toBe(null);
  });
});
