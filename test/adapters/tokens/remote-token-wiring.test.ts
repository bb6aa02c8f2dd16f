import { createManualClock } from 'dealwright/testing';
import { createRemoteTokenIssuer, type RemoteTokenOptions } from 'dealwright/tokens';
import { describe, expect, it } from 'vitest';

const secret = 'service-secret-0123456789';

describe('the wiring of remote tokens', () => {
  it.each<[string, Partial<RemoteTokenOptions>, RegExp]>([
    ['an invalid URL', { url: 'payments.example.com' }, /url/],
    ['a file', { url: 'file:///tokens' }, /url/],
    ['a URL with a password', { url: 'https://me:hidden@example.com' }, /url/],
    ['no URL to verify', { verifyUrl: undefined as never }, /verifyUrl/],
    ['an invalid URL to verify', { verifyUrl: 'hidden' }, /verifyUrl/],
    ['a URL to verify with a user', { verifyUrl: 'https://hidden@example.com' }, /verifyUrl/],
    ['an empty secret', { secret: '' }, /secret/],
    ['a secret of two lines', { secret: 'hidden\r\nx' }, /secret/],
    ['no timer', { timer: undefined as never }, /timer/],
    ['a time-out of 0', { timeout: 0 }, /timeout/],
    ['an endless time-out', { timeout: Number.POSITIVE_INFINITY }, /timeout/],
    ['a time-out that no timer keeps', { timeout: 2 ** 31 }, /timeout/],
    ['a pause that no timer keeps', { maxPause: 2 ** 31 }, /maxPause/],
    ['no attempt', { attempts: 0 }, /attempts/],
    ['too many attempts', { attempts: 11 }, /attempts/],
    ['half an attempt', { attempts: 1.5 }, /attempts/],
    ['a negative pause', { maxPause: -1 }, /maxPause/],
    ['a fetch that is no function', { fetch: 'fetch' as never }, /fetch/],
    ['no randomness', { random: 4 as never }, /random/],
    ['a tenant for all tokens', { tenantOf: { partner: 'acme' } as never }, /tenantOf/],
  ])('%s throws a TypeError that repeats nothing', (_, options, message) => {
    const timer = createManualClock();
    const wire = () =>
      createRemoteTokenIssuer({
        url: 'https://example.com/tokens',
        verifyUrl: 'https://example.com/tokens/verify',
        secret,
        timer,
        ...options,
      });
    expect(wire).toThrow(TypeError);
    expect(wire).toThrow(message);
    expect(wire).not.toThrow(/hidden|example\.com|service-secret/);
  });

  it('says whose a token is as the other issuers write it, or as the service does', () => {
    const url = 'https://example.com/tokens';
    const wiring = { url, verifyUrl: url, secret, timer: createManualClock() };
    const acme = { environment: 'sandbox', partner: 'acme' } as const;
    const like = createRemoteTokenIssuer(wiring);
    expect(like.tenantOf('s.YWNtZQ.3q2-7w')).toEqual(acme);
    expect(like.tenantOf('tok_8sPq2LrV0mX4nYb7cZd1Ef')).toBeUndefined();
    const tenantOf = (token: string) => (token.startsWith('tok_') ? acme : undefined);
    const own = createRemoteTokenIssuer({ ...wiring, tenantOf });
    expect(own.tenantOf('tok_8sPq2LrV0mX4nYb7cZd1Ef')).toEqual(acme);
    expect(own.tenantOf('s.YWNtZQ.3q2-7w')).toBeUndefined();
  });
});
