import type {
  ContractorKey,
  Idempotency,
  StoreArchive,
  StoreRecord,
  Tenant,
} from 'dealwright/ports';
import { restoreRecord, type StageIds } from './restore-record.js';
import {
  copyDeal,
  copyEvent,
  copyIdempotency,
  createShelves,
  type EnvironmentShelf,
  type FirstWorkFile,
  type Shelves,
  type StoredContractor,
  type StoredDealV1,
  type StoredDealV2,
} from './shelves.js';

const environments = ['production', 'sandbox'] as const;

/** Everything that a memory store holds. */
export function createArchive(shelves: Shelves): StoreArchive {
  return {
    async *dump() {
      yield* snapshot(shelves);
    },
    async restore(records) {
      refuseUnlessEmpty(shelves);
      const restored = createShelves();
      const stageIds: StageIds = { production: new Set(), sandbox: new Set() };
      let count = 0;
      for await (const record of records) {
        restoreRecord(restored, stageIds, record);
        count += 1;
      }
      // somebody may have written meanwhile; from here on nobody does
      refuseUnlessEmpty(shelves);
      for (const environment of environments) shelves[environment] = restored[environment];
      return count;
    },
  };
}

function refuseUnlessEmpty(shelves: Shelves): void {
  if (environments.every((environment) => isEmpty(shelves[environment]))) return;
  throw new Error('the store holds something already: an archive is restored into an empty one');
}

function isEmpty({ contractors, tenants }: EnvironmentShelf): boolean {
  return (
    [...contractors.values()].every(({ size }) => size === 0) &&
    [...tenants.values()].every(({ deals, events }) => deals.size === 0 && events.length === 0)
  );
}

/** All records as they are now: what is kept is replaced by later writes, and never written over. */
function snapshot(shelves: Shelves): Iterable<StoreRecord> {
  const contractors = environments.flatMap((environment) =>
    [...shelves[environment].contractors].flatMap(([register, kept]) =>
      [...kept].map(([email_key, stored]) => contractorRecord({ register, email_key }, stored)),
    ),
  );
  const tenants = environments.flatMap((environment) =>
    [...shelves[environment].tenants].map(([partner, { inOrder, events, firstWorkFiles }]) => ({
      tenant: { environment, partner },
      deals: inOrder.map((stored) => ({ ...stored })),
      events: [...events],
      fileKeys: keysOfFiles(firstWorkFiles),
    })),
  );
  return (function* () {
    yield* contractors;
    for (const { tenant, deals, fileKeys } of tenants) {
      for (const stored of deals) yield dealRecord(tenant, stored, fileKeys);
    }
    for (const { tenant, events } of tenants) {
      for (const event of events) {
        yield { record: 'event', tenant: { ...tenant }, event: copyEvent(event) };
      }
    }
  })();
}

function contractorRecord(
  key: ContractorKey,
  { value, version, tenant, event_id, idempotency }: StoredContractor,
): StoreRecord {
  return {
    record: 'contractor',
    tenant: { ...tenant },
    key,
    contractor: { ...value },
    version,
    event_id,
    idempotency: copyIdempotency(idempotency),
  };
}

/** The idempotency records of work files, by the ids of these. */
type FileKeys = ReadonlyMap<string, Idempotency>;

function keysOfFiles(first: ReadonlyMap<string, FirstWorkFile>): FileKeys {
  return new Map([...first].map(([key, { fingerprint, file }]) => [file.id, { key, fingerprint }]));
}

function dealRecord(
  tenant: Tenant,
  stored: StoredDealV1 | StoredDealV2,
  fileKeys: FileKeys,
): StoreRecord {
  const { version, position, idempotency } = stored;
  const { event_id } = position;
  const beside = {
    tenant: { ...tenant },
    version,
    event_id,
    idempotency: copyIdempotency(idempotency),
  };
  if (stored.api_version === '2.0') {
    return { record: 'deal_v2', deal: { ...stored.value }, ...beside };
  }
  const work_file_keys = stored.value.stages.flatMap(({ work_files }) =>
    work_files.flatMap(({ id: file_id }) => {
      const idempotency = fileKeys.get(file_id);
      return idempotency === undefined ? [] : [{ ...idempotency, file_id }];
    }),
  );
  return { record: 'deal', deal: copyDeal(stored.value), work_file_keys, ...beside };
}
