import type {
  AddDealOutcome,
  AddDealV2Outcome,
  AddWorkFileOutcome,
  Answer,
  Deal,
  DealRepository,
  DealV2,
  DealV2Repository,
  PortFailure,
  SaveOutcome,
  StoredDeal,
  Tenant,
  Versioned,
  WorkFile,
  WorkFileAddition,
} from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { storedDealOf } from '../sql/records.js';
import { tenantText } from '../sql/tenant.js';
import type { AddDeal } from './additions.js';
import { addWorkFileStatement, saveStatement } from './change-sql.js';
import { eventsJson } from './contractors.js';
import { type Failure, unseen } from './failures.js';
import { byIdStatement, byPartnerIdStatement, recordedStatement } from './read-sql.js';
import { type SendOnce, sendUntil } from './send.js';

/** The repository of 1.0 deals of a PostgreSQL store. */
export function createDeals(send: SendOnce, schema: string, add: AddDeal): DealRepository {
  const byId = byIdStatement(schema);
  const byPartnerId = byPartnerIdStatement(schema);
  const save = saveStatement(schema, '1.0');
  const addWorkFile = addWorkFileStatement(schema);
  const recorded = recordedStatement(schema);
  return {
    async add(tenant, given) {
      const added = await add({ api_version: '1.0', tenant, given });
      return added as Result<AddDealOutcome, PortFailure>;
    },
    byId(tenant, id) {
      if (!Number.isSafeInteger(id)) return ok(undefined);
      return sendUntil(
        async (retries) =>
          (await send(byId, [tenantText(tenant), id], 1, retries)).map(([text]) => dealOf(text)),
        'read',
      );
    },
    byPartnerId: (tenant, partner_id) =>
      sendUntil(
        async (retries) =>
          (await send(byPartnerId, [tenantText(tenant), partner_id], 1, retries)).map(([text]) =>
            dealOf(text),
          ),
        'read',
      ),
    save(tenant, { deal_id, version, status, freelancer_status, stages, events }) {
      if (!Number.isSafeInteger(deal_id)) return ok('missing');
      const values = [
        tenantText(tenant),
        deal_id,
        version,
        version + events.length,
        status,
        freelancer_status,
        events.length,
        eventsJson(events),
        JSON.stringify(stages.map((stage) => ({ id: stage.id, status: stage.status }))),
      ];
      return saved(send, save, values);
    },
    addWorkFile(tenant, addition) {
      // a key may be another deal's, or a file: of these the statement is asked under an id of none
      const deal_id = Number.isSafeInteger(addition.deal_id) ? addition.deal_id : -1;
      const values = fileValues(tenant, { ...addition, deal_id });
      return sendUntil(async (retries) => {
        const sent = await send(addWorkFile, values, 1, retries);
        return sent.andThen(([answer]) => fileOutcome(answer));
      }, 'attempt');
    },
    recordedWorkFiles(tenant, ids) {
      if (ids.length === 0) return ok([]);
      const values = [tenantText(tenant), JSON.stringify(ids)];
      return sendUntil(async (retries) => {
        const sent = await send(recorded, values, 1, retries);
        return sent.map((found) => found.filter((id) => id !== null));
      }, 'read');
    },
  };
}

/** The repository of 2.0 deals of a PostgreSQL store. */
export function createDealsV2(send: SendOnce, schema: string, add: AddDeal): DealV2Repository {
  const byPartnerId = byPartnerIdStatement(schema);
  const save = saveStatement(schema, '2.0');
  return {
    async add(tenant, given) {
      const added = await add({ api_version: '2.0', tenant, given });
      return added as Result<AddDealV2Outcome, PortFailure>;
    },
    byPartnerId: (tenant, partner_id) =>
      sendUntil(
        async (retries) =>
          (await send(byPartnerId, [tenantText(tenant), partner_id], 1, retries)).map(([text]) =>
            dealV2Of(text),
          ),
        'read',
      ),
    save(tenant, { partner_id, version, status, freelancer_status, events }) {
      const values = [
        tenantText(tenant),
        partner_id,
        version,
        version + events.length,
        status,
        freelancer_status,
        events.length,
        eventsJson(events),
      ];
      return saved(send, save, values);
    },
  };
}

function saved(
  send: SendOnce,
  statement: Parameters<SendOnce>[0],
  values: Parameters<SendOnce>[1],
): Answer<SaveOutcome> {
  // a save that is carried out twice would be told that it is stale
  return sendUntil(
    async (retries) =>
      (await send(statement, values, 1, retries)).map(([answer]) => saveOutcome(answer)),
    'once',
  );
}

function saveOutcome(answer: string | null | undefined): SaveOutcome {
  if (answer === 'saved' || answer === 'stale' || answer === 'missing') return answer;
  throw new Error('a save has another answer');
}

function storedOf(text: string | null | undefined): StoredDeal | undefined {
  return typeof text === 'string' ? storedDealOf(text) : undefined;
}

function dealOf(text: string | null | undefined): Versioned<Deal> | undefined {
  const stored = storedOf(text);
  return stored?.api_version === '1.0'
    ? { value: stored.value, version: stored.version }
    : undefined;
}

function dealV2Of(text: string | null | undefined): Versioned<DealV2> | undefined {
  const stored = storedOf(text);
  return stored?.api_version === '2.0'
    ? { value: stored.value, version: stored.version }
    : undefined;
}

function fileValues(
  tenant: Tenant,
  { deal_id, version, file, events, idempotency }: WorkFileAddition,
): (string | number | null)[] {
  return [
    tenantText(tenant),
    deal_id,
    idempotency?.key ?? null,
    idempotency?.fingerprint ?? null,
    file.id,
    file.stage_id,
    file.name,
    file.size,
    file.sha256,
    file.content_type,
    file.uploaded_at,
    version,
    version + events.length,
    events.length,
    eventsJson(events),
  ];
}

function fileOutcome(answer: string | null | undefined): Result<AddWorkFileOutcome, Failure> {
  if (answer === 'unseen') return err(unseen);
  if (answer === 'stored' || answer === 'stale' || answer === 'missing') {
    return ok({ outcome: answer });
  }
  const first = JSON.parse(answer ?? '') as {
    readonly fingerprint: string;
    readonly file: WorkFile;
  };
  return ok({ outcome: 'exists', by: 'idempotency_key', first });
}
