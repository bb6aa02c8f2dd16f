// @ts-check
// A process of a host that sends mail: its transport writes each message down. It is killed and
// started again.

import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDealwright } from 'dealwright/host';
import { createMailer } from 'dealwright/mail';
import { createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';

const { name, place, journal } = JSON.parse(process.argv[2] ?? '');

const file = openSync(journal, 'a');
process.once('exit', () => closeSync(file));
const mailer = createMailer({
  transport: {
    async sendMail({ messageId, to }) {
      // messages to partners are slow: there are always several to send, and a kill finds some
      const slow = to.startsWith('office') ? 10 : 2;
      await sleep(slow * Math.random());
      writeSync(file, `${JSON.stringify({ by: name, messageId, to })}\n`);
      await sleep(slow * Math.random());
    },
  },
  from: 'deals@example.com',
  hostName: 'Example Deals',
  offerUrl: 'https://deals.example.com/offer/',
  since: '2020-01-01T00:00:00Z',
  partnerAddress: ({ partner }) => ({ address: `office@${partner}.example` }),
});
const { marketplace } = createDealwright({ store: createSqliteStore(new Database(place)) });
mailer.start(marketplace, { onFailure: ({ cause }) => console.error(String(cause)) });
process.stdout.write('started\n');
