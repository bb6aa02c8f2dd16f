import type { MarketplaceOptions } from './marketplace-options.js';
import type { MarketplacePorts, UpstreamPorts } from './ports/marketplace-ports.js';

type PlainPorts = Omit<MarketplacePorts, 'digest' | 'sha256' | 'scanner'>;

const portMethods = {
  contractors: ['add', 'byKey'],
  deals: ['add', 'byId', 'byPartnerId', 'save', 'addWorkFile', 'recordedWorkFiles'],
  dealsV2: ['add', 'byPartnerId', 'save'],
  dealIndex: ['byPartnerId', 'list'],
  categories: ['tree', 'subcategory'],
  paymentTokens: ['issue', 'verify'],
  files: ['put', 'get', 'delete', 'list'],
  clock: ['now', 'sleep'],
  ids: ['next'],
} satisfies { readonly [P in keyof PlainPorts]: (keyof PlainPorts[P])[] };

/**
 * Names every method that is missing, all at once, by a `TypeError`; and what is wired beside a
 * store whose deals another service keeps, though that service decides it.
 */
export function checkPorts(
  given: MarketplacePorts | UpstreamPorts,
  options: MarketplaceOptions,
): void {
  const ports = Object(given) as MarketplacePorts | UpstreamPorts;
  const upstream = 'upstream' in ports ? ports.upstream : undefined;
  const pretended = upstream === undefined ? [] : pretendedWith(ports, options);
  if (pretended.length > 0) {
    throw new TypeError(
      `createMarketplace: the service upstream decides this itself, leave it out: ${pretended.join(', ')}`,
    );
  }
  const missing = Object.entries(portMethods).flatMap(([name, methods]) => {
    if (upstream !== undefined && (name === 'paymentTokens' || name === 'files')) return [];
    const port = ports[name as keyof typeof portMethods] as object | undefined;
    return methods
      .filter((method) => typeof Reflect.get(port ?? {}, method) !== 'function')
      .map((method) => `${name}.${method}`);
  });
  for (const name of ['digest', 'sha256'] as const) {
    if (typeof ports[name] !== 'function') missing.push(name);
  }
  if (ports.scanner !== undefined && typeof ports.scanner.scan !== 'function') {
    missing.push('scanner.scan');
  }
  if (missing.length > 0) {
    throw new TypeError(`createMarketplace: these port methods are missing: ${missing.join(', ')}`);
  }
}

function pretendedWith(
  ports: MarketplacePorts | UpstreamPorts,
  options: MarketplaceOptions,
): readonly string[] {
  return [
    ...(['paymentTokens', 'files', 'scanner'] as const).filter((name) => ports[name] !== undefined),
    ...(['stagePlanner', 'contractorScope', 'fileLimit'] as const).filter(
      (name) => options[name] !== undefined,
    ),
  ];
}
