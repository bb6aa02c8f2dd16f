import type { WebhookEvent } from 'dealwright/client';
import type { Hono } from 'hono';
import { createWebhookRoute } from './route.js';

/** Receives webhooks in Hono. No middleware before it may read the body. */
export function receiveInHono(
  app: Hono,
  secrets: readonly string[],
  act: (event: WebhookEvent) => void,
): void {
  const receive = createWebhookRoute(secrets, act);
  app.post('/webhooks', (context) => receive(context.req.raw));
}
