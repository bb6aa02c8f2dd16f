import { fromMinorUnits } from 'dealwright';
import {
  applyChanges,
  type Changes,
  type Command,
  type DealState,
  decide,
  dueCommand,
  type Lifecycle,
  legalCommands,
  lifecycle,
} from 'dealwright/life';
import { dealDetails } from '../../src/domain/life/details.js';
import { billingOf } from '../../src/domain/payments/billing.js';
import { cents, checkStep, totalOf } from './invariants.js';
import { type Answer, give } from './model.js';
import { isLegal, type Wish } from './model-rules.js';
import { type Model, newModel, nextDue, seen } from './model-state.js';
import { dayOne, idMaker, instant, money, newDeal, type Shape, withFile } from './states.js';

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
  'record-employer-payment',
  'record-contractor-payment',
  'expire',
  'expire-payment',
] as const;
export const allActors = ['partner', 'freelancer', 'operator', 'clock', 'payments'] as const;

/** A table of any host: its commands are not known to the compiler. */
const table: Lifecycle = lifecycle;

/** The deal of the code, in the words of the model. */
export function seenOf(state: DealState): object {
  const { deal, stage, work_file, employer_payment, contractor_payment } = state;
  const bill = billingOf(state);
  return {
    status: deal.status,
    freelancer: deal.freelancer_status,
    agreed: deal.agreed_amount,
    due_at: deal.due_at,
    stages: stage.map(({ status, agreed_amount, submitted_at }) => [
      status,
      agreed_amount,
      status === 'submitted' ? submitted_at : null,
    ]),
    files: work_file.map(({ status }) => status),
    incoming: employer_payment.map(({ status, amount, reference }) => [status, amount, reference]),
    payouts: contractor_payment.map((each) => [
      each.status,
      each.stage_id,
      each.amount,
      money(cents(each.employer_fee) + cents(each.contractor_fee)),
      each.retries,
    ]),
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
    reports: state.payment_report.length,
    returned: attentionOf(state).includes('payout_returned'),
  };
}

/** The warnings for an operator. */
export const attentionOf = (state: DealState): readonly string[] => dealDetails(state).attention;

/** A deal and its model, side by side. */
export class Run {
  readonly model: Model;
  state: DealState;
  now = dayOne;
  /** The steps so far, for readers. */
  readonly told: string[] = [];
  private readonly newId = idMaker();

  constructor(
    readonly shape: Shape,
    private readonly count: (wish: Wish, answer: Answer) => void = () => {},
  ) {
    this.model = newModel(shape);
    this.state = newDeal(shape);
    this.told.push(`deal ${show(shape)}`);
  }

  upload(stage: number): void {
    this.told.push(`upload a file for stage ${stage}`);
    this.state = withFile(this.state, stage, this.newId(), instant(this.now));
    this.model.files.push({ stage, status: 'stored' });
  }

  /** Lets time pass, and runs the due commands of the clock. */
  pass(time: number): void {
    this.now += time;
    this.told.push(`${time / 3_600_000} hours pass`);
    for (let steps = 0; ; steps++) {
      const name = dueCommand(table, this.state, instant(this.now));
      const isDue = (nextDue(this.model) ?? Number.POSITIVE_INFINITY) <= this.now;
      if (isDue !== (name !== undefined)) this.fail(`due: ${isDue}, and the code says ${name}`);
      if (name === undefined) return;
      if (steps > 10) this.fail('the clock does not come to an end');
      const { kind } = this.step({ name, actor: 'clock' });
      if (kind !== 'done') this.fail(`what is due is ${kind}`);
    }
  }

  /** Gives a command to both, and compares them. */
  step(wish: Wish): Answer {
    this.told.push(show(wish));
    const before = this.state;
    const command = this.commandOf(wish);
    const expected = give(this.model, this.withBooks(wish), this.now);
    const at = { now: instant(this.now), newId: this.newId };
    const result = decide(table, before, command, at);
    if (result.isErr()) {
      const { error } = result;
      if (!isExpected(expected, error)) this.fail(`expected ${show(expected)}, got ${show(error)}`);
      if (error.code === 'illegal_transition') this.compareLegal(wish.actor, error.legal);
    } else {
      const { value } = result;
      const isRepeat = allowsRepeat(expected) && isEmpty(value);
      if (!isRepeat && (expected.kind === 'illegal' || expected.kind === 'refused')) {
        this.fail(`expected ${show(expected)}, got ${show(value)}`);
      }
      this.state = applyChanges(before, value);
      this.compareEvents(expected, value, wish);
      this.compare(seen(this.model), seenOf(this.state));
      const problem = checkStep(before, this.state, value);
      if (problem !== undefined) this.fail(problem);
      if (isEmpty(value) !== (isRepeat || expected.kind === 'repeat')) {
        this.fail(`expected ${expected.kind}, got ${show(value)}`);
      }
      const again = decide(table, this.state, command, at);
      if (again.isOk() && !isEmpty(again.value)) this.fail(`again: ${show(again.value)}`);
    }
    this.count(wish, expected);
    return expected;
  }

  /** Compares the legal commands of an actor in the code and in the model. */
  compareLegal(
    actor: string,
    legal: readonly string[] = legalCommands(table, this.state, actor as Command['actor']),
  ): void {
    const expected = commands.filter((name) => isLegal(this.model, { name, actor }));
    if (show([...legal].sort()) !== show([...expected].sort())) {
      this.fail(`legal for ${actor}: ${expected}; the code says ${legal}`);
    }
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
    const told = names(events.map(({ type }) => type));
    const should = names(expected.kind === 'done' ? expected.events : []);
    if (told !== should) this.fail(`events should be ${should}; the code emits ${told}`);
  }

  /** Adds facts that only the intents have: the amount of a refund, and whether one failed. */
  private withBooks(wish: Wish): Wish {
    if (wish.name === 'retry-refund') {
      return { ...wish, isRefundFailed: attentionOf(this.state).includes('refund_failed') };
    }
    if (wish.report === undefined) return wish;
    const reference = this.referenceOf(wish.report.reference);
    const report = { ...wish.report, reference };
    const attempt = this.attemptOf(wish, reference);
    const told = { ...wish, report: { ...report, ...(attempt !== undefined && { attempt }) } };
    const isRefund = report.status === 'refunded' || report.status === 'partially_refunded';
    if (report.payment === undefined || report.amount !== undefined || !isRefund) return told;
    const id = this.state.employer_payment[report.payment]?.id;
    const pending = this.state.intent.filter(
      (each) => each.kind === 'refund' && each.status === 'pending' && each.payment_id === id,
    );
    const named = pending.filter((each) => each.id === reference);
    const asked = pending.filter(({ attempts }) => attempts > 0);
    const those = [named, asked].find(({ length }) => length > 0) ?? pending;
    // its name covers all of it, even if another report has taken a part
    const isTold = (each: { payment_id: string; reference: string; status: string }) =>
      each.payment_id === id && each.reference === reference && /refunded/.test(each.status);
    const left =
      named.length > 0
        ? totalOf(named, ({ amount }) => amount) -
          totalOf(this.state.payment_report.filter(isTold), ({ amount }) => amount)
        : totalOf(those, ({ remaining }) => remaining);
    return left === 0n ? told : { ...wish, report: { ...report, amount: left } };
  }

  /** The attempt for a payout with this id, if there is one. */
  private attemptOf({ name, report }: Wish, reference: string): number | undefined {
    const id = this.state.contractor_payment[report?.payment ?? -1]?.id;
    if (name !== 'record-contractor-payment') return undefined;
    const sent = this.state.intent.filter((each) => each.payment_id === id);
    const attempt = sent.findIndex((each) => each.id === reference);
    return attempt < 0 ? undefined : attempt;
  }

  /** `intent 3` means the id of the third intent, if there are so many. */
  private referenceOf(reference: string): string {
    const place = /^intent (\d+)$/.exec(reference)?.[1];
    return this.state.intent[Number(place)]?.id ?? reference;
  }

  private commandOf({ name, actor, stage, agreed, payout, report }: Wish): Command {
    const { employer_payment, contractor_payment } = this.state;
    const idOf = (all: readonly { readonly id: string }[], index: number) =>
      all[index]?.id ?? 'unknown';
    const payments = name === 'record-employer-payment' ? employer_payment : contractor_payment;
    return {
      name,
      actor: actor as Command['actor'],
      ...(stage !== undefined && { stage_id: stage }),
      ...(['dispute', 'cancel', 'request-changes'].includes(name) && { reason: 'because' }),
      ...(name === 'resolve' && { agreed_amount: fromMinorUnits(agreed ?? 0n) }),
      ...(payout !== undefined && { payment_id: idOf(contractor_payment, payout) }),
      ...(report !== undefined && {
        report: {
          status: report.status,
          reference: this.referenceOf(report.reference),
          ...(report.amount !== undefined && { amount: fromMinorUnits(report.amount) }),
          ...(report.payment !== undefined && { payment_id: idOf(payments, report.payment) }),
        } as Command['report'] & object,
      }),
    };
  }
}

/** Whether the decisions allow success when there is nothing to do. */
export const allowsRepeat = (expected: Answer): boolean =>
  expected.kind === 'refused' && expected.reasons.includes('repeat');

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

export const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? money(each) : each));
