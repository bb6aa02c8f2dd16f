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

test('lists the names and the first characters of the tokens of a tenant, and nothing else', async () => {
  const live = { ...acme, environment: 'production' } as const;
  const { list } = createTokenAuthenticator(
    [
      ['the-first-token-of-acme-1234567890', acme, 'Order system'],
      ['another-partner-has-this-one', { ...acme, partner: 'globex' }, 'Theirs'],
      ['short-token', acme],
      ['abc', acme],
      ['live-token-of-acme-12345', live],
    ],
    { digest },
  );
  const times = { created_at: null, last_used_at: null };
  expect((await list(acme))._unsafeUnwrap()).toEqual([
    { name: 'Order system', start: 'the-firs', ...times },
    { name: 'API token 2', start: 'sh', ...times },
    { name: 'API token 3', start: null, ...times },
  ]);
  expect((await list(live))._unsafeUnwrap()).toEqual([
    { name: 'API token 1', start: 'live-t', ...times },
  ]);
  expect((await list({ ...acme, partner: 'nobody' }))._unsafeUnwrap()).toEqual([]);
});

test('shows a quarter of a token at most', async () => {
  await fc.assert(
    fc.asyncProperty(tokens, async (token) => {
      const { list } = createTokenAuthenticator([[token, acme]], { digest });
      const start = (await list(acme))._unsafeUnwrap()[0]?.start ?? '';
      expect(token.startsWith(start)).toBe(true);
      expect(start.length).toBe(Math.min(8, Math.floor(token.length / 4)));
    }),
  );
});

test.each([
  ['an empty token', [['', acme]]],
  ['a token with a space', [['hunter 2', acme]]],
  ['a token that is too long', [['h'.repeat(4097), acme]]],
  ['a token of other characters', [['hunterż', acme]]],
  ['an empty name', [['hunter2', acme, '']]],
  ['a name that is too long', [['hunter2', acme, 'n'.repeat(129)]]],
  ['a name that is no text', [['hunter2', acme, 7]]],
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
