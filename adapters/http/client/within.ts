import type { Timer } from 'dealwright/ports';

/** The first result: one of the others, or `late`. The timer is cancelled in any case. */
export async function within<T>(
  timer: Timer,
  milliseconds: number,
  late: T,
  ...others: readonly PromiseLike<T>[]
): Promise<T> {
  let cancel: (() => void) | undefined;
  const deadline = new Promise<T>((resolve) => {
    cancel = timer.sleep(milliseconds, () => resolve(late));
  });
  try {
    return await Promise.race([deadline, ...others]);
  } finally {
    cancel?.();
  }
}
