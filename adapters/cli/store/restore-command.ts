import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ArchiveProgress, fromNdjson } from 'dealwright/archive';
import { createSha256 } from 'dealwright/system';
import { failedExit, usageExit } from '../exit-codes.js';
import { fileProblem } from '../file-problem.js';
import { createProgress } from '../progress.js';
import { countsText, nameOf } from './dump-command.js';
import { type OpenStore, openStore } from './open-store.js';
import { parsePlace } from './place.js';
import { causeText } from './store-problem.js';

/** The flags of `dealwright restore`. */
export interface RestoreFlags {
  readonly withoutFiles?: true;
  readonly quiet?: true;
}

/** `dealwright restore` */
export async function restore(
  process: NodeJS.Process,
  path: string,
  flags: RestoreFlags,
): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const place = parsePlace(process.env);
  if (place.isErr()) {
    complain(place.error);
    return usageExit;
  }
  let source: AsyncIterable<Uint8Array>;
  let total: number | undefined;
  try {
    const file = path === '-' ? undefined : await open(path);
    const stats = file === undefined ? fstatSync(process.stdin.fd) : await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    source = file === undefined ? process.stdin : file.createReadStream();
    total = stats.isFile() ? stats.size : undefined;
  } catch (error) {
    complain(fileProblem('read', path, error));
    return usageExit;
  }
  const opened = await openStore(process, place.value, true);
  if (opened.isErr()) {
    complain(opened.error.message);
    return opened.error.exit;
  }
  return restoreInto(process, opened.value, { path, source, total }, flags);
}

/** What is restored: its name, its text and, where it is known, how long that is. */
export interface Given {
  readonly path: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly total?: number | undefined;
}

/** Restores into a store that is open, and closes it. */
export async function restoreInto(
  process: NodeJS.Process,
  {
    openArchive,
    ports,
    where,
    close,
  }: Pick<OpenStore, 'openArchive' | 'ports' | 'where' | 'close'>,
  { path, source, total }: Given,
  flags: RestoreFlags,
): Promise<number> {
  const complain = (text: string) => process.stderr.write(`dealwright: ${text}\n`);
  const progress = createProgress({ stream: process.stderr, shown: flags.quiet !== true, total });
  try {
    let last: ArchiveProgress = { records: 0, contents: 0, bytes: 0 };
    const onProgress = (now: ArchiveProgress) => {
      last = now;
      progress.at(now.bytes, countsText(now));
    };
    const contents =
      flags.withoutFiles === true
        ? ('skip' as const)
        : { files: ports.files, sha256: createSha256() };
    const archive = await openArchive();
    await archive.restore(fromNdjson(source, { contents, onProgress }));
    progress.stop();
    if (flags.quiet !== true) {
      complain(`restored ${countsText(last)} from ${nameOf(path)}; they are ${where}`);
    }
    return 0;
  } catch (error) {
    progress.stop();
    complain(
      isDoubtful(error)
        ? `everything from ${nameOf(path)} may have been restored, or nothing: look before you restore it again (${causeText(error)})`
        : `nothing was restored from ${nameOf(path)}: ${causeText(error)}`,
    );
    return failedExit;
  } finally {
    await close();
  }
}

/** Whether an archive says that it does not know whether it has committed. */
function isDoubtful(error: unknown): boolean {
  const { message, cause }: { readonly message?: unknown; readonly cause?: unknown } =
    Object(error);
  if (typeof message === 'string' && message.includes('may have been restored')) return true;
  return cause !== undefined && isDoubtful(cause);
}
