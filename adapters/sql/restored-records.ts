import {
  type ArchiveRecord,
  type Environment,
  isStored,
  isTenant,
  type Kind,
  shapeOf,
} from 'dealwright/ports';
import { createIdSet, type IdSet } from './id-set.js';
import { type AnyMembers, kinds, type Table, tables } from './tables.js';
import { type TenantNames, tenantNames } from './tenant.js';

/** A record of an archive in the form of a table. */
export interface RestoredRecord {
  readonly kind: Kind;
  readonly names: TenantNames;
  /** The members of the record, and the position of an event. */
  readonly row: AnyMembers;
}

/** Checks the records of an archive for errors that the keys of tables do not prevent. */
export interface RestoredRecords {
  /** Throws if the value is not a record, or its integer came before. */
  read(record: ArchiveRecord): RestoredRecord;
  /** The highest integer of an environment; 0 if there is none. */
  highest(environment: Environment): number;
  /** The position of the last event of each tenant that has any. */
  positions(): ReadonlyMap<string, number>;
}

/** No records yet. */
export function createRestoredRecords(): RestoredRecords {
  const numbers = new Map<string, IdSet>();
  const highest = { production: 0, sandbox: 0 };
  const positions = new Map<string, number>();

  const addNumber = (kind: Kind, environment: Environment, number: number) => {
    const name = `${environment} ${kind}`;
    const known = numbers.get(name) ?? createIdSet();
    numbers.set(name, known);
    // the message names the kind, and not the value: values stay secret
    if (!known.add(number)) throw new Error(`the archive holds an integer of a ${kind} twice`);
    highest[environment] = Math.max(highest[environment], number);
  };

  return {
    read(record) {
      const { kind, tenant, row } = Object(record) as ArchiveRecord;
      if (!isTenant(tenant)) throw new Error('a record of the archive is not of a tenant');
      if (!kinds.includes(kind) || !isStored(kind, row)) {
        throw new Error('the archive holds what is not a record');
      }
      const names = tenantNames(tenant);
      if (kind === 'event') {
        const position = (positions.get(names.tenant) ?? 0) + 1;
        positions.set(names.tenant, position);
        return { kind, names, row: Object.assign({}, row, { position }) };
      }
      const { number } = shapeOf(kind);
      const members: AnyMembers = row;
      if (number !== undefined) addNumber(kind, tenant.environment, members[number] as number);
      return { kind, names, row: members };
    },
    highest: (environment) => highest[environment],
    positions: () => positions,
  };
}

/** A query that finds a row if an archive is wrong, and the message for it. */
export interface ArchiveCheck {
  readonly sql: string;
  readonly says: string;
}

/**
 * Errors that no key of a table prevents: records without their parent, and events that came twice.
 */
export function archiveChecks(nameOf: (table: Table) => string): readonly ArchiveCheck[] {
  const orphans = kinds.flatMap((kind) => {
    const { under } = shapeOf(kind);
    const parent = kinds.find((each) => each === under?.kind);
    if (under === undefined || parent === undefined) return [];
    const { owner, key } = tables[parent];
    return {
      sql: `select 1 as answer from ${nameOf(tables[kind])} t where not exists (
        select 1 from ${nameOf(tables[parent])} p
        where p.${owner} = t.${owner} and p.${key} = t.${under.by}) limit 1`,
      says: `a ${kind} of the archive is under a ${parent} that did not come`,
    };
  });
  const { owner, key } = tables.event;
  const twins = `select 1 as answer from ${nameOf(tables.event)}
    group by ${owner}, ${key} having count(*) > 1 limit 1`;
  return [...orphans, { sql: twins, says: `the archive holds the ${key} of an event twice` }];
}
