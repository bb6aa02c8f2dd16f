import type { LocalMarketplace, Unavailable } from 'dealwright';
import type { Timer } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';

type Pruning = Pick<LocalMarketplace, 'prune'>;

/** Milliseconds between two batches, as a pause for other work. */
const pause = 50;

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
