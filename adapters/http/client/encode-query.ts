import type { Members } from '../wire/routes.js';
import { copyMembers } from './encode-input.js';

/** Text that no parameter may hold: a service refuses it wherever it stands. */
const refused = '\0';

/**
 * The query of a list. What a query cannot carry, or would carry as something else (a number that
 * is text, a lone surrogate), is sent as what the service refuses.
 */
export function encodeQuery(query: unknown, members: Members): string {
  const parameters = new URLSearchParams();
  // a query that is no object is refused, too
  const given = query === undefined ? {} : (copyMembers(query) ?? { page_size: refused });
  for (const name of Object.keys(members)) {
    const value = given[name];
    if (value !== undefined) {
      parameters.set(name, name === 'page_size' ? encodeNumber(value) : encodeText(value));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function encodeText(value: unknown): string {
  return typeof value === 'string' && value.isWellFormed() ? value : refused;
}

/** As JSON writes integers; more than 2^53 is out of range in any case. */
function encodeNumber(value: unknown): string {
  if (typeof value !== 'number') return refused;
  return String(value % 1 ? 0.5 : Math.max(-1e20, Math.min(1e20, value)));
}
