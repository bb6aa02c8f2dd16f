import type { Timer } from 'dealwright/ports';

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
