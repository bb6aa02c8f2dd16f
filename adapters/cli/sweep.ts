import type { LocalMarketplace, Tenant } from 'dealwright';
import type { FolderFileStore } from 'dealwright/files';
import { type FileStore, type Store, type Timer, unavailable } from 'dealwright/ports';
import { err, ok, Result } from 'neverthrow';
import { failedExit } from './exit-codes.js';
import type { Flags } from './fields.js';
import { causeText, complain, say, tell } from './problem.js';
import { createServiceMarketplace } from './service.js';
import { parseNumber, parsePlace } from './settings.js';
import { openStore } from './store/open-store.js';

export interface SweptParts {
  readonly marketplace: Pick<LocalMarketplace, 'sweepFiles'>;
  readonly store: Pick<Store, 'tenants'>;
  /** A folder also has the unfinished files of uploads whose process was killed. */
  readonly files: FileStore & Partial<Pick<FolderFileStore, 'removeUnfinished'>>;
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const pageSize = 100;

/** Removes what killed uploads left, and says how much; it stops once the signal is aborted. */
export async function sweep(
  { marketplace, store, files }: SweptParts,
  minAge: number = day,
  signal?: AbortSignal,
) {
  try {
    const removed = (await files.removeUnfinished?.(minAge)) ?? ok(0);
    if (removed.isErr()) return err(removed.error);
    let [contents, count] = [0, 0];
    let after: Tenant | undefined;
    do {
      const page = await store.tenants(after, pageSize);
      if (page.isErr()) return err(page.error);
      for (const tenant of page.value) {
        if (signal?.aborted) break;
        const swept = await marketplace.sweepFiles(tenant, minAge);
        if (swept.isErr()) return err(swept.error);
        contents += swept.value.deleted;
        count += 1;
      }
      after = page.value.at(-1);
    } while (after !== undefined && !signal?.aborted);
    return ok({ unfinished: removed.value, contents, tenants: count });
  } catch (cause) {
    return unavailable({ outcome: 'unknown', cause });
  }
}

/**
 * Sweeps now, and a day after each sweep, until the function that it returns is called. A sweep that
 * fails is reported, and begins anew a day later.
 */
export function sweepDaily(
  timer: Timer,
  parts: SweptParts,
  onFailure: (cause: unknown) => void,
): () => void {
  const control = new AbortController();
  let cancel = () => {};
  const run = async () => {
    const result = await sweep(parts, day, control.signal);
    if (control.signal.aborted) return;
    if (result.isErr()) onFailure(result.error.cause);
    cancel = timer.sleep(day, () => void run());
  };
  void run();
  return () => {
    control.abort();
    cancel();
  };
}

export async function sweepOnce(process: NodeJS.Process, flags: Flags): Promise<number> {
  const settings = Result.combineWithAllErrors([
    parsePlace(process.env),
    parseNumber('--min-age', flags.minAge, 2, 8760, 'hours'),
  ]);
  if (settings.isErr()) return complain(process, ...settings.error);
  const [place, minAge = 24] = settings.value;
  const opened = await openStore(process, place, false);
  if (opened.isErr()) return tell(process, opened.error);
  const { ports, close } = opened.value;
  const marketplace = createServiceMarketplace(ports);
  const swept = await sweep({ marketplace, ...ports }, minAge * hour);
  await close();
  if (swept.isErr()) {
    say(process, `the sweep is not complete: ${causeText(swept.error.cause)}`);
    return failedExit;
  }
  const { unfinished, contents, tenants } = swept.value;
  process.stdout.write(
    `Removed ${unfinished} unfinished files, and ${contents} contents of ${tenants} tenants that no work file names\n`,
  );
  return 0;
}
