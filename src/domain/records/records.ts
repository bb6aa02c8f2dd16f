import type { Alert } from '../values/alert.js';
import type {
  DealStatus,
  FreelancerStatus,
  StageStatus,
  WorkFileStatus,
} from '../values/status.js';
import type { Actor } from '../values/tenant.js';
import type { CopyrightTransfer, FreelancerLanguage } from '../values/value-sets.js';
import { deliveryRecords } from './delivery-records.js';
import { paymentRecords } from './payment-records.js';
import {
  type Field,
  integer,
  json,
  money,
  optional,
  type RecordShape,
  record,
  text,
  type Value,
} from './record-shape.js';
import { termsRecords } from './terms-records.js';

export type { Field, FieldType, Json, RecordShape, Value } from './record-shape.js';

/**
 * Every kind of record that a store keeps. The columns of a database, the lines of an archive and
 * the copies of a store in memory are made from it. A kind comes after the one it is under.
 *
 * A store adds to each record the tenant that wrote it and the attempt that made it, and to a
 * subject its version; an event has a position in the log of its tenant instead.
 *
 * @example
 * ```ts
 * import { records } from 'dealwright/ports';
 *
 * const columns = Object.keys(records.deal.fields);
 * ```
 */
export const records = {
  contractor: record({
    of: 'environment',
    key: 'contractor_key',
    isSubject: true,
    fields: {
      contractor_key: text(),
      email: text(),
      name: text(),
      surname: text(),
      country_code: text(),
      street: text(),
      house_no: optional(text()),
      apartment_no: optional(text()),
      postal_code: text(),
      city: text(),
      language: text(),
      bank_account_currency: text(),
      bank_account_iban: text(),
      bank_account_bic: optional(text()),
      pesel: optional(text()),
      nip: optional(text()),
      tax_id: optional(text()),
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
  deal: record({
    of: 'tenant',
    key: 'partner_id',
    number: 'id',
    isSubject: true,
    fields: {
      partner_id: text(),
      id: integer(),
      api_version: text<'1.0' | '2.0'>(),
      email_freelancer: text(),
      email_key: text(),
      title: text(),
      description: text(),
      subcategory_id: integer(),
      amount: money(),
      currency: text(),
      work_days: optional(integer()),
      copyright_transfer: optional(text<CopyrightTransfer>()),
      freelancer_language: optional(text<FreelancerLanguage>()),
      payment_token: optional(text()),
      status: text<DealStatus>(),
      freelancer_status: text<FreelancerStatus>(),
      created_at: text(),
      /** When the employer pays: after the approval, or before the work is delivered. */
      mode: text<'invoice' | 'prepaid'>(),
      employer_fee: money(),
      contractor_fee: money(),
      /** The amount that a dispute was resolved with. */
      agreed_amount: optional(money()),
      /** When it expires unless it is accepted. */
      expires_at: optional(text()),
      /** When the clock tells that it expires soon; `null` once it has. */
      notice_at: optional(text()),
      /** When the clock next has to act on it. */
      due_at: optional(text()),
      /** `true` while some of its money needs the operator, else `null`. */
      attention: optional(text<'true'>()),
      /** `null` for version 1. */
      terms_version: optional(integer()),
      /** The SHA-256 of the canonical JSON of its terms; `null` for version 1. */
      terms_sha256: optional(text()),
      /** Who accepted the deal. */
      accepted_by: optional(text<Actor>()),
      /** The amount that the payment token was issued for, if the terms have another one now. */
      issued_amount: optional(money()),
      /** The open proposal, as JSON. */
      proposal: optional(text()),
      /** When it got its status. */
      status_since: optional(text()),
      /** Why it needs the operator, from `alert_at` on; `null` if nothing foreseen needs them. */
      alert: optional(text<Alert>()),
      alert_at: optional(text()),
    },
    changes: [
      'status',
      'freelancer_status',
      'agreed_amount',
      'due_at',
      'attention',
      'title',
      'description',
      'amount',
      'work_days',
      'copyright_transfer',
      'employer_fee',
      'contractor_fee',
      'terms_version',
      'terms_sha256',
      'accepted_by',
      'issued_amount',
      'proposal',
      'expires_at',
      'notice_at',
      'status_since',
      'alert',
      'alert_at',
    ],
    conditions: ['version', 'status', 'freelancer_status'],
    indexes: [
      ['created_at', 'attempt'],
      ['status', 'created_at', 'attempt'],
      ['freelancer_status', 'created_at', 'attempt'],
      // few deals may have both statuses, even if many have each
      ['status', 'freelancer_status', 'created_at', 'attempt'],
      ['email_key', 'created_at', 'attempt'],
      ['attention', 'created_at', 'attempt'],
      ['due_at'],
      ['payment_token'],
    ],
    across: [
      ['created_at', 'attempt'],
      ['status', 'status_since', 'attempt'],
      ['email_key', 'created_at', 'attempt'],
      ['partner_id', 'attempt'],
      ['title', 'attempt'],
      ['alert', 'alert_at', 'attempt'],
    ],
    isTimed: true,
  }),
  stage: record({
    of: 'tenant',
    key: 'id',
    number: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: integer(),
      partner_id: text(),
      name: text(),
      budget: money(),
      work_days: optional(integer()),
      status: text<StageStatus>(),
      /** The part of the budget that a dispute has left. */
      agreed_amount: optional(money()),
      submitted_at: optional(text()),
      /** When the clock tells that its review ends soon; `null` once it has. */
      notice_at: optional(text()),
      /** A `bonus` is approved as it is added; `null` for a stage with work. */
      kind: optional(text<'bonus'>()),
      /** When its days began to count. */
      started_at: optional(text()),
      /** When its work is due. */
      deadline: optional(text()),
      /** The deadline that passed and was told. */
      overdue_told: optional(text()),
    },
    changes: [
      'status',
      'agreed_amount',
      'submitted_at',
      'name',
      'budget',
      'work_days',
      'started_at',
      'deadline',
      'overdue_told',
      'notice_at',
    ],
    conditions: ['partner_id', 'status'],
    indexes: [],
  }),
  work_file: record({
    of: 'tenant',
    key: 'id',
    under: { kind: 'deal', by: 'partner_id' },
    isSubject: false,
    fields: {
      id: text(),
      partner_id: text(),
      stage_id: integer(),
      name: text(),
      size: integer(),
      sha256: text(),
      content_type: text(),
      uploaded_at: text(),
      status: text<WorkFileStatus>(),
      /** The side that uploaded it; `null` for a file from before this was recorded. */
      uploaded_by: optional(text<'partner' | 'freelancer'>()),
    },
    changes: ['status'],
    conditions: ['stage_id', 'status', 'uploaded_by'],
    indexes: [],
    across: [['id']],
  }),
  ...paymentRecords,
  ...termsRecords,
  ...deliveryRecords,
  /** How far the time of a partner of the sandbox is ahead (decision 6.6). */
  sandbox_clock: record({
    of: 'tenant',
    key: 'name',
    isSubject: false,
    isListed: true,
    fields: {
      /** `sandbox`: a tenant has one. */
      name: text(),
      /** Milliseconds ahead of real time. */
      ahead: integer(),
      /** Real time from which the tenant has something due. */
      due_at: optional(text()),
    },
    changes: ['ahead', 'due_at'],
    conditions: ['ahead'],
    indexes: [['due_at']],
    isTimed: true,
  }),
  /** The first answer under an idempotency key (decision 2.7). */
  answer: record({
    of: 'tenant',
    key: 'answer_key',
    isSubject: false,
    fields: {
      answer_key: text(),
      fingerprint: text(),
      answer: text(),
      /** Real time from which the key may be judged as new; `null` while its record is kept. */
      ends_at: optional(text()),
    },
    // an expired key may be used again
    changes: ['fingerprint', 'answer', 'ends_at'],
    conditions: ['ends_at'],
    indexes: [],
    ends: 'itself',
  }),
  event: record({
    of: 'tenant',
    key: 'id',
    isSubject: false,
    fields: {
      id: text(),
      type: text(),
      subject: text(),
      sequence: integer(),
      at: text(),
      actor: text<Actor>(),
      /**
       * SHA-256 of the idempotency key; of each further event of a write, the id of the previous
       * event.
       */
      cause: optional(text()),
      data: json(),
    },
    changes: [],
    conditions: [],
    indexes: [['subject', 'sequence']],
  }),
} satisfies Readonly<Record<string, RecordShape>>;

type Records = typeof records;

/** The kinds of records. */
export type Kind = keyof Records;

/** The kinds that a write inserts and changes; events are appended. */
export type RecordKind = Exclude<Kind, 'event'>;

/** The kinds that have something due at a time. */
export type TimedKind = {
  [K in Kind]: Records[K] extends { readonly isTimed: true } ? K : never;
}[Kind];

/** The kinds whose records may expire: `Store.prune` deletes them. */
export type EndingKind = {
  [K in Kind]: Records[K] extends { readonly ends: string } ? K : never;
}[Kind];

/** The kinds that have events of their own. */
export type SubjectKind = {
  [K in Kind]: Records[K]['isSubject'] extends true ? K : never;
}[Kind];

/** The kinds that `Store.records` finds. */
export type ListedKind = {
  [K in Kind]: Records[K] extends { readonly isListed: true } ? K : never;
}[Kind];

/** The kinds that are read with a deal: those under it that are not listed. */
export type DealPart = Exclude<
  {
    [K in Kind]: Records[K] extends { readonly under: { readonly kind: 'deal' } } ? K : never;
  }[Kind],
  ListedKind
>;

/**
 * Every kind that is read with a deal.
 *
 * @example
 * ```ts
 * import { dealParts } from 'dealwright/ports';
 *
 * dealParts.includes('stage'); // true
 * ```
 */
export const dealParts = (Object.keys(records) as Kind[]).filter((kind): kind is DealPart => {
  const { under, isListed } = shapeOf(kind);
  return under?.kind === 'deal' && isListed !== true;
});

type ValueOf<F> = F extends Field<infer V> ? V : never;

/** A record as a write contains it: every field, `null` if there is no value. */
export type Row<K extends Kind> = {
  readonly [F in keyof Records[K]['fields']]: ValueOf<Records[K]['fields'][F]>;
};

/** A record as a store returns it. */
export type Stored<K extends Kind> = Row<K> &
  (K extends 'event' ? unknown : { readonly attempt: string }) &
  (Records[K]['isSubject'] extends true ? { readonly version: number } : unknown);

/** The key of a record. */
export type KeyOf<K extends Kind> = Row<K>[Records[K]['key'] & keyof Row<K>] & (string | number);

/** A row of a kind that writes insert, if the compiler does not know which. */
export type AnyRow = Readonly<Record<string, Value>>;

/**
 * The shape of a kind, for code that treats all kinds alike.
 *
 * @example
 * ```ts
 * import { shapeOf } from 'dealwright/ports';
 *
 * shapeOf('work_file').under; // { kind: 'deal', by: 'partner_id' }
 * ```
 */
export function shapeOf(kind: Kind): RecordShape {
  return records[kind];
}
