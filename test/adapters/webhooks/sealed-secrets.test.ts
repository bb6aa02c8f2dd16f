import { randomBytes } from 'node:crypto';
import { createSealedSecrets } from 'dealwright/webhooks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const newKey = () => randomBytes(32).toString('base64url');
const acme = { environment: 'sandbox', partner: 'acme' } as const;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const old = newKey();
const keys = { a: newKey(), old };
const keeper = createSealedSecrets(keys);

const tenants = fc.record({
  environment: fc.constantFrom('production' as const, 'sandbox' as const),
  partner: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 }),
});

async function seal(by = keeper, tenant: Parameters<typeof keeper.seal>[0] = acme) {
  return (await by.seal(tenant, secret))._unsafeUnwrap();
}

const failed = (cause: object) => ({
  code: 'unavailable',
  outcome: 'none',
  retryable: false,
  cause,
});

describe('sealed secrets', () => {
  it('open for their tenant, and say nothing of the secret', async () => {
    await fc.assert(
      fc.asyncProperty(tenants, fc.string({ unit: 'binary' }), async (tenant, text) => {
        const kept = text.toWellFormed();
        const sealed = (await keeper.seal(tenant, kept))._unsafeUnwrap();
        expect(sealed).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
        expect((await keeper.open(tenant, sealed))._unsafeUnwrap()).toBe(kept);
        expect((await keeper.seal(tenant, kept))._unsafeUnwrap()).not.toBe(sealed);
      }),
    );
    const header = Buffer.from((await seal()).split('.')[0] ?? '', 'base64url').toString();
    expect(JSON.parse(header)).toEqual({ alg: 'dir', enc: 'A256GCM', kid: 'a' });
  });

  it('open for no other tenant', async () => {
    await fc.assert(
      fc.asyncProperty(tenants, tenants, async (tenant, other) => {
        const isSame = tenant.environment === other.environment && tenant.partner === other.partner;
        const opened = await keeper.open(other, await seal(keeper, tenant));
        expect(opened.isOk()).toBe(isSame);
        if (opened.isErr()) {
          expect(opened.error).toEqual(failed({ reason: 'other_tenant', kid: 'a' }));
        }
      }),
    );
  });

  it('are sealed with the first key, and open with each', async () => {
    const before = createSealedSecrets({ old });
    const sealed = await seal(before);
    expect((await keeper.open(acme, sealed))._unsafeUnwrap()).toBe(secret);
    const opened = await before.open(acme, await seal());
    expect(opened._unsafeUnwrapErr()).toEqual(failed({ reason: 'missing_key', kid: 'a' }));
    const turned = createSealedSecrets({ old, a: keys.a });
    expect((await before.open(acme, await seal(turned)))._unsafeUnwrap()).toBe(secret);
  });

  it('do not open if a key has the name of another', async () => {
    const wrong = createSealedSecrets({ a: newKey() });
    const opened = await wrong.open(acme, await seal());
    expect(opened._unsafeUnwrapErr()).toEqual(failed({ reason: 'cannot_open', kid: 'a' }));
  });

  it('do not open if a character is another', async () => {
    const sealed = await seal();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // the spare bits of a last character are not part of the sealed text
    const lasts = [...sealed].flatMap((_, at) =>
      sealed[at + 1] === '.' || at + 1 === sealed.length ? [at] : [],
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.nat(63), async (at, letter) => {
        fc.pre(sealed[at] !== letters[letter] && !lasts.includes(at));
        const changed = `${sealed.slice(0, at)}${letters[letter]}${sealed.slice(at + 1)}`;
        const opened = await keeper.open(acme, changed);
        const { cause, ...rest } = opened._unsafeUnwrapErr();
        expect({ ...rest, cause: {} }).toEqual(failed({}));
        expect(JSON.stringify(cause)).not.toContain(secret);
      }),
    );
  });

  it.each(['', secret, 'a.b.c', 'a.b.c.d.e', 'e30..a.b.c', undefined, null])(
    'are not %j',
    async (text) => {
      const opened = await keeper.open(acme, text as string);
      expect(opened._unsafeUnwrapErr()).toEqual(failed({ reason: 'not_sealed_here' }));
    },
  );
});

describe('createSealedSecrets', () => {
  it.each([
    [undefined, 'keys is'],
    [null, 'keys is'],
    [1, 'keys is'],
    [{}, 'at least one'],
    [[newKey()], 'name of a key'],
    [{ 2026: newKey() }, 'name of a key'],
    [{ '': newKey() }, 'name of a key'],
    [{ 'a b': newKey() }, 'name of a key'],
    [{ a: randomBytes(31).toString('base64url') }, '32 bytes'],
    [{ a: randomBytes(33).toString('base64url') }, '32 bytes'],
    [{ a: `${Buffer.alloc(32, 255).toString('base64')}` }, '32 bytes'],
    [{ a: randomBytes(32).toString('hex') }, '32 bytes'],
    [{ a: randomBytes(32) }, '32 bytes'],
    [{ a: newKey(), b: '' }, '32 bytes'],
  ])('throws for %#, and says no key', (wrong, message) => {
    const create = () => createSealedSecrets(wrong as Record<string, string>);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    for (const key of Object.values(Object(wrong))) {
      if (String(key) !== '') expect(create).not.toThrow(String(key));
    }
  });
});
