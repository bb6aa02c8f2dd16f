// Places an order as the documents say, kills its process before the step of this number, and else
// says how many steps there were. A step is a statement; one of its own is the end.
import { Socket } from 'node:net';
import type { Tenant } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import { createPostgresStore } from 'dealwright/postgres';
import { createSqliteStore } from 'dealwright/sqlite';
import Database from 'libsql';
import { createDeals, migrate, recordOrder } from '../../examples/your-transaction/by-key.js';
import * as overSqlite from '../../examples/your-transaction/sqlite.js';
import { dealV2 } from '../kit/requests.js';
import { hosts } from './transaction-hosts.js';

const [library = '', place = '', name = '', killAt = ''] = process.argv.slice(2);
const tenant: Tenant = { environment: 'sandbox', partner: name };
const order = { ...dealV2, partner_id: name };
let steps = 0;
function step(): void {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

/** The same connection, each of whose statements is a step. */
function stepping<T extends object>(connection: T): T {
  return new Proxy(connection, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name !== 'prepare') step();
        const answer: unknown = Reflect.apply(member, target, given);
        return name === 'prepare' ? stepping(Object(answer)) : answer;
      };
    },
  });
}

async function overPostgres(): Promise<void> {
  const host = await hosts[library]?.(place, 1);
  if (host === undefined) throw new TypeError(`there is no library ${library}`);
  let hasBegun = false;
  Socket.prototype.write = new Proxy(Socket.prototype.write, {
    apply(write, socket, given) {
      // what comes before is the way to the server
      hasBegun ||= /begin|start transaction/i.test(Buffer.from(given[0]).toString('latin1'));
      if (hasBegun) step();
      return Reflect.apply(write, socket, given);
    },
  });
  const store = createPostgresStore(host.db);
  await host.place({ store, marketplace: createDealwright({ store }).marketplace }, tenant, order);
}

async function overFile(): Promise<void> {
  const db = stepping(new Database(place));
  const store = createSqliteStore(library === 'by key' ? db : new Database(place));
  const { marketplace } = createDealwright({ store });
  if (library === 'by key') {
    migrate(db);
    recordOrder(db, order);
    await createDeals(db, marketplace.partner(tenant));
  } else {
    await overSqlite.placeOrder(db, { marketplace, store }, tenant, order);
  }
}

await (library in hosts ? overPostgres() : overFile());
step();
process.stdout.write(`steps: ${steps}\n`, () => process.exit());
