import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from 'dealwright/memory';
import { createService } from './service.js';
import type { Target } from './target.js';

/** A service that forgets all that it acknowledged: what a run has to find. */
export function createMemoryTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-faults-'));
  const service = createService({ folder, isMemory: true });
  return {
    ...service,
    // nobody else sees what it keeps
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
