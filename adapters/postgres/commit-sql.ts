import { parameterNames } from './commit-values.js';
import { functionsVersion } from './schema.js';
import { quoted, type Statement, statement } from './statement.js';

/** A call of a database function. Its name says of which schema it is: older clients go on. */
function call(schema: string, name: string, types: readonly string[]): Statement {
  const parameters = types.map((type, at) => `$${at + 1}::${type}`).join(', ');
  const variant = name.replace('commit', '');
  return statement(
    'commit',
    variant,
    `select ${quoted(schema)}.${name}_${functionsVersion}(${parameters}) as answer`,
  );
}

// what a driver knows to be an array or JSON it would write in its own way

/** One write, in words. */
export function commitOneStatement(schema: string): Statement {
  return call(schema, 'commit_one', ['text', 'text', 'bigint', 'text::text[]']);
}

/** Writes of one tenant, each in words: a cluster sends the call to the node of the tenant. */
export function commitEachStatement(schema: string): Statement {
  return call(schema, 'commit_each', ['text', 'text::text[]', 'text::bigint[]', 'text::text[]']);
}

/** Writes of many tenants, kind by kind. */
export function commitStatement(schema: string): Statement {
  const arrays = ['text::text[]', 'text::text[]', 'text::bigint[]'];
  const kinds = Array<string>(parameterNames.length + 1).fill('text::json');
  return call(schema, 'commit', [...arrays, ...kinds]);
}
