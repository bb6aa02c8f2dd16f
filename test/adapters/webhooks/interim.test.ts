import { createWebhookSender } from 'dealwright/webhooks';
import { describe, expect, it } from 'vitest';
import { send, serveTcp } from './servers.js';

const sender = createWebhookSender({ allowPrivate: true });

/** Serves a raw answer. */
async function answering(text: string): Promise<string> {
  const port = await serveTcp((socket) => socket.once('data', () => socket.end(text)));
  return `http://127.0.0.1:${port}/`;
}

describe('interim responses', () => {
  const [early, last] = [
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  ];

  it('are passed over up to sixteen of them', async () => {
    const reply = await send(sender, await answering(early.repeat(16) + last));
    expect(reply).toEqual({ status_code: 200, response: 'ok' });
  });

  it('end the attempt if there are more', async () => {
    const url = await answering(early.repeat(17) + last);
    expect(await send(sender, url)).toEqual({ error: 'invalid_response' });
  });

  it('end the attempt if they have no end, and the connection', async () => {
    let closed = 0;
    const port = await serveTcp((socket) => {
      const write = () => {
        while (!socket.destroyed && socket.write(early.repeat(100)));
      };
      socket
        .once('data', write)
        .on('drain', write)
        .on('close', () => {
          closed += 1;
        });
    });
    const reply = await send(sender, `http://127.0.0.1:${port}/`);
    expect(reply).toEqual({ error: 'invalid_response' });
    await expect.poll(() => closed).toBe(1);
  });
});
