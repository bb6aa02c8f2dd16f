import { commandsOf, type Lifecycle, methodOf } from '../domain/life/rules.js';
import type { Actor } from '../domain/values/tenant.js';

/**
 * A method for each command that an actor can give, including those of a host's own rows: the name
 * in a path, in camel case.
 */
export function commandMethods<M>(
  lifecycle: Lifecycle,
  actor: Actor,
  method: (name: string) => unknown,
): M {
  const methods = commandsOf(lifecycle, actor).map((name) => [methodOf(name), method(name)]);
  // the interfaces list the commands of our table, which a test of types keeps true
  return Object.fromEntries(methods) as M;
}
