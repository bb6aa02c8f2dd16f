import type { Timer } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyClaims, anyTenant, heldBy, issued, verdictOn } from './token-values.js';

const second = 1000;

describe('the verdict on an opaque token', () => {
  it('is valid for whomever it was issued, and comes at once', async () => {
    const issuer = createOpaqueTokenIssuer();
    await fc.assert(
      fc.asyncProperty(anyTenant(), anyClaims(), async (tenant, deal) => {
        const held = { ...heldBy(await issued(issuer, tenant, deal)), ...deal };
        const answer = issuer.verify(tenant, held);
        expect('then' in answer).toBe(false);
        expect(await verdictOn(issuer, held, tenant)).toBe('valid');
      }),
    );
  });

  it('is invalid if the secret has not the form of 32 bytes', async () => {
    const issuer = createOpaqueTokenIssuer();
    const prefix = 's.YWNtZQ.';
    const secret = (await issued(issuer)).slice(prefix.length);
    for (const other of [
      '',
      secret.slice(0, 42),
      `${secret}A`,
      `${secret}====`,
      `${secret.slice(0, 42)}B`, // spare bits that are not zero
      `${secret.slice(0, 42)}.`,
      `${secret.slice(0, 42)}~`,
      `${secret.slice(0, 42)}+`,
    ]) {
      expect(await verdictOn(issuer, heldBy(prefix + other)), other).toBe('invalid');
    }
    expect(await verdictOn(issuer, heldBy(prefix + secret))).toBe('valid');
  });

  it('is invalid for what is no text at all, and nothing throws', async () => {
    const issuer = createOpaqueTokenIssuer();
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        expect(await verdictOn(issuer, heldBy(value as string))).toBe('invalid');
      }),
    );
  });

  it('is expired to the second, wherever in a second it was issued', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 1e9 }),
        async (start, lifetime) => {
          const timer = createManualClock(start);
          const issuer = createOpaqueTokenIssuer({ lifetime, timer });
          const held = heldBy(await issued(issuer), start);
          // the last moment of the last second, and the next
          timer.advance(lifetime * second - (start % second) - 1);
          expect(await verdictOn(issuer, held)).toBe('valid');
          timer.advance(1);
          expect(await verdictOn(issuer, held)).toBe('expired');
        },
      ),
    );
  });

  it('is invalid if there is a lifetime and no time of issue', async () => {
    const options = { lifetime: 60, timer: createManualClock() };
    const issuer = createOpaqueTokenIssuer(options);
    const held = { ...heldBy(await issued(issuer)), issued_at: 'yesterday' };
    expect(await verdictOn(issuer, held)).toBe('invalid');
    expect(await verdictOn(createOpaqueTokenIssuer(), held)).toBe('valid');
  });

  it('is not given by a clock that fails, unless no clock is needed', async () => {
    const now = () => {
      throw new Error('no time');
    };
    const timer: Timer = { ...createManualClock(), now };
    const issuer = createOpaqueTokenIssuer({ lifetime: 60, timer });
    const held = heldBy(await issued(issuer));
    const failure = await verdictOn(issuer, held);
    expect(failure).toMatchObject({ code: 'unavailable', outcome: 'none', retryable: true });
    expect(JSON.stringify(failure)).not.toContain(held.payment_token);
    expect(await verdictOn(createOpaqueTokenIssuer({ timer }), held)).toBe('valid');
    expect(await verdictOn(issuer, heldBy('x'.repeat(40)))).toBe('invalid');
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '60' as never])(
    'has no lifetime of %s: wiring it throws a TypeError',
    (lifetime) => {
      const wire = () => createOpaqueTokenIssuer({ lifetime, timer: createManualClock() });
      expect(wire).toThrow(TypeError);
      expect(wire).toThrow(/lifetime/);
    },
  );

  it('has a clock if it has options: wiring it without throws a TypeError', () => {
    for (const options of [{}, { lifetime: 60 }, { lifetime: 60, timer: {} }]) {
      expect(() => createOpaqueTokenIssuer(options as never)).toThrow(/timer.now is a function/);
    }
  });
});
