/** A browser may refuse to keep anything: then a reload loses it, and nothing else. */
export function readKept(name: string, where: 'tab' | 'browser' = 'tab'): string | undefined {
  try {
    return storeOf(where).getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or with `undefined` forgets it. */
export function keep(name: string, text: string | undefined, where: 'tab' | 'browser' = 'tab') {
  try {
    if (text === undefined) storeOf(where).removeItem(prefix + name);
    else storeOf(where).setItem(prefix + name, text);
  } catch {
    // see above
  }
}

export function keptNames(): readonly string[] {
  try {
    return Object.keys(sessionStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  } catch {
    return [];
  }
}

const prefix = 'dealwright.';

const storeOf = (where: 'tab' | 'browser') => (where === 'tab' ? sessionStorage : localStorage);
