import { readdirSync, readFileSync } from 'node:fs';
import { migratePostgres } from 'dealwright/postgres';
import { createApi, createPool } from '../postgres/app.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { contractor } from '../validation/cases.mjs';
import { created, measure, ownCost, works } from './work.mjs';

/**
 * The costs of a store in PostgreSQL by kind of work: for its server, for this process and on the
 * disk.
 */
export async function postgresCosts() {
  const postgres = await startPostgres();
  const pool = createPool(postgres.socketUrl);
  try {
    (await migratePostgres(pool))._unsafeUnwrap();
    const api = createApi(pool);
    (await api.registerContractor(contractor))._unsafeUnwrap();
    const figures = await measure(api, () => {
      const [own, server] = [ownCost(), serverCost(postgres.pid())];
      return () => [own(), server()];
    });
    const one = async (sql) => Number(await postgres.psql(sql));
    await postgres.psql('vacuum');
    const stored = await one(`select sum(pg_total_relation_size(c.oid)) from pg_class c
      where relnamespace = 'dealwright'::regnamespace and relkind = 'r'`);
    const work = Object.fromEntries(
      Object.entries(figures).map(([name, each]) => [
        name,
        { client: each.map(([own]) => own), server: each.map(([, server]) => server) },
      ]),
    );
    return { work, stored: stored / created, written: await writtenAhead(api, one) };
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

/** Bytes of the log for a create, averaged over many, after the first changes of their pages. */
async function writtenAhead(api, one) {
  const { inFlight, count, call } = works['a create, 64 in flight, gathered'];
  const written = () => one(`select pg_current_wal_lsn() - '0/0'`);
  const begin = await written();
  let left = count;
  const keepCreating = async () => {
    while (left > 0) {
      left -= 1;
      (await call(api, `log-${left}`))._unsafeUnwrap();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCreating));
  return ((await written()) - begin) / count;
}

const ticksPerSecond = 100;

/**
 * CPU time of a server's processes from now on, in microseconds, including those that end
 * meanwhile.
 */
function serverCost(pid) {
  const begin = ticks(pid);
  return () => ((ticks(pid) - begin) * 1e6) / ticksPerSecond;
}

function ticks(pid) {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? fieldsOf(name) : undefined;
    if (fields === undefined) continue;
    const [, parent] = fields;
    const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number);
    if (name === String(pid)) sum += user + system + userOfEnded + systemOfEnded;
    else if (parent === String(pid)) sum += user + system;
  }
  return sum;
}

/** The fields of a process after its name, which may contain anything; none if it has ended. */
function fieldsOf(name) {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}
