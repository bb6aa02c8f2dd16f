import type { DomainEvent } from '../domain/events/events.js';
import type { Environment, Tenant } from '../domain/values/tenant.js';
import { checkOptions, type OptionRules } from '../ports/options.js';

/** A failure of a relay; the work is tried again, unless the event is given up. */
export interface RelayFailure {
  /** The tenant of the events, if the failure is about one. */
  readonly tenant?: Tenant;
  /** `webhook:<id>` or `subscription:<name>`, if the failure is about one. */
  readonly consumer?: string;
  /** The event whose handler failed, if the failure is about one. */
  readonly event?: DomainEvent;
  /** Whether the event is given up: this was its last attempt. */
  readonly isGivenUp?: boolean;
  /** The error of the port, or of the handler. */
  readonly cause: unknown;
}

/** The options of both webhooks and subscriptions. */
interface SharedOptions<F = RelayFailure> {
  /** Default: both. */
  readonly environments?: readonly Environment[];
  readonly onFailure?: (failure: F) => unknown;
}

/** The options of `relayWebhooks`. */
export interface WebhookRelayOptions extends SharedOptions {
  /** How many requests are under way at once, at least 1; default 64. Slow ones do not count. */
  readonly concurrency?: number;
  /** Called when a port fails. The answers of receivers are in the deliveries of their webhooks. */
  readonly onFailure?: (failure: RelayFailure) => unknown;
}

/** How many deliveries of a relay are under way at once, unless its options say otherwise. */
export const deliveriesAtOnce = 64;

/** The options with their defaults, or a `TypeError` that says which are wrong. */
export function readRelayOptions(options: WebhookRelayOptions) {
  const { concurrency = deliveriesAtOnce } = options;
  const rules = {
    'concurrency is a whole number from 1 on': Number.isSafeInteger(concurrency) && concurrency > 0,
  };
  return { concurrency, ...readShared('relayWebhooks', options, rules) };
}

/** Those of all relays, checked together with rules of one. */
export function readShared<F>(
  who: string,
  { environments = ['production', 'sandbox'], onFailure = () => undefined }: SharedOptions<F>,
  rules: OptionRules = {},
): Required<SharedOptions<F>> {
  checkOptions(who, {
    ...rules,
    "environments is a list of 'production' and 'sandbox'":
      Array.isArray(environments) &&
      environments.every((each) => each === 'production' || each === 'sandbox'),
    'onFailure is a function': typeof onFailure === 'function',
  });
  return { environments, onFailure: (failure) => tell(onFailure, failure) };
}

/** Reports a failure to the host: the relay goes on, even if the hook throws or rejects. */
function tell<F>(onFailure: (failure: F) => unknown, failure: F): void {
  (async () => onFailure(failure))().catch(() => undefined);
}
