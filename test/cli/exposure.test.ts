import { afterEach, describe, expect, it } from 'vitest';
import { run, startService, stopAll } from './dealwright.js';

afterEach(stopAll);

const [strong, weak] = ['a-token-of-20-letter', 'a-token-of-19-lette'];

describe('tokens that can be guessed', () => {
  it('are refused in production, each by its place', async () => {
    const { code, stdout, stderr } = await run(['serve', '--memory'], {
      PORT: '0',
      DEALWRIGHT_TOKENS: `${strong}=production:acme,${weak}=production:globex`,
      DEALWRIGHT_OPERATOR_TOKENS: 'short=production',
    }).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('entry 2 of DEALWRIGHT_TOKENS has a token of 19 characters');
    expect(stderr).toContain('entry 1 of DEALWRIGHT_OPERATOR_TOKENS has a token of 5 characters');
    expect(stderr).not.toContain(weak);
    expect(stderr).not.toContain('short=');
    expect(stderr).not.toContain('entry 1 of DEALWRIGHT_TOKENS');
  });

  it('are reported in the sandbox, which works', async () => {
    const service = await startService({
      DEALWRIGHT_TOKENS: `${weak}=sandbox:acme,${strong}=production:acme`,
    });
    expect(service.said().stderr).toMatch(
      /^dealwright: entry 1 of DEALWRIGHT_TOKENS has a token of 19 characters, for sandbox: .*\n$/,
    );
    const headers = { authorization: `Token ${weak}` };
    expect((await fetch(`${service.baseUrl}/api/2.0/deal/`, { headers })).status).toBe(200);
  });
});

describe('a service that other machines may reach', () => {
  it.each(['0.0.0.0', '::'])('at %s says that TLS is not its own', async (HOST) => {
    const service = await startService({ HOST });
    expect(service.said().stderr).toBe(
      `dealwright: HOST is ${HOST}, which other machines may reach, and the service speaks HTTP without TLS: tokens and bank accounts can be read on the way, unless a proxy with TLS stands in front and nothing goes round it\n`,
    );
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', 'LOCALHOST.', '::1'])(
    'is not the one at %s',
    async (HOST) => {
      const service = await startService({ HOST });
      expect(service.said().stderr).toBe('');
    },
  );
});

describe('the limiter of serve', () => {
  const path = '/api/2.0/deal/';
  const unknown = { authorization: 'Token unknown' };
  async function statusesOf(settings: Record<string, string>, headersOf: (at: number) => object) {
    const service = await startService({
      DEALWRIGHT_TOKENS: `${strong}=sandbox:acme`,
      ...settings,
    });
    const ask = async (headers: object) =>
      (await fetch(service.baseUrl + path, { headers: { ...headers } })).status;
    const all = [];
    for (let at = 0; at < 150; at += 1) all.push(await ask(headersOf(at)));
    return { all, last: await ask({ authorization: `Token ${strong}` }) };
  }

  it('refuses an address that guesses, and none of its tokens that is good', async () => {
    const { all, last } = await statusesOf({}, (at) => ({
      ...unknown,
      // without a proxy, the client chooses the address
      'x-forwarded-for': `192.0.2.${at}`,
    }));
    expect(new Set(all.slice(0, 100))).toEqual(new Set([401]));
    expect(all).toContain(429);
    expect(last).toBe(200);
  });

  it('tells clients apart behind a proxy', async () => {
    const { all } = await statusesOf({ DEALWRIGHT_PROXIES: '1' }, (at) => ({
      ...unknown,
      'x-forwarded-for': `forged, 192.0.2.${at}`,
    }));
    expect(new Set(all)).toEqual(new Set([401]));
  });

  it('can be off', async () => {
    const { all } = await statusesOf({ DEALWRIGHT_LIMITS: 'off' }, () => unknown);
    expect(new Set(all)).toEqual(new Set([401]));
  });
});
