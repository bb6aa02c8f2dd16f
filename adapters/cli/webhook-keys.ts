import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { fileProblem } from './problem.js';
import type { StorePlace } from './store/folder.js';

/** The keys that seal the secrets of webhooks, by their names; the first one seals. */
export type WebhookKeys = Readonly<Record<string, string>>;

const form =
  'names and keys such as k1=<32 random bytes in base64url>, with commas between them, the newest first';

/** Reads keys from the environment, or from a file. No message repeats one. */
export function parseWebhookKeys(
  name: string,
  text: string | undefined,
): Result<WebhookKeys | undefined, string> {
  if (text === undefined) return ok(undefined);
  const keys = new Map<string, string>();
  for (const entry of text.split(',')) {
    const [, id, key] = /^([A-Za-z][\w.-]{0,63})=([A-Za-z0-9_-]{43})$/.exec(entry.trim()) ?? [];
    if (id === undefined || key === undefined || keys.has(id)) return err(`${name} is not ${form}`);
    keys.set(id, key);
  }
  return ok(Object.fromEntries(keys));
}

const newKey = () => randomBytes(32).toString('base64url');

/**
 * The keys of a service without a setting: those in its data folder, where the first start puts one
 * for its user alone. A store in memory has its own key.
 */
export async function keptWebhookKeys(place: StorePlace): Promise<Result<WebhookKeys, string>> {
  if (place.kind === 'memory') return ok({ memory: newKey() });
  const path = join(place.folder, 'webhook-keys');
  try {
    if (!existsSync(path)) await makeKeys(path);
    const read = parseWebhookKeys(`the file ${path}`, (await readFile(path, 'utf8')).trim());
    return read.map((keys) => keys ?? {});
  } catch (error) {
    return err(fileProblem('read', path, error));
  }
}

/** Creates the file whole or not at all: if several services start at once, the first one does. */
async function makeKeys(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `k1=${newKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft);
  }
}
