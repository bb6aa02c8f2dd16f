import { hostIn } from '../domain/events/webhook-input.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import { type Ask, createAsk, plain } from './ask.js';
import type { MarketplacePorts } from './marketplace-ports.js';
import type { WebhookMessage, WebhookReply } from './webhooks.js';

/** Milliseconds for a sender: its own time-out (decision 7.3) and a reserve. */
const sendingTime = 20_000;

/**
 * Guards the ports of webhooks, as `guardPorts` does; `undefined` if the host has not wired them.
 */
export function guardWebhooks({ webhooks, secrets, timer }: MarketplacePorts, ask: Ask) {
  if (webhooks === undefined || secrets === undefined) return undefined;
  const askSender = createAsk(timer, sendingTime);
  const isHost = (host: unknown) => host === null || isText(host);
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  return {
    check: (environment: Environment, url: string) =>
      plain(
        'webhooks.check',
        () => webhooks.check(environment, url),
        (verdict) =>
          [
            'allowed',
            'invalid_url',
            'https_required',
            'address_not_allowed',
            'port_not_allowed',
          ].includes(verdict),
      ),
    hostOf: (url: string) =>
      plain('webhooks.hostOf', () => webhooks.hostOf?.(url) ?? hostIn(url), isHost),
    createSecret: () => plain('webhooks.createSecret', () => webhooks.createSecret(), isText),
    send: (environment: Environment, message: WebhookMessage) =>
      askSender('webhooks.send', 'unknown', () => webhooks.send(environment, message), isReply),
    seal: (tenant: Tenant, secret: string) =>
      ask('secrets.seal', 'none', () => secrets.seal(tenant, secret), isText),
    open: (tenant: Tenant, sealed: string) =>
      ask('secrets.open', 'none', () => secrets.open(tenant, sealed), isText),
  };
}

/** The ports of webhooks, guarded. */
export type GuardedWebhooks = NonNullable<ReturnType<typeof guardWebhooks>>;

function isReply(reply: WebhookReply): boolean {
  return 'error' in reply
    ? typeof reply.error === 'string'
    : Number.isInteger(reply.status_code) && typeof reply.response === 'string';
}
