import { isSchemaName } from './options.js';

/** Which schema of a database is meant. */
export interface SchemaChoice {
  /** Letters `a-z`, digits and `_`, at most 63, no digit first. Default `dealwright`. */
  readonly schema?: string;
}

/** The schema that a host asked for, or a `TypeError` of whoever was asked. */
export function schemaName(asked: string, { schema = 'dealwright' }: SchemaChoice): string {
  if (isSchemaName(schema)) return schema;
  throw new TypeError(
    `${asked}: schema has letters a-z, digits and _ only, 1 to 63, and begins with no digit`,
  );
}
