import { importKit } from '../kit.mjs';

/** The PostgreSQL of the tests, with fsync on: real, private, and removed afterwards. */
export async function startPostgres(options = {}) {
  const { startPostgres: start } = await importKit('postgres');
  return start(options);
}
