import { createMemoryStore } from 'dealwright/memory';
import { exampleContractor, exampleDeal } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { dealV2 } from '../../kit/requests.js';
import { append, done, id } from './deal.js';
import { live, mailHost } from './kit.js';

const page = { partner_id: id, title: 'A page', email_freelancer: 'jan@x.example' };

/** To whom, and about what, in the order of sending. */
const told = (messages: ReturnType<typeof mailHost>['messages']) =>
  messages.map(({ to, subject }) => `${to.split('@')[0]}: ${subject}`);

const day = 24 * 60 * 60 * 1000;

describe('a deal from its offer to its payout', () => {
  it('is told to the side that did not act', async () => {
    const host = mailHost(
      {},
      { feePolicy: () => ({ employer_fee: '0.00', contractor_fee: '25.00' }) },
    );
    const { partner, messages, marketplace } = host;
    const running = host.start();
    const token = await host.create(page);
    const freelancer = marketplace.freelancer('production', token);
    const operator = marketplace.operator('production').partner('acme');
    await host.pass();
    expect((await done(partner.retrieveDealDetails(id))).freelancer_status).toBe('invited');
    const upload = async () => {
      const content = new TextEncoder().encode('The draft');
      const file = { name: 'a.txt', content_type: 'text/plain', content };
      await done(freelancer.uploadFile(file));
    };
    await done(freelancer.accept());
    await upload();
    await done(freelancer.deliver({ message: 'Here it is' }));
    await host.pass();
    await done(partner.requestChanges(id, { reason: 'Too short' }));
    await host.pass();
    await upload();
    await done(freelancer.deliver());
    await host.pass();
    await done(partner.approve(id));
    await host.pass();
    const paymentsOf = async () => (await done(partner.retrieveDealDetails(id))).billing;
    const asked = (await paymentsOf()).employer_payments[0]?.id ?? '';
    const paid = { payment_id: asked, status: 'paid', reference: 'in-1' } as const;
    await done(operator.recordEmployerPayment(id, paid));
    const payment_id = (await paymentsOf()).contractor_payments[0]?.id ?? '';
    const report = (status: 'paid' | 'returned', reference: string) =>
      operator.recordContractorPayment(id, { payment_id, status, reference });
    await done(report('paid', 'out-1'));
    await host.pass();
    await done(report('returned', 'out-1'));
    await host.pass();
    await running.stop();
    const to = (side: string) => told(messages).filter((each) => each.startsWith(side));
    expect(to('jan')).toEqual([
      'jan: A client offers you work: “A page”',
      'jan: Changes requested: “A page”',
      'jan: Your work was approved: “A page”',
      expect.stringMatching(/^jan: Paid out: PLN\s475\.00 for “A page”$/),
      'jan: A payout did not reach you: “A page”',
    ]);
    expect(to('office')).toEqual([
      'office: Accepted: “A page” (order-1)',
      'office: Delivered: “A page” (order-1)',
      'office: Delivered: “A page” (order-1)',
      expect.stringMatching(/^office: Payment of PLN\s500\.00 for “A page” \(order-1\)$/),
      expect.stringMatching(/^office: Payment of PLN\s500\.00 received: “A page” \(order-1\)$/),
    ]);
    expect(host.failures).toEqual([]);
    expect(messages[0]?.text).toMatch(/You get PLN\s475\.00 for it\./);
    expect(messages[0]?.text).toContain(`https://deals.example.com/offer/#${token}\n`);
    expect(messages.find(({ subject }) => subject.startsWith('Changes'))?.text).toContain(
      '\n> Too short\n',
    );
    // the token opens the deal: nobody but the freelancer gets it
    for (const message of messages) {
      expect(JSON.stringify(message).includes(token)).toBe(message.to === 'jan@x.example');
    }
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
    for (const { messageId } of messages) {
      expect(messageId).toMatch(/^<[0-9A-Z]{26}\.(freelancer|partner)@example\.com>$/);
    }
  });
});

describe('terms', () => {
  it('of a settlement say that the deal would end, and for how much', async () => {
    const host = mailHost();
    const { partner, messages, marketplace } = host;
    const token = await host.create(page);
    await done(marketplace.freelancer('production', token).accept());
    const running = host.start();
    await done(partner.propose(id, { kind: 'settlement', changes: { agreed_amount: '120.00' } }));
    await host.pass();
    await running.stop();
    const proposed = messages.find(({ subject }) => subject.startsWith('Other terms'));
    expect(proposed?.text).toMatch(/The deal would end, with PLN\s120\.00 for the open work/);
  });

  it('are told to the other side, if it can still answer', async () => {
    const host = mailHost();
    const { partner, messages, marketplace } = host;
    const token = await host.create(page);
    const freelancer = marketplace.freelancer('production', token);
    const running = host.start();
    await host.pass();
    await done(freelancer.accept());
    await host.pass();
    const change = (amount: string) => ({ kind: 'amendment', changes: { amount } }) as const;
    const { id: proposal_id, terms_sha256 } = await done(
      freelancer.propose({ ...change('700.00'), message: 'More work' }),
    );
    await host.pass();
    await done(partner.acceptProposal(id, proposal_id, { terms_sha256 }));
    await host.pass();
    await running.stop();
    // the second replaces the first before a relay gets to it
    await done(partner.propose(id, change('600.00')));
    await done(partner.propose(id, change('800.00')));
    const later = host.start();
    await host.pass();
    await later.stop();
    expect(told(messages)).toEqual([
      'jan: A client offers you work: “A page”',
      'office: Accepted: “A page” (order-1)',
      'office: Other terms proposed: “A page” (order-1)',
      'jan: Your proposal is accepted: “A page”',
      'jan: Other terms proposed: “A page”',
    ]);
    expect(messages[2]?.text).toMatch(/would be PLN\s700\.00; now it is PLN\s500\.00\./);
    expect(messages[2]?.text).toContain('> More work\n');
    expect(messages[3]?.text).toMatch(/You now get PLN\s700\.00 in all\./);
    expect(messages[4]?.text).toMatch(
      /get PLN\s800\.00 in all\.\n\nPlease answer by January \d+, 2026, \d\d:\d\d \(UTC\)\./,
    );
  });
});

describe('an offer', () => {
  it('has a link that a function makes of the token and the partner', async () => {
    const given: unknown[] = [];
    const offerUrl = (...all: unknown[]) => {
      given.push(all);
      return 'https://acme.example/';
    };
    const template = { subject: 'x', paragraphs: ['{link}', '{payment}'] };
    const host = mailHost({ offerUrl, templates: { offered: { en: template } } });
    const running = host.start();
    const token = await host.create();
    await host.pass();
    await running.stop();
    expect(given).toEqual([[token, live]]);
    // the amount of the deal is in the event, too: that is no payment
    expect(host.messages[0]?.text).toBe('https://acme.example/\n\nExample Deals\n');
  });

  it('counts as handed over with the first message that has its link', async () => {
    const host = mailHost({ since: '2026-01-02T00:00:00Z' });
    await host.create({ partner_id: id });
    await host.pass(2 * day);
    const running = host.start();
    await host.pass();
    const changes = { amount: '700.00' };
    await done(host.partner.propose(id, { kind: 'amendment', changes }));
    await host.pass();
    await running.stop();
    expect(told(host.messages)).toEqual([expect.stringContaining('The terms have changed')]);
    const { freelancer_status } = await done(host.partner.retrieveDealDetails(id));
    expect(freelancer_status).toBe('invited');
  });

  it('that ends is told to a freelancer who heard of it late', async () => {
    const host = mailHost();
    await host.create({ partner_id: id });
    // each change is three events
    for (let amount = 600; amount < 640; amount += 1) {
      const changes = { amount: `${amount}.00` };
      await done(host.partner.propose(id, { kind: 'amendment', changes }));
    }
    await done(host.partner.invite(id));
    await done(host.partner.cancel(id));
    const running = host.start();
    await host.pass();
    await running.stop();
    expect(told(host.messages)).toEqual([expect.stringContaining('Cancelled')]);
  });

  it('is written in the language of its freelancer', async () => {
    const host = mailHost();
    const running = host.start();
    await host.create({ partner_id: 'a', freelancer_language: 'pl', title: 'Strona' });
    await host.pass();
    await running.stop();
    const [message] = host.messages;
    expect(message?.subject).toBe('Zleceniodawca proponuje zlecenie: „Strona”');
    expect(message?.headers['Content-Language']).toBe('pl');
    expect(message?.html).toContain('<html lang="pl">');
  });

  it('is not sent if it has ended, or if its freelancer was told', async () => {
    const host = mailHost();
    await host.create({ partner_id: 'ended' });
    await done(host.partner.cancel('ended'));
    await host.create({ partner_id: 'told' });
    await done(host.partner.invite('told'));
    const running = host.start();
    await host.pass();
    expect(host.messages).toEqual([]);
    // of the end of an offer only those hear who heard of the offer
    await done(host.partner.cancel('told'));
    await host.pass();
    await running.stop();
    expect(host.messages.map(({ subject }) => subject)).toEqual(['Cancelled: “Deal title”']);
  });

  it('of version 1.0 is not sent: its partner acts for the contractor', async () => {
    const host = mailHost();
    await done(host.partner.registerContractor(exampleContractor));
    await done(host.partner.createDeal(exampleDeal));
    const running = host.start();
    await host.pass();
    await running.stop();
    expect(host.messages).toEqual([]);
    expect(host.failures).toEqual([]);
  });
});

describe('a reminder', () => {
  it('is sent as long as something is to be done', async () => {
    const store = createMemoryStore();
    const host = mailHost({}, { store });
    const { partner, messages, marketplace } = host;
    const token = await host.create(page);
    const freelancer = marketplace.freelancer('production', token);
    const running = host.start();
    await host.pass();
    await append(store, 'deal.expires_soon');
    await host.pass();
    await done(freelancer.accept());
    await append(store, 'deal.expires_soon');
    const content = new TextEncoder().encode('The draft');
    await done(freelancer.uploadFile({ name: 'a.txt', content_type: 'text/plain', content }));
    await done(freelancer.deliver());
    const [stage] = (await done(partner.retrieveDealDetails(id))).stages;
    await append(store, 'deal.review_ends_soon', { stage_ids: [stage?.id ?? 0] });
    await host.pass();
    await done(partner.approve(id));
    await append(store, 'deal.review_ends_soon', { stage_ids: [stage?.id ?? 0] });
    await host.pass();
    await running.stop();
    expect(host.failures).toEqual([]);
    expect(told(messages).filter((each) => each.includes('soon'))).toEqual([
      'jan: The offer expires soon: “A page”',
      'office: The review ends soon: “A page” (order-1)',
    ]);
  });
});

describe('nobody is told', () => {
  /** Expects that the partner of a deal that was declined gets no mail, and returns what failed. */
  async function expectUntold(options: Parameters<typeof mailHost>[0]) {
    const { start, create, marketplace, pass, messages, failures } = mailHost(options);
    const running = start();
    const token = await create({ partner_id: id });
    await done(marketplace.freelancer('production', token).decline());
    await pass();
    await running.stop();
    expect(messages.filter(({ to }) => to.startsWith('office'))).toEqual([]);
    return failures;
  }

  it('of the sandbox, unless the host wants it', async () => {
    const sandbox = { environment: 'sandbox', partner: 'acme' } as const;
    for (const wanted of [false, true]) {
      const host = mailHost({ sandbox: wanted });
      const running = host.start();
      await done(host.marketplace.partner(sandbox).createDealV2(dealV2));
      await host.create();
      await host.pass();
      await running.stop();
      expect(host.messages).toHaveLength(wanted ? 2 : 1);
      const subjects = host.messages.map(({ subject }) => subject);
      expect(subjects.filter((each) => each.startsWith('[Sandbox] '))).toHaveLength(wanted ? 1 : 0);
    }
  });

  it('of what happened before mail was switched on', async () => {
    const host = mailHost({ since: '2026-01-02T00:00:00Z' });
    await host.create({ partner_id: 'before' });
    const running = host.start();
    await host.pass(day - 5_000);
    await host.create({ partner_id: 'just-before' });
    await host.pass(5_000);
    await host.create({ partner_id: 'after' });
    await host.pass();
    await running.stop();
    const statuses = ['before', 'just-before', 'after'].map(async (each) => {
      return (await done(host.partner.retrieveDealDetails(each))).freelancer_status;
    });
    expect(await Promise.all(statuses)).toEqual(['new', 'new', 'invited']);
    expect(host.messages).toHaveLength(1);
  });

  it('of a partner whose language has no words', async () => {
    const partnerAddress = () => ({ address: 'office@acme.example', language: 'de' });
    const failures = await expectUntold({ partnerAddress } as never);
    expect(failures.map(String).join()).toContain('en or pl');
  });

  it('of a partner without an address', async () => {
    const asked: unknown[] = [];
    const partnerAddress = (tenant: object) => void asked.push(tenant);
    for (const options of [{ partnerAddress }, { partnerAddress: undefined }]) {
      expect(await expectUntold(options as Parameters<typeof mailHost>[0])).toEqual([]);
    }
    expect(asked).toEqual([live]);
  });
});
