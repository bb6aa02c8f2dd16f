import type { OperatorDetails, OperatorView } from 'dealwright';
import { least, plus, sumOfAll } from '../base/amounts.js';
import {
  amountEntry,
  askedOf,
  CommandDialog,
  type Effect,
  type Entry,
  type Given,
  paidTo,
  remarkEntry,
} from '../base/command.js';
import { formOf } from '../base/drafts.js';
import { money } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { hostName } from '../base/shell.js';
import { livingStages, worthOfAll } from '../base/terms.js';
import { partnerApi } from './api.js';
import type { CommandName, Opened, Payment, Shown } from './view.js';
import { words } from './words.js';

interface About extends Shown {
  readonly payment: Payment | undefined;
}

interface Command {
  readonly method:
    | 'cancel'
    | 'invite'
    | 'recordContractorPayment'
    | 'recordEmployerPayment'
    | 'requestPayment'
    | 'resolve'
    | 'retryPayout'
    | 'retryRefund'
    | 'writeOff'
    | 'refundSurplus';
  readonly kind?: 'main' | 'quiet';
  /** Whether it is of use now: some are always legal. */
  readonly isUseful?: (deal: OperatorDetails) => boolean;
  /** Its texts besides its remarks. */
  readonly entries?: (about: About) => readonly Entry[];
  /** Which remarks it takes; a reason is required with `reason!`. */
  readonly remarks?: readonly ('message' | 'reason' | 'reason!')[];
  readonly effect?: (about: About, given: Given) => Effect;
}

const both = ['reason', 'message'] as const;

/** The commands in the order of their buttons. */
export const commands: Readonly<Record<CommandName, Command>> = {
  resolve: {
    ...{ method: 'resolve', kind: 'main', remarks: both },
    entries: ({ deal: { currency } }) => [amountEntry(currency, { path: 'agreed_amount' })],
    effect: ({ deal }, { amount }) => [
      [words().atMost, money(openWorth(deal), deal.currency)],
      ...paidTo(amount, deal.currency, deal.email_freelancer),
    ],
  },
  'retry-payout': {
    ...{ method: 'retryPayout', kind: 'main', remarks: both },
    isUseful: (deal) => failedPayouts(deal).length > 0,
    effect: ({ deal, payment }) => {
      const sent = payment === undefined ? failedPayouts(deal) : [payment];
      const sum = sumOfAll(sent.map(({ amount }) => amount));
      return paidTo(sum, deal.currency, deal.email_freelancer);
    },
  },
  'retry-refund': {
    ...{ method: 'retryRefund', kind: 'main', remarks: both },
    isUseful: ({ attention }) => attention.includes('refund_failed'),
    effect: ({ deal, partner }) => {
      const failed = deal.effects.filter(({ status }) => status === 'failed');
      const sum = sumOfAll(failed.map(({ remaining }) => remaining));
      return paidTo(sum, deal.currency, clientOf(deal, partner));
    },
  },
  invite: { method: 'invite', remarks: both },
  'request-payment': {
    ...{ method: 'requestPayment', remarks: both },
    effect: ({ deal }) => askedOf(deal, hostName()),
  },
  'write-off': {
    ...{ method: 'writeOff', remarks: ['reason!'] },
    isUseful: ({ billing }) => billing.outstanding !== '0.00',
    entries: ({ deal: { currency } }) => [amountEntry(currency)],
    effect: ({ deal }, { amount }) => [
      [words().atMost, money(deal.billing.outstanding, deal.currency)],
      ...paidTo(amount, deal.currency, deal.email_freelancer),
    ],
  },
  'refund-surplus': {
    ...{ method: 'refundSurplus', kind: 'main' },
    isUseful: (deal) => isMore(surplusOf(deal)),
    effect: ({ deal, partner }) =>
      paidTo(surplusOf(deal), deal.currency, clientOf(deal, partner), words().refunded),
  },
  'record-employer-payment': {
    method: 'recordEmployerPayment',
    entries: reportEntries,
    effect: (about, given) => {
      const { payment, deal, partner } = about;
      const { status = 'paid' } = given;
      return [
        [words().amount, moneyOf(given['amount'] ?? payment?.amount, deal.currency)],
        [words().payer, clientOf(deal, partner)],
        [words().effect, wordOf(words().reports.employer, status)],
      ];
    },
  },
  'record-contractor-payment': {
    method: 'recordContractorPayment',
    // each payout has a row of its own
    isUseful: () => false,
    entries: reportEntries,
    effect: ({ deal, payment }, { status = 'paid' }) => [
      ...paidTo(payment?.amount, deal.currency, deal.email_freelancer),
      [words().effect, wordOf(words().reports.contractor, status)],
    ],
  },
  cancel: {
    ...{ method: 'cancel', kind: 'quiet', remarks: ['reason!', 'message'] },
    effect: ({ deal, partner }) =>
      paidTo(deal.billing.held, deal.currency, clientOf(deal, partner), words().refunded),
  },
};

export const commandNames = Object.keys(commands) as CommandName[];

export const clientOf = ({ partner_name }: OperatorView, partner: string) =>
  partner_name ?? partner;

const moneyOf = (amount: string | undefined, currency: string) =>
  paidTo(amount, currency, '')[0]?.[1];

const failedPayouts = ({ billing }: OperatorView) => billing.contractor_payments.filter(isFailed);

export const isFailed = ({ status }: { readonly status: string }) =>
  status === 'failed' || status === 'returned';

/** What came beyond what is owed, and is held for nothing; of a deal that has ended, all that is. */
function surplusOf(deal: OperatorDetails): string {
  const { billing, effects, status } = deal;
  const { held, paid, refunded, charged_back, employer_fee, contractor_payments } = billing;
  const back = effects.flatMap(({ kind, remaining }) => (kind === 'refund' ? [remaining] : []));
  const payouts = contractor_payments.filter(
    (each) => isFailed(each) || each.status === 'scheduled' || each.status === 'processing',
  );
  const idle = less(held, ...back, ...payouts.map(({ amount }) => amount));
  if (['completed', 'cancelled', 'expired'].includes(status)) return idle;
  const owed = plus(worthOfAll(livingStages(deal)), employer_fee);
  return least(less(paid, refunded, charged_back, owed, ...back), idle);
}

const less = (amount: string, ...others: readonly string[]) =>
  others.reduce((rest, each) => plus(rest, `-${each}`), amount);

const isMore = (amount: string) => amount !== '0.00' && !amount.startsWith('-');

/** What a dispute is about: the stages that are neither paid nor cancelled. */
const openWorth = (deal: OperatorView) =>
  worthOfAll(livingStages(deal).filter(({ status }) => status !== 'paid'));

const isPayout = (payment: Payment | undefined) => payment !== undefined && 'stage_ids' in payment;

/** A report of the payment provider; money that nobody has asked for can only have come. */
function reportEntries({ payment, deal }: About): readonly Entry[] {
  const of = words();
  const names = { ...of.requestStatus, ...of.payoutStatus, ...of.reportStatus };
  const statuses = Object.keys(isPayout(payment) ? of.reports.contractor : of.reports.employer);
  const choices = statuses.map((each) => [each, wordOf(names, each)] as const);
  return [
    ...(payment === undefined
      ? [amountEntry(deal.currency)]
      : [{ name: 'status', label: of.state, first: 'paid', choices }]),
    ...(payment === undefined || isPayout(payment)
      ? []
      : [amountEntry(deal.currency, { isOptional: true })]),
    { name: 'reference', label: of.reference },
  ];
}

/** The form of a command: what it will do is said before it is confirmed. */
export function OperatorCommand(props: Shown & Opened & { readonly close: () => void }) {
  const { name, deal, partner, view, close } = props;
  const { method, entries, remarks = [], effect } = commands[name];
  const of = words();
  const about = { ...props, payment: props.payment };
  const id = about.payment?.id;
  const isReport = entries === reportEntries;
  return (
    <CommandDialog
      {...{ view, close, say: of.commands[name] }}
      form={formOf('deal', partner, deal.partner_id, name, ...(id === undefined ? [] : [id]))}
      entries={[
        ...(entries?.(about) ?? []),
        ...remarks.map((each) => {
          const remark = each === 'message' ? each : 'reason';
          return remarkEntry(remark, of[remark], each !== 'reason!');
        }),
      ]}
      input={({ amount, ...given }) => ({
        ...(id !== undefined && { payment_id: id }),
        ...(isReport && { status: 'paid' }),
        ...(amount !== undefined && { [name === 'resolve' ? 'agreed_amount' : 'amount']: amount }),
        ...given,
      })}
      call={(input, options) =>
        // the service says what is missing
        partnerApi(partner)[method](deal.partner_id, input as never, options)
      }
      effect={effect && ((given) => effect(about, given))}
    />
  );
}
