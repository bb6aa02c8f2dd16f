import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Tenant } from 'dealwright/ports';
import { systemTimer, within } from '../../shared/timer.js';
import { tenantOf, tenantText } from '../../sql/tenant.js';
import type { NotificationsLike } from '../connection/notifications-like.js';
import type { SendOnce } from '../connection/send.js';
import { longestName, statement } from '../connection/send.js';

/** Milliseconds between two notifications of a store. */
const interval = 5;
/** The server accepts less than 8,000 bytes. */
const longestPayload = 7_999;
/** Milliseconds before a connection is opened again, each time twice as many. */
const [shortestPause, longestPause] = [50, 30_000];

/** The channel of a schema. Its name is cut if it is too long for the server. */
export function channelOf(schema: string): string {
  const channel = `dealwright_${schema}`;
  if (channel.length <= longestName) return channel;
  return `dealwright_${bytesToHex(sha256(utf8ToBytes(schema))).slice(0, 40)}`;
}

/**
 * A notification: its sender, and the tenants whose logs have grown; any tenant if the list is
 * empty.
 */
interface Payload {
  readonly from: string;
  readonly tenants: readonly string[];
}

/** The id of a store, so that it ignores its own notifications. */
const storeId = () => crypto.randomUUID();

/** Notifies other processes of tenants whose logs have grown. */
export interface Notifier {
  readonly id: string;
  note(tenant: Tenant): void;
}

/**
 * Notifies by a statement of its own, after a commit: within it, it would make all commits of the
 * server wait for each other. Later writes go with the next statement. Failures are ignored.
 */
export function createNotifier(send: SendOnce, channel: string): Notifier {
  const id = storeId();
  const notify = statement('notify', '', 'select pg_notify($1::text, $2::text) as answer');
  const noted = new Set<string>();
  let isSending = false;
  const sendAll = async () => {
    isSending = true;
    while (noted.size > 0) {
      const payload = payloadOf(id, [...noted]);
      noted.clear();
      await send(notify, [channel, payload]);
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
    isSending = false;
  };
  return {
    id,
    note(tenant) {
      noted.add(tenantText(tenant));
      if (!isSending) void sendAll();
    },
  };
}

/** The text for these tenants: an empty list, for any tenant, if the server would refuse it. */
export function payloadOf(from: string, tenants: readonly string[]): string {
  const payload = JSON.stringify({ from, tenants } satisfies Payload);
  return utf8ToBytes(payload).length <= longestPayload ? payload : '';
}

/** The tenants of a notification; `undefined` for any tenant; none if this store has sent it. */
export function tenantsOf(text: string, own: string): readonly (Tenant | undefined)[] {
  try {
    const { from, tenants } = JSON.parse(text) as Payload;
    return from === own ? [] : tenants.map(tenantOf);
  } catch {
    return [undefined];
  }
}

/**
 * Listens until the returned function is called, and opens a lost connection again. After each
 * opening it reports that anything may have come before.
 */
export function keepListening(
  notifications: NotificationsLike,
  channel: string,
  onNotify: (payload: string) => void,
): () => void {
  const stopped = createSignal();
  const listen = async () => {
    for (let failures = 0; !stopped.isGiven(); failures += 1) {
      const lost = createSignal();
      const hear = (payload: string) => {
        if (!stopped.isGiven()) onNotify(payload);
      };
      try {
        const close = await notifications.listen(channel, hear, lost.give);
        hear('');
        failures = 0;
        await Promise.race([lost.given, stopped.given]);
        await close();
      } catch {
        // the loop opens it again
      }
      await pause(Math.min(longestPause, shortestPause * 2 ** failures), stopped);
    }
  };
  void listen();
  return stopped.give;
}

/** Something that happens once. */
interface Signal {
  readonly given: Promise<void>;
  give(): void;
  isGiven(): boolean;
}

function createSignal(): Signal {
  let isGiven = false;
  let resolve: () => void = () => undefined;
  const given = new Promise<void>((settle) => {
    resolve = settle;
  });
  const give = () => {
    isGiven = true;
    resolve();
  };
  return { given, give, isGiven: () => isGiven };
}

/** Waits, at most until the signal is given. */
function pause(milliseconds: number, { given }: Signal): Promise<void> {
  // processes that lost their connections together must not reconnect at the same moment
  const drawn = milliseconds * (0.5 + Math.random());
  return within(systemTimer, drawn, () => undefined, given);
}
