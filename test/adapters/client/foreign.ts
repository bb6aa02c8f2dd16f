import { describeError } from 'dealwright';
import { createClient, type DealwrightClient, type ResponseLike } from 'dealwright/client';
import { expect } from 'vitest';

/** It has a character that JSON escapes. */
export const token = 'a-token-that-nobody-may-"see"';

export function answering(make: () => ResponseLike | Promise<ResponseLike>): DealwrightClient {
  return createClient({
    baseUrl: 'https://deals.example.com',
    token,
    fetch: async () => make(),
    attempts: 1,
  });
}

export const json = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response => new Response(JSON.stringify(body), { status, headers });

export const unexpected = (status: number, problem?: string) => ({
  code: 'unexpected_response',
  message: describeError('unexpected_response', 'en'),
  status,
  url: expect.stringMatching(/^https:\/\/deals\.example\.com\/api\/[12]\.0\/(?:[a-z_{}/-]+\/)?$/),
  ...(problem === undefined ? {} : { problem }),
});
