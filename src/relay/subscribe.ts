import { err, ok, type Result } from 'neverthrow';
import type { DomainEvent, EventType } from '../domain/events.js';
import type { Environment, Tenant } from '../domain/tenant.js';
import { formatTimestamp } from '../domain/timestamp.js';
import { handlerPauseAfter } from '../domain/webhook.js';
import { createPortGuard } from '../ports/guard.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Timer } from '../ports/timer.js';
import { failedAttempt } from '../usecases/post-event.js';
import type { Sink } from './sink.js';
import type { RelayFailure } from './start-relay.js';

/** What is called for each event. What it throws, or rejects with, is tried again later. */
export type EventHandler = (event: DomainEvent) => unknown;

/** How events are handed to a handler in process. */
export interface SubscriptionOptions {
  /**
   * What the position is kept under: 1 to 100 visible ASCII characters. Processes with the same name
   * share the events; each name gets all of them. Default `default`.
   */
  readonly name?: string;
  /**
   * Where it begins for a tenant while it has no position: a cursor of its feed, or nothing for its
   * first event, which is the default. To go through events again, give another name.
   */
  readonly from?: (tenant: Tenant) => string | undefined;
  /** The types that it wants, those of a host among them; default: every type. */
  readonly types?: readonly (EventType | (string & {}))[];
  /** Default: both. */
  readonly environments?: readonly Environment[];
  /** Milliseconds that the handler has for an event; default 30,000. */
  readonly timeout?: number;
  /** Told of every attempt that failed, and of ports that fail. */
  readonly onFailure?: (failure: RelayFailure) => unknown;
}

/** The options with their defaults; a `TypeError` says which has a value that it cannot have. */
export function readSubscription(handler: EventHandler, options: SubscriptionOptions) {
  const {
    name = 'default',
    from = () => undefined,
    types,
    environments = ['production', 'sandbox'],
    timeout = 30_000,
    onFailure = () => undefined,
  } = options;
  check(typeof handler === 'function', 'the handler is a function');
  check(/^[\x21-\x7e]{1,100}$/.test(name), 'name is 1 to 100 visible ASCII characters');
  check(typeof from === 'function', 'from is a function of a tenant');
  check(types === undefined || Array.isArray(types), 'types is a list');
  check(
    Array.isArray(environments) &&
      environments.every((each) => each === 'production' || each === 'sandbox'),
    "environments is a list of 'production' and 'sandbox'",
  );
  check(timeout > 0 && timeout < 2 ** 31, 'timeout is a number of milliseconds above 0');
  check(typeof onFailure === 'function', 'onFailure is a function');
  return { name, from, types: types && new Set<string>(types), environments, timeout, onFailure };
}

function check(holds: boolean, says: string): void {
  if (!holds) throw new TypeError(`subscribe: ${says}`);
}

/** The sink of a subscription for one tenant: none where the host cannot say where it begins. */
export function handlerSinks(
  handler: EventHandler,
  subscription: ReturnType<typeof readSubscription>,
  timer: Timer,
  tenant: Tenant,
): Result<readonly Sink[], PortProblem> {
  try {
    const begins = subscription.from(tenant) ?? null;
    return ok([handlerSink(handler, subscription, timer, tenant, begins)]);
  } catch (cause) {
    return err(portProblem('subscription.from', { cause }));
  }
}

function handlerSink(
  handler: EventHandler,
  { name, types, timeout, onFailure }: ReturnType<typeof readSubscription>,
  timer: Timer,
  tenant: Tenant,
  begins: string | null,
): Sink {
  const guard = createPortGuard(timer, timeout);
  const consumer = `subscription:${name}`;
  return {
    consumer,
    begins,
    isOrdered: true,
    isSerial: true,
    isRecorded: false,
    wants: ({ type }) => types?.has(type) ?? true,
    async deliver(event, now) {
      const handled = await guard('unknown', () =>
        Promise.resolve(handler(event)).then(() => ok(true)),
      );
      if (handled.isErr()) {
        void (async () => onFailure({ tenant, consumer, cause: handled.error.cause }))().catch(
          () => undefined,
        );
        return failedAttempt(now, 'handler_failed');
      }
      const at = formatTimestamp(now);
      const attempt = { at, status_code: null, error: null, response: null };
      return { isDelivered: true, isGone: false, attempt };
    },
    pauseAfter: handlerPauseAfter,
  };
}
