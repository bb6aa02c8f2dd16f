/**
 * Where everything that a test draws begins. `vitest.config.ts` says it, and prints it;
 * `DEALWRIGHT_SEED` repeats a run.
 */
export const seed = Number(process.env['DEALWRIGHT_SEED']);
