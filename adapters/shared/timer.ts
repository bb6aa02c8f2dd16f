import type { Timer } from 'dealwright/ports';
import { err, type Result } from 'neverthrow';

export const systemTimer: Timer = {
  now: () => Date.now(),
  sleep(milliseconds, wake) {
    const timer = setTimeout(wake, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * What comes first: one of the others, or what `late` returns or throws when the time is over. What
 * comes after that is ignored.
 */
export function within<T>(
  timer: Pick<Timer, 'sleep'>,
  milliseconds: number,
  late: () => T,
  ...others: readonly PromiseLike<T>[]
): Promise<T> {
  let cancel = () => {};
  const over = new Promise<void>((wake) => {
    cancel = timer.sleep(milliseconds, wake);
  });
  const first = Promise.race([over.then(late), ...others]);
  // a timer that cannot be cancelled does no harm
  first.then(cancel, cancel).catch(() => {});
  return first;
}

/** Why there was no answer. */
export interface NoAnswer {
  readonly reason: 'network' | 'timed_out';
}

/** Ends when the time is over, even if `fetch` ignores the signal of `control`. */
export async function answerWithin<T, E>(
  { timer, timeout }: { readonly timer: Timer; readonly timeout: number },
  control: AbortController,
  work: () => Promise<Result<T, E>>,
): Promise<Result<T, E | NoAnswer>> {
  const late = err<T, NoAnswer>({ reason: 'timed_out' });
  // the error of a fetch may name the address and the headers: it is not passed on
  const answer = await within<Result<T, E | NoAnswer>>(timer, timeout, () => late, work()).catch(
    () => err<T, NoAnswer>({ reason: 'network' }),
  );
  if (answer === late) control.abort();
  return answer;
}
