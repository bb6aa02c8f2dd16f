import type { DomainEvent } from 'dealwright';
import type { WebhookReply, WebhookSender } from 'dealwright/ports';
import { createWebhookSender } from 'dealwright/webhooks';
import { feedOf, followEvents, slept } from './event-commands.js';
import { printable, printableJson } from './output.js';
import type { Session } from './session.js';

/** Milliseconds of the pauses between the attempts of an event. */
const pauses = [500, 1_000, 2_000];

/** The address of the events, and the sender that signs them. */
interface Receiver {
  readonly sender: WebhookSender;
  readonly url: string;
  readonly secret: string;
}

const production =
  'this token is of production, and listen is for the sandbox: its events are not posted to a machine of a developer';

/** Posts events of the sandbox to a server on this machine, until the process is told to stop. */
export async function listen(session: Session): Promise<number> {
  const { api, call, flags } = session;
  const url = flags.forwardTo ?? '';
  const sender = createWebhookSender({ allowPrivate: true });
  if (sender.check('sandbox', url) !== 'allowed') {
    return session.complain(
      '--forward-to is not a URL without a user: give one such as http://127.0.0.1:3000/hooks',
    );
  }
  const given = session.process.env['DEALWRIGHT_WEBHOOK_SECRET'];
  if (given !== undefined && !isSecret(given)) {
    return session.complain(
      'DEALWRIGHT_WEBHOOK_SECRET is not whsec_ and 24 to 64 bytes in base64: leave it out, and one is made',
    );
  }
  const receiver: Receiver = { sender, url, secret: given ?? sender.createSecret() };
  // the first event of the feed tells the environment
  const first = await api.listEvents({ page_size: 1 }, call);
  if (first.isErr()) return session.fail(first.error);
  if (first.value.results.some(isOfProduction)) return session.complain(production);
  const query = {
    after: flags.after ?? 'end',
    ...(flags.types !== undefined && { type: flags.types }),
  };
  let isReady = false;
  for await (const page of followEvents(session, feedOf(session), query)) {
    if (page.isErr()) return session.fail(page.error);
    // from here on no event is missed
    if (!isReady && !(await session.write(greeting(session, receiver, given)))) return 0;
    isReady = true;
    for (const event of page.value.results) {
      if (isOfProduction(event)) return session.complain(production);
      if (!(await forward(session, receiver, event))) return 0;
    }
  }
  return 0;
}

/** The secrets of the Standard Webhooks specification. */
function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64 ?? '', 'base64');
  return length >= 24 && length <= 64;
}

const isOfProduction = ({ environment }: DomainEvent) => environment !== 'sandbox';

/** The address of the events, and the secret if it was made here. */
function greeting(
  { baseUrl, flags }: Session,
  { url, secret }: Receiver,
  given: string | undefined,
): string {
  const made = given === undefined ? { secret } : {};
  if (flags.json === true) return `${printableJson({ url: baseUrl, forward_to: url, ...made })}\n`;
  const line = `Posts the events of ${printable(baseUrl)} to ${printable(url)}\n`;
  return given === undefined ? `${line}Signed with ${secret}\n` : line;
}

/**
 * Posts an event as a webhook is posted, and again after failures. Returns `false` if the process
 * is told to stop, or its output is closed.
 */
async function forward(
  session: Session,
  { sender, url, secret }: Receiver,
  event: DomainEvent,
): Promise<boolean> {
  const { signal } = session.call;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return false;
    const now = new Date();
    const timestamp = Math.floor(now.getTime() / 1000);
    const body = JSON.stringify(event);
    const message = { url, id: event.id, timestamp, body, secrets: [secret] };
    const sent = await unlessStopped(sender.send(event.environment, message), signal);
    if (sent === undefined) return false;
    const reply = sent.isOk() ? sent.value : ({ error: 'invalid_response' } as const);
    const isOver = isDelivered(reply) || attempt > pauses.length;
    const pause = isOver ? undefined : pauses[attempt - 1];
    const line = attemptLine(session, { event, attempt, at: now.toISOString(), reply, pause });
    if (!(await session.write(line))) return false;
    if (pause === undefined) return true;
    await slept(pause, signal);
  }
}

/** The result of work, or `undefined` once the signal is given. */
async function unlessStopped<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let stop = () => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const isDelivered = (reply: WebhookReply) =>
  'status_code' in reply && reply.status_code >= 200 && reply.status_code < 300;

interface Attempt {
  readonly event: DomainEvent;
  readonly attempt: number;
  readonly at: string;
  readonly reply: WebhookReply;
  /** Milliseconds to the next one, if there is one. */
  readonly pause: number | undefined;
}

/** The result of an attempt, on a line. */
function attemptLine({ flags }: Session, { event, attempt, at, reply, pause }: Attempt): string {
  const { id, type, subject } = event;
  const [status_code, error] =
    'status_code' in reply ? [reply.status_code, null] : [null, reply.error];
  if (flags.json === true) {
    return `${printableJson({ at, id, type, subject, attempt, status_code, error })}\n`;
  }
  let what = String(status_code ?? error);
  if (pause !== undefined) what += `, again in ${pause / 1000} s`;
  else if (!isDelivered(reply)) what += `, attempt ${attempt}: not sent again`;
  return `${at}  ${printable(type)}  ${printable(subject)}  ${what}\n`;
}
