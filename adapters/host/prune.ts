import type { LocalMarketplace, Unavailable } from 'dealwright';
import type { Timer } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import type { WorkFailure } from './work-failure.js';

type Pruning = Pick<LocalMarketplace, 'prune'>;

/** Milliseconds between two batches, as a pause for other work, and between two runs. */
const [pause, hour] = [50, 60 * 60 * 1000];

/** Deletes expired records, batch by batch, until the signal is aborted. Returns how many. */
export async function prune(
  timer: Timer,
  marketplace: Pruning,
  signal?: AbortSignal,
): Promise<Result<number, Unavailable>> {
  let deleted = 0;
  for (;;) {
    const batch = await marketplace.prune();
    if (batch.isErr()) return err(batch.error);
    deleted += batch.value.deleted;
    if (!batch.value.isMore || signal?.aborted === true) return ok(deleted);
    await sleep(timer, pause, signal);
  }
}

function sleep(timer: Timer, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal?.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = timer.sleep(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Prunes now, and an hour after each run, until the returned function is called; that resolves once
 * no work is under way.
 */
export function pruneHourly(
  timer: Timer,
  marketplace: Pruning,
  onFailure: (failure: WorkFailure) => void,
): () => Promise<void> {
  const control = new AbortController();
  let cancel = () => {};
  const run = async () => {
    const pruned = await prune(timer, marketplace, control.signal);
    if (control.signal.aborted) return;
    if (pruned.isErr()) onFailure({ work: 'prune', cause: pruned.error.cause });
    cancel = timer.sleep(hour, start);
  };
  let running = Promise.resolve();
  const start = () => {
    running = run();
  };
  start();
  return () => {
    control.abort();
    cancel();
    return running;
  };
}
