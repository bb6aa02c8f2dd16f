import type {
  KeyOf,
  Kind,
  RecordKind,
  Row,
  records,
  Stored,
  SubjectKind,
  Value,
} from '../domain/records/records.js';

type Records = typeof records;
type Name<K extends Kind, List extends 'changes' | 'conditions'> = Records[K][List][number];
type Held<K extends Kind, F> = F extends keyof Stored<K> ? Stored<K>[F] & Value : never;

type Present<K extends Kind> = {
  readonly present: K;
  readonly key: KeyOf<K>;
  /** The allowed values of its fields; other fields may have any value. */
  readonly where?: { readonly [F in Name<K, 'conditions'>]?: readonly Held<K, F>[] };
};

/** The kinds whose records belong to one tenant. */
type CountedKind = {
  [K in RecordKind]: Records[K] extends { readonly of: 'tenant' } ? K : never;
}[RecordKind];

type Fewer<K extends CountedKind> = {
  readonly fewer: K;
  readonly than: number;
  /** Only records with these values are counted; other fields may have any value. */
  readonly where?: Present<K>['where'];
  /** The key of the record they are under, for a kind that is under another. */
} & (Records[K] extends { readonly under: object }
  ? { readonly under: string }
  : { readonly under?: undefined });

/** A change of a record of this kind. */
export type Change<K extends RecordKind> = {
  readonly kind: K;
  /** The key of a record that an expectation has found present. */
  readonly key: KeyOf<K>;
  readonly set: { readonly [F in Name<K, 'changes'>]?: Held<K, F> };
};

/** A condition of a write. */
export type Expectation =
  /** No record has this key. */
  | { [K in RecordKind]: { readonly absent: K; readonly key: KeyOf<K> } }[RecordKind]
  /** A record has this key, and the given values. */
  | { [K in RecordKind]: Present<K> }[RecordKind]
  /**
   * Fewer than this many records of this kind are under the one with this key, or are the tenant's.
   */
  | { [K in CountedKind]: Fewer<K> }[CountedKind];

/** An event on its way into a log, which gives it its sequence. */
export type NewEvent = Omit<Row<'event'>, 'sequence'>;

/** A row to insert. */
export type Insert = {
  [K in RecordKind]: { readonly kind: K; readonly row: Row<K> };
}[RecordKind];

/** One write: all of it is committed, or none. */
export interface WriteSet {
  /**
   * The id of this attempt, a ULID: every record that it inserts carries it. The first expectation
   * of a write that inserts is that one of its records is absent, so a write that was committed
   * already is recognized.
   */
  readonly attempt: string;
  /** Judged in this order: the first that does not hold is the refusal. */
  readonly expect: readonly Expectation[];
  readonly insert: readonly Insert[];
  readonly change: readonly { [K in RecordKind]: Change<K> }[RecordKind][];
  /**
   * The record that the events are about: one that the write inserts, or one that is present. A
   * write with events has a subject, and one that makes a webhook has it as its subject.
   */
  readonly subject?: { readonly kind: SubjectKind; readonly key: string };
  readonly events: readonly NewEvent[];
}

/** The outcome of a write. */
export type CommitOutcome =
  | { readonly outcome: 'committed' }
  | {
      readonly outcome: 'refused';
      /** The index of the expectation that did not hold. */
      readonly expectation: number;
      /** If that expectation was that no answer is stored: the stored one. */
      readonly first?: Pick<Row<'answer'>, 'fingerprint' | 'answer'>;
    };
