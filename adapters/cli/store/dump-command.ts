import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ArchiveProgress, toNdjson } from 'dealwright/archive';
import type { StoreArchive } from 'dealwright/ports';
import { createSha256 } from 'dealwright/system';
import { err, ok, type Result } from 'neverthrow';
import { failedExit, signalExit, usageExit } from '../exit-codes.js';
import { fileProblem } from '../file-problem.js';
import { printable } from '../printable.js';
import { createProgress, sizeText } from '../progress.js';
import { checkOut, openTarget, type Target } from './dump-target.js';
import { databaseIn } from './folder.js';
import { openSource, type Source } from './open-source.js';
import { parsePlace } from './place.js';
import { causeText, type StoreProblem } from './store-problem.js';

/** The flags of `dealwright dump`. */
export interface DumpFlags {
  readonly out?: string;
  readonly withoutFiles?: true;
  readonly quiet?: true;
}

/** `dealwright dump` */
export async function dump(process: NodeJS.Process, flags: DumpFlags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const place = parsePlace(process.env);
  if (place.isErr()) {
    complain(place.error);
    return usageExit;
  }
  const { kind, folder } = place.value;
  const database = kind === 'sqlite' ? databaseIn(resolve(folder)) : undefined;
  // where there is nothing, a typing error is likelier than an empty backup
  if (database !== undefined && !existsSync(database)) {
    complain(
      `there are no deals in ${printable(resolve(folder))}: DEALWRIGHT_DATA names the folder, and DATABASE_URL a database of PostgreSQL`,
    );
    return usageExit;
  }
  const out = await checkOut(flags.out, database);
  if (out.isErr()) {
    complain(out.error);
    return usageExit;
  }
  const source = await openSource(process, place.value);
  if (source.isErr()) {
    complain(source.error.message);
    return source.error.exit;
  }
  return dumpFrom(process, source.value, flags);
}

/** Dumps what is open, and closes it. A signal ends it without half a file. */
export async function dumpFrom(
  process: NodeJS.Process,
  source: Source,
  flags: DumpFlags,
): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const progress = createProgress({ stream: process.stderr, shown: flags.quiet !== true });
  const told = hearSignals(process);
  try {
    const ends = await openEnds(process, source, flags.out);
    if (ends.isErr()) {
      complain(ends.error.message);
      return ends.error.exit;
    }
    const { archive, target } = ends.value;
    let last: ArchiveProgress = { records: 0, contents: 0, bytes: 0 };
    const onProgress = (now: ArchiveProgress) => {
      // a signal that came while the store answered ends the dump here
      told.signal.throwIfAborted();
      last = now;
      progress.at(now.bytes, countsText(now));
    };
    const contents = { files: source.files, sha256: createSha256() };
    const options = flags.withoutFiles === true ? { onProgress } : { onProgress, contents };
    const write = async () => {
      for await (const chunk of toNdjson(archive.dump(), options)) {
        told.signal.throwIfAborted();
        await target.write(chunk);
      }
      told.signal.throwIfAborted();
      await target.finish();
    };
    try {
      await Promise.race([write(), told.stopped]);
    } catch (error) {
      progress.stop();
      await target.drop();
      if (!told.signal.aborted) {
        complain(`the dump is not complete: ${causeText(error)}`);
        return failedExit;
      }
      const { name, number } = told.signal.reason as Stop;
      complain(`the dump is not complete: it was ended by ${name}`);
      return signalExit + number;
    }
    progress.stop();
    if (flags.quiet !== true) complain(`dumped ${countsText(last)}, ${sizeText(last.bytes)}`);
    return 0;
  } finally {
    told.forget();
    await source.close();
  }
}

interface Ends {
  readonly archive: StoreArchive;
  readonly target: Target;
}

/** Opens both ends of a dump, and says which of them failed. */
async function openEnds(
  process: NodeJS.Process,
  source: Source,
  out: string | undefined,
): Promise<Result<Ends, StoreProblem>> {
  let archive: StoreArchive;
  try {
    archive = await source.openArchive();
  } catch (error) {
    return err({ message: `nothing was dumped: ${causeText(error)}`, exit: failedExit });
  }
  try {
    return ok({ archive, target: await openTarget(process, out) });
  } catch (error) {
    return err({ message: `--out: ${fileProblem('write', out ?? '', error)}`, exit: usageExit });
  }
}

interface Stop {
  readonly name: string;
  readonly number: number;
}

const stops: readonly (Stop & { readonly name: NodeJS.Signals })[] = [
  { name: 'SIGINT', number: 2 },
  { name: 'SIGTERM', number: 15 },
];

/** Hears what is to end a command. A second signal ends the process at once. */
function hearSignals(process: NodeJS.Process) {
  const controller = new AbortController();
  const { signal } = controller;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  // it may come when nothing waits for it any more
  stopped.catch(() => undefined);
  const heard = stops.map(({ name, number }) => {
    const hear = () => {
      if (signal.aborted) process.exit(signalExit + number);
      controller.abort({ name, number } satisfies Stop);
    };
    process.on(name, hear);
    return () => process.off(name, hear);
  });
  const forget = () => {
    for (const each of heard) each();
  };
  return { signal, stopped, forget };
}

/** How much it is, in words. */
export function countsText({ records, contents }: ArchiveProgress): string {
  return contents === 0 ? `${records} records` : `${records} records, ${contents} files`;
}

/** The name of what is read, for a person. */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : printable(path);
}
