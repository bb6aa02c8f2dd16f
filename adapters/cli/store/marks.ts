import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Each process at work on a database keeps a mark beside it, with its number in its name. A killed
 * process leaves its mark there.
 */
const markName = /^running-(\d+)$/;

const markOf = (path: string, pid: number) => join(dirname(path), `running-${pid}`);

/** The processes that are at work on a database, or did not end in order. */
export async function markedAt(path: string): Promise<readonly number[]> {
  const names = await readdir(dirname(path));
  return names.flatMap((name) => markName.exec(name)?.[1] ?? []).map(Number);
}

/** Keeps the mark of this process, in place of those that dead processes have left. */
export async function keepMark(path: string, pid: number, found: readonly number[]): Promise<void> {
  try {
    const mark = await open(markOf(path, pid), 'w', 0o600);
    // it has to outlive a power cut
    await mark.sync().finally(() => mark.close());
  } catch {
    // a full disk must not prevent reading
  }
  for (const each of found) if (each !== pid && !isAlive(each)) await removeMark(path, each);
}

export async function removeMark(path: string, pid: number): Promise<void> {
  await rm(markOf(path, pid), { force: true });
}

/** Whether there is such a process, of any user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
