import { type PortFailure, unavailable } from 'dealwright/ports';
import type { Result } from 'neverthrow';
import { nextTurn } from './turn.js';

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
  /**
   * How many batches may be under way at the same time; 1 by default. With two the database works
   * while callers take the answers of the last batch and come again.
   */
  readonly lanes?: number;
}

interface Waiting<In, Out> {
  readonly input: In;
  readonly resolve: (answer: Result<Out, PortFailure>) => void;
}

/** Below this a batch is not divided among the lanes that are free. */
const leastDivided = 16;

/**
 * Gathers what comes while batches are under way into the next one, each caller with an answer of its
 * own. A batch goes out in the turn after, so that whatever comes with the first goes with it. What
 * waits alone goes alone.
 */
export function createGatherer<In, Out>({
  run,
  maxBatch,
  maxQueue,
  sizeOf,
  maxSize = Number.POSITIVE_INFINITY,
  lanes = 1,
}: GathererOptions<In, Out>): (input: In) => Promise<Result<Out, PortFailure>> {
  let waiting: Waiting<In, Out>[] = [];
  let underWay = 0;
  let isPutOff = false;

  const putOff = () => {
    if (isPutOff || underWay >= lanes || waiting.length === 0) return;
    isPutOff = true;
    nextTurn(start);
  };
  const start = () => {
    isPutOff = false;
    while (underWay < lanes && waiting.length > 0) {
      const count = nextCount(lanes - underWay);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      underWay += 1;
      void answer(batch);
    }
  };
  const answer = async (batch: readonly Waiting<In, Out>[]) => {
    const answers = await carryOut(batch);
    underWay -= 1;
    for (const [at, { resolve }] of batch.entries()) {
      resolve(answers[at] ?? unanswered(new Error('a batch left a write unanswered')));
    }
    putOff();
  };
  const nextCount = (free: number) => {
    const share = Math.max(Math.ceil(waiting.length / free), leastDivided);
    const most = Math.min(waiting.length, maxBatch, share);
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
      putOff();
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
