import { expect, test } from 'vitest';
import { runFuzz } from './run.js';

const requests = 20_000;
const mebibyte = 2 ** 20;

test(`${requests} requests of all kinds are answered as documented`, async () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
  const figures = await runFuzz(requests, seed, 5);
  expect(figures.requests).toBeGreaterThanOrEqual(requests);
  expect(figures.overSockets).toBeGreaterThan(requests / 40);
  expect(figures.serverErrors).toBe(0);
  expect(figures.heap.end - figures.heap.warm).toBeLessThan(16 * mebibyte);
  // a run that meets nothing but refusals proves little
  for (const met of [
    'createDeal 201',
    'createDealV2 201',
    'registerContractor 201',
    'uploadFile 201',
    'uploadFile 413',
    'uploadFile 415',
    'uploadFile 422',
    'createDeal 409',
    'listEmployerDeals 200',
    'retrieveDealDetails 200',
    'retrieveDeal 404',
    '(none) 405',
    '(none) 404',
    'listCategories 401',
  ]) {
    expect([...figures.counts.keys()]).toContain(met);
  }
}, 120_000);
