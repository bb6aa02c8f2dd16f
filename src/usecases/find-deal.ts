import { err, ok, type Result } from 'neverthrow';
import { type Deal, isDealId } from '../domain/deal.js';
import { type NotFound, plainError, type Unavailable } from '../domain/errors.js';
import type { Versioned } from '../ports/versioned.js';
import { type Call, type Context, portFailed, promiseBroken } from './context.js';

/** The deal of version 1.0 with this id, as it is now. */
export async function findDeal(
  { ports, guard }: Pick<Context, 'ports' | 'guard'>,
  call: Call,
  id: unknown,
): Promise<Result<Versioned<Deal>, NotFound | Unavailable>> {
  if (!isDealId(id)) return err(plainError('not_found', call.language));
  const found = await guard('none', () => ports.deals.byId(call.tenant, id));
  if (found.isErr()) {
    return err(portFailed('deals.byId', { ...found.error, outcome: 'none' }, call));
  }
  if (found.value === undefined) return err(plainError('not_found', call.language));
  return isDealWithId(found.value, id)
    ? ok(found.value)
    : err(promiseBroken('deals.byId', 'not the deal that was asked for', 'none', call));
}

function isDealWithId(found: Versioned<Deal>, id: number): boolean {
  try {
    return found.value.id === id && found.value.stages.every((stage) => isDealId(stage.id));
  } catch {
    return false;
  }
}
