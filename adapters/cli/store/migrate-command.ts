import { printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations } from 'dealwright/sqlite';
import { usageExit } from '../exit-codes.js';
import { openStore } from './open-store.js';
import { parsePlace } from './place.js';

/** The flags of `dealwright migrate`. */
export interface MigrateFlags {
  readonly print?: true;
}

/** `dealwright migrate` */
export async function migrate(process: NodeJS.Process, flags: MigrateFlags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const place = parsePlace(process.env);
  if (place.isErr()) {
    complain(place.error);
    return usageExit;
  }
  if (flags.print === true) {
    process.stdout.write(
      place.value.kind === 'postgres'
        ? printPostgresMigrations()
        : sqliteMigrations.map(({ sql }) => sql).join('\n'),
    );
    return 0;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) {
    complain(opened.error.message);
    return opened.error.exit;
  }
  const { applied, where, close } = opened.value;
  await close();
  process.stdout.write(
    applied.length === 0
      ? `Nothing to do: the database ${where} has every step\n`
      : `Applied ${applied.length === 1 ? 'step' : 'steps'} ${applied.join(', ')} to the database ${where}\n`,
  );
  return 0;
}
