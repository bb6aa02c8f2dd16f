import type { Environment, Tenant } from '../domain/values/tenant.js';

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

/** The options with their defaults, or a `TypeError` that says which one is wrong. */
export function readRelayOptions(options: WebhookRelayOptions) {
  const check = createCheck('relayWebhooks');
  const { concurrency = deliveriesAtOnce } = options;
  check(
    Number.isSafeInteger(concurrency) && concurrency > 0,
    'concurrency is a whole number from 1 on',
  );
  return { concurrency, ...readShared(options, check) };
}

type Check = (isRight: boolean, says: string) => void;

export function createCheck(method: string): Check {
  return (isRight, says) => {
    if (!isRight) throw new TypeError(`${method}: ${says}`);
  };
}

export function readShared<F>(
  { environments = ['production', 'sandbox'], onFailure = () => undefined }: SharedOptions<F>,
  check: Check,
): Required<SharedOptions<F>> {
  check(
    Array.isArray(environments) &&
      environments.every((each) => each === 'production' || each === 'sandbox'),
    "environments is a list of 'production' and 'sandbox'",
  );
  check(typeof onFailure === 'function', 'onFailure is a function');
  return { environments, onFailure: (failure) => tell(onFailure, failure) };
}

/** Tells the host of a failure: what it throws or rejects with then is no reason to stop. */
function tell<F>(onFailure: (failure: F) => unknown, failure: F): void {
  (async () => onFailure(failure))().catch(() => undefined);
}
