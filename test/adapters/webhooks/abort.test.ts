import { createWebhookSender } from 'dealwright/webhooks';
import { describe, expect, it } from 'vitest';
import { message, serve } from './servers.js';

describe('a sender whose process ends', () => {
  it('gives up what is under way, and sends nothing any more', async () => {
    let arrived = 0;
    const { port } = await serve(() => {
      arrived += 1;
    });
    const over = new AbortController();
    const ending = createWebhookSender({ allowPrivate: true, signal: over.signal });
    const url = `http://127.0.0.1:${port}/`;
    const posts = Array.from({ length: 20 }, () => ending.send('sandbox', message(url)));
    while (arrived < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    over.abort();
    for (const posted of posts) {
      const failure = (await posted)._unsafeUnwrapErr();
      expect(failure).toMatchObject({ outcome: 'unknown', retryable: true });
    }
    const later = (await ending.send('sandbox', message(url)))._unsafeUnwrapErr();
    expect(later).toMatchObject({ outcome: 'none', retryable: true });
    expect(arrived).toBe(20);
  });

  it('takes a signal and nothing else', () => {
    const wrong = { signal: 'now' } as never;
    expect(() => createWebhookSender(wrong)).toThrow('signal is an AbortSignal');
  });
});
