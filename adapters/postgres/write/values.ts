import {
  type CommitOutcome,
  type Expectation,
  type RecordKind,
  shapeOf,
  type Tenant,
  type Value,
  type Where,
  type WriteSet,
} from 'dealwright/ports';
import type { Weighed } from '../../sql/gather.js';
import { columnValue, recordKinds } from '../../sql/tables.js';
import { tenantText } from '../../sql/tenant.js';
import { arrayText } from '../connection/send.js';
import { parameterNames } from '../functions/batch.js';

/** A write on its way, and its tenant. */
export interface Write {
  readonly tenant: Tenant;
  readonly set: WriteSet;
}

type Key = string | number;

/** A change of a record, and the number of events that its version grows by. */
interface Change {
  readonly kind: RecordKind;
  readonly key: Key;
  readonly moves: number;
  readonly given: Readonly<Record<string, Value | undefined>>;
}

const fieldNames = new Map(recordKinds.map((kind) => [kind, Object.keys(shapeOf(kind).fields)]));
/** The database gives an event its sequence. */
const eventNames = Object.keys(shapeOf('event').fields).filter((name) => name !== 'sequence');

/** The changes of a write, including the version of its subject. */
function changesOf({ change, insert, subject, events }: WriteSet): readonly Change[] {
  const isNew = ({ kind, row }: WriteSet['insert'][number]) =>
    kind === subject?.kind && Object(row)[shapeOf(kind).key] === subject.key;
  const moved = subject === undefined || insert.some(isNew) ? undefined : subject;
  const changes: Change[] = change.map(({ kind, key, set }) => {
    const isMoved = kind === moved?.kind && key === moved.key;
    return { kind, key, moves: isMoved ? events.length : 0, given: set };
  });
  if (moved === undefined || changes.some(({ moves }) => moves > 0)) return changes;
  return [...changes, { ...moved, moves: events.length, given: {} }];
}

/** The values of `commit_one`: the write as words, each with its values after it. */
export function valuesOfOne({ tenant, set }: Write): (string | number)[] {
  const { attempt, expect, insert, events } = set;
  const words: Value[] = [];
  for (const expected of expect) pushExpectation(words, expected);
  // a race for shared records is decided before anything else is written
  for (const isShared of [true, false]) {
    for (const { kind, row } of insert) {
      if ((shapeOf(kind).of === 'environment') !== isShared) continue;
      words.push(`insert ${kind}`);
      for (const name of fieldNames.get(kind) ?? []) words.push(Object(row)[name] ?? null);
    }
  }
  for (const { kind, key, moves, given } of changesOf(set)) {
    words.push(`change ${kind}`, key, moves, JSON.stringify(given));
  }
  for (const event of events) {
    words.push('event');
    for (const name of eventNames) words.push(columnValue(Object(event)[name]));
  }
  return [tenantText(tenant), attempt, events.length, arrayText(words)];
}

function pushExpectation(words: Value[], expected: Expectation): void {
  if ('absent' in expected) words.push(`absent ${expected.absent}`, expected.key);
  else if ('fewer' in expected) {
    words.push(`fewer ${expected.fewer}`, expected.under ?? null, expected.than);
    pushConditions(words, expected.fewer, expected.where);
  } else {
    words.push(`present ${expected.present}`, expected.key);
    pushConditions(words, expected.present, expected.where);
  }
}

function pushConditions(words: Value[], kind: RecordKind, where: Where = {}): void {
  for (const field of shapeOf(kind).conditions) {
    const allowed = where[field];
    words.push(allowed === undefined ? null : arrayText(allowed));
  }
}

/** Texts of JSON that make up the parameters of `commit`, each with its rows. */
type Rows = Map<string, string[]>;

/** The values of `commit`: writes of any tenants, of which no two name the same record. */
export function valuesOfMany(writes: readonly Write[]): (string | null)[] {
  const rows: Rows = new Map();
  // the database counts from 1
  for (const [at, { set }] of writes.entries()) addRows(rows, `{"n":${at + 1},`, set);
  const texts = [...parameterNames, 'events'].map((name) => {
    const found = rows.get(name);
    return found === undefined ? null : `[${found.join(',')}]`;
  });
  return [
    arrayText(writes.map(({ tenant }) => tenantText(tenant))),
    arrayText(writes.map(({ set }) => set.attempt)),
    arrayText(writes.map(({ set }) => set.events.length)),
    ...texts,
  ];
}

/** The values of `commit_node`: the same, for the node of the first. */
export function valuesOfNode(writes: readonly Write[]): (string | null)[] {
  const [first] = writes as readonly [Write];
  return [tenantText(first.tenant), ...valuesOfMany(writes)];
}

/** Adds the rows of one write, which all start alike. */
function addRows(rows: Rows, begin: string, set: WriteSet): void {
  // text by text: copying a row with a few more members takes several times as long
  const add = (name: string, row: object, more = '') => {
    const text = `${begin}${more}${JSON.stringify(row).slice(1)}`;
    const own = rows.get(name);
    if (own === undefined) rows.set(name, [text]);
    else own.push(text);
  };
  for (const [i, expected] of set.expect.entries()) {
    if ('absent' in expected) {
      add(`${expected.absent} expected`, { i, absent: true, key: expected.key });
    } else if ('fewer' in expected) {
      const { fewer, under, than, where } = expected;
      add(`${fewer} counted`, { i, key: under, than, ...where });
    } else {
      const { present, key, where } = expected;
      add(`${present} expected`, where === undefined ? { i, key } : { i, key, ...where });
    }
  }
  for (const { kind, row } of set.insert) add(`${kind} inserted`, row);
  for (const { kind, key, moves, given } of changesOf(set)) {
    add(`${kind} changed`, { key, moves, given });
  }
  for (const [at, event] of set.events.entries()) add('events', event, `"sequence":${at + 1},`);
}

/**
 * The size of a write in a batch, and the records that it names. A record under another counts as a
 * part of that one. All records of a kind have a name too: writes that add to them, or change them,
 * go together, and none of these goes with one that counts them.
 */
export function weigh({ tenant, set }: Write): Weighed {
  const { environment } = tenant;
  const name = tenantText(tenant);
  const nameOf = (kind: string, key: Key) => {
    const isShared = shapeOf(kind as RecordKind).of === 'environment';
    return `${isShared ? environment : name} ${kind} ${key}`;
  };
  const allOf = (kind: RecordKind) => nameOf(kind, '');
  const reads: string[] = [];
  const changes: string[] = [];
  let size = 0;
  for (const expected of set.expect) {
    if ('absent' in expected) changes.push(nameOf(expected.absent, expected.key));
    else if ('fewer' in expected) {
      const { under, changes: changing } = shapeOf(expected.fewer);
      if (under !== undefined) reads.push(nameOf(under.kind, expected.under ?? ''));
      const asked = Object.keys(expected.where ?? {});
      const mayGrow = asked.some((field) => field === 'version' || changing.includes(field));
      if (under === undefined || mayGrow) changes.push(allOf(expected.fewer));
    } else reads.push(nameOf(expected.present, expected.key));
  }
  for (const { kind, row } of set.insert) {
    const { key, under } = shapeOf(kind);
    const values: Readonly<Record<string, Key>> = Object(row);
    for (const field in values) size += lengthOf(values[field]);
    if (under === undefined) {
      changes.push(nameOf(kind, values[key] ?? ''));
      reads.push(allOf(kind));
    } else changes.push(nameOf(under.kind, values[under.by] ?? ''));
  }
  for (const { kind, key } of [
    ...set.change,
    ...(set.subject === undefined ? [] : [set.subject]),
  ]) {
    changes.push(nameOf(kind, key));
    reads.push(allOf(kind));
  }
  return { size, reads, changes };
}

/** Only texts are long. */
function lengthOf(value: Key | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}

/** The reason of a refused write. */
export interface Obstacle {
  readonly expectation: number;
  /** Whether it is this very attempt. */
  readonly made: boolean | null;
  readonly first: { readonly fingerprint: string; readonly answer: string } | null;
}

/** The outcome of a write with this answer of the database. */
export function outcomeOf(obstacle: Obstacle | null): CommitOutcome {
  if (obstacle === null || obstacle.made === true) return { outcome: 'committed' };
  const { expectation, first } = obstacle;
  return { outcome: 'refused', expectation, ...(first === null ? {} : { first }) };
}
