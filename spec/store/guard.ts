import type { Opened } from '../cases.js';
import { wrap } from '../members.js';
import type { StoreSubject } from './subject.js';

/** Milliseconds that calls which are under way have to end, before the store is closed. */
const longestCall = 5_000;

/** Methods that make further handles, which end with the case as well. */
const opens: readonly PropertyKey[] = ['reopened', 'another'] satisfies (keyof StoreSubject)[];
type Opens = NonNullable<StoreSubject['reopened']>;

/**
 * The store for one case. Once that has ended, however it did, a call throws, and the store is closed
 * when those that were under way are answered: nothing is written into the next case.
 */
export function guarded(store: StoreSubject): Opened<StoreSubject> {
  const underWay = new Set<unknown>();
  let hasEnded = false;
  const guard = (subject: StoreSubject): StoreSubject =>
    wrap(subject, (call, name) => {
      // what a case opened, it closes also where it has ended
      if (hasEnded && name !== 'close') throw new Error('the case has ended');
      const answer = opens.includes(name) ? opened(call() as ReturnType<Opens>) : call();
      if (isPromiseLike(answer)) {
        const settled: Promise<unknown> = Promise.resolve(answer)
          .catch(() => undefined)
          .finally(() => underWay.delete(settled));
        underWay.add(settled);
      }
      return answer;
    });
  const opened = async (made: ReturnType<Opens>) => guard(await made);
  return {
    subject: guard(store),
    async end() {
      hasEnded = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waited = new Promise((resolve) => {
        timer = setTimeout(resolve, longestCall);
      });
      await Promise.race([Promise.all(underWay), waited]);
      clearTimeout(timer);
      await store.close();
    },
  };
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
