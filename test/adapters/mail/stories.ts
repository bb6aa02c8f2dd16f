import type { Environment, EventType, ProposalInput } from 'dealwright';
import type { MailKind } from 'dealwright/mail';
import type { Store } from 'dealwright/ports';
import type { ResultAsync } from 'neverthrow';
import { ulid } from 'ulid';
import { live, type mailHost } from './kit.js';

export const id = 'order-1';
const day = 24 * 60 * 60 * 1000;
export const words = { reason: 'Its reason', message: 'Its message' };
const { message } = words;

/** No other amount of these deals has such cents: whoever sees them sees a fee, or a sum with it. */
export const fees = { employer_fee: '13.37', contractor_fee: '24.11' };

/** The answer of a call; an error fails the test, and says which. */
export async function done<T>(asked: ResultAsync<T, unknown>): Promise<T> {
  const answered = await asked;
  if (answered.isErr()) throw new Error(JSON.stringify(answered.error));
  return answered.value;
}

/** A deal of a story. */
export interface Plot {
  /** Default: production, where the operator reports what the provider did. */
  readonly environment?: Environment;
  readonly amount?: string;
  readonly language?: string;
}

type Report =
  | 'paid'
  | 'failed'
  | 'charged_back'
  | 'charge_back_reversed'
  | 'refunded'
  | 'refund_failed';

/** A deal, and what can happen to it. */
export async function dealIn(host: ReturnType<typeof mailHost>, plot: Plot = {}) {
  const { clock, marketplace } = host;
  const { environment = 'production', amount = '500.00', language = 'en' } = plot;
  const tenant = { ...live, environment };
  const partner = marketplace.partner(tenant);
  const token = await host.create(
    { partner_id: id, email_freelancer: 'jan@x.example', amount, freelancer_language: language },
    tenant,
  );
  const freelancer = marketplace.freelancer(environment, token);
  const staff = marketplace.operator(environment);
  const operator = staff.partner(live.partner);
  const details = () => done(partner.retrieveDealDetails(id));
  const accept = () => done(freelancer.accept(words));
  let reports = 0;
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
    /** A report of the last payment of the employer. */
    async tell(status: Report, of: { amount?: string; reference?: string } = {}) {
      const payment_id = (await details()).billing.employer_payments.at(-1)?.id ?? '';
      reports += 1;
      const report = { payment_id, status, reference: `in-${reports}`, ...of };
      await done(operator.recordEmployerPayment(id, report));
    },
    async pay() {
      await steps.tell('paid');
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
    /** Lets the sandbox do what it was asked for. */
    async move() {
      await done(staff.runEffects());
    },
    async waitDays(days: number) {
      await host.pass(days * day);
      clock.advance(1);
      await done(staff.runTimers());
    },
    cancel: () => done(operator.cancel(id, words)),
    /** One side proposes, and returns the proposal. */
    propose: (by: 'partner' | 'freelancer', given = change('700.00')) =>
      done(by === 'partner' ? partner.propose(id, given) : freelancer.propose(given)),
    /** The other side answers what this side has proposed. */
    async answer(
      by: 'partner' | 'freelancer',
      what: 'accept' | 'reject',
      given = change('700.00'),
    ) {
      const { id: proposal_id, terms_sha256 } = await steps.propose(by, given);
      const body = { message, terms_sha256 };
      if (by === 'freelancer') {
        if (what === 'reject') await done(partner.rejectProposal(id, proposal_id, { message }));
        else await done(partner.acceptProposal(id, proposal_id, body));
      } else if (what === 'reject') await done(freelancer.rejectProposal(proposal_id, { message }));
      else await done(freelancer.acceptProposal(proposal_id, body));
    },
  };
  return { ...steps, partner, freelancer, operator, details };
}

const change = (amount: string): ProposalInput =>
  ({ kind: 'amendment', changes: { amount }, message }) as const;

/** An agreement that ends a deal. */
export const agreement = (agreed_amount: string): ProposalInput =>
  ({ kind: 'settlement', changes: { agreed_amount } }) as const;

/** Appends an event of the deal to the log. */
export async function append(
  store: Store,
  type: string,
  { actor = 'clock', at = '2026-01-01T00:00:00.000Z', ...more }: AppendedData = {},
): Promise<void> {
  const attempt = ulid();
  const answer_key = `attempt ${attempt}`;
  const row = { answer_key, fingerprint: '', answer: '{}', ends_at: null };
  const event = { id: ulid(), subject: `deal:${id}`, at, data: { partner_id: id, ...more } };
  const committed = await store.commit(live, {
    attempt,
    expect: [{ absent: 'answer', key: answer_key }],
    insert: [{ kind: 'answer', row }],
    change: [],
    subject: { kind: 'deal', key: id },
    events: [{ ...event, type: type as EventType, actor, cause: null }],
  });
  if (committed._unsafeUnwrap().outcome !== 'committed') throw new Error('not committed');
}

interface AppendedData {
  readonly actor?: 'clock' | 'payments';
  readonly at?: string;
  readonly [member: string]: string | readonly number[] | undefined;
}

type Deal = Awaited<ReturnType<typeof dealIn>>;

interface Story extends Plot {
  /** What leads to the message. */
  readonly leads: (deal: Deal) => unknown;
  /** What makes it untrue before it is sent, unless it always stays true. */
  readonly ends?: (deal: Deal) => unknown;
  /** The amount that it names, in decimals. */
  readonly names?: string;
}

/** The kinds that a story leads to: the other one tells of a refusal. */
export type Told = Exclude<MailKind, 'undelivered'>;

/** The real commands and reports that lead to each message. */
export const stories: Readonly<Record<Told, Story>> = {
  offered: {
    leads: () => undefined,
    ends: ({ partner }) => done(partner.cancel(id)),
    names: '475.89',
  },
  termsProposed: {
    async leads({ accept, propose }) {
      await accept();
      await propose('partner');
    },
    async ends({ details, freelancer }) {
      await done(freelancer.rejectProposal((await details()).proposal?.id ?? ''));
    },
    names: '675.89',
  },
  termsChanged: {
    leads: ({ propose }) => propose('partner'),
    ends: ({ partner }) => done(partner.cancel(id)),
    names: '675.89',
  },
  termsAccepted: {
    leads: ({ answer }) => answer('freelancer', 'accept'),
    ends: ({ answer }) => answer('partner', 'accept', change('600.00')),
    names: '675.89',
  },
  termsRejected: {
    leads: ({ answer }) => answer('freelancer', 'reject'),
    ends: ({ cancel }) => cancel(),
  },
  termsExpired: {
    async leads({ accept, propose, waitDays }) {
      await accept();
      await propose('freelancer');
      await waitDays(14);
    },
    ends: ({ cancel }) => cancel(),
  },
  settled: {
    async leads({ accept, answer }) {
      await accept();
      await answer('freelancer', 'accept', agreement('120.00'));
    },
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('100.00');
    },
    names: '120.00',
  },
  bonusAdded: {
    async leads({ accept, partner }) {
      await accept();
      await done(partner.addBonus(id, { amount: '50.00', message }));
    },
    ends: ({ cancel }) => cancel(),
    names: '50.00',
  },
  expiresSoon: {
    leads: ({ waitDays }) => waitDays(29),
    ends: ({ accept }) => accept(),
  },
  offerExpired: { leads: ({ waitDays }) => waitDays(30) },
  changesRequested: {
    async leads({ deliver, partner }) {
      await deliver();
      await done(partner.requestChanges(id, words));
    },
    ends: ({ dispute }) => dispute(),
  },
  overdue: {
    async leads({ accept, waitDays }) {
      await accept();
      await waitDays(30);
    },
    ends: ({ deliver }) => deliver(),
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
    names: '475.89',
  },
  payoutWaits: {
    environment: 'sandbox',
    amount: '500.08',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    async ends({ waitDays, move }) {
      await waitDays(1);
      await move();
    },
    names: '475.97',
  },
  payoutReturned: {
    async leads({ payOut, report }) {
      await payOut();
      await report('returned');
    },
    ends: ({ operator }) => done(operator.retryPayout(id)),
    names: '475.89',
  },
  payoutCancelled: {
    async leads({ approve, pay, tell }) {
      await approve();
      await pay();
      await tell('charged_back');
    },
    async ends({ partner, pay }) {
      await done(partner.requestPayment(id));
      await pay();
    },
    names: '475.89',
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
    names: '100.00',
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
  declined: { leads: ({ freelancer }) => done(freelancer.decline(words)) },
  dealExpired: { leads: ({ waitDays }) => waitDays(30) },
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
    async leads({ accept, propose }) {
      await accept();
      await propose('freelancer');
    },
    async ends({ details, freelancer }) {
      await done(freelancer.withdrawProposal((await details()).proposal?.id ?? ''));
    },
    names: '700.00',
  },
  proposalAccepted: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'accept');
    },
    ends: ({ answer }) => answer('freelancer', 'accept', change('600.00')),
    names: '700.00',
  },
  proposalRejected: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'reject');
    },
    ends: ({ freelancer }) => done(freelancer.decline()),
  },
  proposalExpired: {
    async leads({ accept, propose, waitDays }) {
      await accept();
      await propose('partner');
      await waitDays(14);
    },
    ends: ({ freelancer }) => done(freelancer.decline()),
  },
  settlementAccepted: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'accept', agreement('120.00'));
    },
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('100.00');
    },
    names: '120.00',
  },
  disputeOpened: {
    async leads({ deliver, freelancer }) {
      await deliver();
      await done(freelancer.dispute(words));
    },
    ends: ({ resolve }) => resolve('100.00'),
  },
  disputeDecided: {
    async leads({ deliver, dispute, resolve }) {
      await deliver();
      await dispute();
      await resolve('100.00');
    },
    ends: ({ dispute }) => dispute(),
    names: '100.00',
  },
  dealCancelled: {
    async leads({ accept, cancel }) {
      await accept();
      await cancel();
    },
  },
  paymentRequested: {
    leads: ({ approve }) => approve(),
    ends: ({ pay }) => pay(),
    names: '513.37',
  },
  paymentReceived: {
    async leads({ approve, pay }) {
      await approve();
      await pay();
    },
    ends: ({ tell }) => tell('charged_back'),
    names: '513.37',
  },
  paymentFailed: {
    environment: 'sandbox',
    amount: '500.01',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    ends: ({ partner }) => done(partner.requestPayment(id)),
    names: '513.38',
  },
  paymentExpired: {
    async leads({ approve, waitDays }) {
      await approve();
      await waitDays(14);
    },
    async ends({ operator }) {
      const report = { status: 'paid', amount: '513.37', reference: 'by-hand' } as const;
      await done(operator.recordEmployerPayment(id, report));
    },
    names: '513.37',
  },
  chargedBack: {
    environment: 'sandbox',
    amount: '500.03',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    names: '513.40',
  },
  chargeBackReversed: {
    async leads({ approve, pay, tell }) {
      await approve();
      await pay();
      await tell('charged_back', { reference: 'b' });
      await tell('charge_back_reversed', { reference: 'b' });
    },
    names: '513.37',
  },
  refunded: {
    async leads({ approve, pay, cancel, tell }) {
      await approve();
      await pay();
      await cancel();
      await tell('refunded', { reference: 'back' });
    },
    ends: ({ tell }) => tell('refund_failed', { reference: 'back' }),
    names: '513.37',
  },
};
