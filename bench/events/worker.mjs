// A process of a service: it creates deals, and passes their events to a handler or to webhooks.

import { randomBytes } from 'node:crypto';
import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createPostgresStore, fromPgNotifications, migratePostgres } from 'dealwright/postgres';
import { createSystemPorts } from 'dealwright/system';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import pg from 'pg';
import { serveContender } from '../contender.mjs';
import { paymentTokens } from '../create/payment-tokens.mjs';
import { relayOf } from '../kit.mjs';
import { createPool, tenant } from '../postgres/app.mjs';
import { repeat } from '../repeat.mjs';
import { contractor, deal } from '../validation/cases.mjs';

const [url, key = randomBytes(32).toString('base64url')] = process.argv.slice(2);
const email = deal.contractor_email;

async function openStore() {
  if (url === undefined) return createMemoryStore();
  const pool = createPool(url);
  (await migratePostgres(pool))._unsafeUnwrap();
  const notifications = fromPgNotifications(() => new pg.Client({ connectionString: url }));
  return createPostgresStore(pool, { notifications });
}

let sent = 0;
let whenSent = () => undefined;
const sender = createWebhookSender({ allowPrivate: true });
const webhooks = {
  ...sender,
  async send(...message) {
    const reply = await sender.send(...message);
    sent += 1;
    whenSent();
    return reply;
  },
};
const marketplace = createMarketplace({
  ...createSystemPorts(),
  store: await openStore(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens,
  files: createMemoryFileStore(),
  webhooks,
  secrets: createSealedSecrets({ k1: key }),
});
const works = await relayOf(marketplace);
const apiOf = (partner) => marketplace.partner({ ...tenant, partner });
const api = apiOf(tenant.partner);
await api.registerContractor({ ...contractor, email });

let created = 0;
async function createOne(as = api) {
  created += 1;
  const partner_id = `deal-${process.pid}-${created}`;
  (await as.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  return partner_id;
}

/** Microseconds for each of `count`, and those of the processor. */
async function timed(count, work) {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await work();
  const milliseconds = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  return { microseconds: (milliseconds * 1000) / count, cpu: (user + system) / count };
}

/** Resolves once `isDone` returns true when the function passed to `watch` is called. */
const once = (isDone, watch) =>
  new Promise((resolve) => {
    const look = () => {
      if (isDone()) resolve();
    };
    watch(look);
    look();
  });

/** The clock that all processes of a machine share, in milliseconds. */
const now = () => Number(process.hrtime.bigint()) / 1e6;
const endOfFeed = async () => (await api.listEvents({ after: 'end' }))._unsafeUnwrap().next;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let names = 0;
let handled = [];
let running;

const work = {
  create: ({ count, inFlight }) => timed(count, () => repeat(count, inFlight, () => createOne())),

  /** A number of deals of each of these partners. */
  createFor: ({ partners, count }) =>
    Promise.all(partners.map((each) => repeat(count, 2, () => createOne(apiOf(each))))),

  /** Passes the deals created since `from` to a new handler. */
  async relay({ from, count }) {
    names += 1;
    let left = count;
    let subscription;
    const options = { name: `bench-${process.pid}-${names}`, from: () => from };
    const figures = await timed(count, () =>
      once(
        () => left === 0,
        (look) => {
          const handle = () => {
            left -= 1;
            look();
          };
          subscription = works.subscribe(handle, {
            ...options,
            types: ['deal.created'],
          });
        },
      ),
    );
    await subscription.stop();
    return figures;
  },

  end: endOfFeed,

  /**
   * Records the time at which each deal comes to a handler; processes with one name share the
   * deals.
   */
  async subscribe({ name, from }) {
    handled = [];
    const note = ({ data }) => handled.push([data.partner_id, now()]);
    running = works.subscribe(note, {
      name,
      types: ['deal.created'],
      from: ({ partner }) => (partner === tenant.partner ? from : undefined),
    });
    return 'subscribed';
  },

  relayWebhooks() {
    running = works.relayWebhooks();
    return 'relaying';
  },

  /** Creates deals one after the other, and returns the time of each answer. */
  async createSlowly({ count }) {
    const answered = [];
    for (let made = 0; made < count; made += 1) {
      answered.push([await createOne(), now()]);
      await pause(20);
    }
    return answered;
  },

  async stop() {
    await running.stop();
    return handled;
  },

  /** Sets the webhooks: these and no others. */
  async webhooks({ urls, partner = tenant.partner }) {
    const api = apiOf(partner);
    const own = (await api.listWebhooks())._unsafeUnwrap();
    for (const { id, url: present } of own) {
      if (!urls.includes(present)) (await api.deleteWebhook(id))._unsafeUnwrap();
    }
    for (const missing of urls.filter(
      (each) => !own.some(({ url: present }) => present === each),
    )) {
      const input = { url: missing, types: ['deal.created'] };
      (await api.createWebhook(input))._unsafeUnwrap();
    }
    return 'created';
  },

  /** Delivers deals that exist before the relay starts. */
  async deliver({ events, webhooks }) {
    await repeat(events, 64, () => createOne());
    const count = events * webhooks;
    sent = 0;
    let relay;
    const figures = await timed(count, () =>
      once(
        () => sent >= count,
        (look) => {
          whenSent = look;
          relay = works.relayWebhooks();
        },
      ),
    );
    await relay.stop();
    return figures;
  },

  /** A program of a few lines for comparison: a signed body to one URL. */
  async fetch({ target, count, inFlight }) {
    const body = JSON.stringify({
      type: 'deal.created',
      data: { ...deal, filler: 'x'.repeat(400) },
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-signature': 'v1,'.padEnd(47, 'x'),
    };
    return timed(count, () =>
      repeat(count, inFlight, async () => {
        const response = await fetch(target, { method: 'POST', headers, body });
        await response.arrayBuffer();
      }),
    );
  },
};

serveContender(({ what, ...given }) => work[what](given));
