import { createDealwright, type DealwrightOptions } from 'dealwright/host';
import { createFetchHandler } from 'dealwright/http';
import { createMailer, type MailMessage } from 'dealwright/mail';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { unavailable } from 'dealwright/ports';
import { partnerApiContract } from 'dealwright/spec';
import { createManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it, test } from 'vitest';
import { dealV2 } from '../../kit/requests.js';
import { required } from '../mail/kit.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;

describe('without any option', () => {
  partnerApiContract({ describe, it }, () => {
    const { marketplace } = createDealwright();
    return { api: marketplace.partner, close: async () => undefined };
  });
});

const day = 24 * 60 * 60 * 1000;

it('serves the tokens that it is given, below the path that it is given', async () => {
  const { handler, marketplace } = createDealwright({
    basePath: '/deals',
    fileLimit: 10,
    apiTokens: [['secret-token', acme]],
    operatorTokens: [['operator-token', 'sandbox']],
  });
  const answer = createFetchHandler(handler);
  const get = async (path: string, authorization: string) =>
    (await answer(new Request(`http://a.example${path}`, { headers: { authorization } }))).status;
  expect(await get('/deals/api/2.0/deal/', 'Token secret-token')).toBe(200);
  expect(await get('/deals/api/2.0/deal/', 'Token operator-token')).toBe(401);
  expect(await get('/api/2.0/deal/', 'Token secret-token')).toBe(404);
  expect(await get('/deals/operator/acme/deal/order-1/', 'Operator operator-token')).toBe(404);
  expect(await get('/deals/operator/acme/deal/order-1/', 'Operator x')).toBe(401);
  expect(marketplace.fileLimit).toBe(10);
});

it('lists the tokens that it is given, each to its own partner', async () => {
  const { handler } = createDealwright({
    apiTokens: [
      ['secret-token', acme, 'Order system'],
      ['other-token', { ...acme, partner: 'globex' }],
    ],
    operatorTokens: [['operator-token', 'sandbox']],
  });
  const answer = createFetchHandler(handler);
  const get = async (path: string, authorization: string) => {
    const request = new Request(`http://a.example${path}`, { headers: { authorization } });
    return (await answer(request)).json();
  };
  const times = { created_at: null, last_used_at: null };
  const ofAcme = { data: [{ name: 'Order system', start: 'sec', ...times }] };
  const ofGlobex = { data: [{ name: 'API token 1', start: 'ot', ...times }] };
  expect(await get('/api/2.0/token/', 'Token secret-token')).toEqual(ofAcme);
  expect(await get('/api/2.0/token/', 'Token other-token')).toEqual(ofGlobex);
  expect(await get('/operator/globex/token/', 'Operator operator-token')).toEqual(ofGlobex);
  expect(await get('/operator/acme/token/', 'Token secret-token')).toMatchObject({ status: 401 });
});

it('lists no tokens that it does not know, and does not promise to', async () => {
  const authenticator = { authenticate: () => ok(acme) };
  for (const [options, isListed] of [
    [{ authenticator }, false],
    [{ authenticator: { ...authenticator, list: () => ok([]) } }, true],
    [{ apiTokens: [] }, true],
    [{}, false],
  ] as const) {
    const { handler, ports } = createDealwright(options);
    expect(ports.authenticator).toEqual(options.authenticator ?? expect.anything());
    const answer = createFetchHandler(handler);
    const document = await answer(new Request('http://a.example/openapi.json'));
    expect('/api/2.0/token/' in (await document.json()).paths).toBe(isListed);
    if (options.authenticator === undefined) continue;
    const headers = { authorization: 'Token any' };
    const { status } = await answer(new Request('http://a.example/api/2.0/token/', { headers }));
    expect(status).toBe(isListed ? 200 : 404);
  }
});

it('has no tokens, and no paths of the operator, unless they are given', async () => {
  const answer = createFetchHandler(createDealwright().handler);
  const get = async (path: string) => (await answer(new Request(`http://a.example${path}`))).status;
  expect(await get('/api/2.0/deal/')).toBe(401);
  expect(await get('/operator/acme/deal/order-1/')).toBe(404);
});

it('stands on the parts that it is given', async () => {
  const store = createMemoryStore();
  const first = createDealwright({ store });
  (await first.marketplace.partner(acme).createDealV2(dealV2))._unsafeUnwrap();
  const second = createDealwright({ store, paymentTokens: first.ports.paymentTokens });
  const found = await second.marketplace.partner(acme).retrieveDealDetails(dealV2.partner_id);
  expect(found._unsafeUnwrap().title).toBe(dealV2.title);
  expect(second.ports.store).toBe(store);
});

it('does what is due and sweeps, until it is stopped, and says what fails', async () => {
  const clock = createManualClock();
  const store = createMemoryStore();
  const failures: object[] = [];
  let isDown = true;
  const tenants: typeof store.tenants = (...asked) =>
    isDown ? unavailable({ outcome: 'none', cause: 'down' }) : store.tenants(...asked);
  const { marketplace, start, sweep } = createDealwright({
    store: { ...store, tenants },
    timer: clock,
    clock,
    environment: 'sandbox',
  });
  const api = marketplace.partner(acme);
  (await api.createDealV2(dealV2))._unsafeUnwrap();
  const stop = start((failure) => failures.push(failure));
  await expect.poll(() => clock.sleepers()).toBe(3);
  expect(failures).toContainEqual({ work: 'sweep', cause: 'down' });
  expect(failures).toContainEqual({ work: 'due', reason: 'store.tenants failed', cause: 'down' });
  expect(await sweep()).toEqual(expect.objectContaining({ error: expect.anything() }));
  isDown = false;
  expect((await sweep())._unsafeUnwrap()).toEqual({
    unfinished: 0,
    trashed: 0,
    restored: 0,
    deleted: 0,
    tenants: 1,
  });
  const status = async () =>
    (await api.retrieveDealDetails(dealV2.partner_id))._unsafeUnwrap().status;
  expect(await status()).toBe('created');
  clock.advance(60 * day);
  const statusLater = () => {
    clock.advance(1_000);
    return status();
  };
  await expect.poll(statusLater).toBe('expired');
  await stop();
  expect(clock.sleepers()).toBe(0);
});

it('sends mail until it is stopped, and says what fails', async () => {
  const sent: string[] = [];
  const failures: object[] = [];
  const transport = {
    async sendMail({ to }: MailMessage) {
      if (to.startsWith('bad')) throw new Error('550 no such mailbox');
      sent.push(to);
    },
  };
  const mail = createMailer({ ...required, transport, sandbox: true });
  const { marketplace, start } = createDealwright({ mail, environment: 'sandbox' });
  const create = async (partner_id: string, email_freelancer: string) => {
    const input = { ...dealV2, partner_id, email_freelancer };
    (await marketplace.partner(acme).createDealV2(input))._unsafeUnwrap();
  };
  const stop = start((failure) => failures.push(failure));
  await create('a', 'bad@x.example');
  await create('b', 'good@x.example');
  await expect.poll(() => [sent, failures.length]).toEqual([['good@x.example'], 1]);
  expect(failures).toMatchObject([
    {
      ...{ work: 'mail', partner: 'acme', consumer: 'subscription:mail:freelancer' },
      ...{ event: { type: 'deal.created', subject: 'deal:a' }, isGivenUp: false },
      cause: new Error('550 no such mailbox'),
    },
  ]);
  await stop();
  await create('c', 'late@x.example');
  expect(sent).toEqual(['good@x.example']);
});

test.each<[string, unknown, string]>([
  ['a name that is none', { basePaht: '/deals' }, "createDealwright: options has no 'basePaht'"],
  [
    'a policy that is none',
    { feePolicyy: () => [] },
    "createDealwright: options has no 'feePolicyy'",
  ],
  ['a port that is none', { store: {} }, 'store.commit'],
  ['tokens twice', { apiTokens: [], authenticator: 'host' }, 'apiTokens and authenticator'],
  [
    'tokens of the operator twice',
    { operatorTokens: [], operatorAuthenticator: 'host' },
    'operatorTokens and operatorAuthenticator',
  ],
  ['mail that is none', { mail: { transport: {} } }, 'mail is what createMailer makes'],
  ['a mode that is none', { mode: 'free' }, 'mode is'],
])('%s is a mistake in the wiring', (_, options, message) => {
  expect(() => createDealwright(options as DealwrightOptions)).toThrow(TypeError);
  expect(() => createDealwright(options as DealwrightOptions)).toThrow(message);
});

it('waits for a sweep that is under way, and goes on after any failure', async () => {
  let finish = () => {};
  const files = {
    ...createMemoryFileStore(),
    async removeUnfinished() {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return ok(0);
    },
  };
  const stop = createDealwright({ files }).start(() => undefined);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isStopped).toBe(false);
  finish();
  await stopped;

  const clock = createManualClock();
  const store = createMemoryStore();
  let told = 0;
  const tenants: typeof store.tenants = () => unavailable({ outcome: 'none', cause: 'down' });
  const failing = createDealwright({ timer: clock, store: { ...store, tenants } });
  const stopFailing = failing.start(() => {
    told += 1;
    if (told % 2 === 0) throw new Error('of the host');
    return Promise.reject(new Error('of the host'));
  });
  await expect.poll(() => clock.sleepers()).toBe(3);
  const before = told;
  clock.advance(1000);
  await expect.poll(() => told).toBeGreaterThan(before);
  await stopFailing();
});

test.each([null, 5, true, () => 1, []])('%s is no options', (options) => {
  expect(() => createDealwright(options as never)).toThrow('options is an object');
});

test('start needs a function for failures', () => {
  const { start } = createDealwright();
  expect(() => start(undefined as never)).toThrow('onFailure is a function');
});

test('what is left out on purpose is as if it were not there', async () => {
  const nothing: object = { store: undefined, basePath: undefined };
  const made = createDealwright(nothing);
  expect((await made.marketplace.ready()).isOk()).toBe(true);
});

it('ends a sweep between two contents once it is stopped', async () => {
  const memory = createMemoryFileStore();
  let stopping: Promise<void> | undefined;
  const trash: typeof memory.trash = {
    ...memory.trash,
    put(...given) {
      stopping ??= stop();
      return memory.trash.put(...given);
    },
  };
  const { marketplace, start } = createDealwright({ files: { ...memory, trash } });
  (await marketplace.partner(acme).createDealV2(dealV2))._unsafeUnwrap();
  (await marketplace.claimFiles())._unsafeUnwrap();
  for (let at = 1; at < 6; at += 1) {
    await memory.put(acme, `01KDVE${at}`.padEnd(26, '0'), new Blob(['left']).stream());
  }
  const stop = start(() => undefined);
  await expect.poll(() => stopping !== undefined).toBe(true);
  await stopping;
  expect((await memory.list(acme, undefined))._unsafeUnwrap()).toHaveLength(4);
});
