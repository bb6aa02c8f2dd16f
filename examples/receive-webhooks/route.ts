import { createReplayMemory, verifyWebhook, type WebhookEvent } from 'dealwright/client';

/** Receives webhooks as the Fetch standard has requests: in Next, Hono, Bun, Deno and Workers. */
export function createWebhookRoute(
  secrets: readonly string[],
  act: (event: WebhookEvent) => void | Promise<void>,
): (request: Request) => Promise<Response> {
  const replays = createReplayMemory();
  return async (request) => {
    const verified = await verifyWebhook(request, secrets, { replays });
    if (verified.isErr()) {
      const { code, status } = verified.error;
      return Response.json({ code }, { status });
    }
    await act(verified.value);
    return new Response(null, { status: 204 });
  };
}
