import type { Tenant, WriteSet } from 'dealwright/ports';
import type { PostgresStore } from 'dealwright/postgres';
import { expect } from 'vitest';
import { acme, globex } from '../../../spec/store/subject.js';
import { creation, under } from '../../../spec/store/writes.js';

interface Attempt {
  readonly tenant: Tenant;
  readonly partner_id: string;
  readonly write: WriteSet;
}

interface Acknowledged extends Attempt {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/** The answers to creates: each create is in one of these, once. */
export interface Tally {
  readonly acknowledged: Acknowledged[];
  /** `unavailable`; it may be stored or not. */
  readonly open: Acknowledged[];
  /** `unavailable`; it is not stored. */
  readonly refused: Pick<Attempt, 'tenant' | 'partner_id'>[];
}

export const emptyTally = (): Tally => ({ acknowledged: [], open: [], refused: [] });

const tenants = [acme, globex];

/** Creates one deal of two stages, with a key of its own, and notes the answer. */
export async function createOne(
  store: PostgresStore,
  tally: Tally,
  partner_id: string,
): Promise<void> {
  const count = tally.acknowledged.length + tally.open.length + tally.refused.length;
  const tenant = tenants[count % tenants.length] ?? acme;
  const reserved = await store.reserve(tenant.environment, 3);
  if (reserved.isErr()) {
    expect(reserved.error).toMatchObject({ outcome: 'none', retryable: true });
    tally.refused.push({ tenant, partner_id });
    return;
  }
  const id = reserved.value;
  const stage_ids = [id + 1, id + 2];
  const answer = JSON.stringify({ id, stage_ids });
  const write = under(`deal ${partner_id}`, creation(partner_id, [id, ...stage_ids]), {
    fingerprint: partner_id,
    answer,
  });
  const attempt = { tenant, partner_id, write, id, stage_ids };
  const committed = await store.commit(tenant, write);
  if (committed.isErr()) {
    expect(committed.error).toMatchObject({ code: 'unavailable', retryable: true });
    tally[committed.error.outcome === 'none' ? 'refused' : 'open'].push(attempt);
    return;
  }
  // a repeated attempt recognizes itself
  expect(committed.value).toEqual({ outcome: 'committed' });
  tally.acknowledged.push(attempt);
}

/** So many at a time, one after the other, until it is stopped. */
export async function createMany(
  store: PostgresStore,
  tally: Tally,
  { name, atOnce, isOver }: { name: string; atOnce: number; isOver: (nth: number) => boolean },
): Promise<void> {
  let nth = 0;
  const one = async () => {
    while (!isOver(nth)) {
      nth += 1;
      await createOne(store, tally, `${name}-${nth}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

interface Row {
  readonly tenant: string;
  readonly partner_id: string;
  readonly id: number;
  readonly attempt: string;
  readonly key: string;
  readonly stage_ids: readonly number[];
  readonly events: number;
}

const rowsSql = `select coalesce(json_agg(row_to_json(r)), '[]'::json) from (
  select d.tenant, d.partner_id, d.id, d.attempt,
    (select a.answer_key from dealwright.answers a
      where a.tenant = d.tenant and a.attempt = d.attempt) as key,
    (select coalesce(json_agg(s.id order by s.id), '[]'::json) from dealwright.stages s
      where s.tenant = d.tenant and s.partner_id = d.partner_id) as stage_ids,
    (select count(*) from dealwright.events e
      where e.tenant = d.tenant and e.subject = 'deal:' || d.partner_id) as events
  from dealwright.deals d) r`;
/** Tenants whose events do not have the positions from 1 to the last one. */
export const gapsSql = `select t.tenant from dealwright.tenants t left join dealwright.events e using (tenant)
  group by t.tenant, t.last_position having t.last_position <> count(e.position)
    or t.last_position <> coalesce(max(e.position), 0) or min(e.position) <> 1`;

const nameOf = ({ tenant, partner_id }: Pick<Attempt, 'tenant' | 'partner_id'>) =>
  `${tenant.environment}:${tenant.partner} ${partner_id}`;

/** Every acknowledged create is stored, whole and once; no refused one is, and nothing else. */
export async function checkTally(
  psql: (sql: string) => Promise<string>,
  { acknowledged, open, refused }: Tally,
): Promise<void> {
  const rows = JSON.parse(await psql(rowsSql)) as readonly Row[];
  const found = new Map(rows.map((row) => [`${row.tenant} ${row.partner_id}`, row]));
  const expected = acknowledged.map(({ tenant, partner_id, write, id, stage_ids }) => ({
    tenant: `${tenant.environment}:${tenant.partner}`,
    partner_id,
    id,
    attempt: write.attempt,
    key: `deal ${partner_id}`,
    stage_ids,
    events: 1,
  }));
  expect(acknowledged.map((each) => found.get(nameOf(each)))).toEqual(expected);
  expect(refused.filter((each) => found.has(nameOf(each))).map(nameOf)).toEqual([]);
  const known = new Set([...acknowledged, ...open].map(nameOf));
  expect([...found.keys()].filter((name) => !known.has(name))).toEqual([]);
  expect(rows.filter(({ stage_ids, events }) => stage_ids.length !== 2 || events !== 1)).toEqual(
    [],
  );
  const ids = rows.flatMap(({ id, stage_ids }) => [id, ...stage_ids]);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await psql(gapsSql)).trim()).toBe('');
}

/** Sends acknowledged creates again by their key, and open ones as the same attempt. */
export async function replay(store: PostgresStore, tally: Tally): Promise<void> {
  const again = async ({ tenant, partner_id, id, stage_ids }: Acknowledged) => {
    const reserved = (await store.reserve(tenant.environment, 1))._unsafeUnwrap();
    const other = creation(`${partner_id}-again`, [reserved]);
    const committed = await store.commit(tenant, under(`deal ${partner_id}`, other));
    const first = { fingerprint: partner_id, answer: JSON.stringify({ id, stage_ids }) };
    expect(committed._unsafeUnwrap()).toEqual({ outcome: 'refused', expectation: 0, first });
  };
  const settle = async (attempt: Acknowledged) => {
    const committed = await store.commit(attempt.tenant, attempt.write);
    expect(committed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
    tally.acknowledged.push(attempt);
  };
  // fewer than the limit of waiting calls
  for (let at = 0; at < tally.acknowledged.length; at += 1_000) {
    await Promise.all(tally.acknowledged.slice(at, at + 1_000).map(again));
  }
  await Promise.all(tally.open.splice(0).map(settle));
}
