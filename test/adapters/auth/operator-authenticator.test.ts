import { createOperatorAuthenticator } from 'dealwright/auth';
import { createDigest } from 'dealwright/system';
import { expect, test } from 'vitest';

const digest = createDigest();

test('each token is valid in its own environment, and no other text in any', async () => {
  const authenticator = createOperatorAuthenticator(
    [
      ['hunter2', 'sandbox'],
      ['hunter3', 'production'],
    ],
    { digest },
  );
  const found = ['hunter2', 'hunter3', 'hunter', 'hunter22', ''].map(async (token) =>
    (await authenticator.authenticate(token))._unsafeUnwrap(),
  );
  const none = [undefined, undefined, undefined];
  expect(await Promise.all(found)).toEqual(['sandbox', 'production', ...none]);
});

test('a tenant is not an environment, and neither is any other text', () => {
  for (const given of [{ environment: 'sandbox', partner: 'acme' }, 'staging', '', undefined]) {
    const make = () => createOperatorAuthenticator([['hunter2', given as never]], { digest });
    expect(make).toThrow(
      "createOperatorAuthenticator: API token 1 of the list is good in an environment: 'production' or 'sandbox'",
    );
    expect(make).not.toThrow('hunter');
  }
});

test.each([
  ['no list', undefined, { digest }, 'tokens is a list of [token, environment]'],
  ['no pair', ['hunter2'], { digest }, 'API token 1 of the list is [token, environment]'],
  ['an empty token', [['', 'sandbox']], { digest }, 'API token 1 of the list has 1 to 4096'],
  [
    'a token that is listed twice',
    [
      ['hunter2', 'sandbox'],
      ['hunter2', 'production'],
    ],
    { digest },
    'API token 2 of the list appears more than once',
  ],
  ['no digest', [], {}, 'digest is missing'],
])('%s is a mistake in the wiring, and no token is repeated', (_, list, ports, says) => {
  const make = () => createOperatorAuthenticator(list as never, ports as never);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`createOperatorAuthenticator: ${says}`);
  expect(make).not.toThrow('hunter');
});
