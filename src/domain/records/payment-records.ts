import type {
  ContractorPaymentStatus,
  EffectOutcome,
  EmployerPaymentStatus,
  EmployerReportStatus,
  IntentKind,
  IntentStatus,
  LedgerAccount,
  PostingKind,
  RefusalReason,
  UnmatchedReason,
  WaitReason,
} from '../values/payment-status.js';
import { integer, money, optional, record, text } from './record-shape.js';

/** The kinds of records about the money of a deal (decision 6.3). */
export const paymentRecords = {
  /** A payment that the employer was asked for, and the money that came. */
  employer_payment: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: text(),
      partner_id: text(),
      /** The amount asked for until money comes, then the amount that came. */
      amount: money(),
      status: text<EmployerPaymentStatus>(),
      /** Why the gateway refused it. */
      reason: optional(text<RefusalReason>()),
      reference: optional(text()),
      requested_at: text(),
      updated_at: text(),
    },
    changes: ['amount', 'status', 'reason', 'reference', 'updated_at'],
    conditions: [],
    indexes: [],
    across: [['id'], ['reference', 'id']],
  }),
  /** A payment to the contractor for one stage. */
  contractor_payment: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: text(),
      partner_id: text(),
      stage_id: integer(),
      amount: money(),
      /** The fees that are posted when it is paid: the employer's part, and the contractor's. */
      employer_fee: money(),
      contractor_fee: money(),
      status: text<ContractorPaymentStatus>(),
      /** Why it waits, or why the gateway refused it. */
      reason: optional(text<WaitReason>()),
      reference: optional(text()),
      /** How often it was sent again. */
      retries: integer(),
      requested_at: text(),
      updated_at: text(),
    },
    changes: ['status', 'reason', 'reference', 'retries', 'updated_at'],
    conditions: [],
    indexes: [],
    across: [['id'], ['reference', 'id']],
  }),
  /** An amount that went from one account to another. */
  posting: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: text(),
      partner_id: text(),
      kind: text<PostingKind>(),
      payment_id: text(),
      from_account: text<LedgerAccount>(),
      to_account: text<LedgerAccount>(),
      amount: money(),
      /**
       * Of a payout: how often it had been sent again before this attempt; also `null` if it was
       * posted by a version that did not tell attempts apart.
       */
      retries: optional(integer()),
      at: text(),
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
  /** A task for the payment gateway: its id is the idempotency key. */
  intent: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: text(),
      partner_id: text(),
      kind: text<IntentKind>(),
      payment_id: text(),
      amount: money(),
      /** The part that no report covers yet. */
      remaining: money(),
      status: text<IntentStatus>(),
      attempts: integer(),
      /** What came of it; also `null` if it was tried by a version that did not note it. */
      outcome: optional(text<EffectOutcome>()),
      /** The time since which nothing has come of it, or it may have happened. */
      outcome_at: optional(text()),
      /** Why the gateway did not do it. */
      reason: optional(text<WaitReason>()),
      created_at: text(),
      /** Real time of the next attempt. */
      due_at: optional(text()),
    },
    changes: ['remaining', 'status', 'attempts', 'outcome', 'outcome_at', 'reason', 'due_at'],
    conditions: ['status', 'due_at'],
    indexes: [['due_at']],
    isTimed: true,
  }),
  /** A report of a payment provider, or an operator, about a payment: each is recorded once. */
  payment_report: record({
    of: 'tenant',
    key: 'report_key',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      report_key: text(),
      partner_id: text(),
      payment_id: text(),
      status: text<EmployerReportStatus | ContractorPaymentStatus>(),
      reference: text(),
      amount: money(),
      /** How often the payment had been sent again by then. */
      retries: integer(),
      at: text(),
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
  /** A report that matches no payment of its partner: it waits for the operator. */
  unmatched_report: record({
    of: 'tenant',
    key: 'id',
    isSubject: false,
    isListed: true,
    fields: {
      /** A digest of what the report names: the same report has the same id. */
      id: text(),
      /** The deal that it names, whether there is one or not. */
      partner_id: text(),
      kind: text<'employer_payment' | 'contractor_payment'>(),
      payment_id: optional(text()),
      status: text<EmployerReportStatus | ContractorPaymentStatus>(),
      amount: optional(money()),
      reference: text(),
      reason: text<UnmatchedReason>(),
      /** The one that it gives. */
      currency: optional(text()),
      /** Real time. */
      received_at: text(),
      /** The same time, until it is dismissed. */
      waiting_since: optional(text()),
      /** Real time from which a dismissed one may be pruned. */
      ends_at: optional(text()),
    },
    changes: ['waiting_since', 'ends_at'],
    conditions: [],
    indexes: [],
    across: [['waiting_since', 'attempt']],
    ends: 'itself',
  }),
};
