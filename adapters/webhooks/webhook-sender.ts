import { randomBytes } from 'node:crypto';
import {
  checkOptions,
  unavailable,
  type WebhookMessage,
  type WebhookReply,
  type WebhookSender,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { Webhook } from 'standardwebhooks';
import { isInteger, longestWait } from '../shared/options.js';
import { systemTimer, within } from '../shared/timer.js';
import { findAddresses, nameServerResolve, type Resolve, systemResolve } from './addresses.js';
import { createPost } from './post.js';
import { readTarget, type Target } from './target.js';

/** The options of sending webhooks. */
export interface WebhookSenderOptions {
  /**
   * Whether webhooks may be in the host's own network: at addresses that are not public, and
   * without TLS in production. Default `false`. For tests, and if all partners are the host's own.
   */
  readonly allowPrivate?: boolean;
  /**
   * Ports that new webhooks may name besides 443, and 80 in the sandbox; default: none. With
   * `allowPrivate` they may name any. An existing webhook keeps its port.
   */
  readonly webhookPorts?: readonly number[];
  /** Milliseconds for a whole attempt, from the look-up of the name on; default 15000. */
  readonly timeout?: number;
  /** Once it is aborted, posts under way are given up, and nothing more is posted. */
  readonly signal?: AbortSignal;
  /**
   * Finds the addresses of a name. By default the name servers of the process are asked; with
   * `allowPrivate` also the resolver of the system, which knows the hosts file.
   */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/**
 * Sends webhooks from Node, signed by the Standard Webhooks specification. It follows no redirect,
 * uses no proxy, and reads 64 KiB of a response at most. It resolves a name once for each attempt,
 * checks every address that it finds, and connects only to a checked address: a name that leads
 * elsewhere a moment later gets nothing.
 *
 * Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { createWebhookSender } from 'dealwright/webhooks';
 *
 * const webhooks = createWebhookSender();
 * webhooks.check('production', 'https://partner.example/webhooks'); // 'allowed'
 * webhooks.check('production', 'https://169.254.169.254/'); // 'address_not_allowed'
 * ```
 */
export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const settings = readOptions(options);
  const { allowPrivate, webhookPorts, timeout, signal: over } = settings;
  const post = createPost(timeout);
  /** Functions that give up the attempts under way. */
  const running = new Set<() => void>();
  over?.addEventListener('abort', () => {
    for (const giveUp of running) giveUp();
  });

  async function attempt(
    target: Target,
    { body }: WebhookMessage,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WebhookReply> {
    const addresses = await findAddresses(target.hostname, settings);
    if ('error' in addresses) return addresses;
    // a name may resolve after the time is over: then nothing is sent
    if (signal.aborted) return { error: 'timeout' };
    return post(addresses, { target, headers, body, signal });
  }

  return {
    check(environment, url) {
      const target = readTarget(environment, url, allowPrivate);
      if (typeof target === 'string') return target;
      const { port } = target;
      const isAllowed =
        allowPrivate ||
        port === 443 ||
        (port === 80 && environment === 'sandbox') ||
        webhookPorts.includes(port);
      return isAllowed ? 'allowed' : 'port_not_allowed';
    },
    hostOf: (url) => new URL(url).hostname.toLowerCase().replace(/\.$/, ''),
    createSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
    async send(environment, message) {
      const target = readTarget(environment, message.url, allowPrivate);
      if (over?.aborted) return unavailable({ outcome: 'none', cause: aborted });
      // a webhook may be older than the present options
      if (typeof target === 'string') return ok({ error: 'address_not_allowed' });
      try {
        const headers = headersOf(message);
        const give = (signal: AbortSignal) => attempt(target, message, headers, signal);
        return ok(await attemptWithin(timeout, running, give));
      } catch {
        if (over?.aborted) return unavailable({ outcome: 'unknown', cause: aborted });
        // an error of the signing library may contain the secret
        const cause = Object.freeze({ reason: 'cannot_sign_or_send' });
        return unavailable({ outcome: 'none', retryable: false, cause });
      }
    },
  };
}

function readOptions(options: WebhookSenderOptions) {
  const {
    allowPrivate = false,
    webhookPorts = [],
    timeout = 15_000,
    signal,
    resolve = allowPrivate === true ? systemResolve : nameServerResolve,
  } = Object(options) as WebhookSenderOptions;
  checkOptions('createWebhookSender', {
    'allowPrivate is true or false': typeof allowPrivate === 'boolean',
    'webhookPorts is a list of ports from 1 to 65535':
      Array.isArray(webhookPorts) && webhookPorts.every((port) => isInteger(port, 1, 65_535)),
    [`timeout is an integer from 1 to ${longestWait}`]: isInteger(timeout, 1, longestWait),
    'resolve is a function': typeof resolve === 'function',
    'signal is an AbortSignal': signal === undefined || signal instanceof AbortSignal,
  });
  // the host's function may throw instead of rejecting
  const ask: Resolve = async (hostname) => resolve(hostname);
  return { allowPrivate, webhookPorts, timeout, signal, resolve: ask };
}

/** The headers of a message, with a signature for each secret. */
function headersOf({ id, timestamp, body, secrets }: WebhookMessage) {
  if (secrets.length === 0) throw new TypeError('a message is signed with one secret at least');
  const at = new Date(timestamp * 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Dealwright-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** The cause of posts that were given up because the process ends. */
const aborted = Object.freeze({ reason: 'aborted' });

/** Ends an attempt when its time is over, or all are: even while it waits for a name. */
async function attemptWithin(
  timeout: number,
  running: Set<() => void>,
  attempt: (signal: AbortSignal) => Promise<WebhookReply>,
): Promise<WebhookReply> {
  const controller = new AbortController();
  let giveUp = () => {};
  const over = new Promise<never>((_, reject) => {
    giveUp = () => {
      reject(aborted);
      controller.abort();
    };
  });
  const late = (): WebhookReply => {
    controller.abort();
    return { error: 'timeout' };
  };
  running.add(giveUp);
  try {
    return await within(systemTimer, timeout, late, over, attempt(controller.signal));
  } finally {
    running.delete(giveUp);
  }
}
