import type { LawGroup } from '../laws.js';
import { authorization } from './authorization.js';
import { lifeGroups } from './life/index.js';
import type { Server } from './server.js';

/** All laws that are judged over the wire. */
export const wireGroups: readonly LawGroup<Server>[] = [authorization, ...lifeGroups];
