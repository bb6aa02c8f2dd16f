import type { Environment, LocalMarketplace, RunReport, Unavailable } from 'dealwright';
import type { Timer } from 'dealwright/ports';
import type { ResultAsync } from 'neverthrow';
import type { WorkFailure } from './work-failure.js';

/** Milliseconds from the end of a run to the next one. */
const pause = 1_000;

/**
 * Does what is due in these environments, over and over, until the function that it returns is
 * called; that resolves once nothing is under way. What fails is reported, and tried again.
 */
export function runDueRegularly(
  timer: Timer,
  marketplace: Pick<LocalMarketplace, 'operator'>,
  environments: readonly Environment[],
  onFailure: (failure: WorkFailure) => void,
): () => Promise<void> {
  let isStopped = false;
  let cancel = () => {};
  const tell = async (run: ResultAsync<RunReport, Unavailable>) => {
    const ran = await run;
    const failures = ran.isErr() ? [{ cause: ran.error.cause }] : ran.value.failures;
    for (const failure of failures) {
      // the cause of a failure does not come along by itself
      onFailure({ work: 'due', ...failure, cause: failure.cause });
    }
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
