import { createMarketplace } from 'dealwright';
import { createPostgresStore } from 'dealwright/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { type Postgres, startPostgres } from '../../kit/postgres.js';
import { contractor, deal } from '../../kit/requests.js';
import { createTables } from './tables.js';

// in the sandbox a command reads its clock, too
const tenant = { environment: 'production', partner: 'acme' } as const;

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: false });
  pool = new pg.Pool({ connectionString: server.socketUrl, max: 4 });
  await createTables((sql) => pool.query(sql), 'dealwright');
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

it('a command about terms is one read and one write, and one more read once there are versions', async () => {
  let sent: string[] = [];
  const hooks = {
    onStatement: ({ statement }: { readonly statement: string }) => void sent.push(statement),
  };
  const store = createPostgresStore(pool, { gather: false, hooks });
  const marketplace = createMarketplace({ ...createPorts(), store });
  const api = marketplace.partner(tenant);
  const statementsOf = async <T>(call: () => PromiseLike<T>): Promise<readonly [T, string[]]> => {
    sent = [];
    return [await call(), sent];
  };
  (await api.registerContractor(contractor))._unsafeUnwrap();
  const { partner_id } = deal;
  (await api.createDeal(deal))._unsafeUnwrap();
  const [, ofCommand] = await statementsOf(() => api.accept(partner_id));
  expect(ofCommand).toHaveLength(2);

  // the partner of a deal of version 1.0 gives the commands of both sides
  const changes = { stages: [{ name: 'New', budget: '5' }] };
  const [proposed, ofPropose] = await statementsOf(() =>
    api.propose(partner_id, { kind: 'amendment', changes }),
  );
  const { id, terms_sha256 } = proposed._unsafeUnwrap();
  const [accepted, ofAcceptance] = await statementsOf(() =>
    api.acceptProposal(partner_id, id, { terms_sha256 }),
  );
  expect(accepted._unsafeUnwrap().status).toBe('accepted');
  const [bonus, ofBonus] = await statementsOf(() => api.addBonus(partner_id, { amount: '5' }));
  expect(bonus._unsafeUnwrap().terms_version).toBe(3);
  // ids of stages are at hand after a create
  const withoutIds = (each: readonly string[]) => each.filter((name) => name !== 'reserve');
  for (const each of [ofPropose, ofAcceptance]) expect(withoutIds(each)).toEqual(ofCommand);
  // a new version is an edit of an earlier one (record 0047)
  const [read = '', ...write] = ofCommand;
  expect(withoutIds(ofBonus)).toEqual([read, 'records.list', ...write]);
});
