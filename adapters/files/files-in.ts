import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from 'dealwright/ports';

const environments: readonly Tenant['environment'][] = ['production', 'sandbox'];

/** The files in the folders of all tenants, of any kind. */
export async function* filesIn(
  root: string,
): AsyncGenerator<{ readonly folder: string; readonly name: string }> {
  const names = new Set(await readdir(root));
  for (const environment of environments.filter((each) => names.has(each))) {
    for (const tenant of await readdir(join(root, environment))) {
      if (!/^[0-9a-f]{64}$/.test(tenant)) continue;
      const folder = join(root, environment, tenant);
      for (const name of await readdir(folder)) yield { folder, name };
    }
  }
}
