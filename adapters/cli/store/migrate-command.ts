import { printDistribution, printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations } from 'dealwright/sqlite';
import { usageExit } from '../exit-codes.js';
import { openStore } from './open-store.js';
import { parsePlace } from './place.js';

/** The flags of `dealwright migrate`. */
export interface MigrateFlags {
  readonly print?: true;
  readonly distribute?: true;
}

/** `dealwright migrate` */
export async function migrate(process: NodeJS.Process, flags: MigrateFlags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const place = parsePlace(process.env);
  if (place.isErr()) {
    complain(place.error);
    return usageExit;
  }
  if (flags.distribute === true && place.value.kind !== 'postgres') {
    complain('only PostgreSQL is distributed: DATABASE_URL names the coordinator of a cluster');
    return usageExit;
  }
  if (flags.print === true) {
    const steps =
      place.value.kind === 'postgres'
        ? [printPostgresMigrations(), ...(flags.distribute === true ? [printDistribution()] : [])]
        : sqliteMigrations.map(({ sql }) => sql);
    process.stdout.write(steps.join('\n'));
    return 0;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) {
    complain(opened.error.message);
    return opened.error.exit;
  }
  const { applied, where, distribute, close } = opened.value;
  const distributed = flags.distribute === true ? await distribute?.() : undefined;
  await close();
  process.stdout.write(
    applied.length === 0
      ? `Nothing to do: the database ${where} has every step\n`
      : `Applied ${applied.length === 1 ? 'step' : 'steps'} ${applied.join(', ')} to the database ${where}\n`,
  );
  if (distributed === undefined) return 0;
  if (distributed.isErr()) {
    complain(distributed.error.message);
    return distributed.error.exit;
  }
  const tables = distributed.value;
  process.stdout.write(
    tables.length === 0
      ? 'Nothing to distribute: the cluster has every table\n'
      : `Distributed ${tables.join(', ')} over the cluster\n`,
  );
  return 0;
}
