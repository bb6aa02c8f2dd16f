import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ArchiveProgress, toNdjson } from 'dealwright/archive';
import { createSha256 } from 'dealwright/system';
import { failedExit, usageExit } from '../exit-codes.js';
import { fileProblem } from '../file-problem.js';
import { printable } from '../printable.js';
import { createProgress, sizeText } from '../progress.js';
import { databaseIn } from './folder.js';
import { causeText, openStore } from './open-store.js';
import { parsePlace } from './place.js';

/** The flags of `dealwright dump`. */
export interface DumpFlags {
  readonly out?: string;
  readonly withoutFiles?: true;
  readonly quiet?: true;
}

/** Where the text goes: nothing is seen of a file before all of it is there. */
interface Target {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  drop(): Promise<void>;
}

/** `dealwright dump` */
export async function dump(process: NodeJS.Process, flags: DumpFlags): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const place = parsePlace(process.env);
  if (place.isErr()) {
    complain(place.error);
    return usageExit;
  }
  // where there is nothing, a typing error is likelier than an empty backup
  if (place.value.kind === 'sqlite' && !existsSync(databaseIn(place.value.folder))) {
    complain(
      `there are no deals in ${printable(resolve(place.value.folder))}: DEALWRIGHT_DATA names the folder, and DATABASE_URL a database of PostgreSQL`,
    );
    return usageExit;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) {
    complain(opened.error.message);
    return opened.error.exit;
  }
  const { openArchive, ports, close } = opened.value;
  const progress = createProgress({ stream: process.stderr, shown: flags.quiet !== true });
  let target: Target | undefined;
  try {
    const archive = await openArchive();
    target = flags.out === undefined ? toStdout(process) : await toFile(flags.out);
    let last: ArchiveProgress = { records: 0, contents: 0, bytes: 0 };
    const onProgress = (now: ArchiveProgress) => {
      last = now;
      progress.at(now.bytes, countsText(now));
    };
    const contents = { files: ports.files, sha256: createSha256() };
    const options = flags.withoutFiles === true ? { onProgress } : { onProgress, contents };
    for await (const chunk of toNdjson(archive.dump(), options)) await target.write(chunk);
    await target.finish();
    progress.stop();
    if (flags.quiet !== true) complain(`dumped ${countsText(last)}, ${sizeText(last.bytes)}`);
    return 0;
  } catch (error) {
    progress.stop();
    await target?.drop();
    if (target === undefined && flags.out !== undefined) {
      complain(fileProblem('write', flags.out, error));
      return usageExit;
    }
    complain(`the dump is not complete: ${causeText(error)}`);
    return failedExit;
  } finally {
    await close();
  }
}

/** What there is, in words. */
export function countsText({ records, contents }: ArchiveProgress): string {
  return contents === 0 ? `${records} records` : `${records} records, ${contents} files`;
}

function toStdout({ stdout }: NodeJS.Process): Target {
  let failure: unknown;
  stdout.on('error', (error: unknown) => {
    failure = error;
  });
  return {
    write: async (chunk) => {
      if (failure !== undefined) throw failure;
      if (!stdout.write(chunk)) await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]);
    },
    finish: () =>
      new Promise((resolve, reject) => {
        stdout.write('', (error) => (error ? reject(error) : resolve()));
      }),
    drop: async () => {},
  };
}

/** A file beside the one that is meant, which takes its place at the end. */
async function toFile(path: string): Promise<Target> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
  // secrets are in it: it is for this user alone
  const file: FileHandle = await open(beside, 'wx', 0o600);
  return {
    write: async (chunk) => {
      await file.writeFile(chunk);
    },
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(beside, path);
    },
    drop: async () => {
      await file.close().catch(() => undefined);
      await unlink(beside).catch(() => undefined);
    },
  };
}

/** The name of what is read, for a person. */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : printable(path);
}
