import { tables } from '../sql/tables.js';

const names = Object.values(tables).map(({ name }) => `'${name}'`);

/** An index that a restore does without, and how it is made again. */
export interface IndexAside {
  /** With its schema, as it stands in a statement. */
  readonly name: string;
  readonly sql: string;
}

/**
 * Lists the indexes that only serve to find rows, one JSON text each: to make one of all rows at once
 * takes a fraction of the time that it takes to keep it while they come. None where this role may not
 * make them again, or where a cluster or partitions have a part in them. Its parameter is the schema.
 */
export const listIndexesSql = `select json_build_object('name', format('%I.%I', n.nspname, c.relname),
    'sql', pg_get_indexdef(c.oid))::text as answer
  from pg_index x join pg_class c on c.oid = x.indexrelid
  join pg_namespace n on n.oid = c.relnamespace join pg_class t on t.oid = x.indrelid
  where n.nspname = $1::text and t.relname in (${names.join(', ')})
    and not x.indisunique and c.relkind = 'i' and not c.relispartition
    and pg_has_role(t.relowner, 'usage') and has_schema_privilege(n.oid, 'create')
    and to_regclass('pg_dist_partition') is null`;
