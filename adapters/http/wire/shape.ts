import type { DomainEvent } from 'dealwright';

/** What a text is. The client reads any text as it is; the document says more of each kind. */
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

/** What an integer is; `bytes` is a size, and only a deal of version 1.0 shows its `deal id`. */
export const integerKinds = ['integer', 'id', 'deal id', 'bytes', 'sequence'] as const;

export type IntegerKind = (typeof integerKinds)[number];

/** What is neither text nor an integer: the client passes the data of an event on as they are. */
export type OtherKind = 'boolean' | 'event data';

export type Kind =
  | TextKind
  | IntegerKind
  | OtherKind
  /** A member that is always there. */
  | `${TextKind} or null`
  | `${IntegerKind} or null`
  /** One that may be left out. */
  | `${IntegerKind} or nothing`;

/**
 * The shape of an answer as data: each member by its name. The compiler compares it with the type of
 * the answer, so that a member that is added to one is read and documented too, and a record shows
 * nothing that is not listed here.
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

/** Every event has the same members; what its data are, its type says. */
export type EventShape = {
  readonly [K in keyof DomainEvent]: K extends 'data' ? 'event data' : Shape<DomainEvent[K]>;
};

export type AnyShape = Kind | readonly [AnyShape] | { readonly [name: string]: AnyShape };

/** Says whether a shape is that of a list, which holds the shape of each item. */
export function isList(shape: AnyShape): shape is readonly [AnyShape] {
  return Array.isArray(shape);
}
