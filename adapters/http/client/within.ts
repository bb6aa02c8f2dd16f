import type { Clock } from 'dealwright/ports';

/** Whatever comes first: one of the others, or `late`. The timer is called off in any case. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  late: T,
  ...others: readonly PromiseLike<T>[]
): Promise<T> {
  let callOff: (() => void) | undefined;
  const timer = new Promise<T>((resolve) => {
    callOff = clock.sleep(milliseconds, () => resolve(late));
  });
  try {
    return await Promise.race([timer, ...others]);
  } finally {
    callOff?.();
  }
}
