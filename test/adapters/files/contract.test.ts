import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { createMemoryFileStore } from 'dealwright/memory';
import { fileStoreContract } from 'dealwright/spec';
import { describe, it } from 'vitest';

describe('in memory', () => {
  fileStoreContract({ describe, it }, () => ({
    ...createMemoryFileStore(),
    close: async () => undefined,
  }));
});

describe('in a folder', () => {
  fileStoreContract({ describe, it }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'dealwright-files-'));
    return {
      ...createFolderFileStore({ folder }),
      close: async () => rmSync(folder, { recursive: true }),
    };
  });
});
