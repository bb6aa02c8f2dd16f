import { err, ok, type Result } from 'neverthrow';
import type { FilesOwner, FilesSwept } from '../api/answers.js';
import { trashedFor } from '../domain/deals/work-file.js';
import { isUlid, timeOfUlid } from '../domain/values/ulid.js';
import { type PortProblem, portProblem } from '../ports/answer.js';
import { batches, foreign } from './claim-files.js';
import type { Call, Context } from './context.js';

/** The part of an `AbortSignal` that ends a sweep early. */
type Signal = { readonly aborted: boolean } | undefined;

/**
 * Moves the contents of a tenant that no work file names to the trash: a crash between a content
 * and its record leaves them. One younger than `minAge` may still get its record.
 */
export async function sweepFiles(
  context: Context,
  call: Call,
  minAge: number,
  isForGood: boolean,
  signal: Signal,
): Promise<Result<FilesSwept, PortProblem>> {
  const { ports } = context;
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const owned = await context.claims.ask();
  if (owned.isErr()) return err(owned.error);
  const hasTrash = ports.fileTrash !== undefined;
  const refusal = refusalOf(owned.value, isForGood, hasTrash);
  if (refusal !== undefined) {
    const cause = new Error(`nothing is swept: ${refusal}`);
    return err(portProblem('files', { retryable: false, cause }));
  }
  const emptied = await goThroughTrash(context, call, now.value - trashedFor, signal);
  if (emptied.isErr()) return err(emptied.error);
  const { restored } = emptied.value;
  let { deleted } = emptied.value;
  let [kept, trashed] = [0, 0];
  const { tenant } = call;
  for await (const batch of batches(
    (after) => ports.listFiles(tenant, after),
    (id) => id,
  )) {
    if (batch.isErr()) return err(batch.error);
    const recorded = await ports.recordedWorkFiles(tenant, batch.value);
    if (recorded.isErr()) return err(recorded.error);
    const known = new Set(recorded.value);
    for (const id of batch.value) {
      if (signal?.aborted) return ok({ kept, trashed, restored, deleted });
      // a content whose id is not the core's is not touched
      if (known.has(id) || !isUlid(id) || timeOfUlid(id) > now.value - minAge) {
        kept += 1;
        continue;
      }
      const gone = await (ports.fileTrash?.put(tenant, id, now.value) ??
        ports.deleteFile(tenant, id));
      if (gone.isErr()) return err(gone.error);
      if (hasTrash) trashed += 1;
      else deleted += 1;
    }
  }
  return ok({ kept, trashed, restored, deleted });
}

/** Why nothing may be swept, if so. */
function refusalOf(found: FilesOwner, isForGood: boolean, hasTrash: boolean): string | undefined {
  switch (found.owner) {
    case 'not_kept':
      return isForGood
        ? undefined
        : 'whose the contents are is not kept (Store.identity, FileStore.owner): sweepForGood allows it';
    case 'this_store':
      return isForGood || hasTrash
        ? undefined
        : 'the file store has no trash (FileStore.trash): sweepForGood deletes contents without it';
    default:
      return foreign(found);
  }
}

/**
 * Restores contents that a work file names: a store that was replaced by an older copy of itself
 * did not know them for a time. Deletes contents that came into the trash before this time.
 */
async function goThroughTrash(
  { ports }: Context,
  { tenant }: Call,
  latest: number,
  signal: Signal,
): Promise<Result<Pick<FilesSwept, 'restored' | 'deleted'>, PortProblem>> {
  let [restored, deleted] = [0, 0];
  const { fileTrash } = ports;
  if (fileTrash === undefined) return ok({ restored, deleted });
  const list = (after: string | undefined) => fileTrash.list(tenant, after);
  for await (const batch of batches(list, ({ id }) => id)) {
    if (batch.isErr()) return err(batch.error);
    const recorded = await ports.recordedWorkFiles(
      tenant,
      batch.value.map(({ id }) => id),
    );
    if (recorded.isErr()) return err(recorded.error);
    const known = new Set(recorded.value);
    for (const { id, since } of batch.value) {
      if (signal?.aborted) return ok({ restored, deleted });
      if (known.has(id)) {
        const back = await fileTrash.restore(tenant, id);
        if (back.isErr()) return err(back.error);
        restored += 1;
      } else if (since <= latest) {
        const gone = await fileTrash.delete(tenant, id);
        if (gone.isErr()) return err(gone.error);
        deleted += 1;
      }
    }
  }
  return ok({ restored, deleted });
}
