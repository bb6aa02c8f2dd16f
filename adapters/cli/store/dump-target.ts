import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';

/** Where the text of a dump goes: nothing is seen of a file before all of it is there. */
export interface Target {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  drop(): Promise<void>;
}

/** Stdout, a chunk at a time: who reads may be slower than the store. */
export function toStdout({ stdout }: NodeJS.Process): Target {
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    finish: async () => {},
    drop: async () => {},
  };
}

/** A file beside the one that is meant, which takes its place at the end. */
export async function toFile(path: string): Promise<Target> {
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
