import type { Tenant } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import type { Authenticator } from 'dealwright/ports';
import { createDigest } from 'dealwright/system';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const digest = createDigest();
const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const tokens = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 60,
});

async function whoIs(authenticator: Authenticator, token: string) {
  return (await authenticator.authenticate(token))._unsafeUnwrap();
}

test('each token speaks for its own tenant, and no other text is valid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(tokens, { maxLength: 8 }), fc.string(), async (all, other) => {
      const listed = all.map((token, at) => [token, { ...acme, partner: `p${at}` }] as const);
      const authenticator = createTokenAuthenticator(listed, { digest });
      for (const [token, tenant] of listed)
        expect(await whoIs(authenticator, token)).toEqual(tenant);
      if (!all.includes(other)) expect(await whoIs(authenticator, other)).toBeUndefined();
    }),
  );
});

test('a digest that two tokens share by a part of it is no match', async () => {
  const poor = (text: string) => `${text.slice(0, 1)}${text}`;
  const authenticator = createTokenAuthenticator([['ab', acme]], { digest: poor });
  expect(await whoIs(authenticator, 'ac')).toBeUndefined();
  expect(await whoIs(authenticator, 'ab')).toEqual(acme);
  expect(await whoIs(authenticator, 'abc')).toBeUndefined();
  expect(await whoIs(authenticator, 'a')).toBeUndefined();
});

test.each([
  ['an empty token', [['', acme]]],
  ['a token with a space', [['hunter 2', acme]]],
  ['a token that is too long', [['h'.repeat(4097), acme]]],
  ['a token of other characters', [['hunterż', acme]]],
  ['what is no tenant', [['hunter2', { environment: 'staging', partner: 'x' }]]],
  [
    'a token that is listed twice',
    [
      ['hunter2', acme],
      ['hunter2', acme],
    ],
  ],
])('%s is a mistake in the wiring, and is not repeated', (_, list) => {
  const make = () => createTokenAuthenticator(list as never, { digest });
  expect(make).toThrow(TypeError);
  expect(make).not.toThrow('hunter');
  expect(make).toThrow(`API token ${list.length} of the list`);
});

test('the list is read once: what a host does with its tenants later changes nothing', async () => {
  const tenant = { ...acme, secret: 'x' };
  const authenticator = createTokenAuthenticator([['a', tenant]], { digest });
  Object.assign(tenant, { partner: 'globex' });
  expect(await whoIs(authenticator, 'a')).toEqual(acme);
});

test.each([
  ['no list', undefined, { digest }, 'tokens is a list of [token, tenant]'],
  ['a text', 'hunter2', { digest }, 'tokens is a list of [token, tenant]'],
  ['no pair', ['hunter2'], { digest }, 'API token 1 of the list is [token, tenant]'],
  ['no digest', [], {}, 'digest is missing'],
  ['no ports', [], undefined, 'digest is missing'],
])('%s is told by name', (_, list, ports, says) => {
  const make = () => createTokenAuthenticator(list as never, ports as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`createTokenAuthenticator: ${says}`);
  expect(make).not.toThrow('hunter');
});
