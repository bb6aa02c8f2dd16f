import { formatMoney, parseSum } from 'dealwright';
import {
  type ArchiveRecord,
  type FieldType,
  isJson,
  isTenant,
  type Kind,
  membersOf,
  shapeOf,
  type Tenant,
} from 'dealwright/ports';
import { kinds, problemAt } from './format.js';

/**
 * The text of a record. Its members have a fixed order: the same record has the same text from any
 * store.
 */
export function textOf(record: ArchiveRecord): string {
  const problem = problemOf(record);
  // a reader would refuse it, and by then the store may be gone
  if (problem !== undefined) throw new TypeError(`a record of the store is wrong: ${problem}`);
  const { kind, tenant, row } = record;
  const { environment, partner } = tenant;
  const given: Readonly<Record<string, unknown>> = row;
  const members = judged[kind].map(({ name }) => [name, inOrder(given[name])]);
  const ordered = { kind, tenant: { environment, partner }, row: Object.fromEntries(members) };
  return JSON.stringify(ordered);
}

/** A value with its members, if any, in a fixed order. */
function inOrder(value: unknown): unknown {
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The record on a line. */
export function recordOf(
  value: Given,
  line: number,
  missing: ReadonlyMap<Kind, readonly string[]>,
): ArchiveRecord {
  const lacks = missing.get(value.kind as Kind) ?? [];
  if (lacks.length > 0 && typeof value.row === 'object' && value.row !== null) {
    const none = Object.fromEntries(lacks.map((name) => [name, null]));
    return recordOf({ ...value, row: { ...none, ...value.row } }, line, new Map());
  }
  const problem = problemOf(value);
  if (problem !== undefined) throw problemAt(line, `is wrong: ${problem}`);
  return value as ArchiveRecord;
}

/** The problem of a record, if there is one: with the name of a member, and never a value. */
function problemOf(record: object): string | undefined {
  const { kind, tenant, row, ...others }: Given = record;
  if (kind === undefined || !kinds.includes(kind)) return 'kind is not a kind of record';
  if (!isTenant(tenant)) return 'tenant is not a tenant';
  if (typeof row !== 'object' || row === null) return 'row is not an object';
  for (const { name, isOptional, problemWith } of judged[kind]) {
    const value = row[name];
    if (value === undefined) return `row.${name} is missing`;
    const problem = isOptional && value === null ? undefined : problemWith(value);
    if (problem !== undefined) return `row.${name} ${problem}`;
  }
  const members = Object.keys(row).length;
  const isExact = members === judged[kind].length && Object.keys(tenant).length === 2;
  return isExact && Object.keys(others).length === 0 ? undefined : 'it has an unknown member';
}

/** The members of a line. */
interface Given {
  readonly kind?: Kind;
  readonly tenant?: Tenant;
  readonly row?: Readonly<Record<string, unknown>> | null;
}

type Judge = (value: unknown) => string | undefined;

/** The problem of a value; the words end a sentence that begins with its member. */
const judges: Readonly<Record<FieldType, Judge>> = {
  text: (value) => {
    if (typeof value !== 'string') return 'is not text';
    const isStorable = value.isWellFormed() && !value.includes('\0');
    return isStorable ? undefined : 'has U+0000 or half a character';
  },
  integer: (value) =>
    Number.isSafeInteger(value) ? undefined : 'is not an integer within +-(2^53-1)',
  money: (value) =>
    typeof value === 'string' && isCanonicalMoney(value)
      ? undefined
      : 'is not a decimal with two digits after the decimal point',
  json: (value) =>
    isJson(value)
      ? undefined
      : 'is not an object of texts without U+0000 or half characters, integers, nulls and lists of them',
};

const positive: Judge = (value) =>
  judges.integer(value) ?? (Number(value) < 1 ? 'is less than 1' : undefined);

function judgedMembers(kind: Kind) {
  const { fields, number } = shapeOf(kind);
  return Object.entries(membersOf(kind)).map(([name, { type, isOptional }]) => {
    // integers that a store assigns begin at 1: those that it reserves, and versions
    const isGiven = type === 'integer' && (name === number || fields[name] === undefined);
    return { name, isOptional, problemWith: isGiven ? positive : judges[type] };
  });
}

/** The rules of each member of each kind. */
const judged = Object.fromEntries(kinds.map((kind) => [kind, judgedMembers(kind)])) as Readonly<
  Record<Kind, ReturnType<typeof judgedMembers>>
>;

/** A record may have a sum, which has more digits than an amount of the interface. */
function isCanonicalMoney(text: string): boolean {
  const amount = parseSum(text);
  return amount !== undefined && formatMoney(amount) === text;
}
