import { randomBytes } from 'node:crypto';
import type { SecretKeeper, WebhookMessage, WebhookReply, WebhookSender } from 'dealwright/ports';
import { ok } from 'neverthrow';

/** A sender that remembers its messages, and a keeper of its secrets. */
export function createTestWebhooks(reply: WebhookReply = { status_code: 204, response: '' }) {
  const sent: WebhookMessage[] = [];
  const kept = new Map<string, string>();
  const webhooks: WebhookSender = {
    check(environment, url) {
      if (!URL.canParse(url)) return 'invalid_url';
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:' && protocol !== 'http:') return 'invalid_url';
      if (environment === 'production' && protocol !== 'https:') return 'https_required';
      return hostname === '127.0.0.1' ? 'address_not_allowed' : 'allowed';
    },
    createSecret: () => `whsec_${randomBytes(24).toString('base64')}`,
    send(_environment, message) {
      sent.push(message);
      return ok(reply);
    },
  };
  const secrets: SecretKeeper = {
    seal({ environment, partner }, secret) {
      const sealed = `${environment} ${partner} ${kept.size}`;
      kept.set(sealed, secret);
      return ok(sealed);
    },
    open: (_tenant, sealed) => ok(kept.get(sealed) ?? ''),
  };
  return { webhooks, secrets, sent };
}
