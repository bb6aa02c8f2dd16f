import type { Environment, ValueSets } from 'dealwright';
import type { FieldDescriptions } from 'dealwright/fields';
import type { Lifecycle } from 'dealwright/life';
import type { BodyLimits } from '../server/read-json.js';
import type { ApiVersion, Route } from '../wire/route.js';
import type { Schema } from './schema.js';

/** What a handler is made with, as far as its document tells of it. */
export interface DocumentFacts {
  /** The routes that are served in an environment at least. */
  readonly routes: readonly Route[];
  /** The host's own, where it has one. */
  readonly lifecycle: Lifecycle | undefined;
  readonly valueSets: ValueSets;
  /** Characters; the default of the core where the marketplace does not say. */
  readonly descriptionLimit: number | undefined;
  readonly limits: BodyLimits;
  /** The versions that each environment serves which is served here at all. */
  readonly served: Partial<Readonly<Record<Environment, readonly ApiVersion[]>>>;
  /** The headers of every answer of version 1.0. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
  /** Below which path they are; nothing where the host takes it away before. */
  readonly basePath: string;
}

/** What every part of a document is made from. */
export interface KnownFacts extends DocumentFacts {
  readonly fields: FieldDescriptions;
  /** The schemas of bodies, by their names. */
  readonly bodies: Readonly<Record<string, Schema>>;
}
