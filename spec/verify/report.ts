import type { Law } from '../laws.js';
import type { Profile } from './promises.js';

/** What became of a case. */
export type Outcome = 'passed' | 'failed' | 'not_applicable';

/** The verdict on a case of a law. */
export interface CaseResult {
  readonly law: Law;
  /** What differs from other cases of the law. */
  readonly variant: string | undefined;
  readonly outcome: Outcome;
  /** Why it is not applicable. */
  readonly reason?: string;
  readonly failure?: Failure;
  readonly milliseconds: number;
}

/** Why a case failed, and how to see it again. */
export interface Failure {
  /** What was expected, and what came. */
  readonly message: string;
  /** The last request as a line for a shell, with `$TOKEN` in place of the token. */
  readonly curl?: string;
  /** The answer to it: status, headers and body, shortened. */
  readonly answer?: string;
}

/** The result of judging a server. */
export interface Report {
  /** The base URL. */
  readonly server: string;
  /** When it began, in RFC 3339. */
  readonly at: string;
  readonly seconds: number;
  /** The seed of the random cases. */
  readonly seed: number;
  /** The beginning of every name that the run made. */
  readonly prefix: string;
  readonly profiles: readonly Profile[];
  readonly results: readonly CaseResult[];
  /** The records that were made and are still there, counted by their kinds. */
  readonly left: Readonly<Record<string, number>>;
  /** Known failures (`--baseline`) that passed: they have to be taken off the list. */
  readonly mended: readonly string[];
  /** Laws that failed and are on the list of known failures. */
  readonly known: readonly string[];
}

/** The verdict on a law: that of its worst case. */
export function outcomeOf(results: readonly CaseResult[]): Outcome {
  for (const outcome of ['failed', 'passed'] as const) {
    if (results.some((each) => each.outcome === outcome)) return outcome;
  }
  return 'not_applicable';
}

/** The results of each law, in the order of their ids. */
export function byLaw(
  results: readonly CaseResult[],
): ReadonlyMap<string, readonly [CaseResult, ...CaseResult[]]> {
  const found = new Map<string, [CaseResult, ...CaseResult[]]>();
  for (const each of results) {
    const all = found.get(each.law.id);
    if (all === undefined) found.set(each.law.id, [each]);
    else all.push(each);
  }
  return found;
}

/** The number of laws with each outcome, and of the MUST and the SHOULD among those that failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
  readonly mustFailed: number;
  readonly shouldFailed: number;
}

export function countsOf({ results, known }: Pick<Report, 'results' | 'known'>): Counts {
  const laws = [...byLaw(results).values()].map((all) => ({
    law: all[0].law,
    outcome: outcomeOf(all),
  }));
  const count = (outcome: Outcome) => laws.filter((each) => each.outcome === outcome).length;
  const failedOf = (level: Law['level']) =>
    laws.filter(
      ({ law, outcome }) => outcome === 'failed' && law.level === level && !known.includes(law.id),
    ).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notApplicable: count('not_applicable'),
    mustFailed: failedOf('MUST'),
    shouldFailed: failedOf('SHOULD'),
  };
}

/**
 * The exit code of a program that judged a server: 0 if every MUST that was judged passed, 1 if one
 * failed or a known failure passed, 3 if nothing was judged.
 *
 * @example
 * ```ts
 * import { exitCodeOf, type Report } from 'dealwright/verify';
 *
 * export const isGood = (report: Report) => exitCodeOf(report) === 0;
 * ```
 */
export function exitCodeOf(report: Report): 0 | 1 | 3 {
  const { passed, failed, mustFailed } = countsOf(report);
  if (passed + failed === 0) return 3;
  return mustFailed > 0 || report.mended.length > 0 ? 1 : 0;
}

/** The number that an id begins with. */
export function sectionOf({ id }: Pick<Law, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

/** Text for XML or HTML; characters that XML has no place for become U+FFFD. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return (
    text
      .replace(/[&<>"']/g, (character) => entities[character] ?? character)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
  );
}
