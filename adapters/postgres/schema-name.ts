import { isSchemaName } from './options.js';
import type { PostgresLike } from './postgres-like.js';

/** Which schema of a database is meant. */
export interface SchemaChoice {
  /** Letters `a-z`, digits and `_`, at most 63, no digit first. Default `dealwright`. */
  readonly schema?: string;
}

/** The schema that a host asked for, or a `TypeError` of whoever was asked, as for what is no database. */
export function schemaName(asked: string, options: SchemaChoice, db?: PostgresLike | null): string {
  const { schema = 'dealwright', ...rest }: SchemaChoice = Object(options);
  const [stranger] = Object.keys(rest);
  const wrong = [
    ...(db === undefined || typeof Object(db).query === 'function'
      ? []
      : ['the database has no query()']),
    ...(stranger === undefined ? [] : [`there is no option ${JSON.stringify(stranger)}`]),
    ...(isSchemaName(schema)
      ? []
      : ['schema has letters a-z, digits and _ only, 1 to 63, and begins with no digit']),
  ];
  if (wrong.length > 0) throw new TypeError(`${asked}: ${wrong.join('; ')}`);
  return schema;
}
