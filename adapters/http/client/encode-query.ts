/** Text that no parameter may hold: a service refuses it wherever it stands. */
const refused = '\0';

/**
 * The query of a list. What a query cannot carry, or would carry as something else (a number that
 * is text, a lone surrogate), is sent as what the service refuses.
 */
export function encodeQuery(query: unknown, members: Readonly<Record<string, true>>): string {
  const parameters = new URLSearchParams();
  const given = query === undefined ? {} : readMembers(query);
  for (const name of Object.keys(members)) {
    const value = given[name];
    if (value !== undefined) {
      parameters.set(name, name === 'page_size' ? encodeNumber(value) : encodeText(value));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function readMembers(query: unknown): Readonly<Record<string, unknown>> {
  try {
    if (typeof query === 'object' && query !== null && !Array.isArray(query)) return { ...query };
  } catch {
    // what cannot be read is no object
  }
  return { page_size: refused };
}

function encodeText(value: unknown): string {
  return typeof value === 'string' && value.isWellFormed() ? value : refused;
}

/** As JSON writes integers; more than 2^53 is out of range, whatever it is. */
function encodeNumber(value: unknown): string {
  if (typeof value !== 'number') return refused;
  return String(value % 1 ? 0.5 : Math.max(-1e20, Math.min(1e20, value)));
}
