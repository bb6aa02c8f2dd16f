import { err, ok, type Result } from 'neverthrow';
import type { Pruned } from '../api/answers.js';
import type { EndingKind } from '../domain/records.js';
import { formatTimestamp } from '../domain/timestamp.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Context } from './context.js';

/** How many records of a kind one call deletes: others write between two calls. */
const batchSize = 500;

/** What is under another goes before it. */
const kinds: readonly EndingKind[] = ['delivery', 'consumer', 'webhook', 'answer'];

/** Deletes a batch of what has ended: idempotency keys, and what is left of deleted webhooks. */
export async function prune({ ports }: Context): Promise<Result<Pruned, PortProblem>> {
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const before = formatTimestamp(now.value);
  let [deleted, isMore] = [0, false];
  for (const kind of kinds) {
    const gone = await ports.prune(kind, before, batchSize);
    if (gone.isErr()) return err(gone.error);
    deleted += gone.value;
    isMore ||= gone.value >= batchSize;
  }
  return ok({ deleted, isMore });
}
