import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from 'dealwright/memory';
import { createService } from './service.js';
import type { Target } from './target.js';

/** A service that forgets all that it acknowledged: a run must find that. */
export function createMemoryTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-faults-'));
  const service = createService({ folder, isMemory: true });
  return {
    ...service,
    // its store cannot be seen from outside
    open: async () => ({
      ports: createMemoryStore(),
      records: async function* () {},
      remains: async () => [],
      close: async () => undefined,
    }),
    async stop() {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
