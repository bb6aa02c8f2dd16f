import { verifyWebhook, type WebhookRequest } from 'dealwright/client';
import { describe, expect, it } from 'vitest';
import { event, message, secret, signed, verdict } from './signed-messages.js';

const one = message({ body: JSON.stringify({ ...event, data: { title: 'zażółć' } }) });
const given = Object.entries(signed(one));
const { body } = one;
const base64 = Buffer.from(body).toString('base64');

const title = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
/** The headers of the message, and one that every request has. */
const headersOf = <T>(name: (name: string) => string, value: (value: string, name: string) => T) =>
  Object.fromEntries(
    [...given, ['content-type', 'application/json'] as const].map(([each, text]) => [
      name(each),
      value(text, each),
    ]),
  );
const plain = headersOf(String, String);
const titled = headersOf(title, String);
const edge = headersOf(String, (value, name) => [{ key: title(name), value }]);

/** An event of a function, as far as a receiver needs it (`@types/aws-lambda`). */
interface FunctionEvent {
  headers: { [name: string]: string | undefined };
  body: string | null;
  isBase64Encoded: boolean;
}
/** A request of a function of CloudFront. */
interface EdgeRequest {
  headers: { [name: string]: { key?: string; value: string }[] };
  body?: { data: string; encoding: string; action: string; readonly inputTruncated: boolean };
}
const restEvent: FunctionEvent = { headers: titled, body: base64, isBase64Encoded: true };
const httpEvent: FunctionEvent = { headers: plain, body, isBase64Encoded: false };
const edgeRequest: EdgeRequest = {
  headers: edge,
  body: { inputTruncated: false, action: 'read-only', encoding: 'base64', data: base64 },
};

/** What only finds a name as it was written, and cannot be iterated. */
const finder = (headers: Readonly<Record<string, unknown>>) => ({
  get: (name: string) => headers[name] as string | null | undefined,
});

const requests: Readonly<Record<string, WebhookRequest>> = {
  'a REST API of API Gateway': restEvent,
  'an HTTP API of API Gateway': httpEvent,
  'a load balancer, with lists of values': {
    headers: headersOf(title, (value) => [value]),
    body: base64,
    isBase64Encoded: true,
  },
  'Lambda@Edge': edgeRequest,
  'Lambda@Edge, as text': { headers: edge, body: { data: body, encoding: 'text' } },
  'names in capitals': { headers: headersOf((name) => name.toUpperCase(), String), body },
  'headersDistinct of Node': { headers: headersOf(String, (value) => [value]), body },
  'a map in any case': { headers: new Map(Object.entries(titled)), body },
  'a map of lists': { headers: new Map(given.map(([name, value]) => [name, [value]])), body },
  'a Headers': { headers: new Headers(titled), body: Buffer.from(body) },
  'what is like a Headers': { headers: finder(plain), body },
  'a function of Firebase': {
    headers: plain,
    rawBody: Buffer.from(body),
    // parsed by the host, before the function had a say
    ...({ body: JSON.parse(body) } as object),
  },
  'a function of Azure': { headers: plain, rawBody: body, ...({ body: {} } as object) },
  'a host without a raw body of its own': { headers: plain, body, rawBody: undefined },
};

describe('a webhook that comes through a host', () => {
  it.each(Object.entries(requests))('verifies: %s', async (_, request) => {
    const verified = await verifyWebhook(request, secret);
    expect(verified._unsafeUnwrap()).toEqual(JSON.parse(body));
  });

  it.each(Object.entries(requests))('is refused with a changed body: %s', async (_, request) => {
    const other = body.replace('title', 'other');
    const changed = JSON.parse(
      JSON.stringify({ ...request, headers: {} })
        .replaceAll(JSON.stringify(body).slice(1, -1), JSON.stringify(other).slice(1, -1))
        .replaceAll(base64, Buffer.from(other).toString('base64')),
    );
    const bytes = (raw: unknown) => (raw instanceof Uint8Array ? Buffer.from(other) : undefined);
    const parts = {
      ...changed,
      headers: request.headers,
      ...(bytes(request.body) && { body: bytes(request.body) }),
      ...('rawBody' in request && bytes(request.rawBody) && { rawBody: bytes(request.rawBody) }),
    };
    expect(await verdict(parts)).toBe('invalid_webhook_signature');
  });

  it.each([
    ['base64 that is none', { body: '{}', isBase64Encoded: true }],
    ['text that is not said to be base64', { body: base64 }],
    ['an encoding that is not known', { body: { data: body, encoding: 'hex' } }],
    ['a parsed raw body', { body, rawBody: JSON.parse(body) }],
    ['no body', {}],
  ])('is refused: %s', async (_, wrong) => {
    expect(await verdict({ headers: plain, ...wrong } as WebhookRequest)).toMatch(
      /^invalid_webhook_(body|signature)$/,
    );
  });
});
