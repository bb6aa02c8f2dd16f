import {
  type DealPart,
  type Json,
  type KeyOf,
  type Row,
  type records,
  shapeOf,
  type Value,
} from '../records.js';

/** A deal with all that belongs to it: what a decision is made from. */
export type DealState = { readonly deal: Row<'deal'> } & {
  readonly [K in DealPart]: readonly Row<K>[];
};

type LifeKind = 'deal' | DealPart;

/** An event of a deal, before it gets its id. */
export interface Emitted {
  readonly type: string;
  readonly data: Json;
}

/** What a decision does to a deal: a part of one write. */
export interface Changes {
  readonly insert: readonly {
    [K in DealPart]: { readonly kind: K; readonly row: Row<K> };
  }[DealPart][];
  readonly change: readonly {
    [K in LifeKind]: {
      readonly kind: K;
      readonly key: KeyOf<K>;
      readonly set: Partial<Pick<Row<K>, (typeof records)[K]['changes'][number] & keyof Row<K>>>;
    };
  }[LifeKind][];
  readonly events: readonly Emitted[];
}

/** When it happens, where ids come from, and who moves money. */
export interface Moment {
  /** Business time; RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** The time that no sandbox has moved, by which effects are due; default `now`. */
  readonly real?: string;
  newId(): string;
  /** Whether a gateway moves it; else somebody does it by hand, and reports it. */
  readonly executes?: boolean;
}

/** A deal while it is being changed: rows are replaced, and never written into. */
export interface Draft extends Moment {
  /** As it is by now. */
  readonly state: DealState;
  /** As it was. */
  readonly before: DealState;
  insert<K extends DealPart>(kind: K, row: Omit<Row<K>, 'partner_id'>): Row<K>;
  change<K extends LifeKind>(kind: K, row: Row<K>, set: Partial<Row<K>>): void;
  emit(type: string, data: Json): void;
  changes(): Changes;
}

/** What a draft has done to a row. */
interface Touched {
  readonly kind: LifeKind;
  readonly key: string | number;
  readonly isNew: boolean;
  /** The fields that were given another value, some of them perhaps the old one again. */
  readonly fields: Set<string>;
}

/** Begins to change a deal. */
export function createDraft(before: DealState, moment: Moment): Draft {
  const state: Record<string, unknown> = { ...before };
  const touched = new Map<string, Touched>();
  const events: Emitted[] = [];
  const keyOf = (kind: LifeKind, row: object): string | number =>
    Reflect.get(row, shapeOf(kind).key) as string | number;
  // what is sought was read, or inserted by this draft
  const find = (from: object, kind: LifeKind, key: unknown): object => {
    const rows: object | readonly object[] = Reflect.get(from, kind);
    return Array.isArray(rows) ? rows.find((row) => keyOf(kind, row) === key) : rows;
  };
  const touch = (kind: LifeKind, key: string | number, isNew: boolean): Touched => {
    const name = `${kind} ${key}`;
    const known = touched.get(name) ?? { kind, key, isNew, fields: new Set() };
    touched.set(name, known);
    return known;
  };
  return {
    state: state as DealState,
    before,
    ...moment,
    insert(kind, given) {
      const row = { ...given, partner_id: before.deal.partner_id } as Row<typeof kind>;
      state[kind] = [...(state[kind] as object[]), row];
      touch(kind, keyOf(kind, row), true);
      return row;
    },
    change(kind, row, set) {
      const key = keyOf(kind, row);
      const now = find(state, kind, key);
      const names = Object.keys(set).filter(
        (name) => Reflect.get(now, name) !== Reflect.get(set, name),
      );
      if (names.length === 0) return;
      const { fields } = touch(kind, key, false);
      for (const name of names) fields.add(name);
      const changed = changedRow(now, set);
      const rows = state[kind] as object[];
      state[kind] = kind === 'deal' ? changed : rows.map((each) => (each === now ? changed : each));
    },
    emit: (type, data) => void events.push({ type, data }),
    changes() {
      const all = [...touched.values()];
      // kinds and rows belong together, which no compiler can see here
      return {
        insert: all.flatMap(({ kind, key, isNew }) =>
          isNew ? [{ kind, row: find(state, kind, key) }] : [],
        ),
        change: all.flatMap(({ kind, key, isNew, fields }) => {
          if (isNew) return [];
          const set = difference(fields, find(before, kind, key), find(state, kind, key));
          return Object.keys(set).length === 0 ? [] : [{ kind, key, set }];
        }),
        events,
      } as Changes;
    },
  };
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

/**
 * The deal after these changes: what a store has once it has made them.
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
  for (const { kind, row } of insert) after[kind] = [...(after[kind] as object[]), row];
  for (const { kind, key, set } of change) {
    const name = shapeOf(kind).key;
    after[kind] =
      kind === 'deal'
        ? changedRow(state.deal, set)
        : (after[kind] as object[]).map((row) =>
            Reflect.get(row, name) === key ? changedRow(row, set) : row,
          );
  }
  return after as DealState;
}
