import type { MarketplacePorts } from './ports/marketplace-ports.js';

const portMethods = {
  contractors: ['add', 'byKey'],
  deals: ['add', 'byId', 'byPartnerId', 'save'],
  dealsV2: ['add', 'byPartnerId', 'save'],
  categories: ['tree', 'subcategory'],
  paymentTokens: ['issue'],
  clock: ['now', 'sleep'],
  ids: ['next'],
} satisfies {
  readonly [P in Exclude<keyof MarketplacePorts, 'digest'>]: (keyof MarketplacePorts[P])[];
};

/** Names every method that is missing, all at once, by a `TypeError`. */
export function checkPorts(given: MarketplacePorts): void {
  const ports = Object(given) as MarketplacePorts;
  const missing = Object.entries(portMethods).flatMap(([name, methods]) => {
    const port = ports[name as keyof typeof portMethods] as object | undefined;
    return methods
      .filter((method) => typeof Reflect.get(port ?? {}, method) !== 'function')
      .map((method) => `${name}.${method}`);
  });
  if (typeof ports.digest !== 'function') missing.push('digest');
  if (missing.length > 0) {
    throw new TypeError(`createMarketplace: these port methods are missing: ${missing.join(', ')}`);
  }
}
