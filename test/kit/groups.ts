import type { ContractRunner } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { isLong } from '../tiers.js';

/**
 * Runs those groups of a contract that can differ in a variant: a driver, an option, another way to
 * the same store. Another file runs the contract whole against the store itself, and a long run runs
 * it whole against the variant too.
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
