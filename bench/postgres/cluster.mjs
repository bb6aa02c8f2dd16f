import { importKit } from '../kit.mjs';

/** The PostgreSQL that the tests start too, with fsync on: real, private, and gone afterwards. */
export async function startPostgres(options = {}) {
  const { startPostgres: start } = await importKit('postgres');
  return start(options);
}
