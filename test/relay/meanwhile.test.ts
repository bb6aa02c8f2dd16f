import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { deals, down, endpoint, failingHost, made, second } from './failing-host.js';
import { acme, createDeal, globex, pass, refused, relayOf } from './kit.js';

const day = 24 * 3_600 * second;

/** A relay that has delivered an event so many seconds ago: after seven its lease is over. */
async function delivered(seconds: number) {
  const host = failingHost();
  const id = await endpoint(host);
  const relay = relayOf(host.marketplace);
  await createDeal(host.marketplace, 'a');
  await pass(host.timer, seconds * second);
  const { results } = (await host.api.listDeliveries(id))._unsafeUnwrap();
  const redeliver = async () => {
    (await host.api.redeliver(id, results[0]?.id ?? ''))._unsafeUnwrap();
    // those who hear of it have done what they do at once
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { ...host, host, id, relay, redeliver };
}

describe('a relay at work', () => {
  it.each([
    ['what is due', 'due', 10],
    ['the endpoints', 'records.list', 1],
  ])('sends again what it is asked to while it reads %s', async (_, read, seconds) => {
    const { host, marketplace, timer, relay, redeliver } = await delivered(seconds);
    host.fail(1, (path, _given, call) => {
      if (path !== read) return made;
      const before = call();
      return redeliver().then(() => before);
    });
    await createDeal(marketplace, 'b');
    await pass(timer, 5 * second);
    expect(host.left()).toBe(0);
    expect(deals(host).sort()).toEqual(['deal:a', 'deal:a', 'deal:b']);
    await relay.stop();
  });

  it('gives an endpoint that is enabled as soon as it was disabled five days anew', async () => {
    const host = failingHost();
    const id = await endpoint(host);
    const relay = relayOf(host.marketplace);
    host.receivers.answer = () => refused;
    await createDeal(host.marketplace, 'a');
    await pass(host.timer, second);
    host.timer.advance(5 * day);
    await pass(host.timer, second);
    const statusOf = async () => (await host.api.retrieveWebhook(id))._unsafeUnwrap().status;
    expect(await statusOf()).toBe('disabled');
    (await host.api.enableWebhook(id))._unsafeUnwrap();
    await createDeal(host.marketplace, 'b');
    await pass(host.timer, second);
    expect(deals(host)).toContain('deal:b');
    expect(await statusOf()).toBe('enabled');
    host.timer.advance(5 * day);
    await pass(host.timer, second);
    expect(await statusOf()).toBe('disabled');
    await relay.stop();
  });

  it('says that the log does not have the event of a delivery, and asks a second later', async () => {
    const host = failingHost();
    await endpoint(host);
    const relay = relayOf(host.marketplace);
    host.receivers.answer = () => refused;
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    host.fail(3, (path) => (path === 'events.of' ? ok([]) : made));
    await pass(host.timer, 20 * second);
    expect(host.left()).toBe(0);
    expect(relay.failures.map((each) => String((each as { cause: unknown }).cause))).toEqual(
      Array(3).fill(
        expect.stringMatching(/^Error: the log does not have the event of delivery [0-9A-Z]{26}$/),
      ),
    );
    expect(deals(host)).toEqual(['deal:a', 'deal:a']);
    await relay.stop();
  });

  it.each([
    ['throws', () => thrown()],
    ['gives what is not a cursor', () => 5 as never],
  ])('says that `from` %s, and goes on with other tenants', async (_, wrong) => {
    const host = failingHost();
    for (const tenant of [acme, globex]) await createDeal(host.marketplace, 'a', tenant);
    const got: string[] = [];
    const failures: unknown[] = [];
    let isWrong = true;
    const running = host.marketplace.subscribe(({ partner }) => got.push(partner), {
      from: ({ partner }) => (isWrong && partner === 'acme' ? wrong() : undefined),
      onFailure: (failure) => failures.push(failure),
    });
    await pass(host.timer);
    expect(got).toEqual(['globex']);
    expect(failures).toMatchObject([{ tenant: acme }]);
    isWrong = false;
    await pass(host.timer, 2 * second);
    expect(got).toEqual(['globex', 'acme']);
    await running.stop();
  });
});

function thrown(): never {
  throw down;
}
