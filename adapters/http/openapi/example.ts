import type { Problem, WireErrorCode } from '../wire/problem.js';

/** A successful call of an operation, and its answer. */
export interface Example {
  /** The parameters of the path and the query. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** The body as the fields of a form. */
  readonly form?: Readonly<Record<string, string | number>>;
  /** The `data` of the answer. */
  readonly data?: object;
  /** The refusals of other calls. */
  readonly refusals?: Partial<Readonly<Record<WireErrorCode, Partial<Problem>>>>;
}
