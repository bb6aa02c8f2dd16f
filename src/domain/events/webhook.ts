import type { Row } from '../records/records.js';
import type { DeliveryStatus, DisabledReason } from '../values/status.js';
import { formatTimestamp, nextAttempt, parseTimestamp } from '../values/timestamp.js';
import { webhookSubject } from './events.js';

/** A webhook as its partner sees it (decision 7.8). */
export interface Webhook {
  /** ULID. */
  readonly id: string;
  readonly url: string;
  /** The types of events that are sent to it; empty for every type. */
  readonly types: readonly string[];
  /** Whether later events of a subject wait for the earlier ones. */
  readonly ordered: boolean;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: DisabledReason | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** RFC 3339, UTC, milliseconds, in real time. */
  readonly at: string;
  /** Of the response; `null` if there was none. */
  readonly status_code: number | null;
  /** Why there was no response, else `null`. */
  readonly error: string | null;
  /** Of the last attempt, the first 100 characters of the response; else `null`. */
  readonly response: string | null;
}

/** An event on its way to a webhook, or delivered (decision 7.8). */
export interface Delivery {
  /** ULID. */
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  /** The oldest first; of many, the last fifty. */
  readonly attempts: readonly DeliveryAttempt[];
  /**
   * RFC 3339, UTC, milliseconds, in real time; of one that is sent again by hand the time at which it
   * was recorded: it is due at once. `null` if there is no other attempt.
   */
  readonly next_attempt_at: string | null;
}

/** A webhook as its partner sees it; a deleted one is not shown. */
export function webhookOf(row: Row<'webhook'>): Webhook {
  const { id, url, status, disabled_reason, created_at } = row;
  return {
    id,
    url,
    types: typesOf(row),
    ordered: row.ordered === 1,
    status: status === 'enabled' ? status : 'disabled',
    disabled_reason,
    created_at,
  };
}

/** The types that a webhook wants; empty for every type. */
export function typesOf({ types }: Pick<Row<'webhook'>, 'types'>): readonly string[] {
  return types === null ? [] : types.split(' ');
}

/** A delivery as its partner sees it. */
export function deliveryOf(row: Row<'delivery'>): Delivery {
  const { id, event_id, type, status } = row;
  const next_attempt_at = nextAttempt(row);
  return { id, event_id, type, status, attempts: attemptsOf(row), next_attempt_at };
}

/** How many attempts of a delivery are kept: it can be sent again by hand without limit. */
const mostAttempts = 50;

/** The attempts of a delivery, with one more. */
export function withAttempt(
  row: Pick<Row<'delivery'>, 'attempts'> | undefined,
  attempt: DeliveryAttempt,
): string {
  const before = row === undefined ? [] : attemptsOf(row);
  const kept = [...before, attempt].slice(-mostAttempts);
  return JSON.stringify(
    kept.map(({ at, status_code, error, response }, index): ShortAttempt => {
      const short = [parseTimestamp(at) ?? 0, status_code ?? error ?? ''] as const;
      if (status_code === null) return short;
      // of the last attempt alone: fifty kilobytes tell no more than one
      const said = index === kept.length - 1 ? response : null;
      return said === null ? short : [...short, shortened(said)];
    }),
  );
}

/**
 * An attempt as it is kept: the time, the status or the reason why there was none, the response.
 */
type ShortAttempt = readonly [at: number, status: number | string, response?: string];

/** Characters of a response that are kept. */
const longestResponse = 100;

/** The first characters of a text, without splitting one. */
const shortened = (text: string) =>
  [...text.slice(0, 2 * longestResponse)].slice(0, longestResponse).join('');

function attemptsOf({ attempts }: Pick<Row<'delivery'>, 'attempts'>): readonly DeliveryAttempt[] {
  const kept = JSON.parse(attempts) as readonly (ShortAttempt | DeliveryAttempt)[];
  return kept.map((each) => {
    // as earlier versions kept it
    if (!Array.isArray(each)) return each as DeliveryAttempt;
    const [at, status, response = null] = each as ShortAttempt;
    const isStatus = typeof status === 'number';
    return {
      ...{ at: formatTimestamp(at), status_code: isStatus ? status : null },
      ...{ error: isStatus ? null : status, response },
    };
  });
}

/** A consumer that no relay works for, and its position: `null` for the beginning of the log. */
export function newConsumer(name: string, position: string | null): Row<'consumer'> {
  return {
    ...{ name, position, held: '{}', lease: null, leased_until: null },
    ...{ failing_since: null, ends_at: null },
  };
}

/** The name of the consumer of a webhook: the subject of the webhook's own events. */
export const consumerOf = webhookSubject;

/** The id of the webhook of a consumer; `undefined` for a handler of the host. */
export function webhookOfConsumer(name: string): string | undefined {
  const start = consumerOf('');
  return name.startsWith(start) ? name.slice(start.length) : undefined;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** Milliseconds from each attempt to the next, before they are spread (decision 7.7). */
const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/**
 * Milliseconds until the attempt after this many, or `undefined` after the last one. They are
 * spread by 10 % to either side, so that deliveries that failed together are not tried again
 * together.
 */
export function pauseAfter(tries: number, deliveryId: string): number | undefined {
  const pause = pauses[tries - 1];
  return pause && Math.round(pause * (0.9 + 0.2 * spread(deliveryId, tries)));
}

/** The pauses of a handler in process, which has no last attempt: 1 s, doubled up to five minutes. */
export function handlerPauseAfter(tries: number, deliveryId: string): number {
  const pause = Math.min(second * 2 ** Math.min(tries - 1, 20), 5 * minute);
  return Math.round(pause * (0.9 + 0.2 * spread(deliveryId, tries)));
}

/** A number from 0 to 1 from the random part of a ULID, different for each attempt. */
function spread(ulid: string, tries: number): number {
  let mixed = 2_166_136_261 ^ tries;
  for (let at = 10; at < ulid.length; at += 1) {
    mixed = Math.imul(mixed ^ ulid.charCodeAt(at), 16_777_619);
  }
  // the high bits of the last product depend on every character
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0xffff_ffff;
}

/** How long a webhook may fail before it is disabled (decision 7.3). */
const longestFailure = 5 * 24 * hour;

/** Whether a webhook has failed for so long that it is disabled. */
export function hasFailedTooLong(failing_since: string | null, now: number): boolean {
  return failing_since !== null && now - (parseTimestamp(failing_since) ?? now) >= longestFailure;
}

const bothValid = 24 * hour;

/** The time until which the previous secret is valid after a rotation now (decision 7.2). */
export function rotatedUntil(now: number): string {
  return formatTimestamp(now + bothValid);
}
