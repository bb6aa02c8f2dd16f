import {
  type DealPart,
  dealParts,
  type EndingKind,
  isJson,
  isTenant,
  type Json,
  type Kind,
  membersOf,
  type RecordKind,
  type RecordShape,
  records,
  shapeOf,
  type Tenant,
  type WriteSet,
} from 'dealwright/ports';
import * as v from 'valibot';

// Both ends check the other's data: a text that no database can keep never reaches one.
export const text = v.pipe(
  v.string(),
  v.check((value) => value.isWellFormed() && !value.includes('\0')),
);
export const integer = v.pipe(v.number(), v.safeInteger());
export const positive = v.pipe(integer, v.minValue(1));
const types = {
  text,
  integer,
  money: v.pipe(v.string(), v.regex(/^-?\d+\.\d\d$/)),
  json: v.custom<Json>(isJson),
};

export const tenant = v.pipe(
  v.strictObject({ environment: v.picklist(['production', 'sandbox']), partner: text }),
  v.check((given: Tenant) => isTenant(given)),
);

const kindsWith = (is: (shape: RecordShape) => boolean) =>
  (Object.keys(records) as Kind[]).filter(
    (kind): kind is RecordKind => kind !== 'event' && is(shapeOf(kind)),
  );
/** The kinds of records that are read with a deal. */
export const parts: readonly DealPart[] = dealParts;
export const recordKinds = kindsWith(() => true);
export const listedKinds = kindsWith(({ isListed }) => isListed === true);
export const timedKinds = kindsWith(({ isTimed }) => isTimed === true);
export const endingKinds = kindsWith(({ ends }) => ends !== undefined) as readonly EndingKind[];
const subjects = kindsWith(({ isSubject }) => isSubject);

export function hasType(kind: Kind, name: string, value: unknown): boolean {
  const member = membersOf(kind)[name];
  if (member === undefined) return false;
  return value === null ? member.isOptional : v.is(types[member.type], value);
}

/** Whether a row has exactly the members of these names. */
function isRow(kind: Kind, names: readonly string[], row: unknown): boolean {
  const given = Object(row);
  const isComplete = Object.keys(given).length === names.length;
  return isComplete && names.every((name) => hasType(kind, name, given[name]));
}

const isKey = (kind: Kind, key: unknown) => hasType(kind, shapeOf(kind).key, key);
const fieldsOf = (kind: Kind) => Object.keys(shapeOf(kind).fields);

const kind = v.picklist(recordKinds);
const key = v.union([text, integer]);
const members = v.record(v.string(), v.unknown());
const conditions = v.record(v.string(), v.array(v.unknown()));
const eventFields = fieldsOf('event').filter((name) => name !== 'sequence');

const areConditions = (kind: Kind, where: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(where).every(
    ([name, allowed]) =>
      shapeOf(kind).conditions.includes(name) && allowed.every((each) => hasType(kind, name, each)),
  );

const expectation = v.union([
  v.pipe(
    v.strictObject({ absent: kind, key }),
    v.check((given) => isKey(given.absent, given.key)),
  ),
  v.pipe(
    v.strictObject({ present: kind, key, where: v.optional(conditions, {}) }),
    v.check(({ present, key, where }) => isKey(present, key) && areConditions(present, where)),
  ),
  v.pipe(
    v.strictObject({
      fewer: v.picklist(kindsWith(({ of }) => of === 'tenant')),
      under: v.optional(text),
      than: integer,
      where: v.optional(conditions, {}),
    }),
    v.check(
      ({ fewer, under, where }) =>
        (under !== undefined) === (shapeOf(fewer).under !== undefined) &&
        areConditions(fewer, where),
    ),
  ),
]);
const inserted = v.pipe(
  v.strictObject({ kind, row: members }),
  v.check(({ kind, row }) => isRow(kind, fieldsOf(kind), row)),
);
const changed = v.pipe(
  v.strictObject({ kind, key, set: members }),
  v.check(
    ({ kind, key, set }) =>
      isKey(kind, key) &&
      Object.entries(set).every(
        ([name, value]) => shapeOf(kind).changes.includes(name) && hasType(kind, name, value),
      ),
  ),
);
const event = v.pipe(
  members,
  v.check((given) => isRow('event', eventFields, given)),
);

/** A write set as the port describes it: no other reaches the store. */
export const writeSet = v.pipe(
  v.strictObject({
    attempt: v.pipe(v.string(), v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)),
    expect: v.array(expectation),
    insert: v.array(inserted),
    change: v.array(changed),
    subject: v.optional(v.strictObject({ kind: v.picklist(subjects), key: text })),
    events: v.array(event),
  }),
  v.check((given) => isWhole(given)),
);

/** Whether the parts of a write fit each other. */
function isWhole(given: unknown): boolean {
  const { expect, insert, change, subject, events } = given as WriteSet;
  const nameOf = (kind: string, key: unknown) => JSON.stringify([kind, key]);
  const own = insert.map(({ kind, row }) => nameOf(kind, Reflect.get(row, shapeOf(kind).key)));
  const first = expect[0] !== undefined && 'absent' in expect[0] ? expect[0] : undefined;
  const known = expect.map((each) => ('present' in each ? nameOf(each.present, each.key) : ''));
  return (
    new Set(own).size === own.length &&
    (own.length === 0 || own.includes(nameOf(first?.absent ?? '', first?.key))) &&
    change.every(({ kind, key }) => known.includes(nameOf(kind, key))) &&
    (subject !== undefined || events.length === 0)
  );
}
