import type { Timer } from 'dealwright/ports';
import { err, type Result } from 'neverthrow';
import { within } from './within.js';

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
