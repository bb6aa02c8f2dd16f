import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { afterEach, beforeEach } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { type RunningService, startService, stopAll } from './dealwright.js';

const token = 't0ken-of-these-tests';

/** The answer of a call; the test ends if the call failed. */
export function must<T, E>(result: {
  isOk(): boolean;
  _unsafeUnwrap(): T;
  _unsafeUnwrapErr(): E;
}): T {
  if (!result.isOk()) throw new Error(JSON.stringify(result._unsafeUnwrapErr()));
  return result._unsafeUnwrap();
}

/** The client of the partner in these tests. */
export const apiOf = ({ baseUrl }: RunningService) => createClient({ baseUrl, token });

/** Creates one record of each kind, with keys. */
export async function fill(service: RunningService, content: Uint8Array) {
  const api = apiOf(service);
  must(await api.registerContractor(contractor, { idempotencyKey: 'contractor' }));
  const created = must(await api.createDeal(deal, { idempotencyKey: 'deal' }));
  const createdV2 = must(await api.createDealV2(dealV2, { idempotencyKey: 'deal-2' }));
  const upload = { name: 'draft', content };
  const file = must(await api.uploadFile({ id: created.id }, upload, { idempotencyKey: 'file' }));
  return { created, createdV2, file };
}

/** An empty folder for each test, `at.folder`, and commands that use `data` in it. */
export function useDataFolder() {
  const at = { folder: '' };
  beforeEach(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'dealwright-'));
  });
  afterEach(async () => {
    stopAll();
    await rm(at.folder, { recursive: true, force: true });
  });
  const data = () => join(at.folder, 'data');
  const environment = (folder = data()) => ({
    DEALWRIGHT_DATA: folder,
    DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
  });
  return {
    at,
    data,
    environment,
    start: (...args: string[]) => startService(environment(), args),
    /** The path of the content of a file. */
    pathOf(id: string, folder = data()): string {
      const files = join(folder, 'files');
      const [path = ''] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((each) =>
        each.endsWith(id),
      );
      return join(files, path);
    },
  };
}
