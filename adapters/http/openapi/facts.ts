import type { Environment, ValueSets } from 'dealwright';
import type { FieldDescriptions } from 'dealwright/fields';
import type { Lifecycle } from 'dealwright/life';
import type { BodyLimits } from '../server/read-json.js';
import type { Problem, WireErrorCode } from '../wire/problem.js';
import type { ApiVersion, Route } from '../wire/route.js';
import type { Schema } from './schema.js';

/** The facts about a handler that its document shows. */
export interface DocumentFacts {
  /** The routes that at least one environment serves. */
  readonly routes: readonly Route[];
  /** The host's own life cycle, if it has one. */
  readonly lifecycle: Lifecycle | undefined;
  readonly valueSets: ValueSets;
  /** Characters; `undefined` means the default of the core. */
  readonly descriptionLimit: number | undefined;
  readonly limits: BodyLimits;
  /** The versions of each environment that is served here. */
  readonly served: Partial<Readonly<Record<Environment, readonly ApiVersion[]>>>;
  /** The headers of every answer of version 1.0. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
  /** The path below which the routes are; `''` if the host removes it before. */
  readonly basePath: string;
}

/** The facts that every part of a document is made from. */
export interface KnownFacts extends DocumentFacts {
  readonly fields: FieldDescriptions;
  /** The schemas of bodies, by their names. */
  readonly bodies: Readonly<Record<string, Schema>>;
}

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
