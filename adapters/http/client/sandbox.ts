import type { SandboxApi } from 'dealwright';
import type { ClientOptions } from 'dealwright/client';
import { sandboxRoutes } from '../wire/sandbox-routes.js';
import { createOperations, isPathPart, pathByPartnerId } from './operations.js';
import { readSettings } from './settings.js';

/**
 * Makes the client of what a partner can do in the sandbox besides: the commands of every actor, and
 * a clock that moves (decision 6.6). A token of production gets `not_found`. Failures are answered
 * and sent again as `createClient` does it; a mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createSandboxClient } from 'dealwright/sandbox-client';
 *
 * const sandbox = createSandboxClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * await sandbox.command('order-1', 'freelancer', 'accept');
 * await sandbox.advanceClock({ advance_seconds: 7 * 24 * 60 * 60 });
 * ```
 */
export function createSandboxClient(options: ClientOptions): SandboxApi {
  const { send } = createOperations(readSettings(options, 'createSandboxClient'));
  const { command, advanceClock } = sandboxRoutes;
  return {
    command(partner_id, actor, name, input, given) {
      const isNamed = isPathPart(actor) && isPathPart(name);
      const path = isNamed ? pathByPartnerId(command, partner_id) : undefined;
      return send(
        command,
        path?.replace('{actor}', actor).replace('{command}', name),
        input,
        given,
      );
    },
    advanceClock: (input, given) => send(advanceClock, advanceClock.path, input, given),
  };
}
