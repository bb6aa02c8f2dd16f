// @ts-check
// A process of a host: it relays webhooks, passes events to a handler that writes them down, and,
// as a service, creates deals meanwhile. It is killed and started again.

import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDealwright } from 'dealwright/host';
import { createPostgresStore, fromPgNotifications } from 'dealwright/postgres';
import { createRelay } from 'dealwright/relay';
import { createSqliteStore } from 'dealwright/sqlite';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';

const { role, name, place, url, handled, key, partners, api } = JSON.parse(process.argv[2] ?? '');

async function openStore() {
  if (url !== undefined) {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    pool.on('error', () => undefined);
    return createPostgresStore(pool, {
      notifications: fromPgNotifications(() => new pg.Client({ connectionString: url })),
    });
  }
  const { default: Database } = await import('libsql');
  return createSqliteStore(new Database(place));
}

const { marketplace } = createDealwright({
  store: await openStore(),
  webhooks: createWebhookSender({ allowPrivate: true }),
  secrets: createSealedSecrets({ k1: key }),
});
const onFailure = (/** @type {{ cause: unknown }} */ { cause }) => console.error(String(cause));
createRelay(marketplace).relayWebhooks({ onFailure });
const file = openSync(handled, 'a');
process.once('exit', () => closeSync(file));
createRelay(marketplace).subscribe(
  ({ id, partner, subject, sequence }) => {
    writeSync(file, `${JSON.stringify({ id, partner, subject, sequence })}\n`);
  },
  { onFailure },
);
process.stdout.write('started\n');

for (let made = 0; role === 'service'; made += 1) {
  const partner = partners[made % partners.length];
  const own = marketplace.partner({ environment: 'sandbox', partner });
  const partner_id = `${name}-${made}`;
  const created = await own.createDealV2({ ...api.deal, partner_id });
  if (created.isOk()) {
    await own.invite(partner_id, {});
    await own.cancel(partner_id, { reason: 'no longer needed' });
  }
  await sleep(5);
}
