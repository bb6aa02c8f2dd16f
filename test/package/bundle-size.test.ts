import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createPages } from 'dealwright/pages';
import { expect, it } from 'vitest';
import { measureEntryPoint } from '../../scripts/checks/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const kilobyte = 1000;

it('keeps the core within 77.3 kB, of which neverthrow and valibot are all that is not ours', async () => {
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright');
  expect(packages).toEqual(['neverthrow', 'valibot']);
  expect(bytes).toBeLessThanOrEqual(77.3 * kilobyte);
});

it('keeps the client within 15 kB, without valibot', async () => {
  const names = '{ createClient, eachDeal, eachEvent, eachEventPage, eachPage }';
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright/client', names);
  expect(packages).toEqual(['neverthrow']);
  expect(bytes).toBeLessThanOrEqual(15 * kilobyte);
});

it('keeps what receives webhooks within 8.8 kB, without valibot and without the client', async () => {
  const names = '{ createReplayMemory, verifyWebhook }';
  const receiver = await measureEntryPoint(root, 'dealwright/client', names);
  const library = ['@stablelib/base64', 'fast-sha256', 'neverthrow', 'standardwebhooks'];
  expect(receiver.packages).toEqual(library);
  expect(receiver.bytes).toBeLessThanOrEqual(8.8 * kilobyte);
  const all = await measureEntryPoint(root, 'dealwright/client');
  expect(all.packages).toEqual(library);
});

it.each([
  { page: 'offer', script: 40.4, style: 10 },
  { page: 'portal', script: 60, style: 10 },
  { page: 'console', script: 80, style: 10 },
])(
  'keeps the page $page within $script kB of script and $style kB of style',
  ({ page, script, style }) => {
    const files = Object.entries(createPages());
    const weigh = (ending: string) =>
      files
        .filter(([path]) => path.startsWith(`/${page}/`) && path.endsWith(ending))
        .reduce((sum, [, { body }]) => sum + gzipSync(body, { level: 9 }).length, 0);
    expect(weigh('.js')).toBeGreaterThan(10 * kilobyte);
    expect(weigh('.js')).toBeLessThanOrEqual(script * kilobyte);
    expect(weigh('.css')).toBeGreaterThan(kilobyte);
    expect(weigh('.css')).toBeLessThanOrEqual(style * kilobyte);
  },
);

it('sees what a larger entry point pulls in', async () => {
  const { bytes, packages } = await measureEntryPoint(root, 'dealwright/spec');
  expect(packages).toContain('fast-check');
  expect(bytes).toBeGreaterThan(44 * kilobyte);
});
