import { Result } from 'neverthrow';
import { failedExit, usageExit } from './exit-codes.js';
import { createServiceMarketplace } from './service.js';
import { parseNumber } from './service-settings.js';
import { openStore } from './store/open-store.js';
import { parsePlace } from './store/place.js';
import { causeText } from './store/store-problem.js';
import { sweep } from './sweep.js';

/** The flags of `dealwright sweep`. */
export interface SweepFlags {
  readonly minAge?: string;
}

const hour = 60 * 60 * 1000;

/** `dealwright sweep` */
export async function sweepOnce(process: NodeJS.Process, flags: SweepFlags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const settings = Result.combineWithAllErrors([
    parsePlace(process.env),
    parseNumber('--min-age', flags.minAge, 2, 8760, 'hours'),
  ]);
  if (settings.isErr()) {
    for (const problem of settings.error.flat()) complain(problem);
    return usageExit;
  }
  const [place, minAge = 24] = settings.value;
  const opened = await openStore(process, place, false);
  if (opened.isErr()) {
    complain(opened.error.message);
    return opened.error.exit;
  }
  const { ports, close } = opened.value;
  const marketplace = createServiceMarketplace(ports);
  const swept = await sweep({ marketplace, ...ports }, minAge * hour);
  await close();
  if (swept.isErr()) {
    complain(`the sweep is not complete: ${causeText(swept.error.cause)}`);
    return failedExit;
  }
  const { unfinished, contents, tenants } = swept.value;
  process.stdout.write(
    `Removed ${unfinished} unfinished files, and ${contents} contents of ${tenants} tenants that no work file names\n`,
  );
  return 0;
}
