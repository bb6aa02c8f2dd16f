import { printDistribution, printPostgresMigrations } from 'dealwright/postgres';
import { sqliteMigrations, sqlitePruning } from 'dealwright/sqlite';
import type { Flags } from '../fields.js';
import { complain, type Problem, tell } from '../problem.js';
import { parsePlace } from './folder.js';
import { type OpenStore, openStore } from './open-store.js';

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
    const prune = flags.prune === true;
    const steps =
      kind === 'postgres'
        ? [printPostgresMigrations({ prune })]
        : [...sqliteMigrations.map(({ sql }) => sql), ...(prune ? [sqlitePruning] : [])];
    if (flags.distribute === true) steps.push(printDistribution());
    stdout.write(steps.join('\n'));
    return 0;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) return tell(process, opened.error);
  const { applied, created, where, close } = opened.value;
  const said = [
    applied.length === 0 && created.length === 0
      ? `Nothing to do: the database ${where} has every step`
      : `${doneText(applied, created)} to the database ${where}`,
  ];
  let problem: Problem | undefined;
  for (const { isAsked, run, nothing, done } of laterSteps(flags, opened.value)) {
    if (!isAsked || run === undefined || problem !== undefined) continue;
    const names = await run();
    if (names.isErr()) problem = names.error;
    else said.push(names.value.length === 0 ? nothing : done(names.value.join(', ')));
  }
  await close();
  stdout.write(`${said.join('\n')}\n`);
  return problem === undefined ? 0 : tell(process, problem);
}

/** The steps on request once a database has the schema of this version, and their messages. */
function laterSteps(flags: Flags, { prune, distribute }: OpenStore) {
  return [
    {
      ...{ isAsked: flags.prune, run: prune },
      nothing: 'Nothing is left of other versions',
      done: (names: string) =>
        `Dropped the functions ${names}, and filled in what their processes left out`,
    },
    {
      ...{ isAsked: flags.distribute, run: distribute },
      nothing: 'Nothing to distribute: the cluster has every table and function',
      done: (names: string) => `Distributed ${names} over the cluster`,
    },
  ];
}

/** The result of a migration, in words. */
function doneText(applied: readonly number[], created: readonly string[]): string {
  const steps = `${applied.length === 1 ? 'step' : 'steps'} ${applied.join(', ')}`;
  const functions = `the functions ${created.join(', ')}`;
  if (applied.length === 0) return `Added ${functions}`;
  return created.length === 0 ? `Applied ${steps}` : `Applied ${steps} and added ${functions}`;
}
