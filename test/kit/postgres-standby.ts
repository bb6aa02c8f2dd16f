import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Postgres, type PostgresOptions, startOver } from './postgres.js';
import { output } from './processes.js';

/** A server that follows another one. */
export interface Standby extends Postgres {
  /** Stops following, and takes writes. Resolves once it does. */
  promote(): Promise<void>;
}

/**
 * Starts a synchronous standby of a running server: from then on, that server acknowledges only
 * writes that the standby has. It is a full copy, takes about a second, and follows by this port,
 * which is the server's own or leads to it.
 */
export async function startStandby(
  primary: Postgres,
  port: number,
  options: PostgresOptions = {},
): Promise<Standby> {
  const source = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const standby = await startOver(options, (data, { programs, account }) => {
    // -R: it follows; -X stream: includes writes made meanwhile; -N: as for a new server
    const copy = ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-N', '-d', source];
    return output(join(programs, 'pg_basebackup'), copy, account);
  });
  try {
    // after the copy, so that the standby does not wait for another one once it is promoted
    await primary.psql(`alter system set synchronous_standby_names = '*'`);
    await primary.psql('select pg_reload_conf()');
    const state = 'select sync_state from pg_stat_replication';
    while ((await primary.psql(state)).trim() !== 'sync') await sleep(20);
  } catch (cause) {
    await standby.stop();
    throw cause;
  }
  return {
    ...standby,
    async promote() {
      const answer = await standby.psql('select pg_promote(true, 60)');
      if (answer.trim() !== 't') throw new Error('the standby was not promoted within a minute');
    },
  };
}
