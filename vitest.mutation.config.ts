import config from './vitest.config.js';

/** The tests that mutants of the domain have to survive: its own, so that a run takes minutes. */
export default { ...config, test: { ...config.test, include: ['test/domain/**/*.test.ts'] } };
