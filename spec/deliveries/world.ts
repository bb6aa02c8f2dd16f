import { ok } from 'neverthrow';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { createRelay } from '../../src/create-relay.js';
import type { EventType } from '../../src/domain/events/events.js';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { createMarketplace, type LocalMarketplace } from '../../src/marketplace.js';
import type { MarketplacePorts } from '../../src/ports/marketplace-ports.js';
import type { Store } from '../../src/ports/store.js';
import type { WebhookMessage, WebhookReply } from '../../src/ports/webhooks.js';
import type { RelayFailure } from '../../src/relay/relay-options.js';
import type { Running } from '../../src/relay/start-relay.js';
import type { SubscriptionOptions } from '../../src/relay/subscribe.js';
import { exampleDealV2 } from '../examples.js';
import { check, equal, okOf } from '../expectations.js';
import { createManualClock, type ManualClock } from '../manual-clock.js';
import { acme, ask, type StoreSubject } from '../store/subject.js';
import { committed, present, writeOf } from '../store/writes.js';
import { countCalls } from './calls.js';

/** An event as received by a webhook or a handler. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly partner: string;
  readonly subject: string;
  readonly sequence: number;
}

/** A message that came to a receiver, and its time. */
export interface Received extends WebhookMessage {
  readonly event: ReceivedEvent;
  /** Real time in milliseconds. */
  readonly at: number;
}

type Reply = WebhookReply | Promise<WebhookReply>;

/** A marketplace in its own process, over the store of the case. */
export interface Host {
  readonly api: PartnerApi<never>;
  readonly marketplace: LocalMarketplace;
  /** The messages that it has posted, in their order, failed attempts included. */
  readonly sent: Received[];
  /** The answers of receivers to its messages; by default they accept. */
  answer: (received: Received) => Reply;
  /** Relays webhooks until the end of the case, or until it is stopped. */
  relay(): Running;
  /** Passes events to a handler, likewise. */
  subscribe(
    handler: (event: ReceivedEvent) => unknown,
    options?: Partial<SubscriptionOptions>,
  ): Running;
  /** Ends the process: it calls the store no more, and gets no more answers. */
  kill(): void;
}

/** The world of a case. */
export interface World {
  readonly timer: ManualClock;
  readonly store: Store;
  host(): Host;
  /** Creates a deal, which is one event, as another process does. */
  createDeal(name: string, tenant?: Tenant): Promise<void>;
  /** Appends events about a deal in one write, as the commands of a host do. */
  emit(name: string, count?: number, tenant?: Tenant): Promise<void>;
  /** Lets everything happen that needs no time, and then moves the clock in small steps. */
  pass(milliseconds?: number): Promise<void>;
  /** Moves the clock at once, if nothing is to happen for hours. */
  skip(milliseconds: number): Promise<void>;
  /** Waits, for a minute at most, until the condition holds. */
  until(condition: () => boolean, what: string): Promise<void>;
  /** Ends all relays. */
  end(): Promise<void>;
  /** The failures of relays since they were started. */
  readonly failures: RelayFailure[];
}

export const accepted: WebhookReply = { status_code: 200, response: '' };
export const refused: WebhookReply = { status_code: 500, response: 'no' };
export const gone: WebhookReply = { status_code: 410, response: '' };

/** The longest that `until` waits, in milliseconds of the case's clock. */
const longestWait = 60_000;

/** Shorter than any pause of a relay that matters here. */
const step = 250;

/** The deadline of ports: a case moves the clock by days while nothing is under way. */
const deadline = 2 ** 31 - 1;

/** The world of one case, over an empty store. */
export function createWorld(store: StoreSubject): World {
  const timer = createManualClock();
  const calls = countCalls(store, () => store.settled?.());
  const failures: RelayFailure[] = [];
  const running = new Set<Running>();
  const ended: (() => void)[] = [];
  let numbers = 0;
  const number = () => {
    numbers += 1;
    return numbers;
  };

  const pass = async (milliseconds = 0) => {
    await calls.settle();
    for (let left = milliseconds; left > 0; left -= step) {
      timer.advance(Math.min(left, step));
      await calls.settle();
    }
  };
  const started = (begun: Running, isAlive: () => boolean): Running => {
    const own: Running = {
      async stop() {
        running.delete(own);
        // a killed relay does not stop by itself: its calls are not answered
        if (isAlive()) await begun.stop();
      },
    };
    running.add(own);
    return own;
  };

  const host = (): Host => {
    const { port, kill } = calls.counted();
    let isAlive = true;
    const over = new Promise<WebhookReply>((resolve) => {
      ended.push(() => resolve({ error: 'timeout' }));
    });
    const own: Host = {
      sent: [],
      answer: () => accepted,
      marketplace: createMarketplace(
        portsOf(port, timer, number, (received) => {
          if (!isAlive) return over;
          own.sent.push(received);
          return Promise.race([over, own.answer(received)]);
        }),
        { deadline },
      ),
      get api() {
        return own.marketplace.partner(acme);
      },
      relay: () =>
        started(
          createRelay(own.marketplace).relayWebhooks({
            onFailure: (failure) => failures.push(failure),
          }),
          () => isAlive,
        ),
      subscribe: (handler, options = {}) =>
        started(
          createRelay(own.marketplace).subscribe(
            async (event) =>
              // a handler may wait for a time that does not come any more as the case ends
              isAlive ? Promise.race([over, handler(event as ReceivedEvent)]) : over,
            {
              onFailure: (failure) => failures.push(failure),
              ...options,
            },
          ),
          () => isAlive,
        ),
      kill() {
        isAlive = false;
        kill();
      },
    };
    return own;
  };
  const other = host();

  return {
    timer,
    store,
    failures,
    host,
    pass,
    async createDeal(name, tenant = acme) {
      const created = await other.marketplace
        .partner(tenant)
        .createDealV2({ ...exampleDealV2, partner_id: name });
      okOf(created, `the deal ${name}`);
    },
    async emit(name, count = 1, tenant = acme) {
      await emit(store, tenant, name, count, () => idOf(number()));
    },
    async skip(milliseconds) {
      await calls.settle();
      if (milliseconds > 0) timer.advance(milliseconds);
      await pass(step);
    },
    async until(condition, what) {
      for (let waited = 0; ; waited += step) {
        await calls.settle();
        if (condition()) return;
        check(waited < longestWait, `within a minute: ${what}`);
        timer.advance(step);
      }
    },
    async end() {
      for (const release of ended) release();
      await Promise.all([...running].map((each) => each.stop()));
    },
  };
}

/** A type of events that a host adds. */
export const ownType = 'custom.told';

/** Appends events about a deal. */
async function emit(
  store: Store,
  tenant: Tenant,
  name: string,
  count: number,
  nextId: () => string,
): Promise<void> {
  const attempt = nextId();
  const row = { answer_key: `attempt ${attempt}`, fingerprint: '', answer: '{}', ends_at: null };
  const write = writeOf({
    attempt,
    expect: [{ absent: 'answer', key: row.answer_key }, present('deal', name)],
    insert: [{ kind: 'answer', row }],
    subject: { kind: 'deal', key: name },
    events: Array.from({ length: count }, () => ({
      id: nextId(),
      type: ownType as EventType,
      subject: `deal:${name}`,
      at: '2026-01-01T00:00:00.000Z',
      actor: 'partner' as const,
      cause: null,
      data: { partner_id: name },
    })),
  });
  equal(await ask(store.commit(tenant, write)), committed, 'events of a host');
}

/** A ULID: several runs may use one database. */
function idOf(number: number): string {
  return `01KDVE${run}${String(number).padStart(12, '0')}`;
}

const run = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');

/** The simplest working ports around the store. */
function portsOf(
  store: Store,
  timer: ManualClock,
  number: () => number,
  send: (received: Received) => Reply,
): MarketplacePorts {
  const turned = (text: string) => [...text].reverse().join('');
  const name = { en: 'Programming', pl: 'Programowanie' };
  const unused = () => {
    throw new Error('a case of deliveries needs no files');
  };
  return {
    store,
    timer,
    clock: timer,
    ids: { next: () => idOf(number()) },
    digest: (text) => `digest of ${text}`,
    sha256: unused,
    files: { put: unused, get: unused, delete: unused, list: unused },
    categories: {
      tree: () => ok([]),
      subcategory: (_, id) => ok({ id, name }),
    },
    paymentTokens: {
      issue: () => ok(`token-${String(number()).padStart(30, '0')}`),
      tenantOf: () => undefined,
      verify: () => ok('valid'),
    },
    webhooks: {
      check: () => 'allowed',
      createSecret: () => `whsec_${number()}`,
      async send(_, message) {
        const event = JSON.parse(message.body) as ReceivedEvent;
        return ok(await send({ ...message, event, at: timer.now() }));
      },
    },
    secrets: { seal: (_, text) => ok(turned(text)), open: (_, text) => ok(turned(text)) },
  };
}
