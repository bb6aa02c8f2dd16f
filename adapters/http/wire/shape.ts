import type { DomainEvent, Proposal } from 'dealwright';

/** The kinds of text. The client reads all of them alike; the document describes each kind. */
export type TextKind =
  | 'text'
  | 'email'
  | 'money'
  | 'time'
  | 'date'
  | 'ulid'
  | 'sha256'
  | 'digest'
  | 'version'
  | 'copyright transfer'
  | 'freelancer language'
  | 'deal status'
  | 'freelancer status'
  | 'stage status'
  | 'file status'
  | 'attention'
  | 'wait reason'
  | 'shown reason'
  | 'effect outcome'
  | 'alert'
  | 'deal match'
  | 'summary reason'
  | 'effect kind'
  | 'effect status'
  | 'side'
  | 'proposal kind'
  | 'proposal status'
  | 'terms kind'
  | 'employer payment status'
  | 'contractor payment status'
  | 'report status'
  | 'payment kind'
  | 'unmatched reason'
  | 'environment'
  | 'payment mode'
  | 'contractor scope'
  | 'event type'
  | 'actor'
  | 'webhook status'
  | 'disabled reason'
  | 'delivery status'
  | 'payment token'
  | 'signing secret'
  | 'older cursor'
  | 'newer cursor'
  | 'page cursor'
  | 'cursor'
  | 'older delivery';

/** The kinds of integers; `bytes` is a size, and only a deal of version 1.0 shows its `deal id`. */
export const integerKinds = ['integer', 'id', 'deal id', 'bytes', 'sequence'] as const;

export type IntegerKind = (typeof integerKinds)[number];

/** The kinds of objects that the client passes on unchanged. */
export const openKinds = ['event data', 'changes'] as const;

/** All other kinds. */
export type OtherKind = 'boolean' | (typeof openKinds)[number];

export type Kind =
  | TextKind
  | IntegerKind
  | OtherKind
  /** A member that is always present. */
  | `${TextKind} or null`
  | `${IntegerKind} or null`
  /** A member that may be left out. */
  | `${TextKind} or nothing`
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
            : null extends T
              ? readonly [Shape<NonNullable<T>>, 'or null']
              : [T] extends [DomainEvent]
                ? EventShape
                : string extends keyof T
                  ? 'event data'
                  : [Proposal['changes']] extends [T]
                    ? 'changes'
                    : {
                        readonly [K in keyof T]-?: undefined extends T[K]
                          ? OrNothing<Exclude<T[K], undefined>>
                          : Shape<T[K]>;
                      };

type OrNothing<T> = [T] extends [readonly unknown[]]
  ? readonly [Shape<T>, 'or nothing']
  : `${[T] extends [string] ? TextKind : IntegerKind} or nothing`;

/** Every event has the same members; its type decides the members of its data. */
export type EventShape = {
  readonly [K in keyof DomainEvent]: K extends 'data' ? 'event data' : Shape<DomainEvent[K]>;
};

export type AnyShape = Kind | readonly [AnyShape] | { readonly [name: string]: MemberShape };

/** The shape of a member; an object may be `null` there, and a list may be left out. */
export type MemberShape = AnyShape | readonly [AnyShape, 'or null' | 'or nothing'];

/** Says whether a shape is that of a list, which holds the shape of each item. */
export function isList(shape: AnyShape): shape is readonly [AnyShape] {
  return Array.isArray(shape);
}

/** The shape of a member without its ending, and what may be in its place. */
export function alternatives(shape: MemberShape): readonly [shape: AnyShape, orElse?: string] {
  if (typeof shape === 'string') return shape.split(' or ') as [Kind, string?];
  return hasOther(shape) ? [shape[0], shape[1].slice('or '.length)] : [shape];
}

function hasOther(shape: MemberShape): shape is readonly [AnyShape, 'or null' | 'or nothing'] {
  return Array.isArray(shape) && shape.length === 2;
}
