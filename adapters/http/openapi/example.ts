import type { Problem, WireErrorCode } from '../wire/problem.js';

/** A call of an operation that works, and its answer. */
export interface Example {
  /** Of the path and the query. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** The same as the fields of a form. */
  readonly form?: Readonly<Record<string, string | number>>;
  /** The `data` of the answer. */
  readonly data?: object;
  /** How the operation refuses other calls. */
  readonly refusals?: Partial<Readonly<Record<WireErrorCode, Partial<Problem>>>>;
}
