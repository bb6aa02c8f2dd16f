import { createOpaqueTokenIssuer, tenantOfPaymentToken } from 'dealwright/tokens';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeBytes } from '../../../adapters/tokens/base64url.js';
import { acme, anyClaims, anyTenant, claims, issued, tokenForm } from './token-values.js';

describe('an opaque token', () => {
  it('has the form of a payment token and names its tenant, for any tenant', async () => {
    const issuer = createOpaqueTokenIssuer();
    await fc.assert(
      fc.asyncProperty(anyTenant(), anyClaims(), async (tenant, deal) => {
        const token = await issued(issuer, tenant, deal);
        expect(token).toMatch(tokenForm);
        expect(tenantOfPaymentToken(token)).toEqual(tenant);
        const [environment, partner, secret] = token.split('.');
        expect(environment).toBe(tenant.environment.charAt(0));
        expect(partner).toBe(Buffer.from(tenant.partner).toString('base64url'));
        expect(Buffer.from(secret ?? '', 'base64url')).toHaveLength(32);
      }),
    );
  });

  it('says nothing of the deal, and comes at once', () => {
    const answer = createOpaqueTokenIssuer().issue(acme, claims);
    expect('then' in answer).toBe(false);
    expect(JSON.stringify(answer)).not.toContain('order-2');
  });

  it('is never issued twice, nor is any part of its secret', async () => {
    const issuer = createOpaqueTokenIssuer();
    const other = createOpaqueTokenIssuer();
    const parts = new Set<string>();
    const count = 100_000;
    for (let each = 0; each < count; each += 1) {
      const secret = (await issued(each % 2 === 0 ? issuer : other)).slice(9);
      // 20 characters are 120 bits: two equal parts mean that bytes were used twice
      parts.add(secret.slice(0, 20));
      parts.add(secret.slice(20, 40));
    }
    expect(parts.size).toBe(2 * count);
  });

  it('remembers more partners than it keeps, and forgets none of their names', async () => {
    const issuer = createOpaqueTokenIssuer();
    for (let each = 0; each < 2500; each += 1) {
      const tenant = { environment: 'production', partner: `partner-${each % 1500}` } as const;
      expect(tenantOfPaymentToken(await issued(issuer, tenant))).toEqual(tenant);
      const sandbox = { ...tenant, environment: 'sandbox' } as const;
      expect(tenantOfPaymentToken(await issued(issuer, sandbox))).toEqual(sandbox);
    }
  });
});

describe('the random bytes of opaque tokens', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are those of the runtime, each used once and in order', async () => {
    const drawn: Uint8Array[] = [];
    const draw = globalThis.crypto.getRandomValues.bind(globalThis.crypto);
    vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((array) => {
      const filled = draw(array);
      drawn.push(new Uint8Array(filled as Uint8Array));
      return filled;
    });
    const issuer = createOpaqueTokenIssuer();
    const secrets: string[] = [];
    for (let each = 0; each < 300; each += 1) secrets.push((await issued(issuer)).slice(9));
    const handedOut = Buffer.concat(secrets.map((secret) => Buffer.from(secret, 'base64url')));
    expect(drawn.length).toBeGreaterThan(1);
    expect(handedOut).toEqual(Buffer.concat(drawn).subarray(0, handedOut.length));
  });
});

describe('base64url', () => {
  it('is that of the runtime', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(encodeBytes(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      }),
    );
  });
});

describe('the tenant of a token', () => {
  it('is undefined if the token names none', () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const cases = [
      '',
      '..',
      's.YWNtZQ',
      's.YWNtZQ.',
      'x.YWNtZQ.3q2-7w',
      's..3q2-7w',
      's.YWNtZR.3q2-7w', // spare bits that are not zero
      's.YWNtZQ==.3q2-7w',
      's.____.3q2-7w', // not UTF-8
      's.7aCA.3q2-7w', // a surrogate
      `s.${encoded('x'.repeat(200))}.3q2-7w`, // a partner of more than 128 characters
      `s.YWNtZQ.${'x'.repeat(2048)}`,
      `eyJ9.${encoded({ environment: 'staging', partner: 'acme' })}.c2ln`,
      `eyJ9.${encoded({ environment: 'sandbox' })}.c2ln`,
      `eyJ9.${encoded(null)}.c2ln`,
      `eyJ9.${encoded([])}.c2ln`,
      'eyJ9.bm8ganNvbg.c2ln',
    ];
    for (const each of cases) expect(tenantOfPaymentToken(each)).toBeUndefined();
  });

  it('is found or not, but never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `s.${text}.x`),
        ),
        (text) => {
          const tenant = tenantOfPaymentToken(text);
          expect([undefined, 'sandbox', 'production']).toContain(tenant?.environment);
        },
      ),
    );
  });
});
