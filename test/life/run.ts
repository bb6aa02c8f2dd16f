import {
  applyChanges,
  type Changes,
  type Command,
  type DealState,
  dueCommand,
  type Lifecycle,
  legalCommands,
  lifecycle,
} from 'dealwright/life';
import { ok } from 'neverthrow';
import { offerEnd, offerNotice } from '../../src/domain/life/deadlines.js';
import { afterTheClock } from '../../src/domain/life/decide.js';
import { dealDetails } from '../../src/domain/life/details.js';
import { billingOf } from '../../src/domain/payments/billing.js';
import { createBooks } from '../../src/domain/payments/books.js';
import { surplusOf } from '../../src/domain/payments/surplus.js';
import { isFinal } from '../../src/domain/values/status.js';
import { commandOf, type Given, giveCode, momentOf, referenceOf } from './code.js';
import { cents, checkStep, isSent, totalOf } from './invariants.js';
import { checkTerms, type Kept, keep, nothingKept, refundOf, seenTerms } from './kept-rows.js';
import type { Answer } from './model.js';
import { giveInTime, inTimeFor } from './model-clock.js';
import { statusAt } from './model-proposals.js';
import { isLegal, type Wish } from './model-rules.js';
import { type Model, nextDue, type Refunding, seen } from './model-state.js';
import { nameStages, newModel } from './model-terms.js';
import { dayOne, idMaker, instant, money, newDeal, type Shape, withFile } from './states.js';
import { addTo, emptyTally, wrongTally } from './tally.js';

/** The commands in the written decisions, independent of the tables of the code. */
export const commands = [
  'invite',
  'accept',
  'decline',
  'cancel',
  'deliver',
  'request-changes',
  'approve',
  'dispute',
  'resolve',
  'request-payment',
  'retry-payout',
  'retry-refund',
  'add-bonus',
  'write-off',
  'refund-surplus',
  'record-employer-payment',
  'record-contractor-payment',
  'tell-expiry',
  'expire',
  'expire-payment',
  'expire-proposal',
  'tell-overdue',
  'tell-review-end',
] as const;
export const allActors = ['partner', 'freelancer', 'operator', 'clock', 'payments'] as const;

const ordered =
  /^(proposal\..*|deal\.(amended|settled|bonus_added|accepted|dispute_resolved|completed|cancelled|declined|expired))$/;

/** A table of any host: its commands are not known to the compiler. */
const table: Lifecycle = lifecycle;

/** The deal of the code, in the words of the model. */
export function seenOf(state: DealState, kept: Kept): object {
  const { deal, stage, work_file, employer_payment, contractor_payment } = state;
  const bill = billingOf(state);
  const books = createBooks(state.posting);
  return {
    status: deal.status,
    freelancer: deal.freelancer_status,
    agreed: deal.agreed_amount,
    due_at: deal.due_at,
    ...seenTerms(state, kept),
    toRefund: money(toRefundOf(state)),
    stages: stage.map(({ name, budget, work_days, status, agreed_amount, submitted_at }) => [
      name,
      budget,
      work_days,
      status,
      agreed_amount,
      status === 'submitted' ? submitted_at : null,
    ]),
    due: dealDetails(state).stages.map(({ due_on, due_at }) =>
      due_on === (due_at?.slice(0, 10) ?? null) ? due_at : `${due_at}, but ${due_on}`,
    ),
    expires: offerEnd(deal),
    told: stage.map(({ overdue_told }) => overdue_told),
    notices: [
      offerNotice(deal),
      ...stage.map(({ status, notice_at }) => (status === 'submitted' ? notice_at : null)),
    ],
    files: work_file.map(({ status }) => status),
    incoming: employer_payment.map(({ status, amount, reference }) => [status, amount, reference]),
    payouts: contractor_payment.map((each) => [
      each.status,
      each.stage_id,
      each.amount,
      money(cents(each.employer_fee) + cents(each.contractor_fee)),
      each.retries,
      releasedBy(bill, each.id),
    ]),
    twice: attentionOf(state).includes('paid_twice'),
    sums: [
      bill.paid,
      bill.held,
      bill.released,
      bill.refunded,
      bill.fees,
      bill.charged_back,
      bill.loss,
      bill.outstanding,
    ],
    writtenOff: bill.written_off,
    doubt: money(books.balance().doubted),
    tooMuch: isFinal(deal.status) ? null : money(surplusOf({ state, books })),
    reports: state.payment_report.length,
    returned: attentionOf(state).includes('payout_returned'),
  };
}

const releasedBy = ({ contractor_payments }: ReturnType<typeof billingOf>, id: string) =>
  contractor_payments.find((each) => each.id === id)?.released;

/** The refunds that are to come, or have failed, for the model. */
export const refundsOf = (state: DealState, model: Model, of: 'pending' | 'failed'): Refunding[] =>
  state.intent
    .filter(({ kind, status }) => kind === 'refund' && status === of)
    .map(({ id, payment_id, remaining, ...each }) => ({
      payment:
        model.incoming[state.employer_payment.findIndex((each) => each.id === payment_id)] ?? null,
      name: id,
      isSent: isSent(each),
      left: cents(remaining),
    }));

/** What is to be refunded while the deal goes on, once its terms have changed (9.7). */
function toRefundOf({ deal, intent }: DealState): bigint {
  const isOver = /^(completed|cancelled|expired)$/.test(deal.status);
  const those = intent.filter(({ kind, status }) => kind === 'refund' && status === 'pending');
  return isOver || deal.terms_version === null ? 0n : totalOf(those, ({ remaining }) => remaining);
}

/** The warnings for an operator. */
export const attentionOf = (state: DealState): readonly string[] => dealDetails(state).attention;

/** A deal and its model, side by side. */
export class Run {
  readonly model: Model;
  state: DealState;
  kept: Kept = nothingKept;
  now = dayOne;
  /** The stages that the code has asked an id for. */
  private stages = 100;
  /** The steps so far, for readers. */
  readonly told: string[] = [];
  private readonly newId = idMaker();
  private readonly tally = emptyTally();

  constructor(
    readonly shape: Shape,
    private readonly count: (wish: Wish, answer: Answer) => void = () => {},
  ) {
    this.model = newModel(shape);
    this.state = newDeal(shape);
    this.stages += shape.budgets.length;
    this.told.push(`deal ${show(shape)}`);
  }

  upload(stage: number): void {
    this.told.push(`upload a file for stage ${stage}`);
    this.state = withFile(this.state, stage, this.newId(), instant(this.now));
    this.model.files.push({ stage, status: 'stored' });
  }

  /** Lets time pass, and runs the due commands of the clock. */
  pass(time: number): void {
    this.wait(time);
    for (let steps = 0; ; steps++) {
      const name = dueCommand(table, this.state, instant(this.now));
      const isDue = (nextDue(this.model) ?? Number.POSITIVE_INFINITY) <= this.now;
      if (isDue !== (name !== undefined)) this.fail(`due: ${isDue}, and the code says ${name}`);
      if (name === undefined) return;
      if (steps > 12) this.fail('the clock does not come to an end');
      const { kind } = this.step({ name, actor: 'clock' });
      if (kind !== 'done') this.fail(`what is due is ${kind}`);
    }
  }

  /** Lets time pass while no timer runs. */
  wait(time: number): void {
    this.now += time;
    this.told.push(`${time / 3_600_000} hours pass`);
  }

  /** Gives a command to both, and compares them. */
  step(wish: Wish): Answer {
    this.told.push(show(wish));
    const { state: before, kept } = this;
    const known = this.atEnds(wish);
    this.model.refunds = refundsOf(known, this.model, 'pending');
    this.model.failed = refundsOf(known, this.model, 'failed');
    const expected = giveInTime(this.model, this.withBooks(wish, known), this.now);
    const given = commandOf(wish, before, kept);
    const result = this.giveCode(given);
    if (result.isErr()) {
      const { error } = result;
      if (!isExpected(expected, error)) this.fail(`expected ${show(expected)}, got ${show(error)}`);
      if (error.code === 'illegal_transition') {
        const found = inTimeFor(this.model, wish, this.now);
        this.compareLegal(wish.actor, error.legal, found);
        this.compareProposal(wish, error.proposal_status, found);
      }
    } else {
      const { value } = result;
      const isRepeat = allowsRepeat(expected) && isEmpty(value);
      if (!isRepeat && (expected.kind === 'illegal' || expected.kind === 'refused')) {
        this.fail(`expected ${show(expected)}, got ${show(value)}`);
      }
      this.state = applyChanges(before, value);
      this.kept = keep(kept, value);
      nameStages(
        this.model,
        this.state.stage.map(({ id }) => id),
      );
      this.compareEvents(expected, value, wish);
      this.compare(seen(this.model), seenOf(this.state, this.kept));
      for (const event of value.events) addTo(this.tally, event);
      const problem =
        checkStep(before, this.state, value, this.shape.tolerance) ??
        checkTerms(this.state, this.kept) ??
        wrongTally(this.tally, this.state);
      if (problem !== undefined) this.fail(problem);
      if (isEmpty(value) !== (isRepeat || expected.kind === 'repeat')) {
        this.fail(`expected ${expected.kind}, got ${show(value)}`);
      }
      if (!/^(propose|add-bonus|write-off)$/.test(wish.name)) {
        const again = this.giveCode(given);
        if (again.isOk() && !isEmpty(again.value) && !isDue(again.value))
          this.fail(`again: ${show(again.value)}`);
      }
    }
    this.count(wish, expected);
    return expected;
  }

  /** The deal as the command finds it: what has ended by now was ended by the clock (10.15). */
  private atEnds({ actor }: Wish): DealState {
    let found = this.state;
    const nothing: Changes = { insert: [], change: [], events: [] };
    const moment = momentOf(this.shape, this.now, idMaker());
    if (actor !== 'clock') {
      afterTheClock(table, this.state, moment, (state) => {
        found = state;
        return ok(nothing);
      });
    }
    return found;
  }

  private giveCode(given: Given) {
    const moment = momentOf(this.shape, this.now, this.newId, () => ++this.stages);
    return giveCode(this.state, this.kept, given, moment);
  }

  /** A refusal for a proposal says how it is (9.2). */
  private compareProposal(wish: Wish, status: string | undefined, model: Model): void {
    const proposal = model.proposals[wish.proposal ?? -1];
    if (!/^(accept|reject|withdraw)-proposal$/.test(wish.name) || proposal === undefined) return;
    const expected = statusAt(proposal, this.now);
    if (status !== expected) this.fail(`the proposal is ${expected}; the code says ${status}`);
  }

  /** Compares the legal commands of an actor in the code and in the model. */
  compareLegal(
    actor: string,
    legal: readonly string[] = legalCommands(table, this.state, actor as Command['actor']),
    model = this.model,
  ): void {
    const unlike = legalUnlike(model, actor, legal);
    if (unlike !== undefined) this.fail(unlike);
  }

  fail(why: string): never {
    throw new Error(`${this.told.join('\n')}\n=> ${why}`);
  }

  private compare(expected: object, actual: object): void {
    const difference = differenceOf(expected, actual);
    if (difference !== undefined) this.fail(difference);
  }

  private compareEvents(expected: Answer, { events }: Changes, { name, report }: Wish): void {
    // only the intents know whether a failed refund is news before the refund was reported
    const isOpen = name === 'retry-refund' || report?.status === 'refund_failed';
    const names = (all: readonly string[]) =>
      [...new Set(all)]
        .filter((type) => !isOpen || type !== 'employer_payment.refund_failed')
        .sort()
        .join(', ');
    const all = events.map(({ type }) => type);
    const expectedOnes = expected.kind === 'done' ? expected.events : [];
    const [told, should] = [names(all), names(expectedOnes)];
    if (told !== should) this.fail(`events should be ${should}; the code emits ${told}`);
    // 9.12: of terms and proposals, also in this order
    // a payout of nothing may complete a deal that is resolved, before or after the superseding
    const isEither = (type: string) => name === 'resolve' && type === 'deal.completed';
    const order = (those: readonly string[]) =>
      those.filter((type) => ordered.test(type) && !isEither(type)).join(', ');
    if (order(all) !== order(expectedOnes)) {
      this.fail(`events should come as ${order(expectedOnes)}; the code emits ${order(all)}`);
    }
  }

  /** Adds facts that only the intents have: the amount of a refund, and whether one failed. */
  private withBooks(wish: Wish, state: DealState): Wish {
    if (wish.name === 'retry-refund') {
      return { ...wish, isRefundFailed: attentionOf(state).includes('refund_failed') };
    }
    if (wish.report === undefined) return wish;
    const reference = referenceOf(this.state, wish.report.reference);
    const report = { ...wish.report, reference };
    const attempt = this.attemptOf(wish, reference);
    const id = state.employer_payment[report.payment ?? -1]?.id;
    const { fails, usual } = refundOf(state, id, report);
    const told = {
      ...wish,
      report: { ...report, fails, ...(attempt !== undefined && { attempt }) },
    };
    const isRefund = /refund/.test(report.status);
    if (report.payment === undefined || report.amount !== undefined || !isRefund) return told;
    return usual === 0n ? told : { ...wish, report: { ...told.report, amount: usual } };
  }

  /** The attempt for a payout with this id, if there is one. */
  private attemptOf({ name, report }: Wish, reference: string): number | undefined {
    const id = this.state.contractor_payment[report?.payment ?? -1]?.id;
    if (name !== 'record-contractor-payment') return undefined;
    const sent = this.state.intent.filter((each) => each.payment_id === id);
    const attempt = sent.findIndex((each) => each.id === reference);
    return attempt < 0 ? undefined : attempt;
  }
}

/** Whether the decisions allow success when there is nothing to do. */
export const allowsRepeat = (expected: Answer): boolean =>
  expected.kind === 'refused' && expected.reasons.includes('repeat');

/** How the legal commands of an actor differ from those of the model, if they do. */
export function legalUnlike(model: Model, actor: string, legal: readonly string[]) {
  const expected = commands.filter((name) => isLegal(model, { name, actor }));
  const isSame = show([...legal].sort()) === show([...expected].sort());
  return isSame ? undefined : `legal for ${actor}: ${expected}; the code says ${legal}`;
}

/** The difference between the visible deal and the model, if any. */
export function differenceOf(expected: object, actual: object): string | undefined {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return undefined;
  const lines = Object.entries(expected).flatMap(([name, value]) => {
    const other: unknown = Reflect.get(actual, name);
    return show(value) === show(other) ? [] : [`${name}: ${show(value)}; code: ${show(other)}`];
  });
  return `model says ${lines.join('\n         and ')}`;
}

/** Whether a refusal is the expected one, or one of those that the decisions allow. */
export function isExpected(
  expected: Answer,
  error: {
    readonly code: string;
    readonly reason?: string;
    readonly errors?: readonly { readonly code: string }[];
  },
): boolean {
  const allowed = expected.kind === 'refused' ? expected.reasons : [expected.kind];
  const said = error.code === 'illegal_transition' ? 'illegal' : error.reason;
  return allowed.includes(said ?? error.errors?.[0]?.code ?? error.code);
}

const isEmpty = ({ insert, change, events }: Changes): boolean =>
  insert.length + change.length + events.length === 0;

/** Only the clock has done something: a stage may be due as it is made. */
const isDue = ({ events }: Changes): boolean => events.every(({ actor }) => actor === 'clock');

export const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? money(each) : each));
