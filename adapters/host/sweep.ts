import type { LocalMarketplace, Tenant } from 'dealwright';
import { type Answer, type FileStore, type Store, unavailable } from 'dealwright/ports';
import { err, ok } from 'neverthrow';

/** The parts that a sweep works on. */
export interface SweptParts {
  readonly marketplace: Pick<LocalMarketplace, 'claimFiles' | 'sweepFiles'>;
  readonly store: Pick<Store, 'tenants'>;
  /** A folder also has the unfinished files of uploads whose process was killed. */
  readonly files: FileStore & { removeUnfinished?(minAge: number): Answer<number> };
}

/** The result of a sweep. */
export interface SweepReport {
  /** Files of uploads that never ended. */
  readonly unfinished: number;
  /** Contents that no work file names: they went to the trash. */
  readonly trashed: number;
  /** Contents that came back from the trash, because a work file names them. */
  readonly restored: number;
  /** Contents that are deleted for good: after 30 days in the trash, or if there is no trash. */
  readonly deleted: number;
  /** Tenants whose contents were swept. */
  readonly tenants: number;
}

const day = 24 * 60 * 60 * 1000;
const pageSize = 100;

/**
 * Removes the files of killed uploads, and returns how many; it stops once the signal is aborted.
 * It removes no files of another store, or of an unknown one.
 */
export async function sweep(
  { marketplace, store, files }: SweptParts,
  minAge: number = day,
  signal?: AbortSignal,
) {
  try {
    const owned = await marketplace.claimFiles();
    if (owned.isErr()) return err(owned.error);
    const { owner } = owned.value;
    const isOwn = owner === 'this_store' || owner === 'not_kept';
    const removed = (isOwn ? await files.removeUnfinished?.(minAge) : undefined) ?? ok(0);
    if (removed.isErr()) return err(removed.error);
    let [trashed, restored, deleted, count] = [0, 0, 0, 0];
    let after: Tenant | undefined;
    do {
      const page = await store.tenants(after, pageSize);
      if (page.isErr()) return err(page.error);
      for (const { tenant } of page.value) {
        if (signal?.aborted) break;
        const swept = await marketplace.sweepFiles(tenant, minAge, signal);
        if (swept.isErr()) return err(swept.error);
        trashed += swept.value.trashed;
        restored += swept.value.restored;
        deleted += swept.value.deleted;
        count += 1;
      }
      after = page.value.at(-1)?.tenant;
    } while (after !== undefined && !signal?.aborted);
    return ok<SweepReport>({
      unfinished: removed.value,
      trashed,
      restored,
      deleted,
      tenants: count,
    });
  } catch (cause) {
    return unavailable({ outcome: 'unknown', cause });
  }
}
