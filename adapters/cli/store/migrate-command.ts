import { printDistribution, printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations } from 'dealwright/sqlite';
import type { Flags } from '../flags.js';
import { complain, tell } from '../problem.js';
import { parsePlace } from '../settings.js';
import { openStore } from './open-store.js';

/** `dealwright migrate` */
export async function migrate(process: NodeJS.Process, flags: Flags): Promise<number> {
  const { stdout } = process;
  const place = parsePlace(process.env);
  if (place.isErr()) return complain(process, place.error);
  const { kind } = place.value;
  if (flags.distribute === true && kind !== 'postgres') {
    const named = 'DATABASE_URL names the coordinator of a cluster';
    return complain(process, `only PostgreSQL is distributed: ${named}`);
  }
  if (flags.print === true) {
    const steps =
      kind === 'postgres' ? [printPostgresMigrations()] : sqliteMigrations.map(({ sql }) => sql);
    if (flags.distribute === true) steps.push(printDistribution());
    stdout.write(steps.join('\n'));
    return 0;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) return tell(process, opened.error);
  const { applied, where, distribute, close } = opened.value;
  const distributed = flags.distribute === true ? await distribute?.() : undefined;
  await close();
  stdout.write(
    applied.length === 0
      ? `Nothing to do: the database ${where} has every step\n`
      : `Applied ${applied.length === 1 ? 'step' : 'steps'} ${applied.join(', ')} to the database ${where}\n`,
  );
  if (distributed === undefined) return 0;
  if (distributed.isErr()) return tell(process, distributed.error);
  const tables = distributed.value;
  stdout.write(
    tables.length === 0
      ? 'Nothing to distribute: the cluster has every table\n'
      : `Distributed ${tables.join(', ')} over the cluster\n`,
  );
  return 0;
}
