import { titleOf } from '../laws.js';
import { htmlOf } from './html.js';
import {
  byLaw,
  type CaseResult,
  countsOf,
  escaped,
  outcomeOf,
  type Report,
  sectionOf,
} from './report.js';

/**
 * The forms of a report: text for a terminal, TAP 14, the XML of JUnit, JSON, and a page of HTML.
 *
 * @example
 * ```ts
 * import { type Report, reporters } from 'dealwright/verify';
 *
 * export const pageOf = (report: Report) => reporters.html(report);
 * ```
 */
export const reporters = {
  text: textOf,
  tap: tapOf,
  junit: junitOf,
  json: (report: Report) => `${JSON.stringify({ counts: countsOf(report), ...report }, null, 2)}\n`,
  html: htmlOf,
} as const satisfies Readonly<Record<string, (report: Report) => string>>;

/** The name of a form of a report. */
export type Reporter = keyof typeof reporters;

/** For a person at a terminal: what failed and how to see it again, and the sums. */
function textOf(report: Report): string {
  const { server, results, profiles, seed, seconds, prefix, left, mended, known } = report;
  const { passed, failed, notApplicable, mustFailed, shouldFailed } = countsOf(report);
  const all = passed + failed + notApplicable;
  const made = Object.entries(left).map(([kind, count]) => `${count} ${kind}`);
  const first = results.find(({ outcome }) => outcome === 'failed');
  return [
    ...results.flatMap((each) => (each.outcome === 'failed' ? [failureText(each), ''] : [])),
    ...notApplicableText(results),
    `${server}: ${all} ${all === 1 ? 'law' : 'laws'} (${profiles.join(', ')}), ${passed} passed, ${failed} failed (${mustFailed} MUST, ${shouldFailed} SHOULD), ${notApplicable} not applicable, in ${seconds.toFixed(1)} s`,
    ...(known.length === 0 ? [] : [`known to fail: ${known.join(', ')}`]),
    ...(mended.length === 0
      ? []
      : [`these passed, so take them off the list of known failures: ${mended.join(', ')}`]),
    ...(made.length === 0 ? [] : [`left behind: ${made.join(', ')}, named ${prefix}-...`]),
    ...(first === undefined ? [] : [`one law again: ${first.law.id} --seed ${seed}`]),
    '',
  ].join('\n');
}

function failureText(result: CaseResult): string {
  const { law, failure } = result;
  return [
    `FAILED ${law.level} ${titleOf(result)}`,
    ...indented(failure?.message),
    ...(failure?.curl === undefined ? [] : indented(`$ ${failure.curl}`)),
    ...indented(failure?.answer),
  ].join('\n');
}

const indented = (text = '') => text.split('\n').map((line) => `    ${line}`);

/** The reasons, each with the number of its laws. */
function notApplicableText(results: readonly CaseResult[]): string[] {
  const reasons = new Map<string, number>();
  for (const [, all] of byLaw(results)) {
    if (outcomeOf(all) !== 'not_applicable') continue;
    const { reason = '' } = all[0];
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `not applicable (${count}): ${reason}`);
}

/** Version 14 of the Test Anything Protocol. */
function tapOf({ results }: Report): string {
  const lines = results.flatMap((each, at) => {
    const name = `${at + 1} - ${titleOf(each)}`.replaceAll('#', '\\#');
    if (each.outcome === 'passed') return [`ok ${name}`];
    if (each.outcome === 'not_applicable') return [`ok ${name} # SKIP ${each.reason}`];
    const { message = '', curl = '', answer = '' } = each.failure ?? {};
    const members = { level: each.law.level, message, curl, answer };
    const yaml = Object.entries(members).map(([key, text]) => `  ${key}: ${JSON.stringify(text)}`);
    return [`not ok ${name}`, '  ---', ...yaml, '  ...'];
  });
  return `${['TAP version 14', `1..${results.length}`, ...lines].join('\n')}\n`;
}

/** The XML of JUnit, as systems of continuous integration read it: a suite for each section. */
function junitOf({ results, seconds }: Report): string {
  const suites = new Map<string, CaseResult[]>();
  for (const each of results) {
    const name = sectionOf(each.law);
    suites.set(name, [...(suites.get(name) ?? []), each]);
  }
  const sums = (all: readonly CaseResult[]) => {
    const count = (outcome: string) => all.filter((each) => each.outcome === outcome).length;
    return `tests="${all.length}" failures="${count('failed')}" skipped="${count('not_applicable')}"`;
  };
  const bodies = [...suites].map(
    ([name, all]) =>
      `  <testsuite name="${escaped(name)}" ${sums(all)}>\n${all.map(testCase).join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="dealwright verify" ${sums(results)} time="${seconds}">\n${bodies.join('')}</testsuites>\n`;
}

function testCase(each: CaseResult): string {
  const { law, outcome, reason = '', failure, milliseconds } = each;
  const head = `    <testcase classname="${escaped(sectionOf(law))}" name="${escaped(titleOf(each))}" time="${milliseconds / 1000}"`;
  if (outcome === 'passed') return `${head}/>\n`;
  if (outcome === 'not_applicable') {
    return `${head}><skipped message="${escaped(reason)}"/></testcase>\n`;
  }
  const { message = '', curl = '', answer = '' } = failure ?? {};
  const text = escaped([message, curl, answer].join('\n\n'));
  return `${head}><failure type="${law.level}" message="${escaped(message)}">${text}</failure></testcase>\n`;
}
