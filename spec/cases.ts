import type { ContractRunner } from './expectations.js';

/** Milliseconds for a case: a busy machine is slow, not wrong. */
const usualLimit = 120_000;

/**
 * Milliseconds after its limit for a case to end its work, before the runner goes on without it.
 */
const timeToEnd = 15_000;

/** The subject of a case while it runs. */
export interface Opened<S> {
  readonly subject: S;
  /** Ends all work of the case, whether it passed or not: none of it happens later. */
  end(): PromiseLike<void>;
}

/**
 * Defines cases, each with its own subject and limit: the runner's limit may be a few seconds, and
 * would leave the work of a case under way beside the next one.
 */
export function casesOver<S>(
  { it, limit = usualLimit }: ContractRunner,
  open: () => PromiseLike<Opened<S>>,
): (name: string, body: (subject: S) => Promise<void>) => void {
  return (name, body) => {
    const run = async () => {
      const { subject, end } = await open();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        const error = new Error(`the case has not ended within ${limit} ms`);
        timer = setTimeout(() => reject(error), limit);
      });
      try {
        await Promise.race([body(subject), late]);
      } finally {
        clearTimeout(timer);
        await end();
      }
    };
    it(name, run, limit + timeToEnd);
  };
}

/** The subject that is made for a case, and closed after it. */
export function opening<S extends { close(): PromiseLike<void> }>(
  make: () => S | PromiseLike<S>,
): () => Promise<Opened<S>> {
  return async () => {
    const subject = await make();
    return { subject, end: () => subject.close() };
  };
}
