import type { MailKind } from 'dealwright/mail';
import type { ResultAsync } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { mailKinds } from '../../../adapters/mail/kinds.js';
import { templates } from '../../../adapters/mail/templates.js';
import { live, mailHost } from './kit.js';

const id = 'order-1';
const day = 24 * 60 * 60 * 1000;
const words = { reason: 'Its reason', message: 'Its message' };

/** The answer of a call; an error fails the test, and says which. */
async function done<T>(asked: ResultAsync<T, unknown>): Promise<T> {
  const answered = await asked;
  if (answered.isErr()) throw new Error(JSON.stringify(answered.error));
  return answered.value;
}

/** A deal in a back end whose messages have their kinds as subjects. */
async function dealIn(host: ReturnType<typeof mailHost>) {
  const { clock, marketplace, partner } = host;
  const token = await host.create({ partner_id: id, email_freelancer: 'jan@x.example' });
  const freelancer = marketplace.freelancer('production', token);
  const operator = marketplace.operator('production').partner(live.partner);
  const details = () => done(partner.retrieveDealDetails(id));
  const accept = () => done(freelancer.accept(words));
  const change = (amount: string) =>
    ({ kind: 'amendment', changes: { amount }, message: words.message }) as const;
  const steps = {
    accept,
    async deliver() {
      if ((await details()).status === 'created') await accept();
      const content = new TextEncoder().encode('The draft');
      await done(freelancer.uploadFile({ name: 'a.txt', content_type: 'text/plain', content }));
      await done(freelancer.deliver(words));
    },
    async approve() {
      await steps.deliver();
      await done(partner.approve(id, words));
    },
    async pay() {
      const payment_id = (await details()).billing.employer_payments[0]?.id ?? '';
      await done(
        operator.recordEmployerPayment(id, { payment_id, status: 'paid', reference: 'in' }),
      );
    },
    /** A report of the only payout. */
    async report(status: 'paid' | 'returned') {
      const payment_id = (await details()).billing.contractor_payments[0]?.id ?? '';
      await done(operator.recordContractorPayment(id, { payment_id, status, reference: 'out' }));
    },
    async payOut() {
      await steps.approve();
      await steps.pay();
      await steps.report('paid');
    },
    async dispute() {
      await done(partner.dispute(id, words));
    },
    async resolve(agreed_amount: string) {
      await done(operator.resolve(id, { agreed_amount, ...words }));
    },
    async waitDays(days: number) {
      await host.pass(days * day);
      clock.advance(1);
      await done(marketplace.operator('production').runTimers());
    },
  };
  return { ...steps, partner, freelancer, operator, change, details };
}

type Deal = Awaited<ReturnType<typeof dealIn>>;

interface Story {
  /** What leads to the message. */
  readonly leads: (deal: Deal) => unknown;
  /** What makes it untrue before it is sent, unless it always stays true. */
  readonly ends?: (deal: Deal) => unknown;
}

/** The kinds that an event leads to: the other one is told after a refusal. */
type Told = Exclude<MailKind, 'undelivered'>;
const toldKinds = mailKinds.filter((kind): kind is Told => kind !== 'undelivered');

/** The real commands that lead to each message. */
const stories: Readonly<Record<Told, Story>> = {
  offered: {
    leads: () => undefined,
    ends: ({ partner }) => done(partner.cancel(id)),
  },
  termsProposed: {
    async leads({ accept, partner, change }) {
      await accept();
      await done(partner.propose(id, change('700.00')));
    },
    async ends({ details, freelancer }) {
      await done(freelancer.rejectProposal((await details()).proposal?.id ?? ''));
    },
  },
  termsChanged: {
    leads: ({ partner, change }) => done(partner.propose(id, change('700.00'))),
    ends: ({ partner }) => done(partner.cancel(id)),
  },
  settled: {
    async leads({ accept, freelancer, partner }) {
      await accept();
      const changes = { agreed_amount: '120.00' };
      const made = await done(freelancer.propose({ kind: 'settlement', changes }));
      const { terms_sha256 } = made;
      await done(partner.acceptProposal(id, made.id, { terms_sha256 }));
    },
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('100.00');
    },
  },
  bonusAdded: {
    async leads({ accept, partner }) {
      await accept();
      await done(partner.addBonus(id, { amount: '50.00', message: words.message }));
    },
    ends: ({ operator }) => done(operator.cancel(id, words)),
  },
  expiresSoon: {
    leads: ({ waitDays }) => waitDays(29),
    ends: ({ accept }) => accept(),
  },
  changesRequested: {
    async leads({ deliver, partner }) {
      await deliver();
      await done(partner.requestChanges(id, words));
    },
    ends: ({ dispute }) => dispute(),
  },
  approved: {
    leads: ({ approve }) => approve(),
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('0.00');
    },
  },
  paidOut: {
    leads: ({ payOut }) => payOut(),
    ends: ({ report }) => report('returned'),
  },
  payoutReturned: {
    async leads({ payOut, report }) {
      await payOut();
      await report('returned');
    },
    ends: ({ operator }) => done(operator.retryPayout(id)),
  },
  disputed: {
    async leads({ deliver, dispute }) {
      await deliver();
      await dispute();
    },
    ends: ({ resolve }) => resolve('100.00'),
  },
  disputeResolved: {
    async leads({ deliver, dispute, resolve }) {
      await deliver();
      await dispute();
      await resolve('100.00');
    },
    ends: ({ dispute }) => dispute(),
  },
  cancelled: {
    async leads({ accept, partner }) {
      await accept();
      await done(partner.cancel(id, words));
    },
  },
  accepted: {
    leads: ({ accept }) => accept(),
    ends: ({ partner }) => done(partner.cancel(id)),
  },
  declined: {
    leads: ({ freelancer }) => done(freelancer.decline(words)),
  },
  delivered: {
    leads: ({ deliver }) => deliver(),
    ends: ({ dispute }) => dispute(),
  },
  reviewEndsSoon: {
    async leads({ deliver, waitDays }) {
      await deliver();
      await waitDays(6);
    },
    ends: ({ dispute }) => dispute(),
  },
  proposed: {
    async leads({ accept, freelancer, change }) {
      await accept();
      await done(freelancer.propose(change('700.00')));
    },
    async ends({ details, freelancer }) {
      await done(freelancer.withdrawProposal((await details()).proposal?.id ?? ''));
    },
  },
  paymentRequested: {
    leads: ({ approve }) => approve(),
    ends: ({ pay }) => pay(),
  },
};

/** A host whose messages have their kinds as subjects, and our words. */
const hostOfKinds = () =>
  mailHost({
    templates: Object.fromEntries(
      mailKinds.map((kind) => [kind, { en: { ...templates[kind].en, subject: kind } }]),
    ),
  });

const of = (host: ReturnType<typeof mailHost>, kind: MailKind) =>
  host.messages.filter(({ subject }) => subject === kind);

describe.each(toldKinds)('%s', (kind) => {
  const { leads } = stories[kind];

  it('tells the other side once, in the words that were given', async () => {
    const host = hostOfKinds();
    const running = host.start();
    await leads(await dealIn(host));
    await host.pass();
    await running.stop();
    expect(host.failures).toEqual([]);
    const own = of(host, kind);
    expect(own).toHaveLength(1);
    const [{ to, text, messageId } = { to: '', text: '', messageId: '' }] = own;
    expect(to).toMatch(messageId.includes('.freelancer@') ? /^jan@/ : /^office@/);
    const feed = (await done(host.partner.listEvents({ page_size: 100 }))).results;
    const event = feed.find((each) => messageId.includes(each.id));
    for (const given of ['reason', 'message'] as const) {
      const said: object = event?.data ?? {};
      expect(text.includes(`\n> Its ${given}\n`), given).toBe(given in said);
    }
  });
});

/** The kinds that can become untrue before they are sent. */
const endings = toldKinds.flatMap((kind) => {
  const { leads, ends } = stories[kind];
  return ends === undefined ? [] : [{ kind, leads, ends }];
});

it.each(endings)('$kind: says nothing that is no longer true', async ({ kind, leads, ends }) => {
  const host = hostOfKinds();
  const deal = await dealIn(host);
  await leads(deal);
  await ends(deal);
  const running = host.start();
  await host.pass();
  await running.stop();
  expect(host.failures).toEqual([]);
  expect(of(host, kind)).toEqual([]);
});

it('names the amount of a bonus, and the id of a payment', async () => {
  const host = hostOfKinds();
  const running = host.start();
  const { partner, details, approve } = await dealIn(host);
  await approve();
  await done(partner.addBonus(id, { amount: '50.00' }));
  await host.pass();
  await running.stop();
  expect(of(host, 'bonusAdded')[0]?.text).toMatch(/a bonus of PLN\s50\.00 to/);
  const [payment] = (await details()).billing.employer_payments;
  expect(of(host, 'paymentRequested')[0]?.text).toContain(`is ${payment?.id}.\n`);
});
