import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The packages in a bundle of this entry point, from source. */
async function packagesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
  });
  const names = Object.keys(metafile.inputs).map(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

describe('the tables of the strict profile', () => {
  it('weigh on its own entry point', async () => {
    expect(await packagesOf('../../src/strict/index.ts')).toContain('ibantools');
  });

  it('weigh on no other', async () => {
    expect(await packagesOf('../../src/index.ts')).toEqual(['neverthrow', 'valibot']);
  });
});
