import { createReplayMemory, verifyWebhook, type WebhookEvent } from 'dealwright/client';
import express, { type Express } from 'express';

/** Receives webhooks in Express. It stands in front of `app.use(express.json())`. */
export function receiveInExpress(
  app: Express,
  secrets: readonly string[],
  act: (event: WebhookEvent) => void,
): void {
  const replays = createReplayMemory();
  const raw = express.raw({ type: 'application/json', limit: '1mb' });
  app.post('/webhooks', raw, async (request, response) => {
    const verified = await verifyWebhook(request, secrets, { replays });
    if (verified.isErr()) {
      response.status(verified.error.status).json({ code: verified.error.code });
      return;
    }
    act(verified.value);
    response.status(204).end();
  });
}
