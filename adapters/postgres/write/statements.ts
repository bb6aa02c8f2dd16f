import { quoted, type Statement, statement } from '../connection/send.js';
import { parameterNames } from '../functions/batch.js';
import { functions, type StoreFunction } from '../functions/index.js';
import { sharedWait } from './patience.js';

/** A call of a database function. */
function callOf(schema: string, { name }: StoreFunction, types: readonly string[]): string {
  const parameters = types.map((type, at) => `$${at + 1}::${type}`).join(', ');
  return `${quoted(schema)}.${name}(${parameters})`;
}

function call(which: keyof typeof functions, schema: string, types: readonly string[]): Statement {
  const variant = which === 'many' ? '' : `_${which}`;
  return statement(
    'commit',
    variant,
    `select ${callOf(schema, functions[which], types)} as answer`,
  );
}

// a driver would format arrays and JSON in its own way

const typesOfOne = ['text', 'text', 'bigint', 'text'];

/** One write, as words. */
export function commitOneStatement(schema: string): Statement {
  return call('one', schema, typesOfOne);
}

/** The call of one write within another statement, whose first four parameters are its own. */
export function commitOneCall(schema: string): string {
  return callOf(schema, functions.one, typesOfOne);
}

/**
 * One write of records that tenants share, which the coordinator of a cluster carries out: it
 * delegates no call with a condition. It keeps connections to all nodes, which another node would
 * open each time.
 */
export function commitSharedStatement(schema: string): Statement {
  const { text } = commitOneStatement(schema);
  return statement('commit', '_shared', `${text} where $1::text is not null`);
}

/** Arrays and JSON, each as text. */
const typesOfMany = Array<string>(3 + parameterNames.length + 1).fill('text');

/** Writes of many tenants, kind by kind. */
export function commitStatement(schema: string): Statement {
  return call('many', schema, typesOfMany);
}

/** The same for a cluster, which sends the call to the node of the tenant that its first value names. */
export function commitNodeStatement(schema: string): Statement {
  return call('node', schema, ['text', ...typesOfMany]);
}

/** The same, which gives up soon if another transaction has locked the log of one of them. */
export function boundedStatement(schema: string): Statement {
  return statement(
    'commit',
    '_bounded',
    `with bounded as materialized (select set_config('lock_timeout', '${sharedWait}', true) as bound)
    select ${callOf(schema, functions.many, typesOfMany)} as answer from bounded where bound is not null`,
  );
}
