import type { CategoryTree } from '../domain/deals/category.js';
import { indexedFields } from '../domain/deals/deal-list.js';
import type { DealPart, RecordKind } from '../domain/records/records.js';
import { isStored, isStoredPart } from '../domain/records/stored.js';
import { refusalReasons } from '../domain/values/payment-status.js';
import type { CommitOutcome, WriteSet } from './write-set.js';

/** Says whether this is the answer of a gateway: its reports are judged with the deal. */
export function isGatewayAnswer(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.every(isObject);
  if (!isObject(answer)) return false;
  const { reports, refused } = answer as { reports?: unknown; refused?: unknown };
  const areReports = Array.isArray(reports) && reports.every(isObject);
  if (refused === undefined) return reports === undefined || areReports;
  const { reason, retry } = Object(refused) as { reason?: unknown; retry?: unknown };
  return (
    reports === undefined &&
    refusalReasons.some((each) => each === reason) &&
    (retry === 'later' || retry === 'never')
  );
}

/** Says whether an outcome is one of this write. */
export function isOutcome(answer: CommitOutcome, { expect }: WriteSet): boolean {
  if (answer.outcome === 'committed') return true;
  const expected = answer.outcome === 'refused' ? expect[answer.expectation] : undefined;
  if (expected === undefined) return false;
  if (!('absent' in expected && expected.absent === 'answer')) return true;
  return typeof answer.first?.fingerprint === 'string' && isObject(JSON.parse(answer.first.answer));
}

/**
 * Says whether a deal, if one was found, and its parts that were asked for are stored records.
 *
 * @example
 * ```ts
 * import { isDeal } from 'dealwright/ports';
 *
 * isDeal(undefined, ['stage']); // true: there is none
 * isDeal({ deal: {}, stage: [] }, ['stage']); // false: no field of the deal is there
 * ```
 */
export function isDeal(found: unknown, parts: readonly DealPart[]): boolean {
  if (found === undefined) return true;
  const { deal, ...rows } = Object(found) as Readonly<Record<string, unknown>>;
  const areStored = (part: DealPart) => {
    const own = rows[part];
    return Array.isArray(own) && own.every((row) => isStored(part, row));
  };
  return isStored('deal', deal) && parts.every(areStored);
}

/**
 * Says whether this is a record that an index found, with its partner.
 *
 * @example
 * ```ts
 * import { isIndexed } from 'dealwright/ports';
 *
 * isIndexed('deal', { partner: 'acme', row: {} }); // false: no field of the deal is there
 * ```
 */
export function isIndexed(kind: RecordKind, found: unknown): boolean {
  const { partner, row } = Object(found) as Readonly<Record<string, unknown>>;
  if (typeof partner !== 'string' || partner === '') return false;
  return kind === 'deal' ? isStoredPart(kind, indexedFields, row) : isStored(kind, row);
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
