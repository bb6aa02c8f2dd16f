import { Readable } from 'node:stream';
import { verifyWebhook, type WebhookRequest } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bodies,
  bytesOf,
  event,
  ids,
  keys,
  message,
  now,
  other,
  secret,
  secretOf,
  signed,
  signedBody,
  times,
  verdict,
} from './signed-messages.js';

describe('a message that the sender signs', () => {
  it('verifies, in every form of a request', async () => {
    await fc.assert(
      fc.asyncProperty(ids, times, bodies, keys, async (id, age, body, key) => {
        const headers = signed({ id, timestamp: now() + age, body }, [secretOf(key)]);
        const duplex = { duplex: 'half' } as const;
        const stream = Readable.toWeb(
          Readable.from([...Buffer.from(body)].map((byte) => Buffer.from([byte]))),
        );
        const requests: WebhookRequest[] = [
          { headers, body },
          { headers: new Headers(headers), body: bytesOf(body) },
          { headers, body: Buffer.from(body) },
          new Request('http://receiver.example/', { method: 'POST', headers, body }),
          new Request('http://receiver.example/', {
            method: 'POST',
            headers,
            body: stream as ReadableStream,
            ...duplex,
          }),
        ];
        for (const request of requests) {
          const verified = await verifyWebhook(request, secretOf(key));
          expect(verified._unsafeUnwrap()).toEqual(JSON.parse(body));
        }
      }),
    );
  });

  it('verifies while secrets change, on either side', async () => {
    const both = [other, secret];
    for (const by of [[secret], [other], both]) {
      for (const known of [secret, other, both]) {
        const isKnown = by.some((each) => [known].flat().includes(each));
        expect(await verdict(signedBody(message(), by), known)).toBe(
          isKnown ? 'ok' : 'invalid_webhook_signature',
        );
      }
    }
  });

  it.each([
    [-301, 'webhook_too_old'],
    [-86_400, 'webhook_too_old'],
    [-295, 'ok'],
    [0, 'ok'],
    [295, 'ok'],
    [310, 'webhook_too_new'],
    [1e9, 'webhook_too_new'],
  ])('of %i seconds from now is %s', async (age, expected) => {
    const timestamp = now() + age;
    expect(await verdict(signedBody(message({ timestamp })))).toBe(expected);
    expect(await verdict(signedBody(message({ timestamp })), other)).toBe(
      expected === 'ok' ? 'invalid_webhook_signature' : expected,
    );
  });

  it('is typed by its type, with those of a host', async () => {
    const verified = await verifyWebhook<{ type: 'host.paused'; data: { hours: number } }>(
      signedBody(message({ body: '{"id":"1","type":"host.paused","data":{"hours":2}}' })),
      secret,
    );
    const found = verified._unsafeUnwrap();
    if (found.type === 'deal.completed') expect(found.data.partner_id).toBe('');
    else expect(found.type === 'host.paused' && found.data.hours).toBe(2);
  });
});

/** A text or bytes with one bit of one byte changed. */
const flip = (bytes: Uint8Array, at: number, bit: number) =>
  bytes.map((byte, index) => (index === at % bytes.length ? byte ^ (1 << bit) : byte));
const flipText = (text: string, at: number, bit: number) =>
  Buffer.from(flip(Buffer.from(text, 'latin1'), at, bit)).toString('latin1');

describe('a message with a changed byte', () => {
  const place = [fc.nat(), fc.integer({ min: 0, max: 7 })] as const;

  it('in its body has another signature', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, ...place, async (body, at, bit) => {
        const headers = signed(message({ body }));
        const changed = flip(bytesOf(body), at, bit);
        expect(await verdict({ headers, body: changed })).toBe('invalid_webhook_signature');
      }),
    );
  });

  it('in its id or signature has another signature, or cannot be read', async () => {
    const names = fc.constantFrom('webhook-id', 'webhook-signature');
    await fc.assert(
      fc.asyncProperty(names, ...place, async (name, at, bit) => {
        const one = message();
        const headers = { ...signed(one) };
        const changed = { ...headers, [name]: flipText(headers[name as 'webhook-id'], at, bit) };
        expect(['invalid_webhook_signature', 'invalid_webhook_headers']).toContain(
          await verdict({ headers: changed, body: one.body }),
        );
      }),
    );
  });

  it('in its time has another signature, another age, or cannot be read', async () => {
    await fc.assert(
      fc.asyncProperty(...place, async (at, bit) => {
        const one = message();
        const timestamp = flipText(String(one.timestamp), at, bit);
        const headers = { ...signed(one), 'webhook-timestamp': timestamp };
        const age = now() - Number(timestamp);
        const expected = !/^[1-9]\d*$/.test(timestamp)
          ? 'invalid_webhook_headers'
          : age > 300
            ? 'webhook_too_old'
            : age < -300
              ? 'webhook_too_new'
              : 'invalid_webhook_signature';
        expect(await verdict({ headers, body: one.body })).toBe(expected);
      }),
    );
  });

  it('in the key of its secret has another signature', async () => {
    await fc.assert(
      fc.asyncProperty(keys, ...place, async (key, at, bit) => {
        const request = signedBody(message(), [secretOf(key)]);
        expect(await verdict(request, secretOf(key))).toBe('ok');
        expect(await verdict(request, secretOf(flip(key, at, bit)))).toBe(
          'invalid_webhook_signature',
        );
      }),
    );
  });

  it('is not taken for one with a placeholder if a decoder would write that', async () => {
    const body = '{"id":"1","type":"\uFFFD"}';
    const headers = signed(message({ body }));
    expect(await verdict({ headers, body })).toBe('ok');
    const [before = '', after = ''] = body.split('\uFFFD');
    const cut = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
    expect(await verdict({ headers, body: cut })).toBe('invalid_webhook_signature');
    const half = body.replace('\uFFFD', '\uD800');
    expect(await verdict({ headers, body: half })).toBe('invalid_webhook_signature');
  });

  it('is not taken for one whose parts are separated elsewhere', async () => {
    const one = message();
    const [id, timestamp] = [one.id, String(one.timestamp)];
    const headers = signed({ ...one, id: `${id}.${timestamp}` });
    const body = `${headers['webhook-timestamp']}.${one.body}`;
    expect(await verdict({ headers: { ...headers, 'webhook-id': id }, body })).toBe(
      'invalid_webhook_event',
    );
    expect(await verdict({ headers, body: one.body })).toBe('invalid_webhook_headers');
  });
});

describe('a request that is not one', () => {
  const { headers, body } = signedBody(message());

  /** A list of signatures of this many characters, of which only the last is valid. */
  const padded = (length: number) => ` ${headers['webhook-signature']}`.padStart(length, 'v1,a ');

  it.each([
    ['a missing id', { ...headers, 'webhook-id': undefined }],
    ['an empty id', { ...headers, 'webhook-id': '' }],
    ['two ids', { ...headers, 'webhook-id': [event.id, event.id] }],
    ['an id with a space', { ...headers, 'webhook-id': `${event.id}, 2` }],
    ['a missing time', { ...headers, 'webhook-timestamp': undefined }],
    ['another spelling of its time', { ...headers, 'webhook-timestamp': `0${now()}` }],
    ['a time with a tail', { ...headers, 'webhook-timestamp': `${now()}x` }],
    ['a missing signature', { ...headers, 'webhook-signature': undefined }],
    ['signatures without end', { ...headers, 'webhook-signature': padded(8_193) }],
    ['an id in two cases', { ...headers, 'Webhook-Id': event.id }],
    ['two ids of Lambda@Edge', { ...headers, 'webhook-id': [{ value: 'a' }, { value: 'a' }] }],
    ['an id that is no text', { ...headers, 'webhook-id': [{ value: 1 }] }],
    ['no headers', undefined],
    [
      'headers that throw',
      {
        get() {
          throw new Error('broken');
        },
      },
    ],
  ])('has %s', async (_, broken) => {
    expect(await verdict({ headers: broken, body } as WebhookRequest)).toBe(
      'invalid_webhook_headers',
    );
  });

  it('has as many signatures as are ever needed, and one that is good', async () => {
    const changed = { ...headers, 'webhook-signature': padded(8_192) };
    expect(await verdict({ headers: changed, body })).toBe('ok');
  });

  it.each([
    'v1',
    'v1,',
    'v2,abc',
    ', ,',
    headers['webhook-signature'].replace('v1', 'v2'),
    headers['webhook-signature'].slice(0, -1),
  ])('has the signature %s', async (signature) => {
    const changed = { ...headers, 'webhook-signature': signature };
    expect(await verdict({ headers: changed, body })).toBe('invalid_webhook_signature');
  });

  it('has a body that was parsed or read, and says so', async () => {
    const read = new Request('http://receiver.example/', { method: 'POST', headers, body });
    await read.text();
    const locked = new Request('http://receiver.example/', { method: 'POST', headers, body });
    locked.body?.getReader();
    const huge = new Request('http://receiver.example/', {
      method: 'POST',
      headers,
      body: body.padEnd(2 ** 20 + 1),
    });
    const parsed = { headers, body: JSON.parse(body) };
    for (const request of [
      parsed,
      { headers, body: undefined },
      { headers, body: null },
      read,
      locked,
      huge,
    ]) {
      const verified = await verifyWebhook(request as WebhookRequest, secret);
      expect(verified._unsafeUnwrapErr()).toEqual({
        code: 'invalid_webhook_body',
        message: expect.stringContaining('raw text or bytes'),
        status: 400,
      });
    }
  });

  it.each(['', '[]', 'null', '"text"', '{', '{"id":"1"}', '{"id":1,"type":"a"}', '{"type":"a"}'])(
    'is signed and has the content %s',
    async (content) => {
      expect(await verdict(signedBody(message({ body: content })))).toBe('invalid_webhook_event');
    },
  );

  it.each([[''], ['whsec_'], ['whsec_not base64'], [[]], [[secret, '']], [undefined], [[1]]])(
    'is verified by %j, which is no secret',
    async (wrong) => {
      const verified = await verifyWebhook({ headers, body }, wrong as string);
      const error = verified._unsafeUnwrapErr();
      expect(error).toMatchObject({ code: 'invalid_webhook_secret', status: 500 });
      expect(Object.isFrozen(error)).toBe(true);
      expect(error.message).not.toContain('base64');
    },
  );
});
