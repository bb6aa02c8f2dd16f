import { err, ok, type Result } from 'neverthrow';
import type { FilesSwept } from '../api/answers.js';
import { isUlid, timeOfUlid } from '../domain/ulid.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Call, Context } from './context.js';

/** How many ids one call of a store looks up. */
const batchSize = 100;

/**
 * Deletes the contents of a tenant that no work file names: what a crash between a content and its
 * record left behind. One that is younger than `minAge` may still be on its way to its record.
 */
export async function sweepFiles(
  { ports }: Context,
  { tenant }: Call,
  minAge: number,
): Promise<Result<FilesSwept, PortProblem>> {
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const latest = now.value - minAge;
  let [kept, deleted] = [0, 0];
  let after: string | undefined;
  for (;;) {
    const listed = await ports.listFiles(tenant, after);
    if (listed.isErr()) return err(listed.error);
    const ids = listed.value;
    if (ids.length === 0) return ok({ kept, deleted });
    after = ids.at(-1);
    for (let at = 0; at < ids.length; at += batchSize) {
      const batch = ids.slice(at, at + batchSize);
      const recorded = await ports.recordedWorkFiles(tenant, batch);
      if (recorded.isErr()) return err(recorded.error);
      const known = new Set(recorded.value);
      for (const id of batch) {
        // a content without an id of the core is not deleted
        if (known.has(id) || !isUlid(id) || timeOfUlid(id) > latest) {
          kept += 1;
          continue;
        }
        const gone = await ports.deleteFile(tenant, id);
        if (gone.isErr()) return err(gone.error);
        deleted += 1;
      }
    }
  }
}
