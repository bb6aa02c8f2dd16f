import { createDealwright } from 'dealwright/host';
import { failedExit } from './exit-codes.js';
import { causeText, complain, say, tell } from './problem.js';
import { openStore } from './store/open-store.js';
import { parsePlace } from './store/place.js';

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
