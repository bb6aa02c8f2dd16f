import type { Tenant } from './domain/values/tenant.js';
import { type DueOptions, readDueOptions, startDue } from './due/start-due.js';
import type { LocalMarketplace } from './marketplace.js';
import { checkOptions } from './ports/options.js';
import { readRelayOptions, type WebhookRelayOptions } from './relay/relay-options.js';
import { webhookSinks } from './relay/sink.js';
import { type Running, startRelay } from './relay/start-relay.js';
import { type EventHandler, type SubscriptionOptions, subscriptionOf } from './relay/subscribe.js';
import { core } from './usecases/context.js';

export type { DueFailure, DueOptions } from './due/start-due.js';
export type { RelayFailure, WebhookRelayOptions } from './relay/relay-options.js';
export type { Running } from './relay/start-relay.js';
export type { EventHandler, SubscriptionOptions } from './relay/subscribe.js';

/** The work of a marketplace that no request asks for. */
export interface Relay {
  /**
   * Passes the events of every partner to a handler from the position of this subscription on: each
   * at least once, those of one subject in order. Run it on any number of machines. The handler
   * gets one event of a partner at a time. An event that fails is tried again; only the later
   * events of its subject wait for it. Throws a `TypeError` for invalid options.
   */
  subscribe(handler: EventHandler, options?: SubscriptionOptions): Running;
  /**
   * Posts events to the webhooks of every partner until it is stopped: run it on one machine or on
   * many. Does nothing if the host has no `webhooks` and `secrets`. Throws a `TypeError` for
   * invalid options.
   */
  relayWebhooks(options?: WebhookRelayOptions): Running;
  /**
   * Does the due work of every partner in turn, every second, until it is stopped: deadlines and
   * payments to make. Run it on one machine or on many. Throws a `TypeError` for invalid options.
   */
  runDue(options?: DueOptions): Running;
}

/**
 * Makes the relay of a marketplace. A server that only answers requests does not load it.
 * `createDealwright` calls this function itself. Throws a `TypeError` for anything but a
 * marketplace of `createMarketplace`.
 *
 * @example
 * ```ts
 * import { createDealwright } from 'dealwright/host';
 * import { createRelay } from 'dealwright/relay';
 *
 * const { marketplace } = createDealwright();
 * const running = createRelay(marketplace).subscribe((event) => console.log(event.type));
 * await running.stop();
 * ```
 */
export function createRelay(marketplace: LocalMarketplace): Relay {
  const known = Object(marketplace)[core] as LocalMarketplace[typeof core];
  checkOptions('createRelay', {
    'marketplace is what createMarketplace makes': known !== undefined,
  });
  const { context } = known;
  return {
    subscribe: (handler, options = {}) =>
      startRelay(known, subscriptionOf(handler, options, context.timer)),
    relayWebhooks(options = {}) {
      const read = readRelayOptions(options);
      if (context.ports.webhooks === undefined) return { stop: async () => undefined };
      const sinksOf = (tenant: Tenant) => webhookSinks(context, tenant);
      return startRelay(known, { ...read, sinksOf });
    },
    runDue(options = {}) {
      const { environments, onFailure } = readDueOptions(options);
      return startDue(context, environments, onFailure);
    },
  };
}
