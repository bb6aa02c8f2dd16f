import { createRelay } from 'dealwright/relay';
import { expect, it } from 'vitest';
import { createDeal, pass, refused, relayHost, relayOf } from './kit.js';

it('what is tried again of very many subjects comes to an end', async () => {
  // a relay reads a hundred at a time
  const many = 230;
  const host = relayHost();
  (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
  const { answer } = host.receivers;
  host.receivers.answer = () => refused;
  const relay = relayOf(host.marketplace);
  for (let at = 0; at < many; at += 1) await createDeal(host.marketplace, `deal-${at}`);
  await pass(host.timer, 2_000);
  expect(host.receivers.received).toHaveLength(many);
  host.receivers.answer = answer;
  await pass(host.timer, 10_000);
  await relay.stop();
  const again = host.receivers.received.slice(many).map(({ event }) => event.subject);
  expect(new Set(again).size).toBe(many);
  expect(again).toHaveLength(many);
  expect(relay.failures).toEqual([]);
});

it('waits if more deals wait than a relay remembers, and sends them all later', async () => {
  // a relay remembers a thousand, and those of the page with which it reaches that number
  const [least, page, many] = [1_000, 100, 1_150];
  const host = relayHost();
  (await host.api.createWebhook({ url: 'https://a.example/', ordered: true }))._unsafeUnwrap();
  const { answer } = host.receivers;
  host.receivers.answer = () => refused;
  for (let at = 0; at < many; at += 1) await createDeal(host.marketplace, `deal-${at}`);
  const relay = relayOf(host.marketplace);
  const dealsSent = () =>
    new Set(
      host.receivers.received
        .map(({ event }) => event.subject)
        .filter((subject) => subject.startsWith('deal:')),
    );
  await pass(host.timer, 20_000);
  const sent = dealsSent();
  expect(sent.size).toBeGreaterThanOrEqual(least);
  expect(sent.size).toBeLessThan(least + page);
  // the others wait as long as these do
  await pass(host.timer, 20_000);
  expect(dealsSent()).toEqual(sent);
  host.receivers.answer = answer;
  await pass(host.timer, 600_000);
  expect(dealsSent().size).toBe(many);
  expect(relay.failures).toEqual([]);
  await relay.stop();
});

it('events of very many partners all come, those from before among them', async () => {
  const host = relayHost();
  // a relay reads a thousand at a time
  const names = Array.from({ length: 1_100 }, (_, at) => `partner-${at}`);
  const create = async (deal: string) => {
    for (const partner of names) {
      await createDeal(host.marketplace, deal, { environment: 'sandbox', partner });
    }
  };
  await create('before');
  const got: string[] = [];
  const subscription = createRelay(host.marketplace).subscribe(({ partner, subject }) => {
    got.push(`${partner} ${subject}`);
  });
  await pass(host.timer, 2_000);
  await create('after');
  await pass(host.timer, 12_000);
  await subscription.stop();
  const expected = names.flatMap((name) => [`${name} deal:after`, `${name} deal:before`]);
  expect(got.sort()).toEqual(expected.sort());
});
