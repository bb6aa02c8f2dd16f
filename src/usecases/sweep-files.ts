import { err, ok, type Result } from 'neverthrow';
import type { FilesSwept } from '../api/answers.js';
import type { Unavailable } from '../domain/errors.js';
import type { Tenant } from '../domain/tenant.js';
import { isUlid, timeOfUlid } from '../domain/ulid.js';
import { type PortFailure, unavailable } from '../ports/answer.js';
import { type Context, portFailed, promiseBroken } from './context.js';

const inEnglish = { language: 'en' } as const;
/** How many ids a store of deals is asked about at once. */
const batchSize = 100;

/**
 * Deletes the contents of a tenant that no work file names: what a crash between a content and its
 * record left behind. One that is younger than `minAge` may still be on its way to its record.
 */
export async function sweepFiles(
  { ports, guard }: Context,
  tenant: Tenant,
  minAge: number,
): Promise<Result<FilesSwept, Unavailable>> {
  const { files, deals, timer } = ports;
  if (files === undefined) {
    return err(promiseBroken('files', "files are the service upstream's", 'none', inEnglish));
  }
  const failed = (port: string, failure: PortFailure) => err(portFailed(port, failure, inEnglish));
  let latest: number;
  try {
    latest = timer.now() - minAge;
  } catch (cause) {
    return failed('system', unavailable({ outcome: 'none', cause }).error);
  }
  let [kept, deleted] = [0, 0];
  let after: string | undefined;
  for (;;) {
    const from = after;
    const listed = await guard('none', () => files.list(tenant, from));
    if (listed.isErr()) return failed('files.list', listed.error);
    const ids = listed.value;
    if (ids.length === 0) return ok({ kept, deleted });
    const last = ids.at(-1);
    if (after !== undefined && !(last !== undefined && last > after)) {
      return err(promiseBroken('files.list', 'ids out of their order', 'unknown', inEnglish));
    }
    after = last;
    for (let at = 0; at < ids.length; at += batchSize) {
      const batch = ids.slice(at, at + batchSize);
      const recorded = await guard('none', () => deals.recordedWorkFiles(tenant, batch));
      if (recorded.isErr()) return failed('deals.recordedWorkFiles', recorded.error);
      const known = new Set(recorded.value);
      for (const id of batch) {
        // what has no id of ours is not ours to delete
        if (known.has(id) || !isUlid(id) || timeOfUlid(id) > latest) {
          kept += 1;
          continue;
        }
        const gone = await guard('unknown', () => files.delete(tenant, id));
        if (gone.isErr()) return failed('files.delete', gone.error);
        deleted += 1;
      }
    }
  }
}
