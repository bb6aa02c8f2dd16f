// A service over one store, with the limits of `dealwright serve`, in a process of its own.
import { createServer } from 'node:http';
import { createRateLimiter } from 'dealwright/auth';
import { createDealwright } from 'dealwright/host';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createSystemTimer } from 'dealwright/system';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import Database from 'libsql';
import { ok } from 'neverthrow';
import { serveContender } from '../contender.mjs';
import { createPool } from '../postgres/app.mjs';
import { fill, reader, victim } from './fill.mjs';
import { rates, tokens } from './limits.mjs';

const [kind, place] = process.argv.slice(2);

const stores = {
  memory: () => createMemoryStore(),
  async sqlite() {
    const db = new Database(place);
    await migrateSqlite(db);
    return createSqliteStore(db, { synchronous: 'normal' });
  },
  async postgres() {
    const pool = createPool(place);
    await migratePostgres(pool);
    return createPostgresStore(pool);
  },
};

const limiter = createRateLimiter({ timer: createSystemTimer(), ...rates });
// while the ways are searched, everything passes, and what it would count as is summed up
let isLimited = false;
let requests = 0;
let cost = 0;
let files = 0;
const pass = ok({ allowed: true });

const { handler, marketplace } = createDealwright({
  environment: 'sandbox',
  store: await stores[kind](),
  apiTokens: [
    [tokens.partner, reader],
    [tokens.victim, victim],
  ],
  operatorTokens: [[tokens.operator, 'sandbox']],
  webhooks: createWebhookSender({}),
  secrets: createSealedSecrets({ k1: Buffer.alloc(32, 1).toString('base64url') }),
  limiter: {
    take: (...asked) => (isLimited ? limiter.take(...asked) : free()),
    takeOther: (...asked) => (isLimited ? limiter.takeOther(...asked) : free()),
    spend: (...asked) => (isLimited ? limiter.spend(...asked) : count(asked[1])),
    spendOther: (...asked) => (isLimited ? limiter.spendOther(...asked) : count(asked[1])),
  },
});

function free() {
  requests += 1;
  return pass;
}

// as createRateLimiter does
function count({ of, size }) {
  const units = size / 16_384;
  if (of === 'file') files += units / 16;
  else cost += units * (1 + units / 16);
}

const ways = await fill(marketplace);
// as long as that of `dealwright serve`
const server = createServer({ keepAliveTimeout: 65_000 }, createNodeListener(handler));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
let cpu = process.cpuUsage();

serveContender(async (question) => {
  isLimited = question.isLimited ?? isLimited;
  const { user, system } = process.cpuUsage(cpu);
  const counted = requests + 4 * Math.max(0, cost - requests) + files;
  cpu = process.cpuUsage();
  [requests, cost, files] = [0, 0, 0];
  return { port: server.address().port, ways, cpu: user + system, spent: counted };
});
