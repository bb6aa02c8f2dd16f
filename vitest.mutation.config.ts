import config from './vitest.config.js';

const { projects: _, ...test } = config.test ?? {};

/** The tests that mutants of the domain have to survive: its own, so that a run takes minutes. */
export default { ...config, test: { ...test, include: ['test/domain/**/*.test.ts'] } };
