import { createMarketplace, type PartnerApi } from 'dealwright';
import { createRelay } from 'dealwright/relay';
import type { ResultAsync } from 'neverthrow';
import { expect, it } from 'vitest';
import { down, failingHost, made } from '../relay/failing-host.js';
import { acme, createDeal, pass } from '../relay/kit.js';
import { failingAt } from './failing-at.js';

type Operation = (
  api: PartnerApi,
  id: string,
  delivery: string,
) => ResultAsync<unknown, { readonly code: string }>;

const operations: [string, Operation][] = [
  ['createWebhook', (api) => api.createWebhook({ url: 'https://b.example/' })],
  ['listWebhooks', (api) => api.listWebhooks()],
  ['retrieveWebhook', (api, id) => api.retrieveWebhook(id)],
  ['rotateWebhook', (api, id) => api.rotateWebhook(id)],
  ['testWebhook', (api, id) => api.testWebhook(id)],
  ['listDeliveries', (api, id) => api.listDeliveries(id)],
  ['redeliver', (api, id, delivery) => api.redeliver(id, delivery)],
  ['enableWebhook', (api, id) => api.enableWebhook(id)],
  ['listEvents', (api) => api.listEvents()],
  ['listDealEvents', (api) => api.listDealEvents('a')],
  ['deleteWebhook', (api, id) => api.deleteWebhook(id)],
];

/** A host with a webhook and one delivered event. */
async function hostWithDelivery() {
  const host = failingHost();
  const { id } = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
  await createDeal(host.marketplace, 'a');
  const relay = createRelay(host.marketplace).relayWebhooks();
  await pass(host.timer);
  await relay.stop();
  const [delivery] = (await host.api.listDeliveries(id))._unsafeUnwrap().results;
  return { host, id, delivery: delivery?.id ?? '' };
}

it.each(operations)('%s is unavailable for each call of the store that fails', async (_, ask) => {
  for (let nth = 1; ; nth += 1) {
    const { host, id, delivery } = await hostWithDelivery();
    let calls = 0;
    host.fail(1, () => {
      calls += 1;
      return calls === nth ? Promise.reject(down) : made;
    });
    const answer = await ask(host.api, id, delivery);
    if (calls < nth) {
      expect(answer.isErr()).toBe(false);
      expect(nth).toBeGreaterThan(1);
      return;
    }
    expect(answer._unsafeUnwrapErr().code).toBe('unavailable');
  }
});

it.each(operations)('%s changes no webhook if any port fails', async (_, ask) => {
  for (let nth = 1; ; nth += 1) {
    const { host, id, delivery } = await hostWithDelivery();
    const before = (await host.api.listWebhooks())._unsafeUnwrap();
    const failing = failingAt(host.ports, nth);
    const answer = await ask(createMarketplace(failing.ports).partner(acme), id, delivery);
    if (!failing.isReached()) {
      expect(answer.isErr()).toBe(false);
      return;
    }
    expect(answer._unsafeUnwrapErr().code).toBe('unavailable');
    expect((await host.api.listWebhooks())._unsafeUnwrap()).toStrictEqual(before);
  }
});

const broken = () => {
  throw down;
};

it.each<[string, (host: ReturnType<typeof failingHost>) => void, readonly string[]]>([
  [
    'no ids',
    ({ ids }) => {
      ids.isDown = true;
    },
    [
      ...['createWebhook', 'rotateWebhook', 'testWebhook'],
      ...['redeliver', 'deleteWebhook', 'enableWebhook'],
    ],
  ],
  [
    'no time',
    ({ timer }) => Object.assign(timer, { now: broken }),
    ['testWebhook', 'redeliver', 'rotateWebhook'],
  ],
  [
    'a sender that fails',
    ({ ports }) => Object.assign(Object(ports.webhooks), { check: broken, createSecret: broken }),
    ['createWebhook', 'rotateWebhook'],
  ],
  [
    'a sender that knows no host',
    ({ ports }) => Object.assign(Object(ports.webhooks), { hostOf: broken }),
    ['createWebhook'],
  ],
  [
    'secrets that cannot be sealed',
    ({ ports }) => Object.assign(Object(ports.secrets), { seal: broken }),
    ['createWebhook', 'rotateWebhook'],
  ],
])('%s: what needs that is unavailable', async (_, fail, names) => {
  const { host, id, delivery } = await hostWithDelivery();
  fail(host);
  const failed: string[] = [];
  for (const [name, ask] of operations) {
    const answer = await ask(host.api, id, delivery);
    if (!answer.isErr()) continue;
    expect(answer._unsafeUnwrapErr().code).toBe('unavailable');
    failed.push(name);
  }
  expect(failed).toEqual(expect.arrayContaining([...names]));
});
