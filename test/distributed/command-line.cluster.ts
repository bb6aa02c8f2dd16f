import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, startService, stopAll } from '../cli/dealwright.js';
import { contractor, deal } from '../kit/requests.js';

const token = 't0ken-of-these-tests';

// the command line has no option for the schema
const url = String(process.env['DEALWRIGHT_CLUSTER_URL']);
const folder = mkdtempSync(join(tmpdir(), 'dealwright-cluster-'));
const settings = {
  DATABASE_URL: url,
  DEALWRIGHT_DATA: folder,
  DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
};
const clear = async () => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('drop schema if exists dealwright cascade');
  await client.end();
};
beforeAll(clear);
afterAll(async () => {
  stopAll();
  await clear();
  rmSync(folder, { recursive: true });
});

it('migrates, distributes, serves and dumps', async () => {
  const migrated = await run(['migrate', '--distribute'], settings).ended;
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  expect(migrated.stdout).toMatch(
    /^Applied step.*\nDistributed contractors, .* over the cluster\n$/,
  );
  const again = await run(['migrate', '--distribute'], settings).ended;
  expect(again.stdout).toMatch(/^Nothing to do.*\nNothing to distribute/);

  const service = await startService(settings, ['--no-migrate']);
  const api = createClient({ baseUrl: service.baseUrl, token });
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const named = Array.from({ length: 40 }, (_, at) => ({ ...deal, partner_id: `deal-${at}` }));
  const created = await Promise.all(named.map((each) => api.createDeal(each)));
  const ids = created.map((each) => each._unsafeUnwrap().id);
  expect(new Set(ids).size).toBe(named.length);
  const found = (await api.retrieveDealDetails('deal-7'))._unsafeUnwrap();
  expect(found.id).toBe(ids[7]);
  const page = (await api.listDeals({ page_size: 100 }))._unsafeUnwrap();
  expect(page.results).toHaveLength(named.length);
  service.child.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });

  const dumped = await run(['dump', '--quiet'], settings).ended;
  expect(dumped).toMatchObject({ code: 0, stderr: '' });
  await clear();
  expect((await run(['migrate', '--distribute'], settings).ended).code).toBe(0);
  const restored = await run(['restore', '-'], settings, dumped.stdout).ended;
  expect(restored.code, restored.stderr).toBe(0);
  expect((await run(['dump', '--quiet'], settings).ended).stdout).toBe(dumped.stdout);
});
