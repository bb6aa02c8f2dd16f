import { checksumOf } from '../../sql/migrations.js';
import { commitMany, server } from './batch.js';
import { node } from './node.js';
import { s } from './parts.js';
import { readNode } from './reads.js';
import { commitOne } from './words.js';

/** A function of the store. */
export interface StoreFunction {
  readonly name: string;
  /** The command that makes it, with a placeholder for the schema's name. */
  readonly sql: string;
}

const digestLength = 10;

/** Their texts from the parameters on, by the starts of their names. */
const texts = {
  commit_one: commitOne(),
  commit: commitMany(server),
  commit_node: commitMany(node),
  read_node: readNode(),
};

/** A function: another text has another name. */
function functionOf(begin: keyof typeof texts): StoreFunction {
  const text = texts[begin];
  const name = `${begin}_${checksumOf(text).slice(0, digestLength)}`;
  return { name, sql: `create function ${s}.${name}${text}` };
}

/**
 * The functions that carry out every write, and reads on a cluster: made from the table of fields,
 * so a change of the table needs no change of them. Those of several versions coexist in a schema.
 */
export const functions = {
  /** One write, as words. */
  one: functionOf('commit_one'),
  /** Writes of many tenants, kind by kind. */
  many: functionOf('commit'),
  /** The same for a node of a cluster. */
  node: functionOf('commit_node'),
  /** Reads of a node of a cluster. */
  read: functionOf('read_node'),
} as const;

/** A PostgreSQL pattern for the names of such functions, of any version. */
export const functionNames = `^(${Object.keys(texts).join('|')})_[0-9a-f]+$`;
