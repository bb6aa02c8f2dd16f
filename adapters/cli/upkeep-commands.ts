import { createDealwright } from 'dealwright/host';
import { Result } from 'neverthrow';
import type { Flags } from './fields.js';
import { causeText, complain, failedExit, say, tell } from './problem.js';
import { parseNumber } from './settings.js';
import { parsePlace } from './store/folder.js';
import { openStore } from './store/open-store.js';
import { checkFiles } from './store/work-files.js';

const hour = 60 * 60 * 1000;

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
  const own = await checkFiles(place, ports);
  if (own.isErr()) {
    await close();
    return tell(process, own.error);
  }
  const swept = await createDealwright(ports).sweep(minAge * hour);
  await close();
  if (swept.isErr()) {
    say(process, `the sweep is not complete: ${causeText(swept.error.cause)}`);
    return failedExit;
  }
  const { unfinished, trashed, restored, deleted, tenants } = swept.value;
  process.stdout.write(
    `Removed ${unfinished} unfinished files; of ${tenants} tenants moved ${trashed} files to the trash that no work file names, restored ${restored} that one names, and deleted ${deleted} after 30 days\n`,
  );
  return 0;
}

/** Deletes all expired records. */
export async function prune(process: NodeJS.Process): Promise<number> {
  const place = parsePlace(process.env);
  if (place.isErr()) return complain(process, place.error);
  const opened = await openStore(process, place.value, false);
  if (opened.isErr()) return tell(process, opened.error);
  const { ports, close } = opened.value;
  const pruned = await createDealwright(ports).prune();
  await close();
  if (pruned.isErr()) {
    say(process, `not all that has ended is deleted: ${causeText(pruned.error.cause)}`);
    return failedExit;
  }
  process.stdout.write(`Deleted ${pruned.value} records that had ended\n`);
  return 0;
}
