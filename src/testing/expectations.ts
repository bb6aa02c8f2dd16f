import type { Result } from 'neverthrow';

/**
 * As much of a test runner as a contract needs: those of vitest, `node:test`, Bun and Jest fit.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import type { ContractRunner } from 'dealwright/testing';
 *
 * const runner: ContractRunner = {
 *   describe: (name, body) => void describe(name, body),
 *   it: (name, body) => void it(name, body),
 * };
 * ```
 */
export interface ContractRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** Throws a `TypeError` for what is no runner: a suite that defines no case would pass. */
export function checkRunner(runner: ContractRunner, suite: string): void {
  const given: Partial<ContractRunner> = Object(runner);
  if (typeof given.describe !== 'function' || typeof given.it !== 'function') {
    throw new TypeError(`${suite}: the runner is { describe, it } of a test runner`);
  }
}

/** Fails the case unless the condition holds. */
export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Fails the case unless both values are equal all the way down. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  check(
    isEqual(actual, expected),
    `${what}\n  expected: ${show(expected)}\n  actual:   ${show(actual)}`,
  );
}

/** The value of a result that has one. */
export function okOf<T, E>(result: Result<T, E>, what: string): T {
  if (result.isOk()) return result.value;
  throw new Error(`${what}: expected a value\n  actual error: ${show(result.error)}`);
}

/** The error of a result that has one. */
export function errOf<T, E>(result: Result<T, E>, what: string): E {
  if (result.isErr()) return result.error;
  throw new Error(`${what}: expected an error\n  actual value: ${show(result.value)}`);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && isEqual(Reflect.get(a, name), Reflect.get(b, name)),
    )
  );
}

/** A value as text, cut where it would fill a screen. */
export function show(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each,
  );
  return text === undefined ? String(value) : text.slice(0, 2000);
}
