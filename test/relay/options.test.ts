import { createRelay, type SubscriptionOptions, type WebhookRelayOptions } from 'dealwright/relay';
import { describe, expect, it } from 'vitest';
import { createDeal, globex, pass, relayHost } from './kit.js';

const live = { environment: 'production', partner: 'acme' } as const;

describe('relayWebhooks', () => {
  it.each([
    [{ concurrency: 0 }, 'concurrency is a whole number from 1 on'],
    [{ concurrency: 1.5 }, 'concurrency is a whole number from 1 on'],
    [{ concurrency: Number.POSITIVE_INFINITY }, 'concurrency is a whole number from 1 on'],
    [{ environments: 'sandbox' }, "environments is a list of 'production' and 'sandbox'"],
    [{ environments: ['test'] }, "environments is a list of 'production' and 'sandbox'"],
    [{ onFailure: 'log' }, 'onFailure is a function'],
  ])('throws for %j', (options, says) => {
    const { marketplace } = relayHost();
    expect(() => createRelay(marketplace).relayWebhooks(options as WebhookRelayOptions)).toThrow(
      new TypeError(`relayWebhooks: ${says}`),
    );
  });

  it('posts one event at a time if it is told so, and those of one environment alone', async () => {
    const { marketplace, timer, receivers } = relayHost();
    for (const tenant of [globex, live]) {
      const api = marketplace.partner(tenant);
      (await api.createWebhook({ url: 'https://receiver.example/' }))._unsafeUnwrap();
    }
    let [running, most] = [0, 0];
    receivers.answer = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { status_code: 200, response: '' };
    };
    for (const name of ['a', 'b', 'c']) {
      for (const tenant of [globex, live]) await createDeal(marketplace, name, tenant);
    }
    const relay = createRelay(marketplace).relayWebhooks({
      concurrency: 1,
      environments: ['sandbox'],
    });
    await pass(timer, 100);
    const environments = receivers.received.map(({ body }) => JSON.parse(body).environment);
    expect(environments).toEqual(['sandbox', 'sandbox', 'sandbox']);
    expect(most).toBe(1);
    await relay.stop();
  });
});

describe('subscribe', () => {
  it.each([
    [{ name: '' }, 'name is 1 to 100 visible ASCII characters'],
    [{ name: 'a'.repeat(101) }, 'name is 1 to 100 visible ASCII characters'],
    [{ name: 'two words' }, 'name is 1 to 100 visible ASCII characters'],
    [{ from: '0' }, 'from is a function of a tenant'],
    [{ types: 'deal.created' }, 'types is a list or a function'],
    [{ environments: 'sandbox' }, "environments is a list of 'production' and 'sandbox'"],
    [{ oneByOne: 1 }, 'oneByOne is a boolean'],
    [{ givesUp: 'never' }, 'givesUp is a boolean or a function'],
    [{ timeout: 0 }, 'timeout is a number of milliseconds above 0'],
    [{ timeout: 2 ** 31 }, 'timeout is a number of milliseconds above 0'],
    [{ onFailure: null }, 'onFailure is a function'],
  ])('throws for %j', (options, says) => {
    const { marketplace } = relayHost();
    const handler = () => undefined;
    expect(() =>
      createRelay(marketplace).subscribe(handler, options as SubscriptionOptions),
    ).toThrow(new TypeError(`subscribe: ${says}`));
  });

  it('throws for a handler that cannot be called', () => {
    const { marketplace } = relayHost();
    expect(() => createRelay(marketplace).subscribe('handler' as never)).toThrow(
      new TypeError('subscribe: the handler is a function'),
    );
  });

  it.each([{ name: 'a' }, { name: '~'.repeat(100) }, { timeout: 1 }, { timeout: 2 ** 31 - 1 }])(
    'hands over the events of the environments that it names, with %j',
    async (options) => {
      const { marketplace, timer } = relayHost();
      for (const tenant of [globex, live]) await createDeal(marketplace, 'a', tenant);
      const got: string[] = [];
      const running = createRelay(marketplace).subscribe(
        ({ environment }) => got.push(environment),
        {
          ...options,
          environments: ['production'],
        },
      );
      await pass(timer, 100);
      expect(got).toEqual(['production']);
      await running.stop();
    },
  );
});
