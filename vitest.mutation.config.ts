import config from './vitest.config.js';

const { projects: _, ...test } = config.test ?? {};

/**
 * The tests that mutants of the core have to survive: its own, in memory. The proofs of the
 * contracts stay out, since they plant faults of their own.
 */
export default {
  ...config,
  test: {
    ...test,
    setupFiles: ['test/kit/few-runs.ts'],
    include: [
      'test/{marketplace.test.ts,{domain,fields,ports,strict,usecases}/**/*.test.ts}',
      'test/contract/{partner-api-in-process,ports-that-fail}.test.ts',
    ],
  },
};
