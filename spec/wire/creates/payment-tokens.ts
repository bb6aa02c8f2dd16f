import { check, equal, show } from '../../expectations.js';
import { expectError, expectStatus, group, type Reply, type Server, textOf } from '../server.js';
import { createDealV2, created, pathOf } from './create.js';

/** Section 3: payment tokens are long, differ, and are shown in few places. */
export const paymentTokens = group(
  'payment tokens',
  {
    must: {
      '3/create/token-form':
        'A payment token has 22 to 2,048 characters of `A-Za-z0-9._~-` and no others.',
      '3/create/tokens-differ': 'Each deal has a payment token of its own.',
      '3/create/tokens-vary':
        'Payment tokens differ from deal to deal in at least 22 characters, which 128 bits need.',
      '3/create/token-kept': 'The details of a deal have the payment token of its create.',
      '3/create/token-in-no-error':
        'No error has a payment token in it, not even one that the request had.',
      '3/create/token-grants-no-api': 'A payment token is no token of a partner: it is 401.',
    },
  },
  (define) => {
    define('3/create/token-form', async (server) => {
      for (const token of await tokensOf(server, 3)) {
        const isToken = typeof token === 'string' && /^[A-Za-z0-9._~-]{22,2048}$/.test(token);
        check(isToken, `the token has its form\n  actual: ${show(token)}`);
      }
    });

    define('3/create/tokens-differ', async (server) => {
      const tokens = await tokensOf(server, 10);
      equal(new Set(tokens).size, tokens.length, 'the number of different tokens');
    });

    define('3/create/tokens-vary', async (server) => {
      const tokens = (await tokensOf(server, 10)).map((token) => [...String(token)]);
      const longest = Math.max(...tokens.map(({ length }) => length));
      const places = Array.from({ length: longest }, (_, at) => at);
      const varying = places.filter((at) => new Set(tokens.map((token) => token[at])).size > 1);
      check(varying.length >= 22, `22 characters differ\n  actual: ${varying.length}`);
    });

    define('3/create/token-kept', async (server) => {
      const { sent, data } = await created(server, createDealV2);
      const details = await createDealV2.read(server.partner, sent, data);
      equal(details['payment_token'], data['payment_token'], 'the token in the details');
    });

    const errors: Readonly<Record<string, (server: Server, deal: Deal) => Promise<Reply>>> = {
      'deal exists': async ({ partner }, { sent }) =>
        partner.send('POST', createDealV2.path, { body: sent }),
      'invalid deal': async ({ partner }, { sent, token }) =>
        partner.send('POST', createDealV2.path, { body: { ...sent, currency: token } }),
      'no deal': async ({ partner }, { token }) => partner.send('GET', pathOf(token)),
      'no token of a partner': async ({ anonymous }, { token }) =>
        anonymous.send('GET', pathOf('none'), { headers: { authorization: `Token ${token}` } }),
    };
    for (const [name, provoke] of Object.entries(errors)) {
      define('3/create/token-in-no-error', (server) => checkSecret(server, provoke), name);
    }

    define('3/create/token-in-no-error', checkReusedKey, 'key with other input');

    define('3/create/token-grants-no-api', async (server) => {
      const { sent, token } = await dealOf(server);
      const headers = { authorization: `Token ${token}` };
      const reply = await server.anonymous.send('GET', pathOf(sent['partner_id']), { headers });
      expectError(reply, 401, 'unauthorized');
    });
  },
);

interface Deal {
  readonly sent: Awaited<ReturnType<typeof created>>['sent'];
  readonly token: string;
}

async function dealOf(server: Server): Promise<Deal> {
  const { sent, data } = await created(server, createDealV2);
  return { sent, token: String(data['payment_token']) };
}

/** The tokens of some deals, created one after the other and at the same time. */
async function tokensOf(server: Server, count: number) {
  const make = async () => (await created(server, createDealV2)).data['payment_token'];
  const first = await make();
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, make)))];
}

async function checkSecret(
  server: Server,
  provoke: (server: Server, deal: Deal) => Promise<Reply>,
): Promise<void> {
  const deal = await dealOf(server);
  const reply = await provoke(server, deal);
  check(reply.status >= 400, `it is an error\n  actual: ${reply.status} ${textOf(reply)}`);
  expectHidden(reply, deal.token);
}

async function checkReusedKey(server: Server): Promise<void> {
  const key = server.name('key');
  const body = await createDealV2.valid(server);
  const { payment_token } = await server.partner.data('POST', createDealV2.path, { body, key });
  const other = { ...body, title: 'Another title' };
  const reply = await server.partner.send('POST', createDealV2.path, { body: other, key });
  expectStatus(reply, 422);
  expectHidden(reply, String(payment_token));
}

function expectHidden(reply: Reply, token: string): void {
  const texts = [textOf(reply), ...[...reply.headers].map(([, value]) => value)];
  check(!texts.some((each) => each.includes(token)), `the token is hidden\n  actual: ${texts[0]}`);
}
