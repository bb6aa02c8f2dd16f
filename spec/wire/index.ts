import type { LawGroup } from '../laws.js';
import { authorization } from './authorization.js';
import { bodies } from './bodies.js';
import { categories } from './categories.js';
import { errors } from './errors.js';
import { headers } from './headers.js';
import { languages } from './languages.js';
import { lifeGroups } from './life/index.js';
import { malformed } from './malformed.js';
import { methods } from './methods.js';
import { paths } from './paths.js';
import { secrecy } from './secrecy.js';
import type { Server } from './server.js';

/** All laws that are judged over the wire. */
export const wireGroups: readonly LawGroup<Server>[] = [
  authorization,
  headers,
  errors,
  secrecy,
  languages,
  methods,
  paths,
  bodies,
  malformed,
  categories,
  ...lifeGroups,
];
