import type { ValueSets } from './domain/deal-v2.js';
import { isStorableText } from './domain/rule.js';
import type { MarketplaceOptions } from './marketplace.js';
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

/** The options, defaults filled in. */
export type CheckedOptions = Required<Omit<MarketplaceOptions, 'valueSets'>> & {
  readonly valueSets: ValueSets;
};

/** What a timer of a runtime can wait for: one with more to wait fires at once. */
const longestDeadline = 2 ** 31 - 1;

/** Says by a `TypeError` which option is none of its values. */
export function checkOptions(options: CheckedOptions): void {
  const { deadline, profile, contractorScope, stagePlanner, valueSets } = options;
  if (!(Number.isFinite(deadline) && deadline > 0 && deadline <= longestDeadline)) {
    throw new TypeError(
      `createMarketplace: deadline is a number of milliseconds above 0, at most ${longestDeadline}`,
    );
  }
  if (contractorScope !== 'environment' && contractorScope !== 'partner') {
    throw new TypeError("createMarketplace: contractorScope is 'environment' or 'partner'");
  }
  if (typeof profile !== 'function' || typeof stagePlanner !== 'function') {
    throw new TypeError('createMarketplace: profile and stagePlanner are functions');
  }
  for (const [name, values] of Object.entries(valueSets)) {
    if (!Array.isArray(values) || values.length === 0 || !values.every(isValue)) {
      throw new TypeError(
        `createMarketplace: valueSets.${name} is a list of at least one text of 1 or more characters`,
      );
    }
  }
}

function isValue(value: unknown): boolean {
  return isStorableText(value) && value !== '';
}
