import type { MailMessage } from 'dealwright/mail';
import { createMemoryStore } from 'dealwright/memory';
import { expect, it } from 'vitest';
import { mailHost } from './kit.js';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** A transport that refuses some messages. */
function transport(refuses: (message: MailMessage) => boolean) {
  const tried: MailMessage[] = [];
  const sent: MailMessage[] = [];
  return {
    tried,
    sent,
    async sendMail(message: MailMessage) {
      tried.push(message);
      if (refuses(message)) throw new Error('550 no such mailbox');
      sent.push(message);
    },
  };
}

it('tries a message again that the transport refused, on the schedule of webhooks', async () => {
  let isBroken = true;
  const own = transport(({ to }) => isBroken && to === 'bad@x.example');
  const host = mailHost({ transport: own });
  const running = host.start();
  await host.create({ partner_id: 'a', email_freelancer: 'bad@x.example' });
  await host.create({ partner_id: 'b', email_freelancer: 'good@x.example' });
  await host.pass();
  expect(own.tried).toHaveLength(2);
  expect(own.sent.map(({ to }) => to)).toEqual(['good@x.example']);
  expect(host.failures).toEqual([new Error('550 no such mailbox')]);
  // the first pause is 5 s, the second five minutes, each +-10 %
  await host.pass(6 * second);
  expect(own.tried).toHaveLength(3);
  await host.pass(4 * minute);
  expect(own.tried).toHaveLength(3);
  isBroken = false;
  await host.pass(2 * minute);
  expect(own.sent.map(({ to }) => to)).toEqual(['good@x.example', 'bad@x.example']);
  await host.pass(hour);
  await running.stop();
  expect(own.tried).toHaveLength(4);
  expect(new Set(own.tried.map(({ messageId }) => messageId)).size).toBe(2);
});

it('gives a message up after ten attempts in three days, and goes on with its deal', async () => {
  const own = transport(({ subject }) => subject.includes('offers'));
  const host = mailHost({ transport: own });
  const running = host.start();
  const token = await host.create({ partner_id: 'a' });
  await host.pass();
  (await host.marketplace.freelancer('production', token).accept())._unsafeUnwrap();
  await host.pass();
  (await host.partner.cancel('a'))._unsafeUnwrap();
  // a deal that is over is offered to nobody: another one stays
  await host.create({ partner_id: 'b' });
  for (let passed = 0; passed < 90; passed += 1) await host.pass(hour);
  await running.stop();
  const offers = own.tried.filter(({ subject }) => subject.includes('offers'));
  const byMessage = new Map<string, number>();
  for (const { messageId } of offers) byMessage.set(messageId, (byMessage.get(messageId) ?? 0) + 1);
  expect([...byMessage.values()]).toEqual([1, 10]);
  expect(own.sent.map(({ subject }) => subject)).toEqual([
    'Accepted: “Deal title” (a)',
    'Cancelled: “Deal title”',
  ]);
});

it('sends nothing again if only what follows the message fails', async () => {
  const store = createMemoryStore();
  let isDown = false;
  const own = transport(() => false);
  const failing: typeof store = {
    ...store,
    commit: (tenant, write) =>
      isDown && write.events.some(({ type }) => type === 'deal.invited')
        ? Promise.reject(new Error('down'))
        : store.commit(tenant, write),
  };
  const host = mailHost({ transport: own }, { store: failing });
  const running = host.start();
  isDown = true;
  await host.create({ partner_id: 'a' });
  await host.pass();
  await host.pass(10 * second);
  expect(own.sent).toHaveLength(1);
  expect(host.failures.length).toBeGreaterThanOrEqual(2);
  isDown = false;
  await host.pass(10 * minute);
  await running.stop();
  expect(own.sent).toHaveLength(1);
  const details = await host.partner.retrieveDealDetails('a');
  expect(details._unsafeUnwrap().freelancer_status).toBe('invited');
});

it('sends nothing again while the transport may still take it', async () => {
  const tried: string[] = [];
  const slow = {
    sendMail({ to }: MailMessage) {
      tried.push(to);
      return new Promise<void>((taken) => host.clock.sleep(40 * second, taken));
    },
  };
  const host = mailHost({ transport: slow, timeout: 20 * second });
  const running = host.start();
  await host.create({ partner_id: 'a' });
  for (let passed = 0; passed < 60; passed += 1) await host.pass(second);
  // it was taken after its time, and after the retry had begun
  expect(host.failures).toHaveLength(1);
  const details = await host.partner.retrieveDealDetails('a');
  expect(details._unsafeUnwrap().freelancer_status).toBe('invited');
  for (let passed = 0; passed < 60; passed += 1) await host.pass(minute);
  await running.stop();
  expect(tried).toHaveLength(1);
  expect(host.failures).toHaveLength(1);
});

it('sends again in the end if the transport never answers', async () => {
  const asked: string[] = [];
  const hanging = {
    sendMail({ to }: MailMessage) {
      asked.push(to);
      return asked.length === 1 ? new Promise(() => undefined) : Promise.resolve();
    },
  };
  const host = mailHost({ transport: hanging, timeout: 20 * second });
  const running = host.start();
  await host.create({ partner_id: 'a', email_freelancer: 'slow@x.example' });
  await host.pass();
  await host.create({ partner_id: 'b', email_freelancer: 'next@x.example' });
  await host.pass(10 * second);
  expect(asked).toEqual(['slow@x.example']);
  await host.pass(10 * second);
  expect(asked).toContain('next@x.example');
  for (let passed = 0; passed < 20; passed += 1) await host.pass(minute);
  expect(asked).toEqual(['slow@x.example', 'next@x.example']);
  for (let passed = 0; passed < 20; passed += 1) await host.pass(minute);
  await running.stop();
  expect(asked).toEqual(['slow@x.example', 'next@x.example', 'slow@x.example']);
});
