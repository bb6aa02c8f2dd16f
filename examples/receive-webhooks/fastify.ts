import { createReplayMemory, verifyWebhook, type WebhookEvent } from 'dealwright/client';
import type { FastifyInstance } from 'fastify';

/** Receives webhooks in Fastify. The other routes keep their parser of JSON. */
export function receiveInFastify(
  app: FastifyInstance,
  secrets: readonly string[],
  act: (event: WebhookEvent) => void,
): void {
  const replays = createReplayMemory();
  app.register(async (scope) => {
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Body: Buffer }>('/webhooks', async ({ headers, body }, reply) => {
      const verified = await verifyWebhook({ headers, body }, secrets, { replays });
      if (verified.isErr()) {
        return reply.code(verified.error.status).send({ code: verified.error.code });
      }
      act(verified.value);
      return reply.code(204).send();
    });
  });
}
