import * as fc from 'fast-check';
import type { Result } from 'neverthrow';
import { checkOptions } from '../src/ports/options.js';
import { NotApplicable } from './laws.js';

/**
 * The part of a test runner that a contract needs: those of vitest, `node:test`, Bun and Jest fit.
 */
export interface ContractRunner {
  describe(name: string, body: () => void): unknown;
  /**
   * Its third argument is the limit of the case in milliseconds; `node:test` has none, and waits.
   */
  it(name: string, body: () => Promise<void>, limit?: number): unknown;
  /** The limit of a case in milliseconds; default 120,000. */
  readonly limit?: number;
}

/** Throws a `TypeError` for a value that is not a runner: a suite without a case would pass. */
export function checkRunner(runner: ContractRunner, suite: string): void {
  const given: Partial<ContractRunner> = Object(runner);
  checkOptions(suite, {
    'the runner is { describe, it } of a test runner':
      typeof given.describe === 'function' && typeof given.it === 'function',
  });
}

/** Skips a test, if its runner gives tests a context that can; elsewhere the test passes. */
export function skip(context: unknown, reason: string): void {
  Object(context).skip?.(reason);
}

/** Fails the case unless the condition holds. */
export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/**
 * Fails the case unless both values are equal all the way down, and names the place where they
 * differ.
 */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isEqual(actual, expected)) return;
  const shown = `  expected: ${show(expected)}\n  actual:   ${show(actual)}`;
  throw new Error(`${what}\n${shown}\n  they part at: ${partingOf(actual, expected)}`);
}

/** The place where two unequal values differ: two shortened texts may look the same. */
function partingOf(a: unknown, b: unknown, path = 'the value'): string {
  if (typeof a === 'string' && typeof b === 'string') {
    const at = [...Array(a.length).keys()].find((index) => a[index] !== b[index]);
    return `${path}, character ${1 + (at ?? a.length)}`;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path;
  const name = Object.keys({ ...a, ...b }).find(
    (each) => !isEqual(Reflect.get(a, each), Reflect.get(b, each)),
  );
  return name === undefined
    ? path
    : partingOf(Reflect.get(a, name), Reflect.get(b, name), `${path}.${name}`);
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

/** Says whether both values are equal all the way down. */
export function isEqual(a: unknown, b: unknown): boolean {
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

/** Milliseconds: with the runs before it, less than the five seconds of test runners. */
const timeToShrink = 2000;

/**
 * Fails the case unless the property holds, with the seed and the smallest counterexample found in
 * time. A store in memory never lets the timers of a test runner fire, so the time to shrink is
 * measured here.
 */
export async function holds<T>(
  property: fc.IAsyncProperty<T>,
  runs: fc.Parameters<T>,
): Promise<void> {
  const first = await fc.check(property, { ...runs, endOnFailure: true });
  if (!first.failed) return;
  // not a failure that could be shrunk: the subject does not promise this
  if (first.errorInstance instanceof NotApplicable) throw first.errorInstance;
  const { seed, counterexamplePath: path } = first;
  const shrunk =
    path === null
      ? first
      : await fc.check(property, { ...runs, seed, path, interruptAfterTimeLimit: timeToShrink });
  // a failure that does not repeat is reported as it was
  const details = shrunk.failed && shrunk.counterexamplePath !== null ? shrunk : first;
  const report = await fc.asyncDefaultReportMessage(details);
  const cause = details.errorInstance;
  throw new Error(`${readable(report ?? '')}\n${show(cause)}`, { cause });
}

/** The longest part of a text that is shown, in characters. */
const longestShown = 80;

/** The longest part of a value that is shown, in characters. */
const longestValue = 2000;

/** A report whose counterexample is shortened as a value is: the seed makes it again. */
function readable(report: string): string {
  return report
    .replace(/"(?:[^"\\\n]|\\.)*"/gu, (text) =>
      text.length > longestShown + 2
        ? `${text.slice(0, longestShown + 1)}... (${text.length - 2} characters)"`
        : text,
    )
    .split('\n')
    .map((line) => (line.length > longestValue ? `${line.slice(0, longestValue)}...` : line))
    .join('\n');
}

/**
 * A value as text, shortened if it would fill a screen, as are the texts in it. For an error it
 * includes members that are not enumerable.
 */
export function show(value: unknown): string {
  try {
    const text = JSON.stringify(value, (name, each: unknown) => shown(name, each));
    return text === undefined ? String(value) : text.slice(0, longestValue);
  } catch {
    // a circle, or a value without a JSON form
    return isError(value) ? `${value.name}: ${value.message}` : String(value);
  }
}

function shown(of: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  // the message of an error is why the case has failed
  if (typeof value === 'string' && value.length > longestShown && of !== 'message') {
    return `${value.slice(0, longestShown)}... (${value.length} characters)`;
  }
  if (!isError(value)) return value;
  const { name, message, code, cause, errors }: Told = value;
  return { name, message, code, cause, errors };
}

/** An error with the members that drivers and `AggregateError` add. */
type Told = Error & { readonly code?: unknown; readonly errors?: unknown };

/** Errors of another realm too: a test runner may give each file its own. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** A call of a method, to be made or not. */
export type Call = () => unknown;

/** The same object, whose methods are called by `make`, as are those of the objects in it. */
export function wrap<P extends object>(
  object: P,
  make: (call: Call, name: PropertyKey) => unknown,
): P {
  // a copy: a proxy must not change a member of a frozen object
  const copy: P = Object.assign(Object.create(Object.getPrototypeOf(object)), object);
  return new Proxy(copy, {
    get(_, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member === 'object' && member !== null) return wrap(member, make);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => make(() => Reflect.apply(member, object, given), name);
    },
  });
}
