// @ts-check
// Serves the deals of a store: where it is, the folder of the contents of work files, and the tokens,
// as in DEALWRIGHT_TOKENS, are its arguments. The address is the first line that it prints.
import { createServer } from 'node:http';
import { createMarketplace } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createFolderFileStore } from 'dealwright/files';
import { createHandler } from 'dealwright/http';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { createPostgresStore, migratePostgres } from 'dealwright/postgres';
import { createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import { createSystemPorts } from 'dealwright/system';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import Database from 'libsql';
import { Pool } from 'pg';

const [place = '', folder = '', tokens = ''] = process.argv.slice(2);

async function openStore() {
  if (place === 'memory') return createMemoryStore();
  if (place.startsWith('postgres:')) {
    const pool = new Pool({ connectionString: place, max: 10 });
    // a connection that waits for its next use is lost: the pool opens another
    pool.on('error', () => {});
    (await migratePostgres(pool))._unsafeUnwrap();
    return createPostgresStore(pool);
  }
  const db = new Database(place);
  migrateSqlite(db)._unsafeUnwrap();
  return createSqliteStore(db);
}

const system = createSystemPorts();
const marketplace = createMarketplace({
  ...system,
  ...(await openStore()),
  files: createFolderFileStore({ folder }),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens: createOpaqueTokenIssuer(),
});
const known = tokens.split(',').map((each) => {
  const [token = '', of = ''] = each.split('=');
  const [environment, partner = ''] = of.split(':');
  if (environment !== 'sandbox') throw new Error(`no tenant of these tests: ${of}`);
  return /** @type {const} */ ([token, { environment, partner }]);
});
const handler = createHandler(marketplace, {
  ...system,
  authenticator: createTokenAuthenticator(known, system),
  onError: ({ code, port, cause }) => process.stderr.write(`${code} ${port} ${cause}\n`),
});
const server = createServer(createNodeListener(handler)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
