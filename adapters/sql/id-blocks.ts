import { err, ok, type Result } from 'neverthrow';

/** Integers of an environment that no other process gets. */
export interface IdBlocks<F> {
  /**
   * The first of a number of ids in a row, all higher than earlier ones. At once if the block has
   * them.
   */
  take(count: number): number | Promise<Result<number, F>>;
  /** The same if the block has them. If not, the next block is requested without waiting for it. */
  takeAtOnce(count: number): number | undefined;
  /** Drops the remaining ids. */
  discard(): void;
}

/** The source of blocks, and its failures. */
export interface IdSource<F> {
  /** The first of a number of integers reserved for this process; `undefined` if fewer are left. */
  fetch(count: number): PromiseLike<Result<number | undefined, F>>;
  /** How many are reserved at a time. */
  readonly size: number;
  /** The failure if no more are left. */
  readonly usedUp: F;
  /** Whether other processes may now get the rest of earlier blocks. */
  isLost(failure: F): boolean;
}

interface Block {
  readonly next: number;
  readonly end: number;
}

/** A requested number of ids. */
interface Fetching<F> {
  readonly length: number;
  /** Whether there were enough. */
  readonly answer: Promise<Result<boolean, F>>;
}

/** Reserves blocks of ids as they are needed, the next one while some are left. */
export function createIdBlocks<F>({ fetch, size, usedUp, isLost }: IdSource<F>): IdBlocks<F> {
  const low = Math.ceil(size / 4);
  let next = 0;
  let end = 0;
  /** The block after this one. */
  let spare: Block | undefined;
  let fetching: Fetching<F> | undefined;
  let generation = 0;
  /** No whole block is left: from then on only the needed ids are reserved. */
  let isScarce = false;

  const discard = () => {
    generation += 1;
    next = 0;
    end = 0;
    spare = undefined;
    fetching = undefined;
    // another server may have others left
    isScarce = false;
  };
  const fetchBlock = (count: number): Fetching<F> => {
    const asked = generation;
    const length = isScarce ? count : Math.max(size, count);
    const read = async (): Promise<Result<boolean, F>> => {
      const fetched = await fetch(length);
      if (fetching === taking) fetching = undefined;
      if (fetched.isErr()) {
        // blocks reserved since then stay valid
        if (isLost(fetched.error) && asked === generation) discard();
        return err(fetched.error);
      }
      const first = fetched.value;
      if (first === undefined) isScarce = true;
      else if (asked === generation) spare = { next: first, end: first + length };
      return ok(first !== undefined);
    };
    const taking = { length, answer: read() };
    fetching = taking;
    return taking;
  };
  const taken = (count: number): number | undefined => {
    if (end - next < count && spare !== undefined) {
      if (spare.next !== end) next = spare.next;
      end = spare.end;
      spare = undefined;
    }
    if (end - next < count) return undefined;
    const first = next;
    next += count;
    const isLow = end - next < low && spare === undefined;
    if (isLow && fetching === undefined && !isScarce) fetchBlock(size);
    return first;
  };
  const wait = async (count: number): Promise<Result<number, F>> => {
    for (;;) {
      const first = taken(count);
      if (first !== undefined) return ok(first);
      const { length, answer } = fetching ?? fetchBlock(count);
      const fetched = await answer;
      if (fetched.isErr()) return err(fetched.error);
      // there may be enough for this call
      if (!fetched.value && length <= count) return err(usedUp);
    }
  };

  return {
    take: (count) => taken(count) ?? wait(count),
    takeAtOnce(count) {
      const first = taken(count);
      if (first === undefined && fetching === undefined && !isScarce) fetchBlock(size);
      return first;
    },
    discard,
  };
}
