import type { Store } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { addWebhook, deals, down, emitMore, failingHost, made, second } from './failing-host.js';
import { accepted, acme, createDeal, globex, pass, refused, relayOf } from './kit.js';

const day = 24 * 3_600 * second;

/** A relay that has delivered an event this many seconds ago: its lease ends after seven. */
async function delivered(seconds: number) {
  const host = failingHost();
  const id = await addWebhook(host);
  const relay = relayOf(host.marketplace);
  await createDeal(host.marketplace, 'a');
  await pass(host.timer, seconds * second);
  const { results } = (await host.api.listDeliveries(id))._unsafeUnwrap();
  const redeliver = async () => {
    (await host.api.redeliver(id, results[0]?.id ?? ''))._unsafeUnwrap();
    // the listeners act at once
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { ...host, host, id, relay, redeliver };
}

describe('a relay at work', () => {
  it.each([
    ['what is due', 'due', 10],
    ['the webhooks', 'records.list', 1],
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

  it('gives a webhook that is enabled as soon as it was disabled five days anew', async () => {
    const host = failingHost();
    const id = await addWebhook(host);
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
    await addWebhook(host);
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

  it('goes on with a deal though the log has lost an event of it that waited', async () => {
    const host = failingHost();
    await addWebhook(host);
    const relay = relayOf(host.marketplace);
    host.receivers.answer = () => refused;
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    (await host.api.invite('a'))._unsafeUnwrap();
    await pass(host.timer, second);
    host.receivers.answer = () => accepted;
    let reads = 0;
    // the first read is of the event that is tried again, the second of the event that waits for it
    host.fail(1, (path) => {
      if (path === 'events.of') reads += 1;
      return path === 'events.of' && reads === 2 ? ok([]) : made;
    });
    await pass(host.timer, 20 * second);
    expect(host.left()).toBe(0);
    await emitMore(host, 'a');
    await pass(host.timer, 2 * second);
    expect(host.receivers.received.map(({ event }) => event.sequence)).toEqual([1, 1, 3]);
    expect(relay.failures).toEqual([]);
    await relay.stop();
  });

  it.each([
    ['is missing', null],
    ['is no time', '2026-02-30T00:00:00.000Z'],
  ])('sends at once what is due if its time %s', async (_, due_at) => {
    const host = failingHost();
    await addWebhook(host);
    host.receivers.answer = () => refused;
    const first = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    await first.stop();
    host.receivers.answer = () => accepted;
    const misread = async (given: Parameters<Store['due']>) => {
      const rows = await host.inner.due(...given);
      return rows.map((all) => all.map((row) => ({ ...row, due_at })));
    };
    // the next attempt would be some seconds later
    host.fail(1, (path, given) => {
      if (path !== 'due') return made;
      return misread(given as Parameters<Store['due']>);
    });
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    expect(host.left()).toBe(0);
    expect(deals(host)).toEqual(['deal:a', 'deal:a']);
    // it is recorded: no event comes again
    await pass(host.timer, 60 * second);
    expect(deals(host)).toEqual(['deal:a', 'deal:a']);
    expect(relay.failures).toEqual([]);
    await relay.stop();
  });

  it('begins nothing of what it reads as it is stopped, and leaves it to the next', async () => {
    const host = failingHost();
    const id = await addWebhook(host);
    await createDeal(host.marketplace, 'sent');
    const first = relayOf(host.marketplace);
    await pass(host.timer);
    await first.stop();
    for (const name of ['a', 'b']) await createDeal(host.marketplace, name);
    const sent = async () => (await host.api.listDeliveries(id))._unsafeUnwrap().results.length;
    let goOn = () => {};
    host.fail(1, (path, _given, call) => {
      if (path !== 'events.after') return made;
      return new Promise((resolve) => {
        goOn = () => resolve(call());
      });
    });
    const relay = relayOf(host.marketplace);
    await pass(host.timer);
    expect(host.left()).toBe(0);
    const stopped = relay.stop();
    goOn();
    await stopped;
    expect([deals(host), await sent()]).toEqual([['deal:sent'], 1]);
    const next = relayOf(host.marketplace);
    await pass(host.timer, 10 * second);
    expect([deals(host).sort(), await sent()]).toEqual([['deal:a', 'deal:b', 'deal:sent'], 3]);
    expect([...relay.failures, ...next.failures]).toEqual([]);
    await next.stop();
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
    const running = createRelay(host.marketplace).subscribe(({ partner }) => got.push(partner), {
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
