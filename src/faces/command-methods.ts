import type { lifecycle as ours } from '../domain/life/lifecycle.js';
import {
  type CommandBy,
  commandsOf,
  type Lifecycle,
  type MethodOf,
  methodOf,
} from '../domain/life/rules.js';
import type { Actor } from '../domain/values/tenant.js';

/** The methods of the commands that our table has for an actor. */
type MethodsOf<A extends Actor> = Readonly<
  Record<MethodOf<CommandBy<typeof ours, A>>, (...given: never[]) => unknown>
>;

/**
 * A method for each command that an actor can give, including those of a host's own rows: the name
 * in a path, in camel case.
 */
export function commandMethods<A extends Actor, M extends MethodsOf<A>>(
  lifecycle: Lifecycle,
  actor: A,
  method: (name: string) => unknown,
): M {
  const methods = commandsOf(lifecycle, actor).map((name) => [methodOf(name), method(name)]);
  // the interface has a method for each row of our table, or it is no `M`
  return Object.fromEntries(methods) as M;
}
