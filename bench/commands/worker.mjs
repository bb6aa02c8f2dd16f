// Creates deals, or gives each of them commands, in a process of its own.
import { createMemoryStore } from 'dealwright/memory';
import { migratePostgres } from 'dealwright/postgres';
import { serveContender } from '../contender.mjs';
import { createApi, createApiOver, createPool } from '../postgres/app.mjs';
import { repeat } from '../repeat.mjs';
import { contractor, deal } from '../validation/cases.mjs';

const [url] = process.argv.slice(2);
const pool = url === undefined ? undefined : createPool(url);
if (pool !== undefined) (await migratePostgres(pool))._unsafeUnwrap();
const api = pool === undefined ? createApiOver(createMemoryStore()) : createApi(pool);
(await api.registerContractor({ ...contractor, email: deal.contractor_email }))._unsafeUnwrap();
let created = 0;
let given = 0;

const work = {
  create: () => {
    created += 1;
    return api.createDeal({ ...deal, partner_id: `deal-${process.pid}-${created}` });
  },
  command: () => {
    given += 1;
    return api.invite(`deal-${process.pid}-${given}`);
  },
};

serveContender(async ({ what, inFlight, count }) => {
  const cpu = process.cpuUsage();
  const milliseconds = await repeat(count, inFlight, async () => {
    const done = await work[what]();
    if (done.isErr()) throw new Error(JSON.stringify(done.error));
  });
  const { user, system } = process.cpuUsage(cpu);
  return { microseconds: (milliseconds * 1000) / count, cpu: (user + system) / count };
});
