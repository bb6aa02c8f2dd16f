import { createMarketplace, type LocalMarketplace } from 'dealwright';
import { createMemoryStore } from 'dealwright/memory';
import type { MarketplacePorts, Store, WebhookMessage, WebhookReply } from 'dealwright/ports';
import { createRelay, type WebhookRelayOptions } from 'dealwright/relay';
import { createManualClock, type ManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';

export const acme = { environment: 'sandbox', partner: 'acme' } as const;
export const globex = { environment: 'sandbox', partner: 'globex' } as const;

/** Receivers by their URLs, and all their messages. */
export interface Receivers {
  readonly received: (WebhookMessage & { readonly event: ReceivedEvent })[];
  /** The answer of a receiver; default 200. */
  answer: (message: WebhookMessage) => WebhookReply | Promise<WebhookReply>;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
}

export const accepted: WebhookReply = { status_code: 200, response: '' };
export const refused: WebhookReply = { status_code: 500, response: 'no' };

/** Ports with receivers of the test, secrets that are only reversed, and time of the test. */
export function relayHost(
  store: Store = createMemoryStore(),
  timer: ManualClock = createManualClock(),
  more: Partial<MarketplacePorts> = {},
) {
  const receivers: Receivers = { received: [], answer: () => accepted };
  const turned = (text: string) => [...text].reverse().join('');
  let secrets = 0;
  const ports: MarketplacePorts = {
    ...createPorts(),
    store,
    timer,
    clock: timer,
    webhooks: {
      check: (environment, url) =>
        url.startsWith('https:') || environment === 'sandbox' ? 'allowed' : 'https_required',
      createSecret() {
        secrets += 1;
        return `whsec_${secrets}`;
      },
      async send(_environment, message) {
        receivers.received.push({ ...message, event: JSON.parse(message.body) as ReceivedEvent });
        return ok(await receivers.answer(message));
      },
    },
    secrets: { seal: (_, text) => ok(turned(text)), open: (_, text) => ok(turned(text)) },
    ...more,
  };
  // a deal is due once: when it expires
  const marketplace = createMarketplace(ports, { expiryNoticeDays: 0 });
  return { marketplace, ports, timer, receivers, api: marketplace.partner(acme) };
}

/** Lets all work happen that needs no time, and then moves the time on. */
export async function pass(timer: ManualClock, milliseconds = 0): Promise<void> {
  await settle();
  for (let left = milliseconds; left > 0; left -= Math.min(left, 500)) {
    timer.advance(Math.min(left, 500));
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Creates a deal: one event. */
export async function createDeal(
  marketplace: Pick<LocalMarketplace, 'partner'>,
  partner_id: string,
  tenant: Parameters<LocalMarketplace['partner']>[0] = acme,
): Promise<void> {
  const created = await marketplace.partner(tenant).createDealV2({ ...dealV2Body, partner_id });
  created._unsafeUnwrap();
}

/** Relays webhooks until the test ends it; a failure fails the test. */
export function relayOf(marketplace: LocalMarketplace, options: WebhookRelayOptions = {}) {
  const failures: unknown[] = [];
  const running = createRelay(marketplace).relayWebhooks({
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  return { ...running, failures };
}

/** A store whose user can be killed: from then on, its writes and answers are lost. */
export function killableStore(store: Store): { readonly store: Store; kill(): void } {
  let isDead = false;
  const guarded = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'object' && member !== null) return guarded(member);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) =>
          isDead ? new Promise(() => undefined) : Reflect.apply(member, target, given);
      },
    });
  return {
    store: guarded(store),
    kill() {
      isDead = true;
    },
  };
}
