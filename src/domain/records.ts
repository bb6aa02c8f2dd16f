import type { StageStatus } from './stage.js';
import type { DealStatus, FreelancerStatus } from './status.js';

/** What a member of a row can be: text, a safe integer, or nothing. */
export type Value = string | number | null;

/** What a member of type `json` is: an object of such values, and of lists of them. */
export type Json = Readonly<Record<string, Value | readonly Value[]>>;

/** Money is decimal text with two decimals (decision 1.4). */
export type FieldType = 'text' | 'integer' | 'money' | 'json';

/** One field of a kind of record. */
export interface Field<out V extends Value | Json = Value | Json> {
  readonly type: FieldType;
  /** Whether its value may be `null`. */
  readonly isOptional: boolean;
  /** Is never set: it carries the type of the values to the compiler. */
  readonly value?: V;
}

/** What a kind of record is made of. */
export interface RecordShape {
  /** Which callers share these records: their keys are unique among them. */
  readonly of: 'environment' | 'tenant';
  /** The field that names one record among those that share it. */
  readonly key: string;
  /** The field with an integer of `Store.reserve`: unique among those of the environment. */
  readonly number?: string;
  /** The kind that a record of this one belongs to, and the field with that one's key. */
  readonly under?: { readonly kind: string; readonly by: string };
  /** Whether it has events: its version is the sequence of the last one. */
  readonly isSubject: boolean;
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields that a write may change. */
  readonly changes: readonly string[];
  /** The fields that an expectation may ask about. */
  readonly conditions: readonly string[];
  /** What is looked up by more than the keys; `attempt` is the attempt that made the record. */
  readonly indexes: readonly (readonly string[])[];
}

const text = <T extends string = string>(): Field<T> => ({
  type: 'text',
  isOptional: false,
});
const integer = (): Field<number> => ({ type: 'integer', isOptional: false });
const money = (): Field<string> => ({ type: 'money', isOptional: false });
const json = (): Field<Json> => ({ type: 'json', isOptional: false });
const optional = <V extends Value>({ type }: Field<V>): Field<V | null> => ({
  type,
  isOptional: true,
});
const record = <const S extends RecordShape>(shape: S): S => shape;

/**
 * Every kind of record that a store keeps: what the columns of a database, the lines of an archive
 * and the copies of a store in memory are made from. A kind comes after the one it is under.
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
      copyright_transfer: optional(text()),
      freelancer_language: optional(text()),
      payment_token: optional(text()),
      status: text<DealStatus>(),
      freelancer_status: text<FreelancerStatus>(),
      created_at: text(),
    },
    changes: ['status', 'freelancer_status'],
    conditions: ['version', 'status', 'freelancer_status'],
    indexes: [
      ['created_at', 'attempt'],
      ['status', 'created_at', 'attempt'],
      ['freelancer_status', 'created_at', 'attempt'],
      // there may be few deals of both statuses together, where there are many of each
      ['status', 'freelancer_status', 'created_at', 'attempt'],
      ['email_key', 'created_at', 'attempt'],
    ],
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
    },
    changes: ['status'],
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
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
  /** The first answer under an idempotency key (decision 2.7). */
  answer: record({
    of: 'tenant',
    key: 'answer_key',
    isSubject: false,
    fields: { answer_key: text(), fingerprint: text(), answer: text() },
    changes: [],
    conditions: [],
    indexes: [],
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
      data: json(),
    },
    changes: [],
    conditions: [],
    indexes: [],
  }),
} satisfies Readonly<Record<string, RecordShape>>;

type Records = typeof records;

/** The kinds of records. */
export type Kind = keyof Records;

/** The kinds that a write inserts and changes; events are appended. */
export type RecordKind = Exclude<Kind, 'event'>;

/** The kinds that belong to a deal. */
export type DealPart = {
  [K in Kind]: Records[K] extends { readonly under: { readonly kind: 'deal' } } ? K : never;
}[Kind];

type ValueOf<F> = F extends Field<infer V> ? V : never;

/** A record as a write gives it: every field, `null` where there is no value. */
export type Row<K extends Kind> = {
  readonly [F in keyof Records[K]['fields']]: ValueOf<Records[K]['fields'][F]>;
};

/** A record as a store hands it out. */
export type Stored<K extends Kind> = Row<K> &
  (K extends 'event' ? unknown : { readonly attempt: string }) &
  (Records[K]['isSubject'] extends true ? { readonly version: number } : unknown);

/** The key of a record. */
export type KeyOf<K extends Kind> = Row<K>[Records[K]['key'] & keyof Row<K>] & (string | number);

/** A row of a kind that writes insert, where the compiler does not know which. */
export type AnyRow = Readonly<Record<string, Value>>;

/**
 * What a kind is made of, for code that treats all kinds alike.
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
