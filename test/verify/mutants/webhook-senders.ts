import { createHmac } from 'node:crypto';
import type { WebhookMessage, WebhookReply, WebhookSender } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Members } from './event-changes.js';

type Send = WebhookSender['send'];

/** A mistake in sending. */
export type SendChange = (send: Send) => Send;

/** Changes messages. */
export const message =
  (change: (message: WebhookMessage) => Partial<WebhookMessage>): SendChange =>
  (send) =>
  (environment, each) =>
    send(environment, { ...each, ...change(each) });

/** Changes the events in messages. */
export const body = (change: (event: Members) => unknown) =>
  message((each) => ({ body: JSON.stringify(change(JSON.parse(each.body))) }));

/** Changes what the service learns of the answers. */
export const reply =
  (change: (status: number) => number): SendChange =>
  (send) =>
  async (environment, each) =>
    (await send(environment, each)).map(
      (found): WebhookReply =>
        'error' in found ? found : { ...found, status_code: change(found.status_code) },
    );

/** What a sender that was written anew does in its own way. */
export interface Signing {
  readonly keyOf?: (secret: string) => Buffer;
  readonly contentOf?: (message: WebhookMessage) => string;
  readonly form?: 'base64' | 'hex';
  readonly prefix?: string;
  readonly separator?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirect?: RequestRedirect;
}

/** A sender that was written anew, with a mistake. */
export const rewritten =
  ({
    keyOf = (secret) => Buffer.from(secret.slice(6), 'base64'),
    contentOf = ({ id, timestamp, body }) => `${id}.${timestamp}.${body}`,
    form = 'base64',
    prefix = 'v1,',
    separator = ' ',
    headers = {},
    redirect = 'manual',
  }: Signing): SendChange =>
  () =>
  async (_, each) => {
    const { url, id, timestamp, body, secrets } = each;
    const signatures = secrets.map(
      (secret) => prefix + createHmac('sha256', keyOf(secret)).update(contentOf(each)).digest(form),
    );
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatures.join(separator),
        ...headers,
      },
      body,
      redirect,
    });
    return ok({ status_code: response.status, response: await response.text() });
  };

/** The sender gives up what comes after a failure: for its URL, or for all. */
export const blocking =
  (isShared: boolean): SendChange =>
  (send) => {
    const failed = new Set<string>();
    return async (environment, each) => {
      const key = isShared ? '' : each.url;
      if (failed.has(key)) return ok({ error: 'connection_failed' });
      const result = await send(environment, each);
      if (result.isOk() && 'status_code' in result.value && result.value.status_code >= 400) {
        failed.add(key);
      }
      return result;
    };
  };
