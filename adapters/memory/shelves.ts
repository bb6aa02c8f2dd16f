import type {
  Contractor,
  ContractorKey,
  Deal,
  DealPosition,
  DealV2,
  DomainEvent,
  Environment,
  FirstDeal,
  Idempotency,
  Tenant,
  Versioned,
  WorkFile,
} from 'dealwright/ports';

/** What one environment holds in common: contractors, and the integer ids given out. */
export interface EnvironmentShelf {
  /** By register, then by e-mail key. */
  readonly contractors: Map<string, Register>;
  readonly tenants: Map<string, TenantShelf>;
  /** Deals of version 1.0 of all partners that were added: each has the id that follows the last. */
  readonly dealsById: StoredDealV1[];
  /** Those that came from an archive, by the ids that they had. */
  readonly restoredById: Map<number, StoredDealV1>;
  /** The id before that of the first deal that is added: the highest that came from an archive. */
  lastRestoredId: number;
  lastStageId: number;
}

/** What one tenant holds. */
export interface TenantShelf {
  /** Deals of both versions, so that a `partner_id` names one of them. */
  readonly deals: Map<string, StoredDealV1 | StoredDealV2>;
  /** The same deals, the oldest first. */
  readonly inOrder: (StoredDealV1 | StoredDealV2)[];
  readonly firstDeals: Map<string, FirstDeal>;
  readonly firstWorkFiles: Map<string, FirstWorkFile>;
  readonly workFileIds: Set<string>;
  /** Fingerprints by idempotency keys. */
  readonly firstContractors: Map<string, string>;
  readonly events: DomainEvent[];
}

/** The contractors of a register, by e-mail key. */
export type Register = Map<string, StoredContractor>;

/** A contractor as it is kept. */
export interface StoredContractor extends Versioned<Contractor> {
  /** Who registered it. */
  readonly tenant: Tenant;
  readonly event_id: string;
  readonly idempotency: Idempotency | undefined;
}

/** The first answer to an upload under an idempotency key. */
export interface FirstWorkFile {
  readonly fingerprint: string;
  readonly file: WorkFile;
}

/** A deal of version 1.0 as it is kept. */
export interface StoredDealV1 {
  readonly api_version: '1.0';
  readonly partner: string;
  readonly position: DealPosition;
  readonly idempotency: Idempotency | undefined;
  value: Deal;
  version: number;
}

/** A deal of version 2.0 as it is kept. */
export interface StoredDealV2 {
  readonly api_version: '2.0';
  readonly position: DealPosition;
  readonly idempotency: Idempotency | undefined;
  value: DealV2;
  version: number;
}

/** All environments: an archive that was restored puts whole ones in their place. */
export type Shelves = Record<Environment, EnvironmentShelf>;

/** Empty shelves. */
export function createShelves(): Shelves {
  const shelf = (): EnvironmentShelf => ({
    contractors: new Map(),
    tenants: new Map(),
    dealsById: [],
    restoredById: new Map(),
    lastRestoredId: 0,
    lastStageId: 0,
  });
  return { production: shelf(), sandbox: shelf() };
}

/** The tenant's shelf, put up where there was none. */
export function shelfOf(shelves: Shelves, { environment, partner }: Tenant): TenantShelf {
  const { tenants } = shelves[environment];
  let shelf = tenants.get(partner);
  if (shelf === undefined) {
    shelf = {
      deals: new Map(),
      inOrder: [],
      firstDeals: new Map(),
      firstWorkFiles: new Map(),
      workFileIds: new Set(),
      firstContractors: new Map(),
      events: [],
    };
    tenants.set(partner, shelf);
  }
  return shelf;
}

/** The id of a deal that is added next; nothing where it, or one of so many stages, has none left. */
export function nextDealId(
  { lastRestoredId, dealsById, lastStageId }: EnvironmentShelf,
  stageCount: number,
): number | undefined {
  const id = lastRestoredId + dealsById.length + 1;
  return Math.max(id, lastStageId + stageCount) > Number.MAX_SAFE_INTEGER ? undefined : id;
}

/** The partner's deal of version 1.0 with this id. */
export function dealById(
  shelves: Shelves,
  { environment, partner }: Tenant,
  id: number,
): StoredDealV1 | undefined {
  const { lastRestoredId, dealsById, restoredById } = shelves[environment];
  const found = dealsById[id - lastRestoredId - 1] ?? restoredById.get(id);
  return found?.partner === partner ? found : undefined;
}

/** The register that a contractor's key names, in the tenant's environment. */
export function registerOf(
  shelves: Shelves,
  { environment }: Tenant,
  { register }: ContractorKey,
): Register {
  const { contractors } = shelves[environment];
  let found = contractors.get(register);
  if (found === undefined) {
    found = new Map();
    contractors.set(register, found);
  }
  return found;
}

/** A copy that shares nothing with the original: events are flat but for their data. */
export function copyEvent(event: DomainEvent): DomainEvent {
  return { ...event, data: { ...event.data } } as DomainEvent;
}

/** A copy of what a caller may write over. */
export function copyIdempotency(given: Idempotency | undefined): Idempotency | undefined {
  return given && { key: given.key, fingerprint: given.fingerprint };
}

/** A copy that shares nothing with the original. */
export function copyDeal(deal: Deal): Deal {
  return {
    ...deal,
    stages: deal.stages.map((stage) => ({
      ...stage,
      work_files: stage.work_files.map((file) => ({ ...file })),
    })),
  };
}
