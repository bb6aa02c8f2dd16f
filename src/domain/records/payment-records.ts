import type {
  ContractorPaymentStatus,
  EmployerPaymentStatus,
  EmployerReportStatus,
  IntentKind,
  IntentStatus,
  LedgerAccount,
  PostingKind,
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
      reference: optional(text()),
      requested_at: text(),
      updated_at: text(),
    },
    changes: ['amount', 'status', 'reference', 'updated_at'],
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
      reference: optional(text()),
      /** How often it was sent again. */
      retries: integer(),
      requested_at: text(),
      updated_at: text(),
    },
    changes: ['status', 'reference', 'retries', 'updated_at'],
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
      created_at: text(),
      /** Real time of the next attempt. */
      due_at: optional(text()),
    },
    changes: ['remaining', 'status', 'attempts', 'due_at'],
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
};
