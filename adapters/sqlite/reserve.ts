import { type Environment, type PortFailure, type Store, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import type { Taken } from './batch.js';
import type { Connection } from './connection.js';

/** Integers that are taken at once, so that most creates cost no write for them. */
const blockSize = 256;

/** Gives integers of blocks that no other process gets. */
export function createReserve({ write }: Connection): Store['reserve'] {
  const blocks = new Map<Environment, Taken>();
  const underWay = new Map<Environment, Promise<Result<boolean, PortFailure>>>();

  const give = (environment: Environment, count: number): number | undefined => {
    const block = blocks.get(environment);
    if (block === undefined || block.last - block.first + 1 < count) return undefined;
    blocks.set(environment, { ...block, first: block.first + count });
    return block.first;
  };
  /** Puts a block behind what is left of the last one; says whether there are so many at all. */
  const take = async (
    environment: Environment,
    count: number,
  ): Promise<Result<boolean, PortFailure>> => {
    const answer = await write({
      name: 'reserve',
      apply: (batch) => batch.takeNumbers(environment, count, Math.max(count, blockSize)),
    });
    underWay.delete(environment);
    // nobody has them, whether they were taken or not
    if (answer.isErr()) return err({ ...answer.error, outcome: 'none' });
    const taken = answer.value;
    if (taken === undefined) return ok(false);
    const block = blocks.get(environment);
    const first = block?.last === taken.first - 1 ? block.first : taken.first;
    blocks.set(environment, { first, last: taken.last });
    return ok(true);
  };
  const wait = async (environment: Environment, count: number) => {
    for (;;) {
      const others = underWay.get(environment);
      const taking = others ?? take(environment, count);
      underWay.set(environment, taking);
      const taken = await taking;
      if (taken.isErr()) return err(taken.error);
      const first = give(environment, count);
      if (first !== undefined) return ok(first);
      if (taken.value || others !== undefined) continue;
      const cause = new Error('all integers are given out');
      return unavailable({ outcome: 'none', retryable: false, cause });
    }
  };
  return (environment, count) => {
    const first = give(environment, count);
    return first === undefined ? wait(environment, count) : ok(first);
  };
}
