import { expect, test } from 'vitest';
import { measureUpload } from '../../../bench/upload/measure.mjs';

const mebibyte = 2 ** 20;

test('a file of 25 MiB goes to a disk through a bounded buffer', async () => {
  const { used } = await measureUpload(25 * mebibyte, true);
  expect(used).toBeLessThan(8 * mebibyte);
});

test('what is measured is there: a file that is held whole shows', async () => {
  const { used } = await measureUpload(25 * mebibyte, true, 'memory');
  expect(used).toBeGreaterThan(24 * mebibyte);
});
