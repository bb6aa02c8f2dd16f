import {
  type Contractor,
  type ContractorKey,
  type Deal,
  type DealExistsAlready,
  type DealPosition,
  type DealV2,
  type DomainEvent,
  type EventLog,
  entryOfDeal,
  entryOfDealV2,
  type FirstDeal,
  type Idempotency,
  type ListedDeal,
  type PortFailure,
  passes,
  type StorePorts,
  type Tenant,
  unavailable,
  type Versioned,
  type WorkFile,
} from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';

// Every key begins with the environment: nothing crosses from one to the other.
interface Tables {
  contractors: Record<string, Versioned<Contractor> & { readonly event_id: string }>;
  deals: Record<string, Versioned<Deal | DealV2>>;
  /** The row of the deal with an id. */
  dealIds: Record<string, string>;
  /** Where each deal stands in the lists of its tenant. An index over it finds a page at any depth. */
  positions: Record<string, { tenant: string; position: DealPosition }>;
  firstContractors: Record<string, { fingerprint: string }>;
  firstDeals: Record<string, FirstDeal>;
  firstWorkFiles: Record<string, { fingerprint: string; file: WorkFile }>;
  /** The rows of files: a content without one is an orphan. */
  workFiles: Record<string, true>;
  events: { tenant: string; event: DomainEvent }[];
  lastId: number;
}

const empty: Tables = {
  contractors: {},
  deals: {},
  dealIds: {},
  positions: {},
  firstContractors: {},
  firstDeals: {},
  firstWorkFiles: {},
  workFiles: {},
  events: [],
  lastId: 0,
};

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** A store that decides on a draft of its tables and swaps them at the end: all is written or none. */
export function createSnapshotStore(): StorePorts & { readonly events: EventLog } {
  let tables = empty;
  let queue: Promise<unknown> = Promise.resolve();

  // The only place that knows how this store is made. Yours begins and commits a transaction here.
  // What comes in and what goes out is copied: the caller may change its own objects at any time.
  function transact<I, T>(
    input: I,
    decide: (draft: Tables, input: I) => T,
  ): Promise<Result<T, PortFailure>> {
    const copy = structuredClone(input);
    const done = queue.then(() => {
      try {
        const draft = draftOf(tables);
        const outcome = structuredClone(decide(draft, copy));
        tables = draft;
        return ok(outcome);
      } catch (cause) {
        return unavailable({ outcome: 'none', cause });
      }
    });
    queue = done;
    return done;
  }

  return {
    contractors: {
      add: (tenant, registration) =>
        transact(registration, (draft, { key, contractor, events, idempotency }) => {
          const scope = idempotency && keyOf(...scopeOf(tenant), idempotency.key);
          const first = scope && draft.firstContractors[scope];
          if (first) return { outcome: 'exists', by: 'idempotency_key', first };
          const row = contractorRow(tenant, key);
          const event_id = events[0]?.id ?? '';
          const there = draft.contractors[row];
          if (there) {
            const isOwn = there.event_id === event_id;
            return isOwn ? { outcome: 'created' } : { outcome: 'exists', by: 'email' };
          }

          draft.contractors[row] = { value: contractor, version: events.length, event_id };
          append(draft, tenant, events);
          if (scope && idempotency) {
            draft.firstContractors[scope] = { fingerprint: idempotency.fingerprint };
          }
          return { outcome: 'created' };
        }),
      byKey: (tenant, key) =>
        transact(contractorRow(tenant, key), (draft, row) => {
          const found = draft.contractors[row];
          return found && { value: found.value, version: found.version };
        }),
    },

    deals: {
      add: (tenant, addition) =>
        transact(addition, (draft, { deal, contractor, events, idempotency }) => {
          const first = findFirst(draft, tenant, idempotency);
          if (first) return first;
          const there = findAttempt(draft, tenant, deal.partner_id, events);
          if (there && isV1(there)) {
            const { id, stages } = there.value;
            return { outcome: 'created', id, stage_ids: stages.map((stage) => stage.id) };
          }
          if (draft.deals[dealRow(tenant, deal.partner_id)]) {
            return { outcome: 'exists', by: 'partner_id' };
          }
          if (!draft.contractors[contractorRow(tenant, contractor)]) {
            return { outcome: 'contractor_missing' };
          }

          const nextId = () => {
            draft.lastId += 1;
            return draft.lastId;
          };
          const id = nextId();
          const stages = deal.stages.map((stage) => ({ ...stage, id: nextId(), work_files: [] }));
          const stage_ids = stages.map((stage) => stage.id);
          const value = { ...deal, id, stages };
          insert(draft, tenant, value, events);
          draft.dealIds[idRow(tenant, id)] = dealRow(tenant, deal.partner_id);
          append(draft, tenant, events);
          remember(draft, tenant, idempotency, { ids: { id, stage_ids } });
          return { outcome: 'created', id, stage_ids };
        }),
      byId: (tenant, id) =>
        transact(idRow(tenant, id), (draft, row) => {
          const found = draft.deals[draft.dealIds[row] ?? ''];
          return found && isV1(found) ? found : undefined;
        }),
      byPartnerId: (tenant, partner_id) =>
        transact(dealRow(tenant, partner_id), (draft, row) => {
          const found = draft.deals[row];
          return found && isV1(found) ? found : undefined;
        }),
      save: (tenant, given) =>
        transact(
          given,
          (draft, { deal_id, version, status, freelancer_status, stages, events }) => {
            const found = draft.deals[draft.dealIds[idRow(tenant, deal_id)] ?? ''];
            if (!found || !isV1(found)) return 'missing';
            if (found.version !== version) return 'stale';
            const moved = found.value.stages.map((stage) => ({
              ...stage,
              ...stages.find(({ id }) => id === stage.id),
            }));
            const value = { ...found.value, status, freelancer_status, stages: moved };
            advance(draft, tenant, { value, version }, events);
            return 'saved';
          },
        ),
      addWorkFile: (tenant, addition) =>
        transact(addition, (draft, { deal_id, version, file, events, idempotency }) => {
          const scope = idempotency && keyOf(...scopeOf(tenant), idempotency.key);
          const first = scope && draft.firstWorkFiles[scope];
          if (first) return { outcome: 'exists', by: 'idempotency_key', first };
          if (draft.workFiles[keyOf(...scopeOf(tenant), file.id)]) return { outcome: 'stored' };
          const found = draft.deals[draft.dealIds[idRow(tenant, deal_id)] ?? ''];
          if (!found || !isV1(found)) return { outcome: 'missing' };
          if (found.version !== version) return { outcome: 'stale' };

          const stages = found.value.stages.map((stage) =>
            stage.id === file.stage_id
              ? { ...stage, work_files: [...stage.work_files, file] }
              : stage,
          );
          advance(draft, tenant, { value: { ...found.value, stages }, version }, events);
          draft.workFiles[keyOf(...scopeOf(tenant), file.id)] = true;
          if (scope && idempotency) {
            draft.firstWorkFiles[scope] = { fingerprint: idempotency.fingerprint, file };
          }
          return { outcome: 'stored' };
        }),
      recordedWorkFiles: (tenant, ids) =>
        transact(ids, (draft, asked) =>
          asked.filter((id) => draft.workFiles[keyOf(...scopeOf(tenant), id)]),
        ),
    },

    dealsV2: {
      add: (tenant, addition) =>
        transact(addition, (draft, { deal, events, idempotency }) => {
          const first = findFirst(draft, tenant, idempotency);
          if (first) return first;
          const there = findAttempt(draft, tenant, deal.partner_id, events);
          if (there && isV2(there)) return { outcome: 'created' };
          if (draft.deals[dealRow(tenant, deal.partner_id)]) {
            return { outcome: 'exists', by: 'partner_id' };
          }

          insert(draft, tenant, deal, events);
          append(draft, tenant, events);
          remember(draft, tenant, idempotency, { payment_token: deal.payment_token });
          return { outcome: 'created' };
        }),
      byPartnerId: (tenant, partner_id) =>
        transact(dealRow(tenant, partner_id), (draft, row) => {
          const found = draft.deals[row];
          return found && isV2(found) ? found : undefined;
        }),
      save: (tenant, given) =>
        transact(given, (draft, { partner_id, version, status, freelancer_status, events }) => {
          const found = draft.deals[dealRow(tenant, partner_id)];
          if (!found || !isV2(found)) return 'missing';
          if (found.version !== version) return 'stale';
          const value = { ...found.value, status, freelancer_status };
          advance(draft, tenant, { value, version }, events);
          return 'saved';
        }),
    },

    dealIndex: {
      byPartnerId: (tenant, partner_id) =>
        transact(dealRow(tenant, partner_id), (draft, row) => {
          const found = draft.deals[row];
          if (!found) return undefined;
          return isV1(found)
            ? { api_version: '1.0', ...found }
            : { api_version: '2.0', ...(found as Versioned<DealV2>) };
        }),
      list: (tenant, filter, stretch) =>
        transact(stretch, (draft, { direction, from, limit }) => {
          // newest first; in a database this is the order of an index, and `from` is sought in it
          const edge = from && placeOf(from);
          const listed = listOf(draft, tenant).filter(
            ({ entry, position }) =>
              passes(filter, entry) &&
              (edge === undefined ||
                (direction === 'older' ? placeOf(position) < edge : placeOf(position) > edge)),
          );
          return direction === 'older' ? listed.slice(0, limit) : listed.slice(-limit);
        }),
    },

    events: {
      after: (tenant, cursor = '0', limit) =>
        transact(keyOf(...scopeOf(tenant)), (draft, owner) => {
          const mine = draft.events.filter((row) => row.tenant === owner);
          if (!/^\d{1,15}$/.test(cursor) || Number(cursor) > mine.length) return 'invalid_cursor';
          const page = mine.slice(Number(cursor), Number(cursor) + limit);
          return {
            events: page.map((row) => row.event),
            cursor: String(Number(cursor) + page.length),
          };
        }),
    },
  };
}

function draftOf(tables: Tables): Tables {
  return {
    contractors: { ...tables.contractors },
    deals: { ...tables.deals },
    dealIds: { ...tables.dealIds },
    positions: { ...tables.positions },
    firstContractors: { ...tables.firstContractors },
    firstDeals: { ...tables.firstDeals },
    firstWorkFiles: { ...tables.firstWorkFiles },
    workFiles: { ...tables.workFiles },
    events: [...tables.events],
    lastId: tables.lastId,
  };
}

function scopeOf({ environment, partner }: Tenant): readonly string[] {
  return [environment, partner];
}

// A contractor belongs to a register of the environment, not to the partner who calls.
function contractorRow({ environment }: Tenant, { register, email_key }: ContractorKey): string {
  return keyOf(environment, register, email_key);
}

// Deals of both versions are in one table, so that a partner_id names one of them.
function dealRow(tenant: Tenant, partner_id: string): string {
  return keyOf(...scopeOf(tenant), partner_id);
}

function idRow(tenant: Tenant, id: number): string {
  return keyOf(...scopeOf(tenant), String(id));
}

function isV1(found: Versioned<Deal | DealV2>): found is Versioned<Deal> {
  return 'stages' in found.value;
}

function isV2(found: Versioned<Deal | DealV2>): found is Versioned<DealV2> {
  return 'payment_token' in found.value;
}

// A deal stands where its creation put it, and never moves.
function insert(
  draft: Tables,
  tenant: Tenant,
  value: Deal | DealV2,
  events: readonly DomainEvent[],
): void {
  const row = dealRow(tenant, value.partner_id);
  const position = { created_at: value.created_at, event_id: events[0]?.id ?? '' };
  draft.deals[row] = { value, version: events.length };
  draft.positions[row] = { tenant: keyOf(...scopeOf(tenant)), position };
}

function listOf(draft: Tables, tenant: Tenant): ListedDeal[] {
  const owner = keyOf(...scopeOf(tenant));
  return Object.entries(draft.positions)
    .flatMap(([row, { tenant: whose, position }]) => {
      const found = whose === owner ? draft.deals[row] : undefined;
      if (!found) return [];
      const entry = isV1(found) ? entryOfDeal(found.value) : entryOfDealV2(found.value as DealV2);
      return [{ entry, position }];
    })
    .sort((a, b) => (placeOf(a.position) < placeOf(b.position) ? 1 : -1));
}

// Both parts have one length each, so that their text sorts as they do.
function placeOf({ created_at, event_id }: DealPosition): string {
  return created_at + event_id;
}

function append(draft: Tables, tenant: Tenant, events: readonly DomainEvent[]): void {
  draft.events.push(...events.map((event) => ({ tenant: keyOf(...scopeOf(tenant)), event })));
}

// The order of judgement: the idempotency key first, then partner_id.
function findFirst(
  draft: Tables,
  tenant: Tenant,
  idempotency: Idempotency | undefined,
): DealExistsAlready | undefined {
  const first = idempotency && draft.firstDeals[keyOf(...scopeOf(tenant), idempotency.key)];
  return first && { outcome: 'exists', by: 'idempotency_key', first };
}

// The deal that this very attempt stored, where it comes again: its first event is the same.
function findAttempt(
  draft: Tables,
  tenant: Tenant,
  partner_id: string,
  events: readonly DomainEvent[],
): Versioned<Deal | DealV2> | undefined {
  const row = dealRow(tenant, partner_id);
  const isOwn = draft.positions[row]?.position.event_id === events[0]?.id;
  return isOwn ? draft.deals[row] : undefined;
}

// What was answered first is kept as it was: the deal may change, this does not.
function remember(
  draft: Tables,
  tenant: Tenant,
  idempotency: Idempotency | undefined,
  answer: Omit<FirstDeal, 'fingerprint'>,
): void {
  if (!idempotency) return;
  const { key, fingerprint } = idempotency;
  draft.firstDeals[keyOf(...scopeOf(tenant), key)] = { ...answer, fingerprint };
}

function advance(
  draft: Tables,
  tenant: Tenant,
  { value, version }: Versioned<Deal | DealV2>,
  events: readonly DomainEvent[],
): void {
  draft.deals[dealRow(tenant, value.partner_id)] = { value, version: version + events.length };
  append(draft, tenant, events);
}
