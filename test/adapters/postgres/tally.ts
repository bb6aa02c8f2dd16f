import type { AddDealOutcome, DealAddition, Tenant } from 'dealwright/ports';
import type { PostgresStore } from 'dealwright/postgres';
import { expect } from 'vitest';
import { acme, addition, globex } from '../../../spec/store/subject.js';

interface Attempt {
  readonly tenant: Tenant;
  readonly given: DealAddition;
}

interface Acknowledged extends Attempt {
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/** What creates were answered: each is in one of these, once. */
export interface Tally {
  readonly acknowledged: Acknowledged[];
  /** `unavailable`, and it may be there or not. */
  readonly open: Attempt[];
  /** `unavailable`, and it is not there. */
  readonly refused: Attempt[];
}

export const emptyTally = (): Tally => ({ acknowledged: [], open: [], refused: [] });

const tenants = [acme, globex];

/** Creates one deal of two stages, with a key of its own, and notes what it was answered. */
export async function createOne(
  { deals }: PostgresStore,
  tally: Tally,
  partner_id: string,
): Promise<void> {
  const count = tally.acknowledged.length + tally.open.length + tally.refused.length;
  const tenant = tenants[count % tenants.length] ?? acme;
  const given = addition(tenant, partner_id, { key: partner_id, fingerprint: partner_id });
  const answer = await deals.add(tenant, given);
  if (answer.isErr()) {
    expect(answer.error).toMatchObject({ code: 'unavailable', retryable: true });
    tally[answer.error.outcome === 'none' ? 'refused' : 'open'].push({ tenant, given });
    return;
  }
  tally.acknowledged.push({ tenant, given, ...idsOf(answer.value, partner_id) });
}

/** The ids that a create was told: one that was sent again may be told of itself by its key. */
function idsOf(outcome: AddDealOutcome, key: string) {
  if (outcome.outcome === 'created') return { id: outcome.id, stage_ids: outcome.stage_ids };
  const isItself =
    outcome.outcome === 'exists' &&
    outcome.by === 'idempotency_key' &&
    outcome.first.fingerprint === key;
  if (!isItself || !('ids' in outcome.first)) throw new Error(`${key}: ${JSON.stringify(outcome)}`);
  return outcome.first.ids;
}

/** So many at a time, one after the other, until it is told to stop. */
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
  readonly event_id: string;
  readonly idempotency_key: string;
  readonly stage_ids: readonly number[];
  readonly events: number;
}

const rowsSql = `select coalesce(json_agg(row_to_json(r)), '[]'::json) from (
  select d.tenant, d.partner_id, d.id, d.event_id, d.idempotency_key,
    (select coalesce(json_agg(s.id order by s.id), '[]'::json) from dealwright.stages s
      where s.tenant = d.tenant and s.deal_id = d.id) as stage_ids,
    (select count(*) from dealwright.events e
      where e.tenant = d.tenant and e.id = d.event_id) as events
  from dealwright.deals d) r`;
const gapsSql = `select t.tenant from dealwright.tenants t left join dealwright.events e using (tenant)
  group by t.tenant, t.last_position having t.last_position <> count(*)
    or t.last_position <> max(e.position) or min(e.position) <> 1`;

const nameOf = ({ tenant, given }: Attempt) =>
  `${tenant.environment}:${tenant.partner} ${given.deal.partner_id}`;

/** What was acknowledged is there, whole and once; what was refused is not; and nothing else is. */
export async function checkTally(
  psql: (sql: string) => Promise<string>,
  { acknowledged, open, refused }: Tally,
): Promise<void> {
  const rows = JSON.parse(await psql(rowsSql)) as readonly Row[];
  const found = new Map(rows.map((row) => [`${row.tenant} ${row.partner_id}`, row]));
  const expected = acknowledged.map(({ tenant, given, id, stage_ids }) => ({
    tenant: `${tenant.environment}:${tenant.partner}`,
    partner_id: given.deal.partner_id,
    id,
    event_id: given.events[0]?.id,
    idempotency_key: given.idempotency?.key,
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

/** Sends again what was acknowledged, by its key, and what is open, as the attempt that it is. */
export async function replay({ deals }: PostgresStore, tally: Tally): Promise<void> {
  const again = async ({ tenant, given, id, stage_ids }: Acknowledged) => {
    const { partner_id } = given.deal;
    const other = addition(tenant, `${partner_id}-again`, given.idempotency);
    const first = { fingerprint: partner_id, ids: { id, stage_ids } };
    const answer = (await deals.add(tenant, other))._unsafeUnwrap();
    expect(answer).toEqual({ outcome: 'exists', by: 'idempotency_key', first });
  };
  const settle = async ({ tenant, given }: Attempt) => {
    const answer = (await deals.add(tenant, given))._unsafeUnwrap();
    tally.acknowledged.push({ tenant, given, ...idsOf(answer, given.deal.partner_id) });
  };
  // fewer than may wait
  for (let at = 0; at < tally.acknowledged.length; at += 1_000) {
    await Promise.all(tally.acknowledged.slice(at, at + 1_000).map(again));
  }
  await Promise.all(tally.open.splice(0).map(settle));
}
