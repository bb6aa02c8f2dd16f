import type { Timer } from 'dealwright/ports';
import type { RelayFailure } from 'dealwright/relay';
import type { Result } from 'neverthrow';

/** A failure of the work outside of requests; it is tried again, unless it is given up. */
export interface WorkFailure extends Pick<RelayFailure, 'event' | 'isGivenUp'> {
  /** Due work of deals (deadlines, payments), sweeping, pruning, webhooks, or mail. */
  readonly work: 'due' | 'sweep' | 'prune' | 'webhooks' | 'mail';
  /** The partner of the deal, if it is about one. */
  readonly partner?: string;
  readonly partner_id?: string;
  /** `webhook:<id>`, or `subscription:mail:<side>`, if it is about one. */
  readonly consumer?: string;
  /** In English: the port that failed, or the rule that a report of the gateway breaks. */
  readonly reason?: string;
  /** The error or the answer of a port. */
  readonly cause: unknown;
}

/**
 * Does work now, and again this long after each run, until the returned function is called; that
 * resolves once no work is under way. Work that fails is reported.
 */
export function repeat(
  { timer, pause }: { readonly timer: Timer; readonly pause: number },
  work: WorkFailure['work'],
  run: (signal: AbortSignal) => Promise<Result<unknown, { readonly cause?: unknown }>>,
  onFailure: (failure: WorkFailure) => void,
): () => Promise<void> {
  const control = new AbortController();
  let cancel = () => {};
  const once = async () => {
    const result = await run(control.signal);
    if (control.signal.aborted) return;
    if (result.isErr()) onFailure({ work, cause: result.error.cause });
    cancel = timer.sleep(pause, start);
  };
  let running = Promise.resolve();
  const start = () => {
    running = once();
  };
  start();
  return () => {
    control.abort();
    cancel();
    return running;
  };
}
