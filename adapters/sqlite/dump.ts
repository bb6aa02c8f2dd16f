import type { Idempotency, StoreRecord } from 'dealwright/ports';
import { contractorOf, eventOf, storedDealOf } from '../sql/records.js';
import { tenantOf } from '../sql/tenant.js';
import { rollBack } from './roll-back.js';
import { contractorJson, dealJson, eventJson } from './selects.js';
import { type Prepare, preparer, type SqliteLike, type SqliteValue } from './sqlite-like.js';

/** Rows that are read together: a description alone may have a mebibyte. */
const pageSize = 20;

/** Milliseconds that an archive waits for a lock, before its first record. */
export const longestWait = 5_000;

interface Beside {
  readonly json: string;
  readonly tenant: string;
  readonly event_id: string;
  readonly idempotency_key: string | null;
  readonly fingerprint: string | null;
}

interface ContractorRow extends Beside {
  readonly environment: string;
  readonly register: string;
  readonly email_key: string;
}

interface DealRow extends Beside {
  readonly created_at: string;
  readonly work_file_keys: string;
}

interface EventRow {
  readonly json: string;
  readonly tenant: string;
  readonly position: number;
}

/** All records of a database as of the moment when the first is asked for. */
export async function* dump(db: SqliteLike): AsyncGenerator<StoreRecord, void, undefined> {
  const prepare = preparer(db);
  // most locks let readers by, not all: whoever recovers or leaves WAL keeps everybody out
  prepare(`pragma busy_timeout = ${longestWait}`).get();
  prepare('begin').run();
  try {
    yield* contractors(prepare);
    yield* deals(prepare);
    yield* events(prepare);
  } finally {
    rollBack(prepare);
  }
}

/** The rows of a select, page by page, each page behind the key of the last row before it. */
function* pages<Row>(
  prepare: Prepare,
  sql: string,
  keyOf: (row: Row) => readonly SqliteValue[],
  first: readonly SqliteValue[],
): Generator<Row, void, undefined> {
  const select = prepare(`${sql} limit ${pageSize}`);
  for (let key = first; ; ) {
    const rows = select.all<Row>(...key);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    key = keyOf(last);
  }
}

function* contractors(prepare: Prepare): Generator<StoreRecord, void, undefined> {
  const rows = pages<ContractorRow>(
    prepare,
    `select ${contractorJson} as json, c.environment, c.register, c.email_key, c.tenant,
      c.event_id, c.idempotency_key, c.fingerprint
    from dealwright_contractors c
    where (c.environment, c.register, c.email_key) > (?, ?, ?)
    order by c.environment, c.register, c.email_key`,
    ({ environment, register, email_key }) => [environment, register, email_key],
    ['', '', ''],
  );
  for (const row of rows) {
    const { value: contractor, version } = contractorOf(row.json);
    const { register, email_key } = row;
    const key = { register, email_key };
    yield { record: 'contractor', key, contractor, version, ...besideOf(row) };
  }
}

function* deals(prepare: Prepare): Generator<StoreRecord, void, undefined> {
  const rows = pages<DealRow>(
    prepare,
    `select ${dealJson} as json, d.tenant, d.created_at, d.event_id, d.idempotency_key,
      d.fingerprint, (select json_group_array(json(json)) from (
        select json_object('file_id', f.id, 'key', f.idempotency_key,
          'fingerprint', f.fingerprint) as json
        from dealwright_work_files f where f.tenant = d.tenant and f.deal_id = d.id
          and f.idempotency_key is not null order by f.stage_id, f.sequence)) as work_file_keys
    from dealwright_deals d indexed by dealwright_deals_in_order
    where (d.tenant, d.created_at, d.event_id) > (?, ?, ?)
    order by d.tenant, d.created_at, d.event_id`,
    ({ tenant, created_at, event_id }) => [tenant, created_at, event_id],
    ['', '', ''],
  );
  for (const row of rows) {
    const { api_version, value, version } = storedDealOf(row.json);
    const beside = { version, ...besideOf(row) };
    if (api_version === '2.0') yield { record: 'deal_v2', deal: value, ...beside };
    else {
      const keys = JSON.parse(row.work_file_keys) as (Idempotency & { file_id: string })[];
      yield { record: 'deal', deal: value, work_file_keys: keys, ...beside };
    }
  }
}

function* events(prepare: Prepare): Generator<StoreRecord, void, undefined> {
  const rows = pages<EventRow>(
    prepare,
    `select ${eventJson} as json, e.tenant, e.position from dealwright_events e
    where (e.tenant, e.position) > (?, ?) order by e.tenant, e.position`,
    ({ tenant, position }) => [tenant, position],
    ['', 0],
  );
  for (const { json, tenant } of rows) {
    yield { record: 'event', tenant: tenantOf(tenant), event: eventOf(json) };
  }
}

function besideOf({ tenant, event_id, idempotency_key: key, fingerprint }: Beside) {
  const idempotency = key === null ? undefined : { key, fingerprint: fingerprint ?? '' };
  return { tenant: tenantOf(tenant), event_id, idempotency };
}
