import { createReplayMemory, verifyWebhook, type WebhookEvent } from 'dealwright/client';

/** As much of an event of API Gateway or of a function URL as it takes. */
interface FunctionEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
}

/** Receives webhooks in a function of AWS Lambda. */
export function createWebhookFunction(
  secrets: readonly string[],
  act: (event: WebhookEvent) => void | Promise<void>,
): (event: FunctionEvent) => Promise<{ statusCode: number; body?: string }> {
  const replays = createReplayMemory();
  return async (event) => {
    const verified = await verifyWebhook(event, secrets, { replays });
    if (verified.isErr()) {
      const { code, status } = verified.error;
      return { statusCode: status, body: JSON.stringify({ code }) };
    }
    await act(verified.value);
    return { statusCode: 204 };
  };
}
