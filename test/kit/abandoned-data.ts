import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../fixtures/cfc147f/', import.meta.url);

/** The content of a file of commit `cfc147f`; its stores cannot be migrated. */
export function abandoned(name: 'deals.sqlite' | 'archive.ndjson'): Buffer {
  return gunzipSync(readFileSync(new URL(`${name}.gz`, folder)));
}
