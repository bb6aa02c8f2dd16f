import { defineConfig } from 'vitest/config';
import { common } from './vitest.config.js';

if (process.env['DEALWRIGHT_CLUSTER_URL'] === undefined) {
  throw new Error(
    'npm run test:distributed needs a cluster of Citus that it may fill: ' +
      'DEALWRIGHT_CLUSTER_URL=postgres://user@coordinator/database',
  );
}

/** The contract against a cluster, whose URL the environment gives: no part of `npm test`. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ['test/distributed/**/*.cluster.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
