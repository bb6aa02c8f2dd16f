import { batch, signal } from '@preact/signals';
import type { Result, ResultAsync } from 'neverthrow';
import { draft, dropDrafts } from './drafts.js';
import { type CallError, type Failure, failureOf, words } from './failure.js';
import { announce, focusOn, keepFocus } from './shell.js';

/**
 * Something of the service that is shown while others may change it. `stateOf` is what an open
 * dialog is about: nobody may agree to what has changed below it.
 */
export function createView<T, Opened>(
  read: () => PromiseLike<Result<T, CallError>>,
  stateOf: (seen: T) => string,
) {
  const seen = signal<T | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  /** What went wrong as a whole while it is shown. */
  const notice = signal<Failure | undefined>(undefined);
  const opened = signal<Opened | undefined>(undefined);
  /** An older read may end after a newer one. */
  let reads = 0;

  /** Reads it. After an own command, what is open is not outdated. */
  async function load(isOwn = false): Promise<void> {
    reads += 1;
    const own = reads;
    const result = await read();
    if (own !== reads) return;
    if (result.isErr()) {
      // what is shown stays: it can still be read
      if (seen.value === undefined) failure.value = failureOf(result.error);
      else notice.value = failureOf(result.error);
      return;
    }
    const [before, next] = [seen.value, result.value];
    const isOutdated =
      !isOwn &&
      opened.value !== undefined &&
      before !== undefined &&
      stateOf(before) !== stateOf(next);
    batch(() => {
      seen.value = next;
      failure.value = undefined;
      notice.value = isOutdated ? failureOf({ code: 'illegal_transition' }) : undefined;
      if (isOutdated) opened.value = undefined;
    });
    if (isOutdated) focusOn('notice');
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(next)) {
      announce(words().changed);
    }
  }

  /** The same by a button, which may be gone then. */
  async function loadAgain(): Promise<void> {
    await load();
    keepFocus('next');
  }

  /** Gives a command, and shows what is there after it; what was typed is forgotten if it was taken. */
  async function give(
    form: string,
    done: string,
    call: () => ResultAsync<unknown, CallError> | Promise<Result<unknown, CallError>>,
  ): Promise<Failure | undefined> {
    const result = await call();
    if (result.isOk()) {
      dropDrafts(form);
      await load(true);
      announce(done);
      focusOn('next');
      return undefined;
    }
    const refused = failureOf(result.error);
    if (refused.isMoved || refused.isUnknown) {
      await load(true);
      notice.value = refused;
      focusOn('notice');
    }
    return refused;
  }
  return { seen, failure, notice, opened, load, loadAgain, give };
}

/** The same key as long as the same is sent: what was done without an answer is not done again. */
export function keyOf(form: string, input: unknown): string {
  const kept = draft(`${form}.key`);
  const sent = JSON.stringify(input);
  if (kept.value.slice(kept.value.indexOf(' ') + 1) !== sent || kept.value === '') {
    kept.value = `${crypto.getRandomValues(new Uint32Array(4)).join('-')} ${sent}`;
  }
  return kept.value.slice(0, kept.value.indexOf(' '));
}
