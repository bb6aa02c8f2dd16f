import type { Issue, PreconditionReason } from 'dealwright';
import type { Problem } from '../wire/problem.js';

/** The request that is named in examples of errors. */
export const exampleRequestId = '01KDVE0000000000000000000A';

/** One call that works, and what it is answered with, in the order of the table. */
export interface Example {
  /** Of the path and the query. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** The same as the fields of a form. */
  readonly form?: Readonly<Record<string, string | number>>;
  /** Of the answer. */
  readonly data: object;
  /** What a call with one thing wrong is told, where its input is validated. */
  readonly issue?: Issue;
  /** Why the deal does not allow the call, where it cannot say that by its state. */
  readonly reason?: PreconditionReason;
  /** What a deal says that does not know the command in its state. */
  readonly known?: Problem['known'];
}
