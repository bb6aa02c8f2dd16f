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
    ...['createDeal 201', 'createDealV2 201', 'registerContractor 201', 'uploadFile 201'],
    ...['createDeal 409', 'createDeal 422', 'createDealV2 400', 'uploadFile 413', 'uploadFile 415'],
    ...['listEmployerDeals 200', 'listEmployerDeals 400', 'retrieveDeal 404', 'listCategories 401'],
    ...['retrieveDealDetails 200', '(none) 204', '(none) 404', '(none) 405'],
  ]) {
    expect([...figures.counts.keys()]).toContain(met);
  }
}, 240_000);
