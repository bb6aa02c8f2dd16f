import { describe, expect, it } from 'vitest';
import { measureDoor } from '../../scripts/walls/bundle.mjs';
import { root, withPlanted } from './plant.js';

const kilobyte = 1_000;

describe('a bundle of the built package, minified, compressed, everything included', () => {
  it('of the core is at most 15 kB, and holds two packages', async () => {
    const { bytes, packages } = await measureDoor(root, 'dealwright');
    expect(packages).toEqual(['neverthrow', 'valibot']);
    expect(bytes).toBeLessThanOrEqual(15 * kilobyte);
  });

  it('of the client is at most 8 kB, and holds one package', async () => {
    const { bytes, packages } = await measureDoor(root, 'dealwright/client');
    expect(packages).toEqual(['neverthrow']);
    expect(bytes).toBeLessThanOrEqual(8 * kilobyte);
  });
});

it('a planted import shows in the packages and in the size', async () => {
  const files = {
    'small.js': 'export const one = 1;\n',
    'large.js': "export * from 'valibot';\nexport { sha256 } from '@noble/hashes/sha2.js';\n",
  };
  const [small, large] = await withPlanted(files, (folder) =>
    Promise.all([measureDoor(folder, './small.js'), measureDoor(folder, './large.js')]),
  );
  expect(small).toEqual({ packages: [], bytes: expect.any(Number) });
  expect(small?.bytes).toBeLessThan(100);
  expect(large?.packages).toEqual(['@noble/hashes', 'valibot']);
  expect(large?.bytes).toBeGreaterThan(15 * kilobyte);
});
