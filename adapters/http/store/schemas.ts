import {
  type Field,
  isTenant,
  type Kind,
  listedFields,
  type RecordKind,
  type RecordShape,
  records,
  shapeOf,
  type Tenant,
  type WriteSet,
} from 'dealwright/ports';
import * as v from 'valibot';

// Both ends read what the other sends: a text that no database could keep never gets to one.
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
  json: v.pipe(text, v.check(isJson)),
};

export const tenant = v.pipe(
  v.strictObject({ environment: v.picklist(['production', 'sandbox']), partner: text }),
  v.check((given: Tenant) => isTenant(given)),
);

const schemaOf = ({ type, isOptional }: Field) =>
  isOptional ? v.nullable(types[type]) : types[type];

/** The members of a row of this kind, those left out that a sender must not give. */
function membersOf(kind: Kind, ...omitted: readonly string[]) {
  const fields = Object.entries<Field>(shapeOf(kind).fields);
  const given = fields.filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(given.map(([name, field]) => [name, schemaOf(field)]));
}

/** Some of the members of a stored record, any of which may be absent. */
function someOf(
  kind: Kind,
  names: readonly string[],
  wrap: (each: v.GenericSchema) => v.GenericSchema,
) {
  const all = storedMembers(kind);
  const members = names.map((name) => [name, v.optional(wrap(all[name] ?? v.never()))]);
  return v.strictObject(Object.fromEntries(members));
}

const storedMembers = (kind: Kind): Readonly<Record<string, v.GenericSchema>> => ({
  ...membersOf(kind),
  ...(kind === 'event' ? {} : { attempt: text }),
  ...(shapeOf(kind).isSubject ? { version: integer } : {}),
});

/** A record as a store hands it out. */
export const stored = (kind: Kind) => v.object(storedMembers(kind));

const dealMembers = storedMembers('deal');
export const listed = v.object(
  Object.fromEntries(
    [...listedFields, 'attempt' as const].map((name) => [name, dealMembers[name] ?? text]),
  ),
);

const kindsWith = (is: (shape: RecordShape) => boolean) =>
  (Object.keys(records) as Kind[]).filter(
    (kind): kind is RecordKind => kind !== 'event' && is(shapeOf(kind)),
  );
const keyOf = (kind: Kind) => schemaOf(shapeOf(kind).fields[shapeOf(kind).key] as Field);
const kinds = kindsWith(() => true);
/** The kinds that are under another, and those that events are told of. */
export const parts = kindsWith(({ under }) => under !== undefined);
const subjects = kindsWith(({ isSubject }) => isSubject);

const expectation = v.union([
  ...kinds.map((kind) => v.strictObject({ absent: v.literal(kind), key: keyOf(kind) })),
  ...kinds.map((kind) =>
    v.strictObject({
      present: v.literal(kind),
      key: keyOf(kind),
      where: v.optional(someOf(kind, shapeOf(kind).conditions, (each) => v.array(each))),
    }),
  ),
  v.strictObject({ fewer: v.picklist(parts), under: text, than: integer }),
]);

/** A write set as the port describes it: nothing else reaches the store. */
export const writeSet = v.pipe(
  v.strictObject({
    attempt: v.pipe(v.string(), v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)),
    expect: v.array(expectation),
    insert: v.array(
      v.union(
        kinds.map((kind) =>
          v.strictObject({ kind: v.literal(kind), row: v.strictObject(membersOf(kind)) }),
        ),
      ),
    ),
    change: v.array(
      v.union(
        kinds.map((kind) =>
          v.strictObject({
            kind: v.literal(kind),
            key: keyOf(kind),
            set: someOf(kind, shapeOf(kind).changes, (each) => each),
          }),
        ),
      ),
    ),
    subject: v.optional(v.strictObject({ kind: v.picklist(subjects), key: text })),
    events: v.array(v.strictObject(membersOf('event', 'sequence'))),
  }),
  v.check((given) => isWhole(given)),
);

/** What the parts of a write promise about each other. */
function isWhole(given: unknown): boolean {
  const { expect, insert, change, subject, events } = given as WriteSet;
  const nameOf = (kind: string, key: unknown) => JSON.stringify([kind, key]);
  const inserted = insert.map(({ kind, row }) => nameOf(kind, Reflect.get(row, shapeOf(kind).key)));
  const first = expect[0] !== undefined && 'absent' in expect[0] ? expect[0] : undefined;
  const known = expect.map((each) => ('present' in each ? nameOf(each.present, each.key) : ''));
  return (
    new Set(inserted).size === inserted.length &&
    (insert.length === 0 || inserted.includes(nameOf(first?.absent ?? '', first?.key))) &&
    change.every(({ kind, key }) => known.includes(nameOf(kind, key))) &&
    (subject !== undefined || events.length === 0)
  );
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
