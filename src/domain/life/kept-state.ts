import type { DealState } from '../payments/draft.js';
import { minorUnits } from '../payments/ledger.js';
import { type DealPart, type Row, shapeOf, type Value } from '../records/records.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import { formatTimestamp, parseTimestamp } from '../values/timestamp.js';
import { shownParts } from './details.js';

/**
 * The values of one field of all rows: one for all of them, a list, or which of few values each has:
 * a letter for each run, and its length.
 */
type Column = Value | readonly Value[] | Few;
type Few = { readonly of: readonly Value[]; readonly runs: string };

/** By kind and field, what may have changed since; what is missing was `null` everywhere. */
export type KeptColumns = Readonly<Record<string, Readonly<Record<string, Column>>>>;

/** A short name of a text. */
export type Naming = (text: string) => string;

/** What the values of the rows of a deal follow from. */
interface Known {
  readonly amounts: ReadonlyMap<string, string>;
  readonly reports: ReadonlyMap<string, readonly Row<'payment_report'>[]>;
  readonly nameOf: Naming;
}

type KeptKind = 'deal' | DealPart;
type AnyRow = Readonly<Record<string, Value>>;
type Fields = Readonly<Record<string, Value>>;

const kinds: readonly KeptKind[] = ['deal', ...shownParts, 'intent'];

/** What may change, and no face shows. */
const hidden: ReadonlySet<string> = new Set(['due_at', 'submitted_at', 'retries']);

/**
 * What an answer of now can be made from later, besides what a deal keeps anyway: the values that may
 * change, without those that follow from records which never do.
 */
export function keepState(state: DealState, nameOf: Naming): KeptColumns {
  const kept: Record<string, Record<string, Column>> = {};
  const known = knownOf(state, nameOf);
  for (const kind of kinds) {
    const rows = rowsOf(state, kind).map((row) => writeRow(known, kind, row));
    const columns: Record<string, Column> = {};
    for (const field of Object.keys(rows[0] ?? {})) {
      const column = writeColumn(rows.map((row) => row[field] ?? null));
      if (column !== null) columns[field] = column;
    }
    if (Object.keys(columns).length > 0) kept[kind] = columns;
  }
  return kept;
}

/**
 * The deal as it was: its records of then, as they are now, with what was kept of them. No face shows
 * what else it has.
 */
export function stateOfKept(then: DealState, kept: KeptColumns, nameOf: Naming): DealState {
  const state: Record<string, unknown> = { ...then };
  const known = knownOf(then, nameOf);
  for (const kind of kinds) {
    const rows = rowsOf(then, kind);
    const columns = Object.entries(kept[kind] ?? {}).map(
      ([field, column]) => [field, readColumn(column, rows.length)] as const,
    );
    const read = new Map(
      rows.map((row, at) => {
        const values = Object.fromEntries(columns.map(([field, all]) => [field, all[at] ?? null]));
        return [row, { ...row, ...readRow(known, kind, row, values) }];
      }),
    );
    const found: AnyRow | readonly AnyRow[] = Reflect.get(then, kind);
    state[kind] = isList(found) ? found.map((row) => read.get(row)) : read.get(found);
  }
  return state as DealState;
}

const isList = (found: unknown): found is readonly AnyRow[] => Array.isArray(found);

/** The rows of a kind: those of one stage together, as what is done to them is done together. */
function rowsOf(state: DealState, kind: KeptKind): readonly AnyRow[] {
  const found: unknown = Reflect.get(state, kind);
  if (!isList(found)) return [found as AnyRow];
  const { key } = shapeOf(kind);
  const compare = (a: Value | undefined, b: Value | undefined) =>
    a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
  return [...found].sort(
    (a, b) => compare(a['stage_id'], b['stage_id']) || compare(a[key], b[key]),
  );
}

const changing = (kind: KeptKind): readonly string[] =>
  shapeOf(kind).changes.filter((field) => !hidden.has(field));

function writeRow(known: Known, kind: KeptKind, row: AnyRow): Fields {
  // of intents a deal shows no more than that a refund has failed
  if (kind === 'intent') return { status: row['status'] === 'failed' ? 'failed' : null };
  const values = Object.fromEntries(changing(kind).map((field) => [field, row[field] ?? null]));
  if (!isPayment(kind, row)) return values;
  const { reference: _, updated_at: __, ...others } = values;
  const told = known.amounts.get(row.id);
  return {
    ...others,
    ...('amount' in others && { amount: others['amount'] === told ? null : others['amount'] }),
    last: writeLast(known, row),
  } as Fields;
}

function readRow(known: Known, kind: KeptKind, row: AnyRow, values: Fields): Fields {
  if (kind === 'intent') return { status: values['status'] ?? 'cancelled' };
  const all = Object.fromEntries(changing(kind).map((field) => [field, values[field] ?? null]));
  if (!isPayment(kind, row)) return all;
  return {
    ...all,
    ...('amount' in all && { amount: all['amount'] ?? known.amounts.get(row.id) ?? row.amount }),
    ...readLast(known, row, values['last'] ?? null),
  } as Fields;
}

type Payment = Pick<
  Row<'employer_payment'>,
  'id' | 'amount' | 'reference' | 'requested_at' | 'updated_at'
>;

const isPayment = (kind: KeptKind, _row: AnyRow): _row is Payment & AnyRow =>
  kind === 'employer_payment' || kind === 'contractor_payment';

function knownOf({ posting, intent, payment_report }: DealState, nameOf: Naming): Known {
  // what came of a payment, or else what was asked for
  const amounts = new Map<string, string>();
  for (const { kind, payment_id, amount } of intent) {
    if (kind === 'request_payment') amounts.set(payment_id, amount);
  }
  const came = new Map<string, bigint>();
  for (const { kind, to_account, payment_id, amount } of posting) {
    if (kind !== 'payment' || to_account !== 'held') continue;
    came.set(payment_id, (came.get(payment_id) ?? 0n) + minorUnits(amount));
  }
  for (const [id, sum] of came) amounts.set(id, formatMoney(fromMinorUnits(sum)));
  const reports = new Map<string, Row<'payment_report'>[]>();
  for (const each of payment_report) {
    const own = reports.get(each.payment_id);
    if (own === undefined) reports.set(each.payment_id, [each]);
    else own.push(each);
  }
  return { amounts, reports, nameOf };
}

/**
 * What was last said of a payment, and when: nothing while nothing was, the name of the report that
 * said it, or the milliseconds from the request on with what follows them.
 */
function writeLast({ reports, nameOf }: Known, payment: Payment): Value {
  const { id, reference, requested_at, updated_at } = payment;
  if (reference === null && updated_at === requested_at) return null;
  const own = (reports.get(id) ?? []).filter((each) => each.reference === reference);
  const exact = own.find(({ at }) => at === updated_at);
  if (exact !== undefined) return nameOf(exact.report_key);
  const later = (millisecondsOf(updated_at) - millisecondsOf(requested_at)).toString(36);
  if (reference === null) return `+${later}`;
  const [said] = own;
  return said === undefined ? `+${later} ${reference}` : `+${later}#${nameOf(said.report_key)}`;
}

function readLast(
  { reports, nameOf }: Known,
  { id, requested_at }: Payment,
  last: Value,
): Pick<Payment, 'reference' | 'updated_at'> {
  const text = String(last ?? '');
  const find = (name: string) =>
    reports.get(id)?.find(({ report_key }) => nameOf(report_key) === name);
  if (text === '') return { reference: null, updated_at: requested_at };
  if (!text.startsWith('+')) {
    const said = find(text);
    return { reference: said?.reference ?? null, updated_at: said?.at ?? requested_at };
  }
  // parsing ends where the number does
  const later = Number.parseInt(text.slice(1), 36);
  const updated_at = formatTimestamp(millisecondsOf(requested_at) + later);
  const end = text.search(/[ #]/);
  if (end < 0) return { reference: null, updated_at };
  const rest = text.slice(end + 1);
  return { reference: text[end] === ' ' ? rest : (find(rest)?.reference ?? null), updated_at };
}

const millisecondsOf = (time: string): number => parseTimestamp(time) ?? 0;

/** Letters for runs: a column with more values is a list. */
const letters = 'abcdefghijklmnopqrstuvwxyz';

function writeColumn(values: readonly Value[]): Column {
  const of = [...new Set(values)];
  if (of.length === 1) return of[0] ?? null;
  if (of.length > letters.length || of.length > values.length / 2) return values;
  let runs = '';
  for (let at = 0; at < values.length; ) {
    const start = at;
    while (values[at] === values[start] && at < values.length) at += 1;
    const length = at - start;
    runs += `${letters[of.indexOf(values[start] ?? null)]}${length === 1 ? '' : length}`;
  }
  return { of, runs };
}

function readColumn(column: Column, length: number): readonly Value[] {
  if (Array.isArray(column)) return column;
  if (typeof column !== 'object' || column === null) {
    return Array.from({ length }, () => column as Value);
  }
  const { of, runs } = column as Few;
  return [...runs.matchAll(/([a-z])(\d*)/g)].flatMap(([, letter = '', count = '']) =>
    Array.from({ length: Number(count || 1) }, () => of[letters.indexOf(letter)] ?? null),
  );
}

/** The part of a deal that was there before some writes, whose attempts these are. */
export function without<S extends DealState>(state: S, attempts: ReadonlySet<string>): S {
  const before: Record<string, unknown> = { ...state };
  for (const kind of [...shownParts, 'intent', 'payment_report'] as const) {
    const rows: readonly AnyRow[] = state[kind];
    before[kind] = rows.filter(({ attempt }) => !attempts.has(String(attempt)));
  }
  return before as S;
}
