import { check, show } from '../../expectations.js';
import { type DefineCase, NotApplicable } from '../../laws.js';
import { listOf, withQuery } from '../events/pages.js';
import {
  type Caller,
  expectStatus,
  type Json,
  type Members,
  membersOf,
  type ReceivedMessage,
  type Receiver,
  type Reply,
  type Server,
} from '../server.js';

export const webhookPath = '/api/2.0/webhook/';

/** A name that nobody can register (RFC 6761): no message to it arrives. */
export const unreachable = 'https://receiver.invalid/deals';

/** A webhook whose messages the case can see. */
export interface Listening {
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

/** A webhook, or a delivery. */
export interface Identified {
  readonly id?: Json;
}

/** The webhooks of a case. They are deleted when it ends. */
export interface Webhooks {
  /** Asks for a webhook, which may be refused. */
  ask(body: Json, request?: { readonly caller?: Caller; readonly key?: string }): Promise<Reply>;
  /** Makes one that nothing arrives at. */
  make(changes?: Members): Promise<Members>;
  /** Makes one that posts to a receiver of its own. */
  listen(changes?: Members, caller?: Caller): Promise<Listening>;
}

/** Makes the definer of cases that have webhooks. */
export function withWebhooks<Id extends string>(define: DefineCase<Server, Id>) {
  return (
    id: Id,
    body: (webhooks: Webhooks, server: Server) => Promise<void>,
    variant?: string,
  ): void => {
    define(id, (server) => body(webhooksOf(server), server), variant);
  };
}

function webhooksOf(server: Server): Webhooks {
  const webhooks: Webhooks = {
    async ask(body, { caller = server.partner, key } = {}) {
      const request = { body, ...(key !== undefined && { key }) };
      const reply = await caller.send('POST', webhookPath, request);
      if (reply.status < 300) {
        const { id } = madeBy(reply);
        server.afterwards(() => caller.send('DELETE', `${webhookPath}${id}/`));
      }
      return reply;
    },
    async make(changes) {
      const reply = await webhooks.ask({ url: unreachable, ...changes });
      expectStatus(reply, 201);
      return madeBy(reply);
    },
    async listen(changes, caller) {
      const receiver = await server.receiver();
      const body = { url: receiver.url, ...changes };
      const reply = await webhooks.ask(body, caller === undefined ? {} : { caller });
      if (reply.status === 400) throw new NotApplicable(refusalOf(reply, receiver.url));
      expectStatus(reply, 201);
      const { id, secret } = madeBy(reply);
      return { id: String(id), secret: String(secret), receiver };
    },
  };
  return webhooks;
}

/** The webhook in an answer. */
export const madeBy = (reply: Reply) => membersOf(reply.members()['data'], 'the member data');

/** Why the server posts nothing to a receiver; it fails the case if that is not the reason. */
function refusalOf(reply: Reply, url: string): string {
  const { errors } = reply.members();
  const codes = listOf(errors, 'the issues').map(({ path, code }) => {
    const [member] = Array.isArray(path) ? path : [];
    check(member === 'url', `a webhook is refused only for its URL\n  actual: ${show(errors)}`);
    return code;
  });
  return `the server posts nothing to ${new URL(url).origin}: ${codes.join(', ')}`;
}

/** A message, and the event in it. */
export interface Arrived {
  readonly message: ReceivedMessage;
  readonly event: Members;
}

/** The messages that came to a webhook and are wanted, once there are so many. */
export function arrived(
  server: Server,
  { receiver }: Pick<Listening, 'receiver'>,
  isWanted: (event: Members) => boolean,
  { count = 1, what = 'about what the case made' } = {},
): Promise<readonly [Arrived, ...Arrived[]]> {
  return server.until(`the arrival of message number ${count} ${what}`, async () => {
    const found = messagesTo(receiver).filter(({ event }) => isWanted(event));
    const [first, ...others] = found;
    return first !== undefined && found.length >= count ? [first, ...others] : undefined;
  });
}

/** All messages that came to a receiver. */
export function messagesTo({ messages }: Receiver): readonly Arrived[] {
  return messages.map((message) => ({ message, event: eventIn(message) }));
}

function eventIn({ body }: ReceivedMessage): Members {
  try {
    return membersOf(JSON.parse(body), 'the event');
  } catch {
    return {};
  }
}

/** Asks for a test message; returns it. */
export async function tested(server: Server, webhook: Listening): Promise<Arrived> {
  await act(server, webhook, 'test');
  const isTest = ({ type }: Members) => type === 'webhook.test';
  const [first] = await arrived(server, webhook, isTest, { what: 'of the type webhook.test' });
  return first;
}

/** An action on a webhook, which must succeed; returns the member `data`. */
export const act = ({ partner }: Server, { id }: Identified, action: string) =>
  partner.data('POST', `${webhookPath}${id}/${action}/`);

export const retrieve = ({ partner }: Server, { id }: Identified) =>
  partner.data('GET', `${webhookPath}${id}/`);

/** A page of the deliveries of a webhook. */
export async function deliveriesOf(
  { partner }: Server,
  { id }: Identified,
  query: { readonly page_size?: number; readonly cursor?: string } = {},
): Promise<{ readonly results: readonly Members[]; readonly next: Json }> {
  const path = withQuery(`${webhookPath}${id}/delivery/`, query);
  const { results, next } = await partner.data('GET', path);
  return { results: listOf(results, 'the member results'), next };
}

/** The first delivery in the list of a webhook that is wanted, once it is there. */
export function deliveryOf(
  server: Server,
  webhook: Identified,
  isWanted: (delivery: Members) => boolean,
): Promise<Members> {
  return server.until('an entry of the delivery in the list of the webhook', async () =>
    (await deliveriesOf(server, webhook)).results.find(isWanted),
  );
}

/** The attempts of a delivery. */
export const attemptsOf = ({ attempts }: Members) => listOf(attempts, 'the attempts');

const encoder = new TextEncoder();

/** Says whether one of the signatures of a message is made with this secret. */
export async function isSignedWith(
  { headers, body }: ReceivedMessage,
  secret: string,
): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (each) => each.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const [id, time] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${time}.${body}`));
  const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
  return (headers.get('webhook-signature') ?? '').split(' ').includes(signature);
}
