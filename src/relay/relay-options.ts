import type { Environment, Tenant } from '../domain/values/tenant.js';

/** A failure of a relay; the work is tried again. */
export interface RelayFailure {
  /** The tenant of the events, if the failure is about one. */
  readonly tenant?: Tenant;
  /** `webhook:<id>` or `subscription:<name>`, if the failure is about one. */
  readonly consumer?: string;
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

/** Reports a failure to the host: the relay goes on, even if the hook throws or rejects. */
function tell<F>(onFailure: (failure: F) => unknown, failure: F): void {
  (async () => onFailure(failure))().catch(() => undefined);
}
