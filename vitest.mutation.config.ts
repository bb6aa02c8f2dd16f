import { common } from './vitest.config.js';

/** The mutants of the life of deals and of money alone meet the tests of these alone. */
const ofLife = [
  'test/life/{found,told,guards,intents,late-payouts,every-combination,random-runs}.test.ts',
];

/**
 * The tests that mutants of the core have to survive: its own, in memory. The proofs of the
 * contracts stay out, since they plant faults of their own.
 */
export default {
  ...common,
  test: {
    ...common.test,
    setupFiles: [...common.test.setupFiles, 'test/kit/few-runs.ts'],
    include:
      process.env['DEALWRIGHT_MUTATION'] === 'life'
        ? ofLife
        : [
            'test/{marketplace.test.ts,{domain,faces,fields,ports,strict,usecases}/**/*.test.ts}',
            'test/contract/{partner-api-in-process,ports-that-fail}.test.ts',
            ...ofLife,
          ],
  },
};
