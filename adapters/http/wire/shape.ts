import type { DomainEvent } from 'dealwright';

/** The kinds of text. The client reads all of them alike; the document describes each kind. */
export type TextKind =
  | 'text'
  | 'email'
  | 'money'
  | 'time'
  | 'ulid'
  | 'sha256'
  | 'version'
  | 'copyright transfer'
  | 'freelancer language'
  | 'deal status'
  | 'freelancer status'
  | 'stage status'
  | 'file status'
  | 'attention'
  | 'file side'
  | 'employer payment status'
  | 'contractor payment status'
  | 'environment'
  | 'event type'
  | 'actor'
  | 'webhook status'
  | 'disabled reason'
  | 'delivery status'
  | 'payment token'
  | 'signing secret'
  | 'older cursor'
  | 'newer cursor'
  | 'cursor'
  | 'older delivery';

/** The kinds of integers; `bytes` is a size, and only a deal of version 1.0 shows its `deal id`. */
export const integerKinds = ['integer', 'id', 'deal id', 'bytes', 'sequence'] as const;

export type IntegerKind = (typeof integerKinds)[number];

/** All other kinds: the client passes the data of an event on unchanged. */
export type OtherKind = 'boolean' | 'event data';

export type Kind =
  | TextKind
  | IntegerKind
  | OtherKind
  /** A member that is always present. */
  | `${TextKind} or null`
  | `${IntegerKind} or null`
  /** A member that may be left out. */
  | `${IntegerKind} or nothing`;

/**
 * The shape of an answer as data: each member by its name. The compiler compares it with the type
 * of the answer: a new member of the type must be read and documented too, and no answer has a
 * member that is not listed here.
 */
export type Shape<T> = [T] extends [readonly (infer Each)[]]
  ? readonly [Shape<Each>]
  : [T] extends [string]
    ? TextKind
    : [T] extends [number]
      ? IntegerKind
      : [T] extends [boolean]
        ? 'boolean'
        : [T] extends [string | null]
          ? `${TextKind} or null`
          : [T] extends [number | null]
            ? `${IntegerKind} or null`
            : [T] extends [DomainEvent]
              ? EventShape
              : string extends keyof T
                ? 'event data'
                : {
                    readonly [K in keyof T]-?: undefined extends T[K]
                      ? `${IntegerKind} or nothing`
                      : Shape<T[K]>;
                  };

/** Every event has the same members; its type decides the members of its data. */
export type EventShape = {
  readonly [K in keyof DomainEvent]: K extends 'data' ? 'event data' : Shape<DomainEvent[K]>;
};

export type AnyShape = Kind | readonly [AnyShape] | { readonly [name: string]: AnyShape };

/** Says whether a shape is that of a list, which holds the shape of each item. */
export function isList(shape: AnyShape): shape is readonly [AnyShape] {
  return Array.isArray(shape);
}
