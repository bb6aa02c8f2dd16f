import { ok } from 'neverthrow';
import type { Changes, DealState } from '../domain/payments/draft.js';
import { type DealPart, shapeOf } from '../domain/records/records.js';
import type { DealWith } from '../ports/store.js';
import { dealParts, type Finder } from './find-deal.js';

/**
 * A deal with several writes of this process in a row: it is read once, and then known from its own
 * writes. As after any read, each write has its expectations. A refusal writes nothing, so it is
 * decided from a fresh read.
 */
export function inHand<R>(finder: Finder<R>): Finder<R> {
  let known: DealWith<DealPart> | undefined;
  return {
    name: finder.name,
    isKnown: () => known !== undefined,
    async find() {
      const found = known === undefined ? await finder.find(dealParts) : ok(known);
      if (found.isOk()) known = found.value;
      return found;
    },
    wrote(deal) {
      known = deal;
    },
  };
}

/** The deal as a store returns it after a write: each part in the order of its keys. */
export function asStored(
  after: DealState,
  { insert }: Pick<Changes, 'insert'>,
  { attempt, version }: { readonly attempt: string; readonly version: number },
): DealWith<DealPart> {
  const stored: Record<string, unknown> = { ...after, deal: { ...after.deal, version } };
  const made = new Set<object>(insert.map(({ row }) => row));
  for (const kind of new Set(insert.map((each) => each.kind))) {
    const { key } = shapeOf(kind);
    const keyOf = (row: object): string | number => Reflect.get(row, key);
    stored[kind] = after[kind]
      .map((row) => (made.has(row) ? { ...row, attempt } : row))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
  return stored as DealWith<DealPart>;
}
