import { effect, type Signal, signal } from '@preact/signals';
import { keep, keptNames, readKept } from './storage.js';

const drafts = new Map<string, Signal<string>>();
// those of another page in this tab may be of somebody else
const prefix = `draft.${location.pathname}.`;
/** Whose drafts they are, also in a browser that keeps nothing. */
let owner: string | undefined;

/**
 * Gives the drafts to whoever is in now, and forgets those of anybody else: says whether there was
 * somebody else. Who has no name is never the same as before.
 */
export function giveDrafts(to: string | undefined): boolean {
  const before = owner ?? readKept(prefix);
  const isOther = before !== undefined && before !== to;
  if (isOther) dropDrafts();
  owner = to ?? '';
  keep(prefix, owner);
  return isOther;
}

/** What somebody types into a field: a failed request and a reload lose nothing of it. */
export function draft(name: string, first = ''): Signal<string> {
  let text = drafts.get(name);
  if (text === undefined) {
    const made = signal(readKept(prefix + name) ?? first);
    effect(() => keep(prefix + name, made.value === first ? undefined : made.value));
    drafts.set(name, made);
    text = made;
  }
  return text;
}

/** The name of a form: that of no other begins with it and a dot, whatever the names in it. */
export const formOf = (...names: readonly (string | number)[]): string =>
  names.map((name) => encodeURIComponent(name).replaceAll('.', '%2E')).join('.');

/** Forgets what was typed into a form, as soon as it was sent; without a name, all. */
export function dropDrafts(form = ''): void {
  const own = form === '' ? '' : `${form}.`;
  for (const name of keptNames()) {
    if (name.startsWith(prefix + own)) keep(name, undefined);
  }
  for (const name of [...drafts.keys()]) if (name.startsWith(own)) drafts.delete(name);
}
