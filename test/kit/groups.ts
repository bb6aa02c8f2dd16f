import type { ContractRunner } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { isLong } from '../tiers.js';

/**
 * Runs the groups of a contract in which a variant can differ: a driver, an option, another way to
 * the same store. Another file runs the whole contract against the store itself, and a long run
 * runs it against the variant too.
 */
export function runGroups(
  groups: readonly string[],
  contract: (runner: ContractRunner) => void,
): void {
  const left = new Set(groups);
  contract({
    it,
    describe(name, body) {
      if (left.delete(name) || isLong) describe(name, body);
    },
  });
  if (left.size > 0) throw new Error(`the contract has no group ${[...left].join(', ')}`);
}
