import type { LocalMarketplace, RunFailure, RunReport, Unavailable } from 'dealwright';
import type { Timer } from 'dealwright/ports';
import type { ResultAsync } from 'neverthrow';
import type { EnvironmentName } from './settings.js';

/** Milliseconds from the end of a run to the next one. */
const pause = 1_000;

/**
 * Does what is due in these environments, over and over, until the function that it returns is
 * called; that resolves once nothing is under way. What fails is reported, and tried again.
 */
export function runDueRegularly(
  timer: Timer,
  marketplace: Pick<LocalMarketplace, 'operator'>,
  environments: readonly EnvironmentName[],
  onFailure: (failure: Pick<Unavailable, 'cause'> | RunFailure) => void,
): () => Promise<void> {
  let isStopped = false;
  let cancel = () => {};
  const tell = async (run: ResultAsync<RunReport, Unavailable>) => {
    const ran = await run;
    if (ran.isErr()) onFailure(ran.error);
    else ran.value.failures.forEach(onFailure);
  };
  const runAll = async () => {
    for (const environment of environments) {
      const operator = marketplace.operator(environment);
      if (!isStopped) await tell(operator.runTimers());
      if (!isStopped) await tell(operator.runEffects());
    }
    if (!isStopped) cancel = timer.sleep(pause, start);
  };
  let running = Promise.resolve();
  const start = () => {
    running = runAll();
  };
  start();
  return () => {
    isStopped = true;
    cancel();
    return running;
  };
}
