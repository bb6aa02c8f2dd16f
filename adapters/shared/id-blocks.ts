import type { Environment, PortFailure, Store } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';

/** Integers of an environment that no other process gets. */
export interface IdBlocks<F> {
  /**
   * The first of a number of ids in a row, all higher than earlier ones, and than `above`, which any
   * process may have taken. At once if the block has them.
   */
  take(count: number, above?: number): number | Promise<Result<number, F>>;
  /** The same if the block has them. If not, the next block is requested without waiting for it. */
  takeAtOnce(count: number, above?: number): number | undefined;
  /** Drops the remaining ids. */
  discard(): void;
}

/** The source of blocks, and its failures. */
export interface IdSource<F> {
  /** The first of a number of integers reserved for this process, all of them above another one. */
  fetch(count: number, above?: number): PromiseLike<Result<number, F>>;
  /** How many are reserved at a time. */
  readonly size: number;
  /** Whether fewer are left. */
  isUsedUp(failure: F): boolean;
  /** Whether other processes may now get the rest of earlier blocks; default: never. */
  isLost?(failure: F): boolean;
}

interface Block {
  readonly next: number;
  readonly end: number;
}

/** A requested number of ids. */
interface Fetching<F> {
  readonly length: number;
  readonly answer: Promise<Result<number, F>>;
}

/** Reserves blocks of ids as they are needed, the next one while some are left. */
export function createIdBlocks<F>({
  fetch,
  size,
  isUsedUp,
  isLost = () => false,
}: IdSource<F>): IdBlocks<F> {
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
  const fetchBlock = (count: number, above?: number): Fetching<F> => {
    const asked = generation;
    const length = isScarce ? count : Math.max(size, count);
    const read = async (): Promise<Result<number, F>> => {
      const fetched = await fetch(length, above);
      if (fetching === taking) fetching = undefined;
      if (fetched.isErr() && isUsedUp(fetched.error)) isScarce = true;
      // blocks reserved since then stay valid
      else if (asked !== generation) return fetched;
      else if (fetched.isOk()) spare = { next: fetched.value, end: fetched.value + length };
      else if (isLost(fetched.error)) discard();
      return fetched;
    };
    const taking = { length, answer: read() };
    fetching = taking;
    return taking;
  };
  const taken = (count: number, above = 0): number | undefined => {
    // another process has taken later ids
    if (next <= above) next = end;
    if (spare !== undefined && spare.next <= above) spare = undefined;
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
  const wait = async (count: number, above?: number): Promise<Result<number, F>> => {
    let least = above;
    for (;;) {
      const first = taken(count, least);
      if (first !== undefined) return ok(first);
      const earlier = fetching;
      const { length, answer } = earlier ?? fetchBlock(count, above);
      const fetched = await answer;
      // a block that was requested for this call is above, or else the caller says that it is not
      if (earlier === undefined) least = undefined;
      // if no whole block is left, there may be enough for this call
      const mayBeEnough = fetched.isErr() && isUsedUp(fetched.error) && length > count;
      if (fetched.isErr() && !mayBeEnough) return err(fetched.error);
    }
  };

  return {
    take: (count, above) => taken(count, above) ?? wait(count, above),
    takeAtOnce(count, above) {
      const first = taken(count, above);
      if (first === undefined && fetching === undefined && !isScarce) fetchBlock(size);
      return first;
    },
    discard,
  };
}

/** Reserves ids in blocks of each environment. */
export function createReserve(
  sourceOf: (environment: Environment) => IdSource<PortFailure>,
): Store['reserve'] {
  const blocks = {
    production: createIdBlocks(sourceOf('production')),
    sandbox: createIdBlocks(sourceOf('sandbox')),
  };
  return (environment, count, above) => {
    const taking = blocks[environment].take(count, above);
    return typeof taking === 'number' ? ok(taking) : taking;
  };
}
