import type { DealState } from '../payments/draft.js';
import { minorUnits } from '../payments/ledger.js';
import { type DealPart, type Row, shapeOf, type Value } from '../records/records.js';
import type { Terms } from '../terms/terms.js';
import { formatMoney, fromMinorUnits } from '../values/money.js';
import { formatTimestamp, parseTimestamp } from '../values/timestamp.js';
import { shownParts } from './details.js';

/**
 * The values of one field of all rows: one value for all of them, a list, or a few values and which
 * rows have each: a letter for each run, and its length.
 */
type Column = Value | readonly Value[] | Few;
type Few = { readonly of: readonly Value[]; readonly runs: string };

/**
 * By kind and field, the values that may have changed since; a missing field was `null` everywhere.
 */
export type KeptColumns = Readonly<Record<string, Readonly<Record<string, Column>>>>;

/** A short name of a text. */
export type Naming = (text: string) => string;

/** The records from which the values of the rows of a deal follow. */
interface Known {
  readonly amounts: ReadonlyMap<string, string>;
  readonly reports: ReadonlyMap<string, readonly Row<'payment_report'>[]>;
  readonly nameOf: Naming;
}

type KeptKind = 'deal' | DealPart;
type AnyRow = Readonly<Record<string, Value>>;
type Fields = Readonly<Record<string, Value>>;

const kinds: readonly KeptKind[] = ['deal', ...shownParts, 'intent'];

/** Fields of a deal that did not change in earlier versions of the library. */
const lasting: readonly string[] = ['employer_fee', 'contractor_fee', 'expires_at'];

/** Fields that may change, and that no face shows, or that follow from the version of the terms. */
const hidden: Partial<Readonly<Record<KeptKind, readonly string[]>>> = {
  deal: [
    ...['notice_at', 'due_at', 'accepted_by', 'issued_amount', 'work_days'],
    ...['title', 'description', 'amount', 'copyright_transfer', 'terms_sha256'],
  ],
  stage: ['notice_at', 'overdue_told', 'name', 'budget', 'work_days'],
  contractor_payment: ['retries'],
};

/**
 * The values from which the answer of now can be made later, besides the records of the deal: those
 * that may change and do not follow from records that never do.
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
 * The deal as it was: `then` has its records of that time with their values of now, and `kept` the
 * values of that time. Other fields are not restored; no face shows them.
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

/**
 * The rows of a kind, those of one stage together: they change together, which makes longer runs.
 */
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
  shapeOf(kind).changes.filter((field) => hidden[kind]?.includes(field) !== true);

function writeRow(known: Known, kind: KeptKind, row: AnyRow): Fields {
  // of intents a deal shows only that a refund has failed
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
  // an answer of an earlier version lacks them
  const otherwise = (field: string) =>
    kind === 'deal' && lasting.includes(field) ? row[field] : null;
  const all = Object.fromEntries(
    changing(kind).map((field) => [field, values[field] ?? otherwise(field) ?? null]),
  );
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
  // the amount that came of a payment, or else the amount that was asked for
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
 * The last report of a payment, and its time: `null` before the first, the name of the report, or
 * the milliseconds since the request with the reference or the report's name after them.
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
  // parsing ends after the number
  const later = Number.parseInt(text.slice(1), 36);
  const updated_at = formatTimestamp(millisecondsOf(requested_at) + later);
  const end = text.search(/[ #]/);
  if (end < 0) return { reference: null, updated_at };
  const rest = text.slice(end + 1);
  return { reference: text[end] === ' ' ? rest : (find(rest)?.reference ?? null), updated_at };
}

const millisecondsOf = (time: string): number => parseTimestamp(time) ?? 0;

/** Letters for runs; a column with more values is kept as a list. */
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

/**
 * A deal under an earlier version of its terms; what became of its stages is as it was then, and its
 * fees, if they were kept.
 */
export function withTerms<S extends DealState>(
  state: S,
  { terms, terms_sha256, employer_fee, contractor_fee }: Row<'terms'>,
  kept: KeptColumns,
): S {
  const { version, title, description, amount, copyright_transfer, stages } = JSON.parse(
    terms,
  ) as Terms;
  const known =
    kept['deal']?.['employer_fee'] === undefined ? { employer_fee, contractor_fee } : {};
  const hash = version === 1 ? null : terms_sha256;
  const named = new Map(stages.map((each) => [each.id, each]));
  // those that this version has added, in their order
  const added = stages.filter(({ id }) => id === null).values();
  return {
    ...state,
    deal: {
      ...{ ...state.deal, ...known },
      ...{ title, description, amount, copyright_transfer, terms_sha256: hash },
    },
    stage: state.stage.map((stage) => {
      const isOther = stage.status === 'cancelled';
      const own = named.get(stage.id) ?? (isOther ? undefined : added.next().value);
      if (own === undefined) return stage;
      const { name, work_days, budget } = own;
      // an amount that was agreed is a part of the budget, which stays
      return { ...stage, name, work_days, ...(stage.agreed_amount === null && { budget }) };
    }),
  };
}

/** A deal without the records that these attempts wrote. */
export function without<S extends DealState>(state: S, attempts: ReadonlySet<string>): S {
  const before: Record<string, unknown> = { ...state };
  for (const kind of [...shownParts, 'intent', 'payment_report'] as const) {
    const rows: readonly AnyRow[] = state[kind];
    before[kind] = rows.filter(({ attempt }) => !attempts.has(String(attempt)));
  }
  return before as S;
}
