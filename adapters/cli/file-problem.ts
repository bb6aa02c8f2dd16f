import { printable } from './printable.js';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
};

/** Why a file could not be read or written, in words. */
export function fileProblem(verb: 'read' | 'write', path: string, error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const isNowhere = verb === 'write' && code === 'ENOENT';
  const why = isNowhere ? 'there is no such folder' : (words[code] ?? code);
  return `cannot ${verb} ${printable(path)}: ${why}`;
}
