import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { measureEntryPoint } from '../../scripts/checks/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const kilobyte = 1000;

it('keeps the core within 34 kB, of which neverthrow and valibot are all that is not ours', async () => {
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright');
  expect(packages).toEqual(['neverthrow', 'valibot']);
  expect(bytes).toBeLessThanOrEqual(34 * kilobyte);
});

it('keeps the client within 13.1 kB, without valibot', async () => {
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright/client');
  expect(packages).toEqual(['neverthrow']);
  expect(bytes).toBeLessThanOrEqual(13.1 * kilobyte);
});

it('sees what a larger entry point pulls in', async () => {
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright/spec');
  expect(packages).toContain('fast-check');
  expect(bytes).toBeGreaterThan(34 * kilobyte);
});
