import { ok } from 'neverthrow';
import { type DomainEvent, type EventType, readEvent } from '../domain/events/events.js';
import { handlerPauseAfter, pauseAfter } from '../domain/events/webhook.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import { plain } from '../ports/ask.js';
import { createPortGuard } from '../ports/guard.js';
import type { Timer } from '../ports/runtime.js';
import { failedAttempt } from '../usecases/post-event.js';
import { deliveriesAtOnce, type RelayFailure, readShared } from './relay-options.js';
import type { Sink } from './sink.js';
import type { RelayParts } from './start-relay.js';

/** The function for each event. If it throws or rejects, the event is tried again later. */
export type EventHandler = (event: DomainEvent) => unknown;

/** The options of `subscribe`. */
export interface SubscriptionOptions {
  /**
   * The name of the position: 1 to 100 visible ASCII characters. Processes with the same name share
   * the events; each name gets all of them. Default `default`.
   */
  readonly name?: string;
  /**
   * Where it begins for a tenant while it has no position: a cursor of its feed, or `undefined` for
   * its first event, the default. To go through events again, give another name.
   */
  readonly from?: (tenant: Tenant) => string | undefined;
  /**
   * The types of events that it gets, also types of the host's own, or a function that says whether
   * it gets an event; default: every event. With `oneByOne` the others cost no write of their own.
   */
  readonly types?: readonly (EventType | (string & {}))[] | ((event: DomainEvent) => boolean);
  /** Default: both. */
  readonly environments?: readonly Environment[];
  /** Milliseconds that the handler has for an event; default 30,000. */
  readonly timeout?: number;
  /**
   * Writes the outcome of each event before the next one begins, so that a kill repeats one event
   * at most, and costs a write for each. Default `false`: a kill repeats up to a hundred.
   */
  readonly oneByOne?: boolean;
  /**
   * Gives an event up that has failed ten times in three days, on the schedule of webhooks, and
   * goes on with its subject; with a function also one at once for whose error it returns `true`,
   * because no other attempt can end otherwise. Default `false`: it is tried again without end.
   */
  readonly givesUp?: boolean | ((cause: unknown) => boolean);
  /** Called for every attempt that fails, and when a port fails. */
  readonly onFailure?: (failure: RelayFailure) => unknown;
}

/** The parts of a relay to a handler; a `TypeError` says which option is wrong. */
export function subscriptionOf(
  handler: EventHandler,
  options: SubscriptionOptions,
  timer: Timer,
): RelayParts {
  const { name = 'default', from = () => undefined, types, timeout = 30_000 } = options;
  const { oneByOne = false, givesUp = false } = options;
  const { environments, onFailure } = readShared('subscribe', options, {
    'the handler is a function': typeof handler === 'function',
    'name is 1 to 100 visible ASCII characters': /^[\x21-\x7e]{1,100}$/.test(name),
    'from is a function of a tenant': typeof from === 'function',
    'types is a list or a function':
      types === undefined || Array.isArray(types) || typeof types === 'function',
    'timeout is a number of milliseconds above 0': timeout > 0 && timeout < 2 ** 31,
    'oneByOne is a boolean': typeof oneByOne === 'boolean',
    'givesUp is a boolean or a function':
      typeof givesUp === 'boolean' || typeof givesUp === 'function',
  });
  const isWanted = wantedBy(types);
  const guard = createPortGuard(timer, timeout);
  const consumer = `subscription:${name}`;
  const pauseOf = givesUp === false ? handlerPauseAfter : pauseAfter;
  const isFinalBy = (cause: unknown): boolean => {
    try {
      return typeof givesUp === 'function' && givesUp(cause) === true;
    } catch {
      // it cannot say so: the event is tried again
      return false;
    }
  };
  const sinkOf = (tenant: Tenant, begins: string | null): Sink => ({
    consumer,
    begins,
    isOrdered: true,
    isSerial: true,
    isRecorded: false,
    isOneByOne: oneByOne,
    wants(event) {
      try {
        return isWanted(readEvent(tenant, event));
      } catch {
        // its attempt throws again: that is reported, and tried again
        return true;
      }
    },
    async deliver(event, now, tries) {
      const handled = await guard('unknown', async () => {
        if (isWanted(event)) await handler(event);
        return ok(true);
      });
      if (handled.isErr()) {
        const { cause } = handled.error;
        const isFinal = isFinalBy(cause);
        const isGivenUp = isFinal || pauseOf(tries, event.id) === undefined;
        onFailure({ tenant, consumer, event, isGivenUp, cause });
        return { ...failedAttempt(now, 'handler_failed'), isFinal };
      }
      const at = formatTimestamp(now);
      const attempt = { at, status_code: null, error: null, response: null };
      return { isDelivered: true, isGone: false, attempt };
    },
    pauseAfter: pauseOf,
  });
  const isCursor = (begins: unknown) => begins === undefined || typeof begins === 'string';
  return {
    concurrency: deliveriesAtOnce,
    environments,
    onFailure,
    sinksOf: async (tenant) =>
      plain('subscribe.from', () => from(tenant), isCursor).map((begins) => [
        sinkOf(tenant, begins ?? null),
      ]),
  };
}

function wantedBy(types: SubscriptionOptions['types']): (event: DomainEvent) => boolean {
  if (typeof types === 'function') return types;
  const wanted = types && new Set<string>(types);
  return ({ type }) => wanted?.has(type) ?? true;
}
