import { common } from './vitest.config.js';

const ofLife = [
  'test/life/{found,found-terms,told,guards,intents,late-payouts,kept-state,legal-table}.test.ts',
  'test/life/{every-combination,every-proposal,random-runs}.test.ts',
];

/** The mutants of the life of deals, of money and of terms alone meet the tests of these alone. */
const life = [
  ...ofLife,
  'test/domain/{life,payments,terms}/**/*.test.ts',
  'test/usecases/{amendments,bonus,change-terms,due-dates,list-terms,notices,proposal-states,terms-kept,terms-upgrade,views}.test.ts',
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
        ? life
        : [
            'test/{marketplace.test.ts,{domain,faces,fields,ports,strict,usecases}/**/*.test.ts}',
            'test/contract/{partner-api-in-process,ports-that-fail}.test.ts',
            ...ofLife,
          ],
  },
};
