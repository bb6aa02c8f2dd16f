// @ts-check
// Runs the contracts, the costs and the faults on a cluster of Citus, and writes a page of the
// results: DEALWRIGHT_CLUSTER_URL=... npm run test:distributed -- --only contract,costs
import { spawnSync } from 'node:child_process';
import { runTestProgram } from './test-program.mjs';

const given = process.argv.slice(2);
const only = given[given.indexOf('--only') + 1];
if (!given.includes('--only') || only?.split(',').includes('contract')) {
  const reporters = ['--reporter=default', '--reporter=json'];
  const output = '--outputFile.json=reports/distributed-contract.json';
  // the program counts the failures
  const { status } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.distributed.config.ts'],
      ...[...reporters, output],
    ],
    { stdio: 'inherit' },
  );
  if (status === null) process.exit(1);
}
await runTestProgram('distributed');
