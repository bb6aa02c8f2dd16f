import { err, type Result } from 'neverthrow';
import { type ListTokensError, notFound, type WithoutMessage } from '../domain/input/errors.js';
import { type ApiToken, shownApiToken } from '../domain/values/api-token.js';
import type { GuardedPorts } from '../ports/guarded-ports.js';
import type { Call } from './context.js';

/** The API tokens of a partner, if the host lists them, in the order of the host. */
export async function listTokens(
  { ports }: { readonly ports: Pick<GuardedPorts, 'listTokens'> },
  { tenant }: Call,
): Promise<Result<readonly ApiToken[], WithoutMessage<ListTokensError>>> {
  if (ports.listTokens === undefined) return err(notFound('operation'));
  return (await ports.listTokens(tenant)).map((listed) => listed.map(shownApiToken));
}
