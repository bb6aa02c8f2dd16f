import { type PortFailure, type Store, unavailable } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createReserve } from '../shared/id-blocks.js';
import type { Connection } from './connection.js';

/** Integers that are reserved at once, so that most creates cost no write for them. */
const blockSize = 256;

const cause = new Error('all integers are given out');
/** No integer is left. */
const usedUp = unavailable({ outcome: 'none', retryable: false, cause }).error;

export const orUsedUp = (first: number | undefined): Result<number, PortFailure> =>
  first === undefined ? err(usedUp) : ok(first);

/** Gives integers of blocks that no other process gets. */
export function createSqliteReserve({ write }: Connection): Store['reserve'] {
  return createReserve((environment) => ({
    async fetch(count) {
      const taken = await write({
        name: 'reserve',
        apply: (batch) => batch.takeNumbers(environment, count),
      });
      // they are not used, whether they were reserved or not
      return taken
        .mapErr((failure): PortFailure => ({ ...failure, outcome: 'none' }))
        .andThen(orUsedUp);
    },
    size: blockSize,
    isUsedUp: (failure) => failure === usedUp,
  }));
}
