import type { Result } from 'neverthrow';
import type { Outcome } from '../domain/input/errors.js';
import { type Answer, type PortFailure, unavailable } from './answer.js';
import { createPortGuard } from './guard.js';
import type { Timer } from './runtime.js';

/** Calls a port that takes a content, guarded as every call, except for the time. */
export type ContentGuard = <T>(
  outcome: Outcome,
  content: AsyncIterable<Uint8Array>,
  ask: (content: AsyncIterable<Uint8Array>) => Answer<T>,
) => Promise<Result<T, PortFailure>>;

/**
 * Makes the guard of ports that take a content. The deadline covers the work of the port between
 * two pieces, and not the wait for a piece, which depends on the caller: a slow connection fails no
 * store.
 */
export function createContentGuard(timer: Timer, deadline: number): ContentGuard {
  return async (outcome, content, ask) => {
    let isOver = false;
    let cancel: () => void = () => undefined;
    let giveUp: (failed: ReturnType<typeof unavailable>) => void = () => undefined;
    const late = new Promise<ReturnType<typeof unavailable>>((resolve) => {
      giveUp = resolve;
    });
    const wait = () => {
      cancel = timer.sleep(deadline, () => {
        isOver = true;
        giveUp(unavailable({ outcome, cause: new Error(`no progress within ${deadline} ms`) }));
      });
    };
    async function* paced(): AsyncGenerator<Uint8Array> {
      const pieces = content[Symbol.asyncIterator]();
      try {
        for (;;) {
          cancel();
          const { value, done } = await pieces.next();
          if (isOver) throw new Error('the port took too long');
          wait();
          if (done === true) return;
          yield value;
        }
      } finally {
        await pieces.return?.();
      }
    }
    // the port's own time is measured here: the usual guard would count the caller's too
    const untimed = createPortGuard({ ...timer, sleep: () => () => undefined }, deadline);
    try {
      wait();
      return await Promise.race([untimed(outcome, () => ask(paced())), late]);
    } catch (cause) {
      return unavailable({ outcome, cause });
    } finally {
      isOver = true;
      cancel();
      releaseContent(content);
    }
  };
}

/**
 * Cancels a content that is not read further, so that it can close its source, without waiting for
 * it. A stream of Node is destroyed: its iterator is not notified before its first piece.
 */
export function releaseContent(content: AsyncIterable<unknown>): void {
  try {
    const { destroy } = content as { readonly destroy?: unknown };
    if (typeof destroy === 'function') destroy.call(content);
    else release(content[Symbol.asyncIterator]());
  } catch {
    // a content that cannot be read cannot be released either
  }
}

/** Ends the reading of a content, without waiting for it. */
export function release(pieces: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(pieces.return?.()).catch(() => undefined);
  } catch {
    // a source that cannot be closed stays open
  }
}
