import type { Environment, Tenant } from '../domain/values/tenant.js';
import { checkOptions, type OptionRules } from '../ports/options.js';

/** What a relay could not do; it is tried again. */
export interface RelayFailure {
  /** Whose events, where it is about one partner. */
  readonly tenant?: Tenant;
  /** `webhook:<id>` or `subscription:<name>`, where it is about one. */
  readonly consumer?: string;
  /** What a port threw or answered, or the handler. */
  readonly cause: unknown;
}

/** What webhooks and subscriptions both take. */
interface SharedOptions<F = RelayFailure> {
  /** Default: both. */
  readonly environments?: readonly Environment[];
  readonly onFailure?: (failure: F) => unknown;
}

/** How webhooks are relayed. */
export interface WebhookRelayOptions extends SharedOptions {
  /** How many requests are under way at once, from 1 on; default 64. Those that hang do not count. */
  readonly concurrency?: number;
  /** Told of ports that fail; what a receiver answers is in the deliveries of its webhook. */
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

/** Tells the host of a failure: what it throws or rejects with then is no reason to stop. */
function tell<F>(onFailure: (failure: F) => unknown, failure: F): void {
  (async () => onFailure(failure))().catch(() => undefined);
}
