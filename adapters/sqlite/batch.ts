import type { AnyRow, Environment, Kind, NewEvent } from 'dealwright/ports';
import { type AnyMembers, columnValue, tables } from '../sql/tables.js';
import type { TenantNames } from '../sql/tenant.js';
import type { Prepare } from './sqlite-like.js';
import { byKey, createInsert, nameOf } from './statements.js';

/** The changes of the writes of one transaction. */
export interface Batch {
  /** Inserts a record: the members of the write, and those that the store adds. */
  insert(kind: Kind, given: AnyMembers, added: AnyRow & TenantNames): void;
  /** Changes fields of a record; its kind allows them to change. */
  change(kind: Kind, names: TenantNames, key: string | number, set: AnyRow): void;
  /** Moves the version of a record on, and returns the earlier one. */
  moveOn(kind: Kind, names: TenantNames, key: string, count: number): number;
  /** Puts events at the end of the log of a tenant, the first with this sequence. */
  append(names: TenantNames, events: readonly NewEvent[], sequence: number): void;
  /** The first of a number of reserved integers; `undefined` if fewer are left. */
  takeNumbers(environment: Environment, count: number): number | undefined;
  /** Stores the ends of the logs: the last step before the commit. */
  settle(): void;
  /** Whether the whole batch is in the database, once the transaction is over. */
  isThere(): boolean;
}

/** Begins the batch of a transaction, which must have begun. */
export function createBatches(prepare: Prepare): () => Batch {
  const insertRow = createInsert(prepare);
  const readPosition = prepare(
    'select last_position as last_position from dealwright_tenants where tenant = ?',
  );
  const writePosition = prepare(`insert into dealwright_tenants (tenant, last_position)
    values (?, ?) on conflict (tenant) do update set last_position = excluded.last_position`);
  const readNumber = prepare('select last as last from dealwright_numbers where environment = ?');
  const writeNumber = prepare('update dealwright_numbers set last = ? where environment = ?');

  return () => {
    const positions = new Map<string, number>();
    /** One inserted record: it stands for the whole transaction. */
    let inserted: Parameters<Batch['insert']> | undefined;
    let isChanged = false;

    const insert: Batch['insert'] = (...record) => {
      insertRow(...record);
      inserted = record;
    };
    return {
      insert,
      change(kind, names, key, set) {
        const table = tables[kind];
        const fields = table.changes.filter((field) => set[field] !== undefined);
        if (fields.length === 0) return;
        isChanged = true;
        prepare(
          `update ${nameOf(table)} set ${fields.map((field) => `${field} = ?`).join(', ')}
          where ${byKey(table)}`,
        ).run(...fields.map((field) => set[field] ?? null), names[table.owner], key);
      },
      moveOn(kind, names, key, count) {
        const table = tables[kind];
        isChanged = true;
        const moved = prepare(
          `update ${nameOf(table)} set version = version + ? where ${byKey(table)} returning version as version`,
        ).get<{ version: number }>(count, names[table.owner], key);
        return (moved?.version ?? count) - count;
      },
      append(names, events, sequence) {
        const { environment, tenant } = names;
        let position =
          positions.get(tenant) ??
          readPosition.get<{ last_position: number }>(tenant)?.last_position ??
          0;
        for (const [at, event] of events.entries()) {
          position += 1;
          const added = { environment, tenant, position, sequence: sequence + at };
          insert('event', event, added);
        }
        positions.set(tenant, position);
      },
      takeNumbers(environment, count) {
        const found = readNumber.get<{ last: number }>(environment);
        if (found === undefined) throw new Error('a row of dealwright_numbers is missing');
        if (count > Number.MAX_SAFE_INTEGER - found.last) return undefined;
        isChanged = true;
        writeNumber.run(found.last + count, environment);
        return found.last + 1;
      },
      settle() {
        for (const [tenant, position] of positions) writePosition.run(tenant, position);
      },
      isThere() {
        if (inserted === undefined) return !isChanged;
        const [kind, given, added] = inserted;
        const table = tables[kind];
        const where = [...new Set([...table.primaryKey, table.key])];
        const sql = `select 1 as found from ${nameOf(table)} where ${where.map((name) => `${name} = ?`).join(' and ')}`;
        return (
          prepare(sql).get(...where.map((name) => columnValue(added[name] ?? given[name]))) !==
          undefined
        );
      },
    };
  };
}
