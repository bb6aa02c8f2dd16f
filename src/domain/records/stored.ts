import type { Finding } from '../values/issues.js';
import { isStorableText } from '../values/rule.js';
import {
  type Field,
  type FieldType,
  type Json,
  type Kind,
  type Row,
  records,
  type Stored,
  shapeOf,
  type Value,
} from './records.js';

/** By kind: each field, and the members that a store adds. */
const storedMembers = Object.fromEntries(
  Object.keys(records).map((kind) => {
    const { fields, isSubject } = shapeOf(kind as Kind);
    const added = {
      ...(kind !== 'event' && { attempt: { type: 'text', isOptional: false } }),
      ...(isSubject && { version: { type: 'integer', isOptional: false } }),
    };
    return [kind, { ...fields, ...added }];
  }),
) as Readonly<Record<Kind, Readonly<Record<string, Field>>>>;

/**
 * The members of a stored record, in their order: its fields, and those that a store adds.
 *
 * @example
 * ```ts
 * import { membersOf } from 'dealwright/ports';
 *
 * Object.keys(membersOf('answer')); // ['answer_key', 'fingerprint', 'answer', 'attempt']
 * ```
 */
export function membersOf(kind: Kind): Readonly<Record<string, Field>> {
  return storedMembers[kind];
}

/**
 * Says whether a value is a stored record of this kind: it has every member, each of its type.
 *
 * @example
 * ```ts
 * import { isStored } from 'dealwright/ports';
 *
 * isStored('answer', { answer_key: 'deal k', fingerprint: 'f', answer: '{}' }); // false
 * ```
 */
export function isStored<K extends Kind>(kind: K, value: unknown): value is Stored<K> {
  return hasMembers(value, checks[kind]);
}

/** Says whether a value has these members of a stored record of this kind. */
export function isStoredPart(kind: Kind, names: readonly string[], value: unknown): boolean {
  return hasMembers(
    value,
    checks[kind].filter(({ name }) => names.includes(name)),
  );
}

function hasMembers(value: unknown, members: readonly MemberCheck[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Readonly<Record<string, unknown>>;
  for (const { name, isOptional, isRight } of members) {
    const member = row[name];
    if (!(isOptional && member === null) && !isRight(member)) return false;
  }
  return true;
}

const isText = (value: unknown) => typeof value === 'string';
const isOfType: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: isText,
  money: isText,
  integer: Number.isSafeInteger,
  json: isJson,
};

interface MemberCheck {
  readonly name: string;
  readonly isOptional: boolean;
  isRight(value: unknown): boolean;
}

/** The members of each kind as a list, which is faster to walk than an object. */
const checks = Object.fromEntries<readonly MemberCheck[]>(
  Object.entries(storedMembers).map(([kind, members]) => [
    kind,
    Object.entries(members).map(([name, { type, isOptional }]) => {
      return { name, isOptional, isRight: isOfType[type] };
    }),
  ]),
) as Readonly<Record<Kind, readonly MemberCheck[]>>;

/**
 * Says whether a value fits a member of type `json`: an object of texts, integers, nulls and
 * lists of them. Its texts, and the names of its members, are ones that every database can store:
 * well-formed, without U+0000.
 *
 * @example
 * ```ts
 * import { isJson } from 'dealwright/ports';
 *
 * isJson({ name: 'Logo', stage_ids: [1, 2] }); // true
 * isJson({ stage: { id: 1 } }); // false
 * ```
 */
export function isJson(value: unknown): value is Json {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([name, each]) =>
        isStorableText(name) && (Array.isArray(each) ? each.every(isValue) : isValue(each)),
    )
  );
}

function isValue(value: unknown): value is Value {
  return value === null || isStorableText(value) || Number.isSafeInteger(value);
}

/**
 * The members of a command that contain the payment token of their deal: they would carry it into
 * events, and to everybody who sees the deal (decision 6.7).
 */
export function secretsIn(
  { payment_token }: Row<'deal'>,
  texts: Readonly<Record<string, string | undefined>>,
): readonly Finding<'secret_in_text'>[] {
  if (payment_token === null) return [];
  return Object.entries(texts).flatMap(([name, text]) =>
    text?.includes(payment_token)
      ? [{ path: name.split('.'), code: 'secret_in_text', params: {} } as const]
      : [],
  );
}
