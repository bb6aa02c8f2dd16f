/**
 * The seed of everything random in a test. `vitest.config.ts` sets it, and prints it;
 * `DEALWRIGHT_SEED` repeats a run.
 */
export const seed = Number(process.env['DEALWRIGHT_SEED']);
