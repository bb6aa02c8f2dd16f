import { type PortFailure, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';

/** The size and the names of one call of a batch. */
export interface Weighed {
  /** Its share of a batch's `maxSize`. */
  readonly size: number;
  /**
   * The names that it depends on, and those that it changes. Two calls may be in one batch, or in
   * batches under way at the same time, only if neither changes a name of the other.
   */
  readonly reads: readonly string[];
  readonly changes: readonly string[];
}

/** The options of a gatherer. */
export interface GathererOptions<In, Out> {
  /** Carries out a batch, and returns the answer of each in its order, at once or later. */
  readonly run: (
    batch: readonly In[],
  ) => PromiseLike<readonly (Result<Out, PortFailure> | PromiseLike<Result<Out, PortFailure>>)[]>;
  /** The most calls of a batch. */
  readonly maxBatch: number;
  /** The size and the names of a call; none by default. If it throws, the call is refused. */
  readonly weigh?: (input: In) => Weighed;
  /** The largest size of a batch; a larger call goes alone. No limit by default. */
  readonly maxSize?: number;
  /**
   * The most calls that wait: further ones are refused at once, so that no queue outgrows the
   * memory.
   */
  readonly maxQueue: number;
  /**
   * How many batches may be under way at the same time; default 1. With two the database works
   * while callers read the answers of the last batch and call again.
   */
  readonly lanes?: number;
}

interface Waiting<In, Out> extends Weighed {
  readonly input: In;
  readonly resolve: (
    answer: Result<Out, PortFailure> | PromiseLike<Result<Out, PortFailure>>,
  ) => void;
}

const unweighed: Weighed = { size: 0, reads: [], changes: [] };

/** A smaller batch is not divided among free lanes. */
const leastDivided = 16;

/**
 * Gathers calls that come while batches are under way into the next batch, each caller with its own
 * answer. A batch is sent in the turn after its first call, so that all calls of that turn join it.
 * A call that waits alone is sent alone.
 */
export function createGatherer<In, Out>({
  run,
  maxBatch,
  maxQueue,
  weigh = () => unweighed,
  maxSize = Number.POSITIVE_INFINITY,
  lanes = 1,
}: GathererOptions<In, Out>): (input: In) => Promise<Result<Out, PortFailure>> {
  type Batch = readonly Waiting<In, Out>[];
  let waiting: Waiting<In, Out>[] = [];
  let isPutOff = false;
  const underWay = new Set<Batch>();
  const claims = createClaims();

  const putOff = () => {
    if (isPutOff || underWay.size >= lanes || waiting.length === 0) return;
    isPutOff = true;
    nextTurn(start);
  };
  const start = () => {
    isPutOff = false;
    while (underWay.size < lanes) {
      const batch = takeBatch(lanes - underWay.size);
      if (batch.length === 0) return;
      void answer(batch);
    }
  };
  /** The next batch; empty if all waiting calls have to wait for those under way. */
  const takeBatch = (free: number): Batch => {
    const share = Math.max(Math.ceil(waiting.length / free), leastDivided);
    const most = Math.min(maxBatch, share);
    const batch: Waiting<In, Out>[] = [];
    const held: Waiting<In, Out>[] = [];
    let size = 0;
    let seen = 0;
    for (const each of waiting) {
      if (batch.length === most) break;
      const isFree = claims.areFree(each);
      if (isFree) {
        size += each.size;
        if (size > maxSize && batch.length > 0) break;
      }
      (isFree ? batch : held).push(each);
      // waiting calls come before later ones
      claims.add(each);
      seen += 1;
    }
    for (const each of held) claims.remove(each);
    waiting = [...held, ...waiting.slice(seen)];
    return batch;
  };
  const answer = async (batch: Batch) => {
    underWay.add(batch);
    const answers = await carryOut(batch);
    for (const each of batch) claims.remove(each);
    underWay.delete(batch);
    for (const [at, { resolve }] of batch.entries()) {
      resolve(answers[at] ?? unanswered(new Error('a batch left a call unanswered')));
    }
    putOff();
  };
  const carryOut = async (batch: Batch) => {
    try {
      return await run(batch.map(({ input }) => input));
    } catch (cause) {
      return batch.map(() => unanswered(cause));
    }
  };

  return (input) => {
    if (waiting.length >= maxQueue) return Promise.resolve(full(maxQueue));
    const weighed = made(() => weigh(input));
    if (weighed.isErr()) return Promise.resolve(err(weighed.error));
    const { size, reads, changes } = weighed.value;
    return new Promise((resolve) => {
      waiting.push({ input, size, reads, changes, resolve });
      putOff();
    });
  };
}

/** The names that calls under way read or change, and how often. */
function createClaims() {
  const reading = new Map<string, number>();
  const changing = new Map<string, number>();
  const count = (names: Map<string, number>, name: string, by: number) => {
    const claimed = (names.get(name) ?? 0) + by;
    if (claimed === 0) names.delete(name);
    else names.set(name, claimed);
  };
  const claim = ({ reads, changes }: Weighed, by: number) => {
    for (const name of reads) count(reading, name, by);
    for (const name of changes) count(changing, name, by);
  };
  return {
    areFree: ({ reads, changes }: Weighed) =>
      !reads.some((name) => changing.has(name)) &&
      !changes.some((name) => changing.has(name) || reading.has(name)),
    add: (each: Weighed) => claim(each, 1),
    remove: (each: Weighed) => claim(each, -1),
  };
}

function made<T>(make: () => T): Result<T, PortFailure> {
  try {
    return ok(make());
  } catch (cause) {
    return unavailable({ outcome: 'none', retryable: false, cause });
  }
}

function unanswered(cause: unknown) {
  return unavailable({ outcome: 'unknown', cause });
}

function full(maxQueue: number) {
  const cause = new Error(`${maxQueue} calls wait for the database already`);
  return unavailable({ outcome: 'none', retryAfter: 1, cause });
}

/**
 * Does a work in the next turn of the event loop, after the work that has come by then. Node, Bun
 * and Deno have a timer without the minimum of a millisecond of others.
 */
export function nextTurn(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}

/** Waits one turn, so that other work can run. */
export function turn(): Promise<void> {
  return new Promise(nextTurn);
}
