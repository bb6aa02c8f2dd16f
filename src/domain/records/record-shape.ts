/** The value of a member of a row: text, a safe integer, or `null`. */
export type Value = string | number | null;

/** The value of a member of type `json`: an object of such values, and of lists of them. */
export type Json = Readonly<Record<string, Value | readonly Value[]>>;

/** Money is decimal text with two decimals (decision 1.4). */
export type FieldType = 'text' | 'integer' | 'money' | 'json';

/** One field of a kind of record. */
export interface Field<out V extends Value | Json = Value | Json> {
  readonly type: FieldType;
  /** Whether its value may be `null`. */
  readonly isOptional: boolean;
  /** Never set: it carries the type of the values to the compiler. */
  readonly value?: V;
}

/** The shape of a kind of record. */
export interface RecordShape {
  /** The callers that share these records: keys are unique among them. */
  readonly of: 'environment' | 'tenant';
  /** The field that names one record among those that share it. */
  readonly key: string;
  /** The field with an integer of `Store.reserve`: unique among those of the environment. */
  readonly number?: string;
  /** The kind that a record of this one belongs to, and the field with the key of that record. */
  readonly under?: { readonly kind: string; readonly by: string };
  /** Whether it has events: its version is the sequence of the last event. */
  readonly isSubject: boolean;
  readonly fields: Readonly<Record<string, Field>>;
  /** The fields that a write may change. */
  readonly changes: readonly string[];
  /** The fields that an expectation may ask about. */
  readonly conditions: readonly string[];
  /** The look-ups by more than the keys; `attempt` is the attempt that made the record. */
  readonly indexes: readonly (readonly string[])[];
  /** The look-ups among the records of all tenants of an environment. */
  readonly across?: readonly (readonly string[])[];
  /** Whether it has a field `due_at`, by which `Store.due` finds it. */
  readonly isTimed?: true;
  /**
   * Whether `Store.prune` deletes it at the time in the field `ends_at`: its own, or that of the
   * record it is under.
   */
  readonly ends?: 'itself' | 'parent';
  /** Whether `Store.records` lists it: by its key, and in the order of keys. */
  readonly isListed?: true;
}

/** The fields of records, by their types. */
export const text = <T extends string = string>(): Field<T> => ({
  type: 'text',
  isOptional: false,
});
export const integer = (): Field<number> => ({ type: 'integer', isOptional: false });
export const money = (): Field<string> => ({ type: 'money', isOptional: false });
export const json = (): Field<Json> => ({ type: 'json', isOptional: false });
export const optional = <V extends Value>({ type }: Field<V>): Field<V | null> => ({
  type,
  isOptional: true,
});
export const record = <const S extends RecordShape>(shape: S): S => shape;
