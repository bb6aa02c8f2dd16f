import { type PortFailure, unavailable } from 'dealwright/ports';
import type { Result } from 'neverthrow';

/** How much is gathered, and how much may wait. */
export interface GathererOptions<In, Out> {
  /** Carries out a batch, and answers each of it in its place. */
  readonly run: (batch: readonly In[]) => PromiseLike<readonly Result<Out, PortFailure>[]>;
  /** The most that one batch holds. */
  readonly maxBatch: number;
  /** How much one is, and how much a batch holds; one that is more goes alone. No bound by default. */
  readonly sizeOf?: (input: In) => number;
  readonly maxSize?: number;
  /** The most that waits: what comes then is refused at once, so that no queue outgrows the memory. */
  readonly maxQueue: number;
  /** Puts the first batch off for a moment, so that what comes in the same turn goes with it. */
  readonly defer: (work: () => void) => void;
}

interface Waiting<In, Out> {
  readonly input: In;
  readonly resolve: (answer: Result<Out, PortFailure>) => void;
}

/**
 * Gathers what comes while a batch is under way into the next one: one batch at a time, each caller
 * with an answer of its own. What waits alone goes alone.
 */
export function createGatherer<In, Out>({
  run,
  maxBatch,
  maxQueue,
  sizeOf,
  maxSize = Number.POSITIVE_INFINITY,
  defer,
}: GathererOptions<In, Out>): (input: In) => Promise<Result<Out, PortFailure>> {
  let waiting: Waiting<In, Out>[] = [];
  let isRunning = false;

  const drain = async () => {
    while (waiting.length > 0) {
      const count = nextCount();
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      const answers = await carryOut(batch);
      for (const [at, { resolve }] of batch.entries()) {
        resolve(answers[at] ?? unanswered(new Error('a batch left a write unanswered')));
      }
    }
    isRunning = false;
  };
  const nextCount = () => {
    const most = Math.min(waiting.length, maxBatch);
    if (sizeOf === undefined) return most;
    let size = 0;
    for (let count = 0; count < most; count += 1) {
      const next = waiting[count];
      size += next === undefined ? 0 : sizeOf(next.input);
      if (size > maxSize) return Math.max(count, 1);
    }
    return most;
  };
  const carryOut = async (batch: readonly Waiting<In, Out>[]) => {
    try {
      return await run(batch.map(({ input }) => input));
    } catch (cause) {
      return batch.map(() => unanswered(cause));
    }
  };

  return (input) => {
    if (waiting.length >= maxQueue) return Promise.resolve(full(maxQueue));
    return new Promise((resolve) => {
      waiting.push({ input, resolve });
      if (isRunning) return;
      isRunning = true;
      defer(drain);
    });
  };
}

function unanswered(cause: unknown) {
  return unavailable({ outcome: 'unknown', cause });
}

function full(maxQueue: number) {
  const cause = new Error(`${maxQueue} writes wait for the database already`);
  return unavailable({ outcome: 'none', retryAfter: 1, cause });
}
