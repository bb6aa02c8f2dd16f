import {
  type AnyRow,
  type Kind,
  type RecordKind,
  type Row,
  shapeOf,
  type Value,
} from '../../src/domain/records/records.js';
import { membersOf } from '../../src/domain/records/stored.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { Expectation, WriteSet } from '../../src/ports/write-set.js';
import type { Model } from './model.js';
import type { Asked, Plan, Universe } from './plans.js';
import { few, listsOf, type Operation, readsOf, times } from './reads.js';
import { kindsUnder, recordKinds, type Values } from './rows.js';
import { ask, nextId } from './subject.js';
import { absent, changeOf, eventOf, insertOf, present, writeOf } from './writes.js';

/** The calls of a plan, with the model's current integers, versions and positions. */
export function operationsOf(plan: Plan, names: Universe, model: Model): readonly Operation[] {
  const tenant = names.tenants[plan.who] as Tenant;
  if (plan.does === 'read') return readsOf(plan, names, tenant, model);
  if (plan.does === 'list') return listsOf(plan, tenant, model);
  if (plan.does === 'write') {
    names.sent.push({ tenant, write: writeOfPlan(plan, names, tenant, model) });
  }
  // a write without inserts is not recognized, and would log its events twice
  const known = names.sent.filter(({ write }) => write.insert.length > 0);
  const sent = plan.does === 'write' ? names.sent.at(-1) : known.at(-1 - plan.value);
  if (sent === undefined) return [];
  return [
    {
      what: `the write ${JSON.stringify(sent)}`,
      run: (store) => ask(store.commit(sent.tenant, sent.write)),
      expect: (now) => now.commit(sent.tenant, sent.write),
    },
  ];
}

/** A write as the port allows it: inserted records are new, changed ones exist. */
function writeOfPlan(plan: Plan, names: Universe, tenant: Tenant, model: Model): WriteSet {
  const { key: own, more } = plan;
  const values = rotated(names.values, plan.value);
  const insert: WriteSet['insert'][number][] = [];
  const change: WriteSet['change'][number][] = [];
  const nameOf = (kind: RecordKind, name: number) => names.names(kind)[name] as string;
  // a key of the type of the kind; no record has it if the name is free
  const newKeyOf = (kind: RecordKind, name: number): string | number => {
    const { key, number } = shapeOf(kind);
    return key === number ? Number.MAX_SAFE_INTEGER : nameOf(kind, name);
  };
  const keyOf = (kind: RecordKind, name: number): string | number => {
    const { key } = shapeOf(kind);
    const rows = model.rows(tenant, kind);
    const row = plan.isStray ? undefined : rows[name % Math.max(1, rows.length)];
    return (row?.[key] ?? newKeyOf(kind, name)) as string | number;
  };
  const whereOf = (kind: RecordKind, key: string | number, { where, off }: Asked) => {
    const row = model.of(tenant).find(kind, key);
    const asked = shapeOf(kind).conditions.filter((_, at) => (where >> at) % 2 === 1);
    return Object.fromEntries(
      asked.map((field): [string, Value[]] => {
        const isNumber = membersOf(kind)[field]?.type === 'integer';
        const unknown = isNumber ? 1 : '';
        const stored = row === undefined ? unknown : (row[field] ?? null);
        if (typeof stored === 'number') return [field, [stored + off]];
        const other = fewOf(kind, field, where);
        return [field, off === 0 ? [stored, other] : [other]];
      }),
    );
  };
  const put = (kind: RecordKind, key: string | number, parent: string | number) => {
    const shape = shapeOf(kind);
    const given: Record<string, Value> = selected(kind, plan);
    if (shape.number !== undefined) given[shape.number] = names.next(tenant);
    if (key !== '') given[shape.key] = key;
    if (shape.under !== undefined) given[shape.under.by] = parent;
    insert.push(insertOf<RecordKind>(kind, given as Partial<Row<RecordKind>>, values));
    return given[shape.key] as string | number;
  };

  const isMeant = ({ kind, form }: Pick<Asked, 'kind' | 'form'>) =>
    form === 'absent' || plan.isStray || model.rows(tenant, kind).length > 0;
  const askedOf = (each: Asked): Expectation => {
    if (each.form === 'absent') return absent(each.kind, newKeyOf(each.kind, each.name));
    const key = keyOf(each.kind, each.name);
    const under = shapeOf(each.kind).under?.kind as RecordKind | undefined;
    const where = whereOf(each.kind, key, each);
    if (each.form === 'present' || shapeOf(each.kind).of === 'environment') {
      return present(each.kind, key, where);
    }
    const parent = under && String(keyOf(under, each.name));
    const than = model.of(tenant).count(each.kind, parent, where) + 1 + each.off;
    const counted = { fewer: each.kind, than, where };
    return (parent === undefined ? counted : { ...counted, under: parent }) as Expectation;
  };

  const first: Expectation[] = [];
  if (own !== undefined && plan.kind !== 'answer') {
    first.push(absent('answer', put('answer', nameOf('answer', own), '')));
  }
  const needed: Expectation[] = [];
  const { subject, parent, presences } = aboutOf(plan, nameOf, keyOf);
  if (plan.kind !== undefined) {
    const isNumbered = shapeOf(plan.kind).key === shapeOf(plan.kind).number;
    const key = put(plan.kind, isNumbered ? '' : nameOf(plan.kind, plan.name), parent);
    first.push(absent(plan.kind, key));
    for (const kind of kindsUnder(plan.kind).filter(() => more > 0)) {
      const isFree = shapeOf(kind).key === shapeOf(kind).number;
      for (let at = 0; at < more; at += 1) put(kind, isFree ? '' : nextId(), key);
    }
  }
  needed.push(...presences);
  for (const each of plan.changes.filter(isMeant)) {
    const key = keyOf(each.kind, each.name);
    const isTaken = [...change, ...insertedKeys(insert)].some(
      (other) => other.kind === each.kind && other.key === key,
    );
    if (isTaken) continue;
    const { changes } = shapeOf(each.kind);
    const set = changes.filter((_, at) => at === each.set % changes.length || each.set > 11);
    const pairs = set.map((field, at) => [field, fewOf(each.kind, field, each.set + at)]);
    change.push(changeOf(each.kind, key, Object.fromEntries(pairs)));
    needed.push(present(each.kind, key, whereOf(each.kind, key, each)));
  }
  const [before = [], ...after] = plan.asks.filter(isMeant).map((each) => [askedOf(each)]);
  const events = Array.from({ length: plan.events }, () =>
    eventOf(subject.kind, subject.key, values),
  );
  const expect = [...first, ...before, ...needed, ...after.flat()];
  return writeOf({ expect, insert, change, subject, events });
}

type Subject = NonNullable<WriteSet['subject']>;

/**
 * The subject of the events of a plan, the record that its own is under, and the expectations that
 * they are present.
 */
function aboutOf(
  plan: Plan,
  nameOf: (kind: RecordKind, name: number) => string,
  keyOf: (kind: RecordKind, name: number) => string | number,
) {
  const { kind, name, value, more } = plan;
  const subjects = recordKinds.filter((each) => shapeOf(each).isSubject) as Subject['kind'][];
  const own = subjects.find((each) => each === kind);
  const above = subjects.find((each) => kind !== undefined && shapeOf(kind).under?.kind === each);
  const other = above ?? subjects[(value + 1) % subjects.length] ?? 'deal';
  const about = keyOf(other, plan.parent);
  if (own !== undefined) {
    const subject: Subject = { kind: own, key: nameOf(own, name) };
    return { subject, parent: about, presences: [] };
  }
  const subject: Subject = { kind: other, key: String(about) };
  const parentKind = kind && (shapeOf(kind).under?.kind as RecordKind | undefined);
  if (parentKind !== undefined && parentKind !== other) {
    // its parent has no events: they are about another record
    const parent = keyOf(parentKind, plan.parent);
    return { subject, parent, presences: [present(parentKind, parent), present(other, about)] };
  }
  // the presence of a part also proves its presence
  const part = kindsUnder(other).find((each) =>
    shapeOf(each).conditions.includes(shapeOf(each).under?.by ?? ''),
  );
  if (part === undefined || value % 2 === 0) {
    return { subject, parent: about, presences: [present(other, about)] };
  }
  const by = shapeOf(part).under?.by ?? '';
  const presence = present(part, keyOf(part, more), { [by]: [about] });
  return { subject, parent: about, presences: [presence] };
}

function insertedKeys(insert: WriteSet['insert']) {
  return insert.map(({ kind, row }) => ({ kind, key: (row as AnyRow)[shapeOf(kind).key] }));
}

/** The fields of a plan's row with few values, so that filters find them. */
function selected(kind: Kind, { value }: Plan): Record<string, Value> {
  const { conditions, indexes, fields, key } = shapeOf(kind);
  const given: Record<string, Value> = {};
  for (const field of new Set([...conditions, ...indexes.flat()])) {
    if (fields[field] === undefined || field === key) continue;
    given[field] = fewOf(kind, field, value);
  }
  return given;
}

const fewNumbers = [0, 7, 12] as const;
const fewAmounts = ['0.00', '12.34', '-1.00'] as const;

/** One of the few values of a field. */
function fewOf(kind: Kind, field: string, nth: number): Value {
  const { type, isOptional } = shapeOf(kind).fields[field] ?? { type: 'text', isOptional: false };
  // a token belongs to one deal
  if (field === 'payment_token') return nth % 3 === 0 ? null : `token-${nextId()}`;
  if (field === 'attention') return nth % 2 === 0 ? null : 'true';
  if (isOptional && nth % 7 === 0) return null;
  if (type === 'integer') return fewNumbers[nth % 3] ?? 0;
  if (type === 'money') return fewAmounts[nth % 3] ?? '0.00';
  return (field.endsWith('_at') ? times : few)[nth % 3] ?? '';
}

/** The values, with another first one for each type. */
function rotated(values: Values, by: number): Values {
  const turn = <T>(all: readonly T[]) => [
    ...all.slice(by % all.length),
    ...all.slice(0, by % all.length),
  ];
  const { text, integer, money, json, isNull } = values;
  return {
    ...{ text: turn(text), integer: turn(integer), money: turn(money) },
    ...{ json: turn(json), isNull: turn(isNull) },
  };
}
