import type { Timer } from 'dealwright/ports';
import { err, type Result } from 'neverthrow';

/** Why there was no answer. */
export interface NoAnswer {
  readonly reason: 'network' | 'timed_out';
}

/** Ends when the time is over, even if `fetch` ignores the signal of `control`. */
export function within<T, E>(
  { timer, timeout }: { readonly timer: Timer; readonly timeout: number },
  control: AbortController,
  work: () => Promise<Result<T, E>>,
): Promise<Result<T, E | NoAnswer>> {
  return new Promise((resolve) => {
    const cancel = timer.sleep(timeout, () => {
      resolve(err({ reason: 'timed_out' }));
      control.abort();
    });
    const finish = (result: Result<T, E | NoAnswer>) => {
      resolve(result);
      cancel();
    };
    // the error of a fetch may name the address and the headers: it is not passed on
    work()
      .then(finish, () => finish(err({ reason: 'network' })))
      // a timer that cannot be cancelled does no harm: the promise is settled
      .catch(() => {});
  });
}
