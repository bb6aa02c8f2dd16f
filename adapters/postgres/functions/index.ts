import { checksumOf } from '../../sql/migrations.js';
import { commitMany, server } from './batch.js';
import { node } from './node.js';
import { s } from './parts.js';
import { commitOne } from './words.js';

/** A function of the store. */
export interface StoreFunction {
  readonly name: string;
  /** The command that makes it. The schema's name stands for itself in it. */
  readonly sql: string;
}

const digestLength = 10;

/** A function of which this is the text from the parameters on: another text has another name. */
function named(name: string, text: string): StoreFunction {
  const full = `${name}_${checksumOf(text).slice(0, digestLength)}`;
  return { name: full, sql: `create function ${s}.${full}${text}` };
}

/**
 * The functions that carry out every write: made from the table of fields, so that a change of it
 * needs none of its own. Those of several versions lie side by side in a schema.
 */
export const functions = {
  /** One write, in words. */
  one: named('commit_one', commitOne()),
  /** Writes of many tenants, kind by kind. */
  many: named('commit', commitMany(server)),
  /** The same for a node of a cluster. */
  node: named('commit_node', commitMany(node)),
} as const;

/** What the names of such functions are like, of whatever version: as PostgreSQL reads patterns. */
export const functionNames = '^commit(_one|_node)?_[0-9a-f]+$';
