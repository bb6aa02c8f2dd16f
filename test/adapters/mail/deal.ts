import type { Environment, EventType, ProposalInput } from 'dealwright';
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

export const change = (amount: string): ProposalInput =>
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
