import { createClient } from 'dealwright/client';
import { createDealwright } from 'dealwright/host';
import { expect, it } from 'vitest';

const file = '01KDVE0000000000000000000B';
const unsent = createClient({
  baseUrl: 'http://127.0.0.1:1',
  token: 'secret-token',
  fetch: () => Promise.reject(new Error('nothing is sent')),
});
const { marketplace } = createDealwright();
const inProcess = marketplace.partner({ environment: 'sandbox', partner: 'acme' });

it.each(['', 'x'.repeat(41), '\0'])(
  'says that there is no deal %j, and not that its file is missing',
  async (name) => {
    for (const api of [unsent, inProcess]) {
      const { code, ...said } = (await api.downloadWorkFile(name, file))._unsafeUnwrapErr();
      expect([code, Reflect.get(said, 'resource')]).toEqual(['not_found', 'deal']);
    }
  },
);

it('sends what a deal and its file can be called', async () => {
  const refused = (await unsent.downloadWorkFile('x'.repeat(40), file))._unsafeUnwrapErr();
  expect(refused.code).toBe('unavailable');
});
