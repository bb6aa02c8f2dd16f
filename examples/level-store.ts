import type { ClassicLevel } from 'classic-level';
import { createKeyValueStore } from 'dealwright/key-value';
import type { Store } from 'dealwright/ports';

/** A store over LevelDB: one process, and a write returns once it is on the disk. */
export function createLevelStore(db: ClassicLevel<string, string>): Store {
  return createKeyValueStore({
    get: (key) => db.get(key),
    values: (range) => db.values(range),
    batch: (operations) => db.batch([...operations], { sync: true }),
  });
}
