import { creator } from './marketplace-options.js';
import type { MarketplacePorts } from './ports/marketplace-ports.js';
import { checkOptions, type OptionRules } from './ports/options.js';
import type { Store } from './ports/store.js';

/** The methods that the core calls; a function is a port of its own. */
const needed = [
  'store.commit',
  'store.reserve',
  'store.deals.byId',
  'store.deals.byPartnerId',
  'store.deals.byPaymentToken',
  'store.deals.list',
  'store.due',
  'store.events.after',
  'store.events.of',
  'store.records.byKey',
  'store.records.list',
  'store.tenants',
  'store.workFiles.recorded',
  'categories.tree',
  'categories.subcategory',
  'paymentTokens.issue',
  'paymentTokens.verify',
  'paymentTokens.tenantOf',
  'files.put',
  'files.get',
  'files.delete',
  'files.list',
  'clock.now',
  'timer.now',
  'timer.sleep',
  'ids.next',
  'digest',
  'sha256',
] as const;

const ofStore = needed.filter((path) => path.startsWith('store.'));

/** A host has both ports of webhooks, or neither. */
const ofWebhooks = [
  'webhooks.check',
  'webhooks.createSecret',
  'webhooks.send',
  'secrets.seal',
  'secrets.open',
];

/** Throws a `TypeError` that names every missing method. */
export function checkPorts(ports: MarketplacePorts): void {
  const optional = Object.entries({
    scanner: ['scanner.scan'],
    payments: ['payments.executes', 'payments.execute'],
    webhooks: ofWebhooks,
    secrets: ofWebhooks,
    'authenticator.list': ['authenticator.list'],
    'files.owner': ['files.owner.read', 'files.owner.claim', 'files.owner.replace'],
    'files.trash': ['put', 'restore', 'delete', 'list'].map((name) => `files.trash.${name}`),
  }).flatMap(([port, methods]) => (found(ports, port) === undefined ? [] : methods));
  checkOptions(creator, hasMethods(ports, [...needed, ...optional]));
}

/** Throws a `TypeError` that names every method that a store of `within` lacks. */
export function checkStore(store: Store): void {
  checkOptions('within', hasMethods({ store }, ofStore));
}

/** The rule that there is a function at each path. */
function hasMethods(given: unknown, paths: readonly string[]): OptionRules {
  const missing = paths.filter((path) => typeof found(given, path) !== 'function');
  return { [`these methods are missing: ${[...new Set(missing)].join(', ')}`]: !missing.length };
}

function found(given: unknown, path: string): unknown {
  return path.split('.').reduce((port, name) => Reflect.get(Object(port), name), given);
}
