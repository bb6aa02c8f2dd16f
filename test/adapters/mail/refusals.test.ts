import type { MailMessage, MailTransport } from 'dealwright/mail';
import { describe, expect, it } from 'vitest';
import { isRefusedForGood } from '../../../adapters/mail/refusals.js';
import { mailHost } from './kit.js';

const nobody = 'nobody@x.example';
const minute = 60_000;

it.each([
  [{ responseCode: 554 }, true],
  [{ responseCode: 550, command: 'RCPT TO', response: '550-5.1.1 No such\n550 mailbox' }, true],
  [{ responseCode: 501, command: 'RCPT TO', response: '501 5.1.3 Bad address' }, true],
  [{ responseCode: 556, command: 'RCPT TO', response: '556 5.1.10 Takes no mail' }, true],
  [{ responseCode: 503, command: 'RCPT TO', response: '503 Bad sequence' }, false],
  [{ responseCode: 504, command: 'RCPT TO', response: '504 5.5.2 Helo refused' }, false],
  [{ responseCode: 550, command: 'RCPT TO', response: '550 5.1.8 Unknown domain' }, false],
  [{ responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH' }, false],
  [{ responseCode: 552, command: 'MAIL FROM' }, false],
  [{ responseCode: 535 }, false],
  [{ responseCode: 450 }, false],
  [{ responseCode: 600 }, false],
  [{ code: 'ECONNREFUSED' }, false],
  [new Error('550 no such mailbox'), false],
  [undefined, false],
  ['550', false],
])('knows what was refused for good: %j %s', (error, isRefused) => {
  expect(isRefusedForGood(error)).toBe(isRefused);
});

/** A transport that refuses everything to one side for good, and fails as often as it is told. */
function refusing(refusal: object, failsFor: () => boolean = () => false) {
  const tried: MailMessage[] = [];
  const transport: MailTransport = {
    async sendMail(message) {
      tried.push(message);
      if (message.to === nobody) throw Object.assign(new Error('refused'), refusal);
      if (failsFor()) throw new Error('no connection');
    },
  };
  return { tried, transport };
}

describe('the partner', () => {
  it('is told that its freelancer was not, in words, and the deal goes on', async () => {
    const { tried, transport } = refusing({ responseCode: 550, command: 'RCPT TO' });
    const partnerAddress = () => ({ address: 'office@acme.example', language: 'pl' }) as const;
    const host = mailHost({ transport, partnerAddress });
    const running = host.start();
    const page = { partner_id: 'a', title: 'A page', email_freelancer: nobody };
    const token = await host.create(page);
    await host.pass(minute);
    expect(tried.map(({ to }) => to)).toEqual([nobody, 'office@acme.example']);
    expect(tried[1]?.text).toContain('„A page” (a)');
    expect(tried[1]?.text).toContain(nobody);
    // whoever has the link acts as the freelancer
    expect(JSON.stringify(tried[1])).not.toContain(token);
    expect(host.failures).toHaveLength(1);
    const details = await host.partner.retrieveDealDetails('a');
    expect(details._unsafeUnwrap().freelancer_status).toBe('new');
    (await host.marketplace.freelancer('production', token).accept())._unsafeUnwrap();
    await host.pass();
    await running.stop();
    expect(tried.at(-1)?.subject).toContain('Przyjęto');
  });

  it('is told though the transport fails meanwhile, and the freelancer is not tried again', async () => {
    let fails = 1;
    const { tried, transport } = refusing({ responseCode: 554 }, () => {
      fails -= 1;
      return fails >= 0;
    });
    const host = mailHost({ transport });
    const running = host.start();
    await host.create({ partner_id: 'a', email_freelancer: nobody });
    await host.pass();
    for (let waited = 0; waited < 3; waited += 1) await host.pass(minute);
    await running.stop();
    const partner = 'office@acme.example';
    expect(tried.map(({ to }) => to)).toEqual([nobody, partner, partner]);
    expect(host.givenUp).toEqual([false, true]);
  });

  it('without an address, or that is refused too, holds up nothing', async () => {
    const refusal = { responseCode: 550 };
    const none = refusing(refusal);
    const both = refusing(refusal);
    for (const [{ transport }, address] of [
      [none, undefined],
      [both, nobody],
    ] as const) {
      const partnerAddress = () => (address === undefined ? undefined : { address });
      const host = mailHost({ transport, partnerAddress });
      const running = host.start();
      await host.create({ partner_id: 'a', email_freelancer: nobody });
      await host.pass(minute);
      await running.stop();
      expect(host.givenUp).toEqual([true]);
    }
    expect([none.tried.length, both.tried.length]).toEqual([1, 2]);
  });
});
