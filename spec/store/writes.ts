import type { Kind, RecordKind, Row, Value } from '../../src/domain/records/records.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import type { Store } from '../../src/ports/store.js';
import type { Expectation, NewEvent, WriteSet } from '../../src/ports/write-set.js';
import { equal } from '../expectations.js';
import { rowOf, type Values } from './rows.js';
import { ask, nextId } from './subject.js';

type Insert = WriteSet['insert'][number];
type Change = WriteSet['change'][number];
type Key = string | number;
type Where = Readonly<Record<string, readonly Value[]>>;

export const committed = { outcome: 'committed' } as const;
export const refused = (expectation: number) => ({ outcome: 'refused', expectation }) as const;

/** The expectation that no record has this key. */
export function absent(kind: RecordKind, key: Key): Expectation {
  return { absent: kind, key } as Expectation;
}

/** The expectation that a record has this key, and these values. */
export function present(kind: RecordKind, key: Key, where?: Where): Expectation {
  return { present: kind, key, ...(where && { where }) } as Expectation;
}

/**
 * An expectation that holds in no store: a write with it shows how the ones before it are judged.
 */
export const never: Expectation = { fewer: 'work_file', under: '', than: 0 };

/** A row to insert, with these members. */
export function insertOf<K extends RecordKind>(
  kind: K,
  given: Partial<Row<K>>,
  values?: Values,
): Insert {
  return { kind, row: rowOf(kind, given, values) } as Insert;
}

/** A change of a record. */
export function changeOf(kind: RecordKind, key: Key, set: Readonly<Record<string, Value>>): Change {
  return { kind, key, set } as Change;
}

/** An event about this record. */
export function eventOf(kind: Kind, key: string, values?: Values): NewEvent {
  const { sequence: _, ...event } = rowOf('event', { id: nextId() }, values);
  return { ...event, subject: `${kind}:${key}` };
}

/** A write with an attempt of its own. */
export function writeOf(given: Partial<WriteSet>): WriteSet {
  return { attempt: nextId(), expect: [], insert: [], change: [], events: [], ...given };
}

/** A write that registers a contractor. */
export function registration(key = 'user@example.com'): WriteSet {
  return writeOf({
    expect: [absent('contractor', key)],
    insert: [insertOf('contractor', { contractor_key: key })],
    subject: { kind: 'contractor', key },
    events: [eventOf('contractor', key)],
  });
}

/** A write that makes a consumer without a relay, and without an event. */
export function consumption(name: string, given: Partial<Row<'consumer'>> = {}): WriteSet {
  return writeOf({
    expect: [absent('consumer', name)],
    insert: [insertOf('consumer', { lease: null, leased_until: null, ...given, name })],
  });
}

/** A write that claims a consumer from another relay, or from none. */
export function claim(name: string, from: readonly (string | null)[], lease: string): WriteSet {
  return writeOf({
    expect: [present('consumer', name, { lease: from })],
    change: [changeOf('consumer', name, { lease, leased_until: '2026-01-01T00:01:00.000Z' })],
  });
}

/** A write that makes a webhook, with an event about it. */
export function webhookWrite(id: string, given: Partial<Row<'webhook'>> = {}): WriteSet {
  return writeOf({
    expect: [absent('webhook', id)],
    insert: [insertOf('webhook', { status: 'enabled', ...given, id })],
    subject: { kind: 'webhook', key: id },
    events: [eventOf('webhook', id)],
  });
}

/** A write that inserts a delivery under a consumer. */
export function delivery(
  consumer: string,
  id: string,
  given: Partial<Row<'delivery'>> = {},
): WriteSet {
  return writeOf({
    expect: [absent('delivery', id), present('consumer', consumer)],
    insert: [insertOf('delivery', { status: 'pending', ...given, consumer, id })],
  });
}

/** A deal as it is created. */
export const newDeal: Partial<Row<'deal'>> = {
  api_version: '1.0',
  status: 'created',
  freelancer_status: 'new',
  created_at: '2026-01-01T00:00:00.000Z',
};

/**
 * A write that creates a deal: the first of the numbers is its id, the others are those of its
 * stages.
 */
export function creation(
  partner_id: string,
  [id = 0, ...stages]: readonly number[],
  given: Partial<Row<'deal'>> = {},
): WriteSet {
  return writeOf({
    expect: [absent('deal', partner_id)],
    insert: [
      insertOf('deal', { ...newDeal, ...given, partner_id, id }),
      ...stages.map((stage) => insertOf('stage', { partner_id, id: stage, status: 'pending' })),
    ],
    subject: { kind: 'deal', key: partner_id },
    events: [eventOf('deal', partner_id)],
  });
}

/** A write that adds a file to a stage of a deal with fewer than this many. */
export function upload(
  partner_id: string,
  stage_id: number,
  given: Partial<Row<'work_file'>> = {},
  than = 1000,
): WriteSet {
  const { id = nextId() } = given;
  return writeOf({
    expect: [
      absent('work_file', id),
      present('stage', stage_id, { partner_id: [partner_id], status: ['pending'] }),
      { fewer: 'work_file', under: partner_id, than },
    ],
    insert: [insertOf('work_file', { ...given, id, partner_id, stage_id })],
    subject: { kind: 'deal', key: partner_id },
    events: [eventOf('deal', partner_id)],
  });
}

/** A write that moves a deal of this version on, with a number of events. */
export function move(
  partner_id: string,
  version: number,
  set: Partial<Row<'deal'>>,
  count = 1,
): WriteSet {
  return writeOf({
    expect: [present('deal', partner_id, { version: [version] })],
    change: [changeOf('deal', partner_id, set)],
    subject: { kind: 'deal', key: partner_id },
    events: Array.from({ length: count }, () => eventOf('deal', partner_id)),
  });
}

/** The write under an idempotency key: its first expectation is that no answer exists. */
export function under(
  answer_key: string,
  write: WriteSet,
  given: Partial<Row<'answer'>> = {},
): WriteSet {
  return {
    ...write,
    expect: [absent('answer', answer_key), ...write.expect],
    insert: [...write.insert, insertOf('answer', { ...given, answer_key })],
  };
}

/** The write with further expectations, which are judged last. */
export function provided(write: WriteSet, ...expect: readonly Expectation[]): WriteSet {
  return { ...write, expect: [...write.expect, ...expect] };
}

/** A number of integers that no other record of the environment has. */
export async function numbers(
  store: Store,
  { environment }: Tenant,
  count: number,
): Promise<readonly number[]> {
  const first = await ask(store.reserve(environment, count));
  return Array.from({ length: count }, (_, at) => first + at);
}

/**
 * Creates a deal with a number of stages, and returns its integers: its id, and those of its
 * stages.
 */
export async function createDeal(
  store: Store,
  tenant: Tenant,
  partner_id = 'deal',
  stages = 1,
  given: Partial<Row<'deal'>> = {},
): Promise<readonly number[]> {
  const own = await numbers(store, tenant, 1 + stages);
  const outcome = await ask(store.commit(tenant, creation(partner_id, own, given)));
  equal(outcome, committed, `the deal ${partner_id}`);
  return own;
}
