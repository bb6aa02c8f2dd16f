import type { DealFilter } from '../../src/domain/deal-list.js';
import {
  type AnyRow,
  type Kind,
  type RecordKind,
  type Row,
  shapeOf,
  type Value,
} from '../../src/domain/records.js';
import type { DealStatus, FreelancerStatus } from '../../src/domain/status.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { DealRange, Store } from '../../src/ports/store.js';
import type { Expectation, WriteSet } from '../../src/ports/write-set.js';
import { type Model, rangeOf } from './model.js';
import type { Asked, Plan, Universe } from './plans.js';
import { kindsUnder, recordKinds, type Values } from './rows.js';
import { parts } from './session.js';
import { ask, nextId } from './subject.js';
import { absent, changeOf, eventOf, insertOf, present, writeOf } from './writes.js';

/** One call of a store, and what the model says of it. */
export interface Operation {
  /** For who reads that it failed. */
  readonly what: string;
  run(store: Store): Promise<unknown>;
  expect(model: Model): unknown;
}

/** The few values of the fields that lists and expectations ask about. */
const few = ['created', 'accepted', 'Created'] as const;
const times = [
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
] as const;

/** The calls that a plan is, made of what the model holds now: integers, versions and positions. */
export function operationsOf(plan: Plan, names: Universe, model: Model): readonly Operation[] {
  const tenant = names.tenants[plan.who] as Tenant;
  if (plan.does === 'read') return readsOf(plan, names, tenant, model);
  if (plan.does === 'list') return listsOf(plan, tenant, model);
  if (plan.does === 'write') {
    names.sent.push({ tenant, write: writeOfPlan(plan, names, tenant, model) });
  }
  // what inserts nothing is not known again, and would tell of its events twice
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

function readsOf(plan: Plan, names: Universe, tenant: Tenant, model: Model): readonly Operation[] {
  const wanted = parts.filter((_, at) => (plan.value >> at) % 2 === 0);
  const partOf = (now: Model, partner_id: Value | undefined) => {
    const found = partner_id === undefined ? undefined : now.deal(tenant, String(partner_id));
    const some = found && wanted.map((part) => [part, found[part]]);
    return found && { deal: found.deal, ...Object.fromEntries(some ?? []) };
  };
  const deals = model.rows(tenant, 'deal');
  const known = plan.isStray ? undefined : deals[plan.name % Math.max(1, deals.length)];
  const partner_id = String(known?.['partner_id'] ?? names.names('deal')[plan.name]);
  const files = names.names('work_file');
  const id = [...model.named.ids].at(-1 - plan.more) ?? 1;
  return [
    {
      what: `the deal ${partner_id}`,
      run: (store) => ask(store.deals.byPartnerId(tenant, partner_id, wanted)),
      expect: (now) => partOf(now, partner_id),
    },
    {
      what: `the deal ${id}`,
      run: (store) => ask(store.deals.byId(tenant, id, wanted)),
      expect: (now) =>
        partOf(now, now.rows(tenant, 'deal').find((row) => row['id'] === id)?.['partner_id']),
    },
    {
      what: 'the files that are recorded',
      run: async (store) => [...(await ask(store.workFiles.recorded(tenant, files)))].sort(),
      expect: (now) => files.filter((each) => now.of(tenant).find('work_file', each)).sort(),
    },
  ];
}

function listsOf(plan: Plan, tenant: Tenant, model: Model): readonly Operation[] {
  const { value, name, more, events: limit } = plan;
  const status = few[name % 3] as DealStatus;
  const freelancer_status = few[name % 3] as FreelancerStatus;
  const email_key = few[name % 3] as string;
  const time = times[name % 3] as string;
  const filters: readonly DealFilter[] = [
    ...[{}, { status }, { freelancer_status }, { email_key }, { created_from: time }],
    ...[{ created_to: time }, { status, created_from: time }, { status, email_key }],
    { email_key, freelancer_status, created_to: time },
  ];
  const filter = filters[value] ?? {};
  const from = more === 0 ? undefined : model.list(tenant, {}).at(more);
  const position = from && { created_at: from.created_at, attempt: from.attempt };
  return (['older', 'newer'] as const).map((direction) => {
    const range: DealRange = { direction, from: position, limit };
    return {
      what: `a range ${JSON.stringify(range)} of what passes ${JSON.stringify(filter)}`,
      run: (store) => ask(store.deals.list(tenant, filter, range)),
      expect: (now) => rangeOf(now.list(tenant, filter), range),
    };
  });
}

/** A write as the port allows it: what it inserts is new, what it changes is there. */
function writeOfPlan(plan: Plan, names: Universe, tenant: Tenant, model: Model): WriteSet {
  const { key: own, more } = plan;
  const values = rotated(names.values, plan.value);
  const insert: WriteSet['insert'][number][] = [];
  const change: WriteSet['change'][number][] = [];
  const nameOf = (kind: RecordKind, name: number) => names.names(kind)[name] as string;
  // a key of the type that the kind has, which no record has where there is none of that name
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
        const stored = row?.[field] ?? (field === 'version' ? 1 : '');
        if (typeof stored === 'number') return [field, [stored + off]];
        return [field, off === 0 ? [stored, few[where % 3] ?? ''] : [few[where % 3] ?? '']];
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
    if (each.form === 'present' || under === undefined) {
      return present(each.kind, key, whereOf(each.kind, key, each));
    }
    const parent = keyOf(under, each.name);
    const than = model.of(tenant).count(each.kind, parent) + 1 + each.off;
    return { fewer: each.kind, under: parent, than } as Expectation;
  };

  const first: Expectation[] = [];
  if (own !== undefined && plan.kind !== 'answer') {
    first.push(absent('answer', put('answer', nameOf('answer', own), '')));
  }
  const needed: Expectation[] = [];
  const { subject, parent, presence } = aboutOf(plan, nameOf, keyOf);
  if (plan.kind !== undefined) {
    const isNumbered = shapeOf(plan.kind).key === shapeOf(plan.kind).number;
    const key = put(plan.kind, isNumbered ? '' : nameOf(plan.kind, plan.name), parent);
    first.push(absent(plan.kind, key));
    for (const kind of kindsUnder(plan.kind).filter(() => more > 0)) {
      const isFree = shapeOf(kind).key === shapeOf(kind).number;
      for (let at = 0; at < more; at += 1) put(kind, isFree ? '' : nextId(), key);
    }
  }
  if (presence !== undefined) needed.push(presence);
  for (const each of plan.changes.filter(isMeant)) {
    const key = keyOf(each.kind, each.name);
    const isTaken = [...change, ...insertedKeys(insert)].some(
      (other) => other.kind === each.kind && other.key === key,
    );
    if (isTaken) continue;
    const { changes } = shapeOf(each.kind);
    const set = changes.filter((_, at) => at === each.set % changes.length || each.set > 11);
    const pairs = set.map((field, at) => [field, few[(each.set + at) % 3] ?? '']);
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

/** What the events of a plan are told of, and the expectation that it is there, or is inserted. */
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
  const parent = keyOf(other, plan.parent);
  if (own !== undefined) {
    const subject: Subject = { kind: own, key: nameOf(own, name) };
    return { subject, parent, presence: undefined };
  }
  const subject: Subject = { kind: other, key: String(parent) };
  // a part that belongs to it says that it is there, too
  const part = kindsUnder(other).find((each) =>
    shapeOf(each).conditions.includes(shapeOf(each).under?.by ?? ''),
  );
  if (part === undefined || value % 2 === 0) {
    return { subject, parent, presence: present(other, parent) };
  }
  const by = shapeOf(part).under?.by ?? '';
  return { subject, parent, presence: present(part, keyOf(part, more), { [by]: [parent] }) };
}

function insertedKeys(insert: WriteSet['insert']) {
  return insert.map(({ kind, row }) => ({ kind, key: (row as AnyRow)[shapeOf(kind).key] }));
}

/** Of a row of the plan the fields of which there are few values, so that filters meet them. */
function selected(kind: Kind, { value }: Plan): Record<string, Value> {
  const { conditions, indexes, fields, key } = shapeOf(kind);
  const given: Record<string, Value> = {};
  for (const field of new Set([...conditions, ...indexes.flat()])) {
    if (fields[field] === undefined || field === key) continue;
    given[field] = (field === 'created_at' ? times : few)[value % 3] ?? '';
  }
  return given;
}

/** The values, of which each type begins with another one. */
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
