import { checksumOf } from '../../sql/migrations.js';
import { commitMany, server } from './batch.js';
import { node } from './node.js';
import { s } from './parts.js';
import { readNode } from './reads.js';
import { commitOne } from './words.js';

/** A function of the store. */
export interface StoreFunction {
  readonly name: string;
  /** The command that makes it. The schema's name stands for itself in it. */
  readonly sql: string;
}

const digestLength = 10;

/** Their texts from the parameters on, by what their names begin with. */
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
 * The functions that carry out every write, and reads on a cluster: made from the table of fields, so
 * that a change of it needs none of its own. Those of several versions lie side by side in a schema.
 */
export const functions = {
  /** One write, in words. */
  one: functionOf('commit_one'),
  /** Writes of many tenants, kind by kind. */
  many: functionOf('commit'),
  /** The same for a node of a cluster. */
  node: functionOf('commit_node'),
  /** Reads of a node of a cluster. */
  read: functionOf('read_node'),
} as const;

/** What the names of such functions are like, of whatever version: as PostgreSQL reads patterns. */
export const functionNames = `^(${Object.keys(texts).join('|')})_[0-9a-f]+$`;
