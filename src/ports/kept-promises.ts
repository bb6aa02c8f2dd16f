import type { CategoryTree } from '../domain/deals/category.js';
import type { DealPart } from '../domain/records/records.js';
import { isStored } from '../domain/records/stored.js';
import type { DealWith } from './store.js';
import type { CommitOutcome, WriteSet } from './write-set.js';

/** Says whether an outcome is one of this write. */
export function isOutcome(answer: CommitOutcome, { expect }: WriteSet): boolean {
  if (answer.outcome === 'committed') return true;
  const expected = answer.outcome === 'refused' ? expect[answer.expectation] : undefined;
  if (expected === undefined) return false;
  if (!('absent' in expected && expected.absent === 'answer')) return true;
  return typeof answer.first?.fingerprint === 'string' && isObject(JSON.parse(answer.first.answer));
}

/** Says whether a deal and its parts are stored records. */
export function isDeal<P extends DealPart>(
  found: DealWith<P> | undefined,
  parts: readonly P[],
): boolean {
  if (found === undefined) return true;
  return (
    isStored('deal', found.deal) &&
    parts.every((part) => (found[part] as readonly unknown[]).every((row) => isStored(part, row)))
  );
}

/** Says whether a tree has names. */
export function isCategoryTree(tree: CategoryTree): boolean {
  return tree.every(({ name, subcategories }) =>
    [{ name }, ...subcategories].every((each) => isObject(each.name)),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
