import { type Environment, type PortFailure, type Store, unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { createIdBlocks } from '../sql/id-blocks.js';
import type { Connection } from './connection.js';

/** Integers that are reserved at once, so that most creates cost no write for them. */
const blockSize = 256;

const cause = new Error('all integers are given out');
/** No integer is left. */
export const usedUp = unavailable({ outcome: 'none', retryable: false, cause }).error;

/** Gives integers of blocks that no other process gets. */
export function createReserve({ write }: Connection): Store['reserve'] {
  const blocksOf = (environment: Environment) =>
    createIdBlocks<PortFailure>({
      async fetch(count) {
        const taken = await write({
          name: 'reserve',
          apply: (batch) => batch.takeNumbers(environment, count),
        });
        // they are not used, whether they were reserved or not
        return taken.mapErr((failure) => ({ ...failure, outcome: 'none' }));
      },
      size: blockSize,
      usedUp,
      isLost: () => false,
    });
  const blocks = { production: blocksOf('production'), sandbox: blocksOf('sandbox') };
  return (environment, count) => {
    const taking = blocks[environment].take(count);
    return typeof taking === 'number' ? ok(taking) : taking;
  };
}
