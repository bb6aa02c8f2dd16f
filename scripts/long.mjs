// @ts-check
// Runs the tests as npm test does, with more of everything and with seeds that it draws:
// npm run test:long -- test/life
import { spawnSync } from 'node:child_process';

const args = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
const env = { ...process.env, DEALWRIGHT_TIER: 'long' };
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
process.exitCode = status ?? 1;
