import type { SandboxApi } from 'dealwright';
import type { ClientOptions } from 'dealwright/client';
import { sandboxRoutes } from '../wire/sandbox.js';
import { createOperations } from './operations.js';
import { readSettings } from './settings.js';

/**
 * Makes the client of the further operations of a sandbox: the commands of every actor, and a clock
 * that can be moved (decision 6.6). A token of production gets `not_found`. Failures and retries
 * are those of `createClient`; a mistake in the options throws a `TypeError`.
 *
 * @example
 * ```ts
 * import { createSandboxClient } from 'dealwright/client';
 *
 * const sandbox = createSandboxClient({ baseUrl: 'http://127.0.0.1:8787', token: 'sandbox-token' });
 * await sandbox.command('order-1', 'freelancer', 'accept');
 * await sandbox.advanceClock({ advance_seconds: 7 * 24 * 60 * 60 });
 * ```
 */
export function createSandboxClient(options: ClientOptions): SandboxApi {
  const operation = createOperations(readSettings(options, 'createSandboxClient'));
  const operations = Object.values(sandboxRoutes).map((row) => [row.operation, operation(row)]);
  // the routes are those of the interface, with its names, answers and errors
  return Object.fromEntries(operations) as SandboxApi;
}
