import { openRow } from '../life/kept-rows.js';
import type { RaceState } from './race.js';

const ids = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;
const numbered = ['employer_payment', 'contractor_payment', 'posting', 'intent'] as const;

/**
 * The meaning of ids: a payment is the first or the second of its deal, with any id; a file and a
 * proposal are that of a call.
 */
export function namesOf(state: RaceState, madeBy: (id: string) => string): Map<string, string> {
  const names = new Map<string, string>();
  for (const kind of numbered) {
    for (const [at, { id }] of state[kind].entries()) names.set(id, `${kind} ${at}`);
  }
  const open = openRow(state);
  const proposals = open === undefined ? state.proposal : [...state.proposal, open];
  for (const { id } of [...state.work_file, ...proposals]) names.set(id, madeBy(id));
  return names;
}

/** A value as text that is the same for equal values: ids by their names, lists and members sorted. */
export function plain(value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return `[${value.map((each) => plain(each, names)).sort()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      // members that a store adds to rows
      .filter(([name]) => name !== 'attempt' && name !== 'version')
      .map(([name, member]) => `${name}: ${plain(member, names)}`);
    return `{${members.sort().join(', ')}}`;
  }
  const text = JSON.stringify(value) ?? 'nothing';
  return text.replace(ids, (id) => names.get(id) ?? id);
}
