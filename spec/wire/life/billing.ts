import { check, equal, show } from '../../expectations.js';
import type { DefineCase } from '../../laws.js';
import { expectStatus, type Members, membersOf, type Reply, type Server } from '../server.js';
import { arrayOf, type By, becomes, type Details, type LivingDeal } from './deal.js';

/** Who reports payments, and who decides as the operator, through one face. */
export interface Reporter {
  readonly name: string;
  readonly payments: By;
  readonly operator: By;
}

export const ofOperator: Reporter = {
  name: 'operator',
  payments: 'operator',
  operator: 'operator',
};

/** In the sandbox a gateway pays by itself. */
export const ofSandbox: Reporter = {
  name: 'sandbox',
  payments: 'sandbox/payments',
  operator: 'sandbox/operator',
};

/** Defines a case for each face that payments are reported through. */
export function forEachReporter<Id extends string>(define: DefineCase<Server, Id>) {
  return (
    id: Id,
    body: (server: Server, by: Reporter) => Promise<void>,
    variant?: string,
  ): void => {
    for (const by of [ofOperator, ofSandbox]) {
      const name = variant === undefined ? by.name : `${by.name}, ${variant}`;
      define(id, (server) => body(server, by), name);
    }
  };
}

/** A payment of either kind. */
export interface Payment extends Members {
  readonly id: string;
  readonly amount: string;
  readonly status: string;
}

const billingOf = (details: Details) => membersOf(details['billing'], 'the billing');

/** The payments of the employer, and those to the contractor. */
export function employerPayments(details: Details): readonly Payment[] {
  return arrayOf(billingOf(details)['employer_payments'], 'the employer_payments') as Payment[];
}

export function contractorPayments(details: Details): readonly Payment[] {
  return arrayOf(billingOf(details)['contractor_payments'], 'the contractor_payments') as Payment[];
}

/** The last payment of the employer, which must exist. */
export function lastRequest(details: Details): Payment {
  return last(employerPayments(details), 'a payment of the employer');
}

/** The last payout, which must exist. */
export function lastPayout(details: Details): Payment {
  return last(contractorPayments(details), 'a payout');
}

function last<T>(all: readonly T[], what: string): T {
  const found = all.at(-1);
  check(found !== undefined, `the deal has ${what}`);
  return found;
}

const sums = [
  ...(['paid', 'held', 'released', 'refunded', 'fees', 'charged_back', 'loss'] as const),
  'outstanding' as const,
];

/** The sums of a billing. */
export type Figures = Readonly<Record<(typeof sums)[number], string>>;

export function figuresOf(details: Details): Figures {
  const billing = billingOf(details);
  return Object.fromEntries(sums.map((name) => [name, billing[name]])) as Figures;
}

/** Fails the case unless these are the sums of the billing, and all others are zero. */
export function expectFigures(details: Details, figures: Partial<Figures>): void {
  const expected = Object.fromEntries(sums.map((name) => [name, figures[name] ?? '0.00']));
  equal(figuresOf(details), expected, 'the sums of the billing');
}

/** Money in hundredths. */
function hundredths(text: unknown, what: string): bigint {
  check(
    typeof text === 'string' && /^-?\d+\.\d\d$/.test(text),
    `${what} is a decimal with two places\n  actual: ${show(text)}`,
  );
  return BigInt(text.replace('.', ''));
}

/** Fails the case unless what came in equals what is there and what went out (decisions 4, 6.3). */
export function expectBalanced(details: Details): void {
  const figures = figuresOf(details);
  const of = (name: keyof Figures) => hundredths(figures[name], `the sum ${name}`);
  const gone = of('released') + of('refunded') + of('fees') + of('charged_back');
  check(
    of('paid') + of('loss') === of('held') + gone,
    `paid + loss = held + released + refunded + fees + charged_back\n  actual: ${show(figures)}`,
  );
  check(of('held') >= 0n, `held is not negative\n  actual: ${show(figures)}`);
}

/** Reports an employer's payment; returns the answer, which must be a success. */
export async function reportPayment(deal: LivingDeal, by: Reporter, body: Members): Promise<Reply> {
  const reply = await deal.give(by.payments, 'record-employer-payment', { body });
  expectStatus(reply, 200);
  return reply;
}

/** Reports a payout; returns the answer, which must be a success. */
export async function reportPayout(deal: LivingDeal, by: Reporter, body: Members): Promise<Reply> {
  const reply = await deal.give(by.payments, 'record-contractor-payment', { body });
  expectStatus(reply, 200);
  return reply;
}

/** Reports money that was not asked for: a payment of its own. */
export async function payUnasked(deal: LivingDeal, by: Reporter, amount: string): Promise<Payment> {
  await reportPayment(deal, by, { status: 'paid', amount, reference: deal.server.name('bank') });
  return lastRequest(await deal.details());
}

/**
 * Waits until the last payout is paid. A server whose gateway pays nothing by itself is told by a
 * report, as it is of a payout that was cancelled before it was known to be paid.
 */
export async function untilPaidOut(deal: LivingDeal, by: Reporter): Promise<Details> {
  const byHand = by === ofSandbox ? ['cancelled'] : ['cancelled', 'scheduled'];
  return deal.server.until('the payout', async () => {
    const details = await becomes(deal, 'a payout', (each) => contractorPayments(each).length > 0);
    const { id, status } = lastPayout(details);
    if (status === 'paid') return details;
    if (byHand.includes(status)) {
      await reportPayout(deal, by, {
        payment_id: id,
        status: 'paid',
        reference: deal.server.name('bank'),
      });
    }
    return undefined;
  });
}
