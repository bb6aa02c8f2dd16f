import { type MarketplaceOptions, miswired } from './marketplace-options.js';
import type { MarketplacePorts, UpstreamPorts } from './ports/marketplace-ports.js';
import type { UpstreamDecision } from './ports/upstream-store.js';

type Methods<Ports> = { readonly [P in keyof Ports]: readonly (keyof Ports[P])[] };

const repositories = {
  contractors: ['add', 'byKey'],
  deals: ['add', 'byId', 'byPartnerId', 'save', 'addWorkFile', 'recordedWorkFiles'],
  dealsV2: ['add', 'byPartnerId', 'save'],
} as const;

const surroundings = { clock: ['now'], timer: ['now', 'sleep'], ids: ['next'] } as const;
const categories = ['tree', 'subcategory'] as const;

const ownMethods = {
  ...repositories,
  dealIndex: ['byPartnerId', 'list'],
  categories,
  paymentTokens: ['issue', 'verify'],
  files: ['put', 'get', 'delete', 'list'],
  ...surroundings,
} satisfies Methods<Omit<MarketplacePorts, 'digest' | 'sha256' | 'scanner'>>;

const upstreamMethods = {
  ...repositories,
  dealIndex: ['byPartnerId', 'page'],
  workFiles: ['add'],
  categories,
  ...surroundings,
} satisfies Methods<Omit<UpstreamPorts, OwnPort | 'upstream'>>;

type OwnPort = 'digest' | 'sha256' | 'paymentTokens' | 'files' | 'scanner' | 'events';

/** All of it: the use cases over such a store have nothing of their own to decide any of it with. */
const leftToUpstream = [
  'contractor_scope',
  'created_at',
  'cursors',
  'events',
  'idempotency',
  'ids',
  'payment_tokens',
  'stages',
  'versions',
  'work_files',
] as const satisfies readonly UpstreamDecision[];

/**
 * Names every method that is missing, all at once, by a `TypeError`; and what is wired beside a
 * store whose deals another service keeps, though that service decides it.
 */
export function checkPorts(
  given: MarketplacePorts | UpstreamPorts,
  options: MarketplaceOptions,
): void {
  const ports = Object(given) as MarketplacePorts | UpstreamPorts;
  const isUpstream = 'upstream' in ports && ports.upstream !== undefined;
  if (isUpstream) checkUpstream(ports, options);
  const needed: Readonly<Record<string, readonly string[]>> = isUpstream
    ? upstreamMethods
    : ownMethods;
  const missing = Object.entries(needed).flatMap(([name, methods]) => {
    const port: unknown = Reflect.get(ports, name);
    return methods
      .filter((method) => typeof Reflect.get(Object(port), method) !== 'function')
      .map((method) => `${name}.${method}`);
  });
  for (const name of ['digest', 'sha256'] as const) {
    if (typeof ports[name] !== 'function') missing.push(name);
  }
  if (ports.scanner !== undefined && typeof ports.scanner.scan !== 'function') {
    missing.push('scanner.scan');
  }
  if (missing.length > 0) {
    miswired(`these port methods are missing: ${missing.join(', ')}`);
  }
}

function checkUpstream(ports: UpstreamPorts, options: MarketplaceOptions): void {
  const decisions: readonly unknown[] = Array.isArray(ports.upstream) ? ports.upstream : [];
  const open = leftToUpstream.filter((decision) => !decisions.includes(decision));
  if (open.length > 0) {
    miswired(`a store of another service leaves to it, in upstream: ${open.join(', ')}`);
  }
  const pretended = [
    ...(['paymentTokens', 'files', 'scanner', 'events'] as const).filter(
      (name) => ports[name] !== undefined,
    ),
    ...(['stagePlanner', 'contractorScope'] as const).filter((name) => options[name] !== undefined),
  ];
  if (pretended.length > 0) {
    miswired(`the service upstream decides this itself, leave it out: ${pretended.join(', ')}`);
  }
}
