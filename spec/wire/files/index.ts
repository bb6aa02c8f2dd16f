import type { LawGroup } from '../../laws.js';
import type { Server } from '../server.js';
import { conditions } from './conditions.js';
import { downloads } from './downloads.js';
import { forms } from './forms.js';
import { keysOfUploads } from './keys.js';
import { lifeOfFiles } from './life.js';
import { listed } from './listed.js';
import { ranges } from './ranges.js';
import { refusedUploads } from './refused-uploads.js';
import { uploads } from './uploads.js';

/** The laws of work files. */
export const fileGroups: readonly LawGroup<Server>[] = [
  uploads,
  refusedUploads,
  forms,
  keysOfUploads,
  listed,
  lifeOfFiles,
  downloads,
  conditions,
  ranges,
];
