import { afterEach, describe, expect, it } from 'vitest';
import { runHere, startService, stopAll } from './dealwright.js';

afterEach(stopAll);

const [own, other] = ['https://app.example.com', 'http://localhost:5173'];

/** The answer to a browser before a page of this origin may call. */
async function preflight(baseUrl: string, origin: string): Promise<string | null> {
  const headers = { origin, 'access-control-request-method': 'POST' };
  const answer = await fetch(`${baseUrl}/api/2.0/deal/`, { method: 'OPTIONS', headers });
  return answer.headers.get('access-control-allow-origin');
}

describe('DEALWRIGHT_CORS_ORIGINS', () => {
  it.each([
    { setting: undefined, allowed: [null, null] },
    { setting: own, allowed: [own, null] },
    { setting: ` ${own} , ${other} `, allowed: [own, other] },
    { setting: '*', allowed: [own, other] },
  ])('$setting allows $allowed', async ({ setting, allowed }) => {
    const given = setting === undefined ? {} : { DEALWRIGHT_CORS_ORIGINS: setting };
    const { baseUrl, child, ended } = await startService(given);
    expect([await preflight(baseUrl, own), await preflight(baseUrl, other)]).toEqual(allowed);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['', 'DEALWRIGHT_CORS_ORIGINS is empty: leave it out, or give origins such as'],
    ['  ', 'DEALWRIGHT_CORS_ORIGINS is empty'],
    ['app.example.com', 'entry 1 of DEALWRIGHT_CORS_ORIGINS is "app.example.com", which is not'],
    [`${own}/`, `entry 1 of DEALWRIGHT_CORS_ORIGINS is "${own}/", which is not an origin`],
    [`${own},`, 'entry 2 of DEALWRIGHT_CORS_ORIGINS is empty, which is not an origin'],
    [`${own},*`, 'entry 2 of DEALWRIGHT_CORS_ORIGINS is "*", which is not an origin'],
    ['https://*.example.com', 'is "https://*.example.com", which is not an origin'],
    ['null', 'is "null", which is not an origin'],
    ['https://app.example.com:443', 'which is not an origin'],
    ['https://a.example\u001b[2J', 'is "https://a.example\\u001b[2J", which is not an origin'],
  ])('%j is refused', async (setting, says) => {
    const { code, stdout, stderr } = await runHere(['serve', '--memory'], {
      PORT: '0',
      DEALWRIGHT_CORS_ORIGINS: setting,
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });
});
