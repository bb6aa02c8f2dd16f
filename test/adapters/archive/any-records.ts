import { formatMoney, fromMinorUnits } from 'dealwright';
import {
  type ArchiveRecord,
  type Field,
  type FieldType,
  type Json,
  type Kind,
  membersOf,
  records,
  shapeOf,
  type Value,
} from 'dealwright/ports';
import fc from 'fast-check';

const all = { noNullPrototype: true } as const;

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((value) => value.replaceAll('\0', '\u0001'))
  .filter((value) => value.isWellFormed());
const maxMinor = 10n ** 26n - 1n;

const jsonValue = fc.oneof(text, fc.maxSafeInteger(), fc.constant(null));

const types: Readonly<Record<FieldType, fc.Arbitrary<Value | Json>>> = {
  text,
  integer: fc.maxSafeInteger().map((value) => value + 0),
  money: fc
    .bigInt({ min: -maxMinor, max: maxMinor })
    .map((units) => formatMoney(fromMinorUnits(units))),
  json: fc.dictionary(text, fc.oneof(jsonValue, fc.array(jsonValue)), all),
};

const tenant = fc.record(
  {
    environment: fc.constantFrom('production', 'sandbox'),
    partner: text.filter((value) => value !== ''),
  },
  all,
);

/** A value for a member of a kind. */
function anyValue(
  kind: Kind,
  name: string,
  { type, isOptional }: Field,
): fc.Arbitrary<Value | Json> {
  const isGiven = name === shapeOf(kind).number || name === 'version';
  const value: fc.Arbitrary<Value | Json> = isGiven
    ? fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    : types[type];
  return isOptional ? fc.option(value) : value;
}

/** Any record of a kind, made from the table of fields. */
export function anyRecord(kind: Kind): fc.Arbitrary<ArchiveRecord> {
  const members = Object.entries(membersOf(kind)).map(
    ([name, field]) => [name, anyValue(kind, name, field)] as const,
  );
  const row = fc.record(Object.fromEntries(members), all);
  const record = fc.record({ kind: fc.constant(kind), tenant, row }, all);
  return record.map((value) => value as ArchiveRecord);
}

/** Records of all kinds in the order of a dump. */
export function anyRecords(): fc.Arbitrary<ArchiveRecord[]> {
  const kinds = Object.keys(records) as Kind[];
  const each = kinds.map((kind) => fc.array(anyRecord(kind), { maxLength: 3 }));
  return fc.tuple(...each).map((found) => found.flat());
}
