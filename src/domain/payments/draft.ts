import {
  type DealPart,
  type Json,
  type KeyOf,
  type Row,
  type records,
  shapeOf,
  type Value,
} from '../records/records.js';
import { formatMoney, fromMinorUnits, type Money } from '../values/money.js';
import {
  type EmployerReportStatus,
  shownReason,
  type WaitReason,
} from '../values/payment-status.js';
import type { Actor } from '../values/tenant.js';
import { type Books, createBooks } from './books.js';
import type { Fees, FeeTerms } from './fees.js';

/** A deal with all its records: the input of a decision. */
export type DealState = { readonly deal: Row<'deal'> } & {
  readonly [K in DealPart]: readonly Row<K>[];
};

type LifeKind = 'deal' | DealPart;

/** The kinds that a decision adds, and that are not read with the deal. */
type NotedKind = 'proposal' | 'terms';

/** An event of a deal, before it gets its id. */
export interface Emitted {
  readonly type: string;
  readonly data: Json;
  /** Who caused it, if not the caller: the clock, whose commands come first (decision 10.15). */
  readonly actor?: Actor;
}

/** The changes of a decision to a deal: a part of one write. */
export interface Changes {
  readonly insert: readonly {
    [K in DealPart | NotedKind]: { readonly kind: K; readonly row: Row<K> };
  }[DealPart | NotedKind][];
  readonly change: readonly {
    [K in LifeKind]: {
      readonly kind: K;
      readonly key: KeyOf<K>;
      readonly set: Partial<Pick<Row<K>, (typeof records)[K]['changes'][number] & keyof Row<K>>>;
    };
  }[LifeKind][];
  readonly events: readonly Emitted[];
  /** The most closed proposals of this side that the deal may have for it: one more is `too_many`. */
  readonly atMost?: { readonly proposed_by: Actor; readonly count: number };
}

/** The time of a decision, the source of ids, and the way that money is moved. */
export interface Moment {
  /** Business time; RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** The time that no sandbox has moved, which decides when effects are due; default `now`. */
  readonly real?: string;
  newId(): string;
  /** SHA-256, 64 hexadecimal digits: a decision about terms throws without it. */
  digest?(text: string): string;
  /** The fees of a version of the terms; without it, those of the deal stay. */
  feesOf?(terms: FeeTerms): Fees;
  /** The id of a new stage: after those of all others. */
  stageId?(): number;
  /** Days of a stage that sets none; default 30. */
  readonly workDays?: number;
  /** Days after which a proposal expires; default 14. */
  readonly proposalDays?: number;
  /** Days before an offer ends that the clock tells of it, 0 for never; default 3. */
  readonly expiryNoticeDays?: number;
  /** Days before a stage is approved by itself that the clock tells of it, 0 for never; default 2. */
  readonly reviewNoticeDays?: number;
  /** The most that is written off by itself in all, and the least surplus that nobody is told of; default 0. */
  readonly tolerance?: Money;
  /** Whether money that is finer than the currency's unit is refused (decision 10.13). */
  readonly wholeUnits?: boolean;
  /** Whether a gateway moves money; else the operator moves it by hand, and reports it. */
  readonly executes?: boolean;
}

/**
 * A deal while it is being changed: rows are replaced, and never modified. A decision's work for
 * one row must not walk through all rows: they are found by their keys, and summed up once.
 */
export interface Draft extends Moment {
  /** As it is now. */
  readonly state: DealState;
  /** As it was at the start. */
  readonly before: DealState;
  /** The sums of the postings as they are now. */
  readonly books: Books;
  /** A record as it is now; it was read, or inserted by this draft. */
  find<K extends DealPart>(kind: K, key: KeyOf<K>): Row<K> | undefined;
  /** The intents of a payment as they are now. */
  intentsOf(payment_id: string): readonly Row<'intent'>[];
  insert<K extends DealPart>(kind: K, row: Omit<Row<K>, 'partner_id'>): Row<K>;
  change<K extends LifeKind>(kind: K, row: Row<K>, set: Partial<Row<K>>): void;
  /** Adds a record that no decision reads. */
  note<K extends NotedKind>(kind: K, row: Omit<Row<K>, 'partner_id'>): void;
  emit(type: string, data: Json): void;
  changes(): Changes;
}

/** The changes of a draft to one row. */
interface Touched {
  readonly kind: LifeKind;
  readonly key: string | number;
  /** The index of the row among those of its kind; rows are only ever added after them. */
  readonly at: number;
  readonly isNew: boolean;
  /** The fields that were set, some of them perhaps to the old value. */
  readonly fields: Set<string>;
}

const nameOf = (kind: string, key: string | number): string => `${kind} ${key}`;

const keyOf = (kind: LifeKind | NotedKind, row: object): string | number =>
  Reflect.get(row, shapeOf(kind).key) as string | number;

/** Starts a draft of a deal. */
export function createDraft(before: DealState, moment: Moment): Draft {
  const state: Record<string, unknown> = { ...before };
  const touched = new Map<string, Touched>();
  const events: Emitted[] = [];
  const noted: object[] = [];
  const places = new Map<LifeKind, Map<string | number, number>>();
  const intents = new Map<string, string[]>();
  // no getter of the draft: V8 makes a hidden class of its own for each object with one
  const books = createBooks(before.posting);

  // the deal is the only one of its kind
  const rowsOf = (from: object, kind: LifeKind): object[] => {
    const rows: object | object[] = Reflect.get(from, kind);
    return Array.isArray(rows) ? rows : [rows];
  };
  const placesOf = (kind: LifeKind) => {
    const known = places.get(kind) ?? placesIn(kind, rowsOf(state, kind));
    places.set(kind, known);
    return known;
  };
  const touch = (kind: LifeKind, key: string | number, at: number, isNew: boolean): Touched => {
    const name = nameOf(kind, key);
    const known = touched.get(name) ?? { kind, key, at, isNew, fields: new Set() };
    touched.set(name, known);
    return known;
  };
  /** The rows of a kind as a list to modify: those that were read stay as they are. */
  const ownRows = (kind: DealPart): object[] => {
    if (state[kind] === before[kind]) state[kind] = [...before[kind]];
    return state[kind] as object[];
  };
  const find = (kind: LifeKind, key: string | number): object | undefined => {
    const at = placesOf(kind).get(key);
    return at === undefined ? undefined : rowsOf(state, kind)[at];
  };
  const noteIntent = ({ payment_id, id }: Row<'intent'>) => {
    const known = intents.get(payment_id);
    if (known === undefined) intents.set(payment_id, [id]);
    else known.push(id);
  };
  const intentsOf = (payment_id: string) => {
    if (intents.size === 0) before.intent.forEach(noteIntent);
    return (intents.get(payment_id) ?? []).map((id) => find('intent', id) as Row<'intent'>);
  };
  return {
    state: state as DealState,
    before,
    books,
    find: (kind, key) => find(kind, key) as Row<typeof kind> | undefined,
    intentsOf,
    insert(kind, given) {
      const row = { ...given, partner_id: before.deal.partner_id } as Row<typeof kind>;
      const key = keyOf(kind, row);
      // before the row is added: the index is made from the rows read
      if (kind === 'intent' && intents.size === 0) before.intent.forEach(noteIntent);
      const at = ownRows(kind).push(row) - 1;
      places.get(kind)?.set(key, at);
      if (kind === 'intent') noteIntent(row as Row<'intent'>);
      if (kind === 'posting') books.add(row as Row<'posting'>);
      touch(kind, key, at, true);
      return row;
    },
    change(kind, row, set) {
      const key = keyOf(kind, row);
      const now = find(kind, key) as object;
      const names = Object.keys(set).filter(
        (name) => Reflect.get(now, name) !== Reflect.get(set, name),
      );
      if (names.length === 0) return;
      const at = placesOf(kind).get(key) as number;
      const { fields } = touch(kind, key, at, false);
      for (const name of names) fields.add(name);
      const changed = changedRow(now, set);
      if (kind === 'deal') state['deal'] = changed;
      else ownRows(kind)[at] = changed;
    },
    note(kind, given) {
      noted.push({ kind, row: { ...given, partner_id: before.deal.partner_id } });
    },
    emit: (type, data) => void events.push({ type, data }),
    changes() {
      const all = [...touched.values()];
      // kinds and rows belong together, which the compiler cannot see here
      return {
        insert: [
          ...all.flatMap(({ kind, at, isNew }) =>
            isNew ? [{ kind, row: rowsOf(state, kind)[at] }] : [],
          ),
          ...noted,
        ],
        change: all.flatMap(({ kind, key, at, isNew, fields }) => {
          if (isNew) return [];
          const [was, is] = [rowsOf(before, kind)[at], rowsOf(state, kind)[at]];
          const set = difference(fields, was as object, is as object);
          return Object.keys(set).length === 0 ? [] : [{ kind, key, set }];
        }),
        events,
      } as Changes;
    },
    // last: members after a spread cost more than all the rest of a small decision
    ...moment,
  };
}

/** The index of each row of a kind, by its key. */
function placesIn(kind: LifeKind, rows: readonly object[]): Map<string | number, number> {
  return new Map(rows.map((row, at) => [keyOf(kind, row), at]));
}

function difference(fields: ReadonlySet<string>, before: object, after: object) {
  const set: Record<string, Value> = {};
  for (const name of fields) {
    const value: Value = Reflect.get(after, name);
    if (Reflect.get(before, name) !== value) set[name] = value;
  }
  return set;
}

/** A copy with these fields: two spreads in one literal are several times as slow. */
function changedRow(row: object, set: object): object {
  return Object.assign({ ...row }, set);
}

/** Says whether a kind is read with its deal. */
export const isPart = (kind: DealPart | NotedKind): kind is DealPart =>
  kind !== 'proposal' && kind !== 'terms';

/**
 * The deal after these changes, as a store has it once they are committed.
 *
 * @example
 * ```ts
 * import { applyChanges, type Changes, type DealState } from 'dealwright/life';
 *
 * const replay = (deal: DealState, all: readonly Changes[]): DealState =>
 *   all.reduce(applyChanges, deal);
 * ```
 */
export function applyChanges(state: DealState, { insert, change }: Changes): DealState {
  const after: Record<string, unknown> = { ...state };
  const places = new Map<LifeKind, Map<string | number, number>>();
  const ownRows = (kind: DealPart): object[] => {
    if (after[kind] === state[kind]) after[kind] = [...state[kind]];
    return after[kind] as object[];
  };
  for (const { kind, key, set } of change) {
    if (kind === 'deal') {
      after['deal'] = changedRow(state.deal, set);
      continue;
    }
    const known = places.get(kind) ?? placesIn(kind, state[kind]);
    places.set(kind, known);
    const at = known.get(key) as number;
    ownRows(kind)[at] = changedRow(state[kind][at] as object, set);
  }
  for (const { kind, row } of insert) if (isPart(kind)) ownRows(kind).push(row);
  return after as DealState;
}

/** The changes of two decisions, the second one about the deal as the first has left it. */
export function both(first: Changes, second: Changes): Changes {
  const sets = new Map(first.change.map((each) => [nameOf(each.kind, each.key), each.set]));
  const rows = new Map(first.insert.map(({ kind, row }) => [nameOf(kind, keyOf(kind, row)), row]));
  const further: object[] = [];
  for (const each of second.change) {
    const name = nameOf(each.kind, each.key);
    const [set, row] = [sets.get(name), rows.get(name)];
    if (row !== undefined) rows.set(name, changedRow(row, each.set) as typeof row);
    else if (set !== undefined) sets.set(name, { ...set, ...each.set });
    else further.push(each);
  }
  const changed = first.change.map(({ kind, key }) => ({
    ...{ kind, key },
    set: sets.get(nameOf(kind, key)),
  }));
  const inserted = first.insert.map(({ kind, row }) => ({
    kind,
    row: rows.get(nameOf(kind, keyOf(kind, row))),
  }));
  const { atMost } = second;
  const closed = first.insert.filter(
    ({ kind, row }) => kind === 'proposal' && row.proposed_by === atMost?.proposed_by,
  );
  // kinds and rows belong together, which the compiler cannot see here
  return {
    ...(atMost && { atMost: { ...atMost, count: atMost.count - closed.length } }),
    insert: [...inserted, ...second.insert],
    change: [...changed, ...further],
    events: [...first.events, ...second.events],
  } as Changes;
}

/** What an event of a payment tells, if the payment itself does not say it. */
interface Told {
  /** What has happened; default: the status of the payment. */
  readonly what?: EmployerReportStatus | 'refund_retried' | 'overpaid' | 'waiting' | 'returned';
  /** The amount that moved, or that it is about; default: that of the payment. */
  readonly amount?: bigint;
  /** What it is about, if nothing moved; default: the amount of the payment. */
  readonly asked?: bigint;
  readonly reference?: string;
  /** Of a payout: how often it had been sent again before. */
  readonly attempt?: number;
}

const textOf = (units: bigint): string => formatMoney(fromMinorUnits(units));

/**
 * Emits an event of a payment as it is now, named by what has happened, with the amount that moved
 * (decision 10.7); of a payout it is about the last attempt unless it names another.
 */
export function paymentEvent(
  draft: Draft,
  kind: 'employer_payment' | 'contractor_payment',
  payment_id: string,
  told: Told = {},
): void {
  const found = draft.find(kind, payment_id);
  const payment = found as Row<'employer_payment'> | Row<'contractor_payment'>;
  const { id, status } = payment;
  const { partner_id, currency } = draft.state.deal;
  const { what, asked } = told;
  const amount = told.amount === undefined ? payment.amount : textOf(told.amount);
  const reference = told.reference ?? payment.reference;
  const data = {
    ...{ partner_id, payment_id: id, amount, currency, status, payment_status: status, reference },
    ...(told.amount === 0n && { asked: asked === undefined ? payment.amount : textOf(asked) }),
    ...('stage_id' in payment && {
      stage_ids: [payment.stage_id],
      attempt: (told.attempt ?? payment.retries) + 1,
    }),
    ...(what === 'waiting' && { waits_for: shownReason(payment.reason) }),
    ...(what === undefined && status === 'failed' && toldReason(payment.reason)),
  };
  draft.emit(`${kind}.${what ?? status}`, data);
}

const toldReason = (reason: WaitReason | null) =>
  reason === null ? {} : { reason: shownReason(reason) };

/** Emits an event of a deal as it is now. */
export function dealEvent(draft: Draft, type: string, more: Json): void {
  const { partner_id, status, freelancer_status } = draft.state.deal;
  draft.emit(type, { partner_id, status, freelancer_status, ...more });
}
