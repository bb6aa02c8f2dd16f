import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'dealwright/client';
import { createDealwright } from 'dealwright/host';
import { createFetchHandler } from 'dealwright/http';
import type { Tenant } from 'dealwright/ports';
import { createDigest } from 'dealwright/system';
import { createManualClock } from 'dealwright/testing';
import { transform } from 'esbuild';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApiTokens, type Query } from '../../examples/api-tokens/api-tokens.js';
import { overPostgres, overSqlite } from '../../examples/api-tokens/databases.js';
import { startPostgres } from '../kit/postgres.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
mkdirSync('reports', { recursive: true });
// within the package, so that the second process imports it by its name
const folder = mkdtempSync('reports/api-tokens-');
afterAll(() => rmSync(folder, { recursive: true }));

const opened: Database.Database[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
const open = (file: string): Query => {
  const db = new Database(file, { timeout: 5000 });
  opened.push(db);
  return overSqlite(db);
};
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.db`);
};

/** The statuses of calls of a service with this token. */
function caller(tokens: ReturnType<typeof createApiTokens>, options = {}) {
  const { authenticator } = tokens;
  const { handler } = createDealwright({ authenticator, ...options });
  const answer = createFetchHandler(handler);
  return async (token: string) => {
    const headers = { authorization: `Token ${token}` };
    return (await answer(new Request('http://127.0.0.1/api/2.0/deal/', { headers }))).status;
  };
}

/** Issues, uses, lists and revokes. */
async function lead(query: Query): Promise<void> {
  const tokens = createApiTokens(query);
  await tokens.migrate();
  await tokens.migrate();
  const call = caller(tokens, { tokenCacheAge: 0 });
  const token = await tokens.issue(acme, 'Order system');
  const other = await tokens.issue({ environment: 'production', partner: 'other' }, 'Books');
  expect(token).toMatch(/^dw_[0-9a-f]{12}_[\w-]{43}$/);
  const prefix = token.slice(0, 15);
  expect((await tokens.list()).map(({ last_used_at }) => last_used_at)).toEqual([null, null]);

  expect([await call(token), await call(other), await call(`${token}x`)]).toEqual([200, 200, 401]);
  const listed = await tokens.list();
  expect(listed.find((each) => each.prefix === prefix)).toEqual({
    ...acme,
    prefix,
    name: 'Order system',
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    last_used_at: expect.stringMatching(/^\d{4}-.*Z$/),
    revoked_at: null,
  });

  const { marketplace } = createDealwright({ authenticator: tokens.authenticator });
  const namesOf = async (tenant: Tenant) =>
    (await marketplace.partner(tenant).listTokens())._unsafeUnwrap().map(({ name }) => name);
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect((await marketplace.partner(acme).listTokens())._unsafeUnwrap()).toEqual([
    { name: 'Order system', start: prefix.slice(0, 8), created_at: time, last_used_at: time },
  ]);
  const second = await tokens.issue(acme, 'Second');
  const byOperator = marketplace.operator('sandbox').partner('acme');
  const listedThere = (await byOperator.listTokens())._unsafeUnwrap();
  expect(listedThere.map((each) => each.last_used_at)).toEqual([time, null]);
  expect(await namesOf({ ...acme, environment: 'production' })).toEqual([]);
  await tokens.revoke(second.slice(0, 15));

  expect([await tokens.revoke(prefix), await tokens.revoke(prefix)]).toEqual([true, false]);
  expect(await tokens.revoke('dw_000000000000')).toBe(false);
  expect([await call(token), await call(other)]).toEqual([401, 200]);
  expect(await namesOf(acme)).toEqual([]);
  const revoked = (await tokens.list()).filter(({ revoked_at }) => revoked_at !== null);
  expect(revoked.map((each) => each.prefix)).toEqual([prefix, second.slice(0, 15)]);
}

describe('API tokens in a table', () => {
  it('are issued, used, listed and revoked in SQLite', () => lead(open(newFile())));

  it('are issued, used, listed and revoked in PostgreSQL', async () => {
    const server = await startPostgres({ fsync: false });
    const pool = new pg.Pool({ connectionString: server.socketUrl });
    try {
      await lead(overPostgres(pool));
    } finally {
      await pool.end();
      await server.stop();
    }
  });

  it('belong to a tenant', async () => {
    const tokens = createApiTokens(open(newFile()));
    await expect(tokens.issue({ ...acme, partner: '' }, 'a')).rejects.toThrow('issue: a tenant');
  });

  it('have a name', async () => {
    const tokens = createApiTokens(open(newFile()));
    await tokens.migrate();
    for (const name of ['', 'a'.repeat(129)]) {
      await expect(tokens.issue(acme, name)).rejects.toThrow('CHECK');
    }
    expect(await tokens.list()).toEqual([]);
  });

  it('are 503 if the database fails', async () => {
    const call = caller(createApiTokens(open(newFile()))); // the table does not exist
    expect(await call('dw_000000000000_x')).toBe(503);
  });
});

describe('a token that is revoked', () => {
  it('is good for up to 60 s more, and is refused at once with tokenCacheAge: 0', async () => {
    const tokens = createApiTokens(open(newFile()));
    await tokens.migrate();
    const timer = createManualClock();
    const remembering = caller(tokens, { timer });
    const asking = caller(tokens, { timer, tokenCacheAge: 0 });
    const token = await tokens.issue(acme, 'Order system');
    expect([await remembering(token), await asking(token)]).toEqual([200, 200]);
    await tokens.revoke(token.slice(0, 15));
    expect([await remembering(token), await asking(token)]).toEqual([200, 401]);
    timer.advance(59_999);
    expect(await remembering(token)).toBe(200);
    timer.advance(1);
    expect(await remembering(token)).toBe(401);
  });
});

it('a stolen database gives no token', async () => {
  const query = open(newFile());
  const tokens = createApiTokens(query);
  await tokens.migrate();
  const token = await tokens.issue(acme, 'Order system');
  const call = caller(tokens, { tokenCacheAge: 0 });
  expect(await call(token)).toBe(200);
  const rows = await query('select * from api_tokens');
  const stolen = rows.flatMap((row) => Object.values(row as object).map(String));
  expect(stolen).toContain(createDigest()(token));
  const prefix = token.slice(0, 15);
  for (const each of stolen) {
    expect(each.includes(token.slice(16))).toBe(false);
    for (const guess of [each, `${prefix}_${each}`]) expect(await call(guess)).toBe(401);
  }
  for (const file of readdirSync(folder)) {
    expect(readFileSync(join(folder, file), 'latin1').includes(token.slice(16))).toBe(false);
  }
});

describe('two processes', () => {
  beforeAll(async () => {
    for (const name of ['api-tokens', 'databases']) {
      const source = readFileSync(`examples/api-tokens/${name}.ts`, 'utf8');
      const { code } = await transform(source, { loader: 'ts' });
      writeFileSync(join(folder, `${name}.js`), code);
    }
    writeFileSync(
      join(folder, 'service.mjs'),
      `import { createServer } from 'node:http';
      import { createDealwright } from 'dealwright/host';
      import { createNodeListener } from 'dealwright/node';
      import Database from 'libsql';
import pg from 'pg';
      import { createApiTokens } from './api-tokens.js';
      import { overSqlite } from './databases.js';
      const tokens = createApiTokens(overSqlite(new Database(process.argv[2], { timeout: 5000 })));
      const { authenticator } = tokens;
      const { handler } = createDealwright({ authenticator, tokenCacheAge: 0 });
      const server = createServer(createNodeListener(handler));
      server.listen(0, '127.0.0.1', () => console.log(server.address().port));`,
    );
  });

  it('share the tokens: one issues and revokes, the other answers', async () => {
    const file = newFile();
    const tokens = createApiTokens(open(file));
    await tokens.migrate();
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [join(folder, 'service.mjs'), file], {
      stdio: [...stdio],
    });
    try {
      const [port] = await once(child.stdout ?? child, 'data');
      const baseUrl = `http://127.0.0.1:${String(port).trim()}`;
      const token = await tokens.issue(acme, 'Order system');
      const api = createClient({ baseUrl, token });
      expect((await api.listCategories()).isOk()).toBe(true);
      expect((await tokens.list())[0]?.last_used_at).not.toBeNull();
      await tokens.revoke(token.slice(0, 15));
      const refused = await api.listCategories();
      expect(refused._unsafeUnwrapErr().code).toBe('unauthorized');
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});

describe('docs/how-to/keep-api-tokens-in-a-table.md', () => {
  const sources = readdirSync('examples/api-tokens').map((file) =>
    readFileSync(`examples/api-tokens/${file}`, 'utf8'),
  );

  it('shows the programs, of 120 lines at most', () => {
    const page = readFileSync('docs/how-to/keep-api-tokens-in-a-table.md', 'utf8');
    for (const source of sources) expect(page).toContain(source);
    const lines = sources.reduce((sum, source) => sum + source.split('\n').length - 1, 0);
    expect(lines).toBeLessThanOrEqual(120);
  });
});
