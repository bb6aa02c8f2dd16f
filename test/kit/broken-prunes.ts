import { ok } from 'neverthrow';
import { type BrokenStores, settle } from './store-parts.js';

const ended = '2.7/store/pruned-by-time';
const bounded = '2.7/store/pruned-up-to-a-limit';
const under = '7.2/store/pruned-from-below';

/** Stores with a mistake in deleting ended records, and a law that it breaks. */
export const brokenPrunes: BrokenStores = {
  'deletes what has not ended yet': [
    ({ prune }) => ({
      prune: (kind, _before, limit) => prune?.(kind, '9999-12-31T23:59:59.999Z', limit) ?? ok(0),
    }),
    ended,
  ],
  'deletes what ends at a time only after it': [
    ({ prune }) => ({
      prune: (kind, before, limit) =>
        prune?.(kind, new Date(Date.parse(before) - 1).toISOString(), limit) ?? ok(0),
    }),
    ended,
  ],
  'says that it deleted what it kept': [
    () => ({ prune: (_kind, _before, limit) => ok(limit) }),
    ended,
  ],
  'deletes all at once': [
    ({ prune }) => ({ prune: (kind, before) => prune?.(kind, before, 1_000) ?? ok(0) }),
    bounded,
  ],
  'deletes a record before what is under it': [
    ({ prune }) => ({
      async prune(kind, before, limit) {
        if (prune === undefined) return ok(0);
        if (kind === 'consumer') await settle(prune('delivery', before, 1_000));
        return prune(kind, before, limit);
      },
    }),
    under,
  ],
};
