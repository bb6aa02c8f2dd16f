import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from 'dealwright/client';
import { createDealwright } from 'dealwright/host';
import type { Store } from 'dealwright/ports';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import { dealV2Body } from '../../domain/field-tables.js';
import { createDice } from '../dice.js';

/** The place of the store, for the relays and for this run. */
export interface RelayPlace {
  readonly folder: string;
  readonly store: Store;
  /** The file of SQLite. */
  readonly place?: string;
  /** The address of PostgreSQL. */
  readonly url?: string;
}

/** The figures of a run. */
export interface RelayFigures {
  readonly kills: number;
  readonly events: number;
  /** Events that came more than once: a relay was killed before it recorded their delivery. */
  readonly again: number;
  readonly lost: number;
  readonly outOfOrder: number;
}

interface Told {
  readonly id: string;
  readonly partner: string;
  readonly subject: string;
  readonly sequence: number;
}

const partners = ['acme', 'globex', 'initech'];
const program = resolve('test/faults/relays/relay.mjs');

/**
 * Kills relays, and the service beside them, again and again while deals are created. In the end,
 * compares the logs with all arrived events: at webhooks of either kind, and at a handler.
 */
export async function runRelayKills(
  { folder, store, place, url }: RelayPlace,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<RelayFigures> {
  const dice = createDice(seed);
  const key = randomBytes(32).toString('base64url');
  const { marketplace } = createDealwright({
    store,
    webhooks: createWebhookSender({ allowPrivate: true }),
    secrets: createSealedSecrets({ k1: key }),
  });
  const receiver = await startReceiver();
  const handled = join(folder, 'handled.ndjson');
  for (const partner of partners) {
    const api = marketplace.partner({ environment: 'sandbox', partner });
    for (const kind of ['plain', 'ordered']) {
      const input = { url: `${receiver.url}/${partner}/${kind}`, ordered: kind === 'ordered' };
      const { secret } = (await api.createWebhook(input))._unsafeUnwrap();
      receiver.secrets.set(`/${partner}/${kind}`, secret);
    }
  }
  let started = 0;
  const start = async (role: string): Promise<Child> => {
    started += 1;
    const settings = { role, name: `${role}-${started}`, place, url, handled, key, partners };
    const given = JSON.stringify({ ...settings, api: { deal: dealV2Body } });
    const child = spawn(process.execPath, [program, given], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), gone]);
    return { role, child, gone };
  };
  const children = await Promise.all(['service', 'relay', 'relay'].map(start));
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(dice.below(300));
      const at = dice.below(children.length);
      const victim = children[at] as Child;
      victim.child.kill('SIGKILL');
      await victim.gone;
      children[at] = await start(victim.role);
    }
    const service = children.findIndex(({ role }) => role === 'service');
    await end(children[service] as Child);
    children[service] = await start('relay');
    const feeds = new Map<string, readonly Told[]>();
    for (const partner of partners) feeds.set(partner, await feedOf(store, partner));
    await caughtUp(store, feeds);
    return {
      kills,
      events: [...feeds.values()].flat().length,
      ...compare(feeds, receiver.received, readHandled(handled)),
    };
  } finally {
    await Promise.all(children.map(end));
    receiver.close();
  }
}

interface Child {
  readonly role: string;
  readonly child: ChildProcess;
  readonly gone: Promise<unknown>;
}

async function end({ child, gone }: Child): Promise<void> {
  child.kill('SIGKILL');
  await gone;
}

/** A receiver that verifies messages, and refuses one in twenty the first time. */
async function startReceiver() {
  const received = new Map<string, Told[]>();
  const secrets = new Map<string, string>();
  const refused = new Set<string>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      const { url = '', headers } = request;
      const body = Buffer.concat(pieces);
      const verified = await verifyWebhook({ headers, body }, secrets.get(url) ?? '');
      if (verified.isErr()) {
        response.writeHead(400).end(verified.error.message);
        return;
      }
      const event = verified.value as Told;
      const isUnlucky = Number.parseInt(event.id.slice(-2), 36) % 20 === 0;
      if (isUnlucky && !refused.has(url + event.id)) {
        refused.add(url + event.id);
        response.writeHead(500).end();
        return;
      }
      received.set(url, [...(received.get(url) ?? []), event]);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    secrets,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function feedOf(store: Store, partner: string): Promise<readonly Told[]> {
  const tenant = { environment: 'sandbox', partner } as const;
  const told: Told[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = (await store.events.after(tenant, cursor, 1_000))._unsafeUnwrap();
    if (page === 'invalid_cursor') throw new Error('the log has lost its own cursor');
    told.push(...page.events.map((event) => ({ ...event, partner })));
    cursor = page.cursor;
    if (page.events.length === 0) return told;
  }
}

/** Waits until every consumer is at the end of its log, and no delivery waits. */
async function caughtUp(store: Store, feeds: ReadonlyMap<string, readonly Told[]>): Promise<void> {
  const until = Date.now() + 120_000;
  for (;;) {
    const open: string[] = [];
    for (const [partner, feed] of feeds) {
      const tenant = { environment: 'sandbox', partner } as const;
      const range = { direction: 'ascending', limit: 100 } as const;
      for (const consumer of (
        await store.records.list(tenant, 'consumer', range)
      )._unsafeUnwrap()) {
        const { name, position, held } = consumer;
        const due = await store.due(tenant, 'delivery', '9999', 1, name);
        const waits = due._unsafeUnwrap().length + Object.keys(JSON.parse(held)).length;
        if (Number(position) < feed.length || waits > 0)
          open.push(`${partner} ${name} ${position}`);
      }
    }
    if (open.length === 0) return;
    if (Date.now() > until) throw new Error(`not caught up: ${open.join(', ')}`);
    await sleep(200);
  }
}

function readHandled(path: string): readonly Told[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  // a line that a kill has cut off was not handled
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Told] : []));
}

function compare(
  feeds: ReadonlyMap<string, readonly Told[]>,
  received: ReadonlyMap<string, readonly Told[]>,
  handled: readonly Told[],
): Pick<RelayFigures, 'again' | 'lost' | 'outOfOrder'> {
  let [again, lost, outOfOrder] = [0, 0, 0];
  for (const [partner, feed] of feeds) {
    const own = handled.filter((each) => each.partner === partner);
    const arrived = [
      { got: received.get(`/${partner}/plain`) ?? [], isOrdered: false },
      { got: received.get(`/${partner}/ordered`) ?? [], isOrdered: true },
      { got: own, isOrdered: true },
    ];
    for (const { got, isOrdered } of arrived) {
      const firsts = [...new Map(got.map((event) => [event.id, event])).values()];
      const isHandler = got === own;
      const wanted = feed.filter(({ subject }) => isHandler || !subject.startsWith('webhook:'));
      const ids = new Set(firsts.map(({ id }) => id));
      lost += wanted.filter(({ id }) => !ids.has(id)).length;
      again += got.length - firsts.length;
      const last = new Map<string, number>();
      for (const { subject, sequence } of isOrdered ? firsts : []) {
        if (sequence !== (last.get(subject) ?? 0) + 1 && !subject.startsWith('webhook:')) {
          outOfOrder += 1;
        }
        last.set(subject, sequence);
      }
    }
  }
  return { again, lost, outOfOrder };
}
