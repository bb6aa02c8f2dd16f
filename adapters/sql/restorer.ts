import { isTenant } from 'dealwright';
import type { DomainEvent, Idempotency, Stage, StoreRecord, WorkFile } from 'dealwright/ports';
import { createIdSet } from './id-set.js';
import { tenantText } from './tenant.js';

/** A record of one kind. */
export type RecordOf<K extends StoreRecord['record']> = Extract<
  StoreRecord,
  { readonly record: K }
>;

/** What puts the parts of records into tables. `tenant` is as a column names it. */
export interface RestoredParts {
  contractor(tenant: string, record: RecordOf<'contractor'>): void;
  /** Its stages and their files follow. */
  deal(tenant: string, record: RecordOf<'deal'>): void;
  dealV2(tenant: string, record: RecordOf<'deal_v2'>): void;
  stage(tenant: string, deal_id: number, stage: Stage): void;
  /** `sequence` orders the files of a deal. */
  workFile(
    tenant: string,
    deal_id: number,
    sequence: number,
    file: WorkFile,
    idempotency: Idempotency | undefined,
  ): void;
  event(tenant: string, position: number, event: DomainEvent): void;
}

/** Takes records apart. */
export interface Restorer {
  /** Throws where it is no record, or one that cannot be with those before it. */
  add(record: StoreRecord): void;
  /** The highest id of a deal or a stage that came; 0 where none did. */
  highestId(): number;
  /** The position of the last event of each tenant that has any. */
  positions(): ReadonlyMap<string, number>;
}

/**
 * Takes records apart for tables, and judges what their keys and columns do not: those have the
 * tenant before each id, so that ids of an environment are told apart here.
 */
export function createRestorer(into: RestoredParts): Restorer {
  const idSets = () => ({ production: createIdSet(), sandbox: createIdSet() });
  const [dealIds, stageIds] = [idSets(), idSets()];
  const positions = new Map<string, number>();
  let highest = 0;

  const addDeal = (tenant: string, record: RecordOf<'deal'>) => {
    const { deal } = record;
    const { environment } = record.tenant;
    refuseUnless(dealIds[environment].add(deal.id), 'the id of a deal');
    into.deal(tenant, record);
    highest = Math.max(highest, deal.id);
    for (const stage of deal.stages) {
      refuseUnless(stageIds[environment].add(stage.id), 'the id of a stage');
      into.stage(tenant, deal.id, stage);
      highest = Math.max(highest, stage.id);
    }
    addWorkFiles(tenant, record);
  };
  const addWorkFiles = (tenant: string, { deal, work_file_keys }: RecordOf<'deal'>) => {
    const keys = new Map(work_file_keys.map((each) => [each.file_id, each]));
    let sequence = 0;
    for (const file of deal.stages.flatMap(({ work_files }) => work_files)) {
      // the sequences of later files are those of their events, of which there is one for each
      sequence += 1;
      into.workFile(tenant, deal.id, sequence, file, keys.get(file.id));
      keys.delete(file.id);
    }
    if (keys.size > 0) throw new Error('the key of a work file names none of its deal');
  };
  const addEvent = (tenant: string, { event, ...record }: RecordOf<'event'>) => {
    const { environment, partner } = record.tenant;
    // a column says whose an event is, and says it once
    if (event.environment !== environment || event.partner !== partner) {
      throw new Error("an event is not of its record's tenant");
    }
    const position = (positions.get(tenant) ?? 0) + 1;
    positions.set(tenant, position);
    into.event(tenant, position, event);
  };

  return {
    add(record) {
      if (!isTenant(record.tenant)) throw new Error('a record is of no tenant');
      const tenant = tenantText(record.tenant);
      switch (record.record) {
        case 'contractor':
          into.contractor(tenant, record);
          break;
        case 'deal':
          addDeal(tenant, record);
          break;
        case 'deal_v2':
          into.dealV2(tenant, record);
          break;
        case 'event':
          addEvent(tenant, record);
          break;
        default:
          throw new Error(
            'an archive holds contractors, deals and events, and this is none of them',
          );
      }
    },
    highestId: () => highest,
    positions: () => positions,
  };
}

/** Says what it is, and not which: values are nobody's business. */
function refuseUnless(isNew: boolean, what: string): void {
  if (!isNew) throw new Error(`the archive holds ${what} twice`);
}
