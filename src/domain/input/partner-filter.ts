import * as v from 'valibot';
import { boundedText } from '../values/rule.js';
import { longestPartner, type Tenant } from '../values/tenant.js';
import { createParser, type Parser } from './parser.js';

/**
 * The rule of a partner's name.
 *
 * @internal
 */
export function partnerEntries() {
  return { partner: boundedText(1, longestPartner) };
}

/** The parser of a filter that names a partner. */
export function createPartnerParser(): Parser<Pick<Tenant, 'partner'>> {
  return createParser(v.object(partnerEntries()));
}
