import { type ArchiveProgress, fromNdjson } from 'dealwright/archive';
import { createSha256 } from 'dealwright/system';
import type { Flags } from '../fields.js';
import { openInput } from '../input.js';
import { createProgress, printable } from '../output.js';
import { causeText, complain, failedExit, say, tell } from '../problem.js';
import { countsText } from './dump-command.js';
import { parsePlace } from './folder.js';
import { type OpenStore, openStore } from './open-store.js';

export async function restore(
  process: NodeJS.Process,
  flags: Flags,
  path: string,
): Promise<number> {
  const place = parsePlace(process.env);
  if (place.isErr()) return complain(process, place.error);
  const input = await openInput(process, path);
  if (input.isErr()) return complain(process, input.error);
  const opened = await openStore(process, place.value, true);
  return opened.isErr()
    ? tell(process, opened.error)
    : restoreInto(process, opened.value, { path, ...input.value }, flags);
}

/** The archive to restore: its name, its text and its length, if that is known. */
export interface Given {
  readonly path: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly total?: number | undefined;
}

/** Restores into a store that is open, and closes it. */
export async function restoreInto(
  process: NodeJS.Process,
  store: Pick<OpenStore, 'openArchive' | 'ports' | 'where' | 'close'>,
  { path, source, total }: Given,
  flags: Flags,
): Promise<number> {
  const isLoud = flags.quiet !== true;
  const name = path === '-' ? 'stdin' : printable(path);
  const progress = createProgress(process, isLoud, total);
  let last: ArchiveProgress = { records: 0, contents: 0, bytes: 0 };
  const onProgress = (now: ArchiveProgress) => {
    last = now;
    progress.at(now.bytes, countsText(now));
  };
  const { files } = store.ports;
  const contents = flags.withoutFiles === true ? 'skip' : { files, sha256: createSha256() };
  try {
    const archive = await store.openArchive();
    await archive.restore(fromNdjson(source, { contents, onProgress }));
    progress.stop();
    if (isLoud) say(process, `restored ${countsText(last)} from ${name}; they are ${store.where}`);
    return 0;
  } catch (error) {
    progress.stop();
    const cause = causeText(error);
    say(
      process,
      isDoubtful(error)
        ? `everything from ${name} may have been restored, or nothing: look before you restore it again (${cause})`
        : `nothing was restored from ${name}: ${cause}`,
    );
    return failedExit;
  } finally {
    await store.close();
  }
}

/** Whether the error of an archive says that the outcome of its commit is unknown. */
function isDoubtful(error: unknown): boolean {
  const { message, cause }: Readonly<Record<string, unknown>> = Object(error);
  if (typeof message === 'string' && message.includes('may have been restored')) return true;
  return cause !== undefined && isDoubtful(cause);
}
