import type { Members } from '../wire/route.js';
import { asMembers } from './read-answers.js';

/** A value that no member and no body may have. */
const ofNoUse = false;

/**
 * The JSON of an input. JSON cannot carry every value, or changes it: `NaN` becomes `null`, a
 * bigint or a cycle an exception, a `Date` text. Such a value is replaced by another one that gets
 * the same answer as the input does in process. `undefined` if the input is too long to be sent.
 */
export function encodeInput(input: unknown, members: Members): string | undefined {
  if (input === null) return 'null';
  const given = copyMembers(input);
  if (given === undefined) return String(ofNoUse);
  const known = Object.keys(members).map((name) => [name, given[name]]);
  try {
    return JSON.stringify(encodable(Object.fromEntries(known)));
  } catch {
    return undefined; // longer than a string can be
  }
}

/** Levels of objects and lists in a body: itself, changes, stages, and each stage. */
const levels = 4;

function encodable(value: unknown, left = levels): unknown {
  if (typeof value === 'number') {
    // infinity is out of range, and so is the largest finite number that replaces it
    const finite = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
    return Number.isNaN(value) ? ofNoUse : finite;
  }
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return value;
  if (left === 0) return ofNoUse;
  if (Array.isArray(value)) return value.map((each) => encodable(each, left - 1));
  const copy = copyMembers(value);
  if (copy === undefined) return ofNoUse;
  const parts = Object.entries(copy).map(([name, each]) => [name, encodable(each, left - 1)]);
  return Object.fromEntries(parts);
}

/** The own members, as the core copies them in process; an unreadable value is not an object. */
export function copyMembers(input: unknown): Record<string, unknown> | undefined {
  try {
    const members = asMembers(input);
    return members && { ...members };
  } catch {
    return undefined;
  }
}

/** Text that a service refuses in every parameter. */
const refused = '\0';

/** The query of a list: a value that a query would change is replaced by one that is refused. */
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
