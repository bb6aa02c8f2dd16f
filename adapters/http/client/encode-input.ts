import type { Members } from '../wire/route.js';
import { asMembers } from './read-answers.js';

/** JSON of a type that no member wants, and no body is. */
const ofNoUse = false;

/**
 * The JSON of an input. A caller can hand over what JSON cannot carry, or carries as something
 * else: `NaN` as `null`, a bigint or a cycle as an exception, a `Date` as text. Such a value is
 * sent as one that the service answers as the same input is answered in process. `undefined` where it
 * is too long to be sent at all.
 */
export function encodeInput(input: unknown, members: Members): string | undefined {
  if (input === null) return 'null';
  const given = copyMembers(input);
  if (given === undefined) return String(ofNoUse);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(members)) body[name] = encodable(given[name]);
  try {
    return JSON.stringify(body);
  } catch {
    return undefined; // longer than a string can be
  }
}

function encodable(value: unknown): unknown {
  // of a list, which nests in no other
  return Array.isArray(value) ? value.map(encodablePart) : encodablePart(value);
}

function encodablePart(value: unknown): unknown {
  if (typeof value === 'number') {
    // infinity is out of range, and so is the largest finite number
    const finite = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
    return Number.isNaN(value) ? ofNoUse : finite;
  }
  const isKept = value === null || ['string', 'boolean', 'undefined'].includes(typeof value);
  return isKept ? value : ofNoUse;
}

/** The own members, as the core copies them in process; what cannot be read is not an object. */
export function copyMembers(input: unknown): Record<string, unknown> | undefined {
  try {
    const members = asMembers(input);
    return members && { ...members };
  } catch {
    return undefined;
  }
}

/** Text that no parameter may hold: a service refuses it wherever it stands. */
const refused = '\0';

/** The query of a list: what a query would carry as something else is sent as what is refused. */
export function encodeQuery(query: unknown, members: Members): string {
  const parameters = new URLSearchParams();
  // a query that is not an object is refused, too
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
