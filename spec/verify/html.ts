import { titleOf } from '../laws.js';
import {
  byLaw,
  type CaseResult,
  countsOf,
  escaped,
  type Outcome,
  outcomeOf,
  type Report,
  sectionOf,
} from './report.js';

/** The names of the sections, by the number that ids begin with. */
const sections: Readonly<Record<string, string>> = {
  i: 'The interface',
  'i1.0': 'The interface, version 1.0',
  'i2.0': 'The interface, version 2.0',
  '1': 'Values and validation',
  '2': 'Identity and ownership',
  '3': 'Deals of version 2.0',
  '4': 'Retrieval, lists and files',
  '5': 'HTTP',
  '6': 'Life cycle',
  '7': 'Events and webhooks',
  '8': 'Ports that fail',
  '9': 'Terms that change',
  '11': 'What the pages need',
};

const words: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  not_applicable: 'not applicable',
};

/** One page for a person who was not there: without scripts, and with nothing from elsewhere. */
export function htmlOf(report: Report): string {
  const { server, at, seconds, seed, prefix, profiles, results, left, known, mended } = report;
  const counts = countsOf(report);
  const isGood = counts.mustFailed === 0 && mended.length === 0;
  const facts: readonly (readonly [string, string])[] = [
    ['Server', server],
    ['Judged', `${at}, in ${seconds.toFixed(1)} s`],
    ['Profiles', profiles.join(', ')],
    ['Seed', String(seed)],
    [
      'Left behind',
      Object.entries(left)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ') || 'nothing',
    ],
    ['Names begin with', `${prefix}-`],
    ...(known.length > 0 ? [['Known to fail', known.join(', ')] as const] : []),
    ...(mended.length > 0 ? [['Mended', mended.join(', ')] as const] : []),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(server)}: ${counts.failed} failed, ${counts.passed} passed</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Does this server keep the laws?</h1>
<p class="verdict ${isGood ? 'passed' : 'failed'}">${verdictOf(counts, isGood)}</p>
<ul class="counts">
<li class="passed"><b>${counts.passed}</b> passed</li>
<li class="failed"><b>${counts.failed}</b> failed: ${counts.mustFailed} MUST, ${counts.shouldFailed} SHOULD</li>
<li class="not_applicable"><b>${counts.notApplicable}</b> not applicable</li>
</ul>
<dl>
${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('\n')}
</dl>
${sectionsOf(results)}
</main>
</body>
</html>
`;
}

function verdictOf({ passed, failed, mustFailed }: ReturnType<typeof countsOf>, isGood: boolean) {
  if (passed + failed === 0) return 'Nothing was judged.';
  if (isGood) return failed === 0 ? 'It keeps every law that it promises.' : 'It keeps every MUST.';
  return mustFailed > 0
    ? `It breaks ${mustFailed} ${mustFailed === 1 ? 'law' : 'laws'} that every server must keep.`
    : 'Laws that were known to fail pass now.';
}

/** The laws of each section; those with a failure are open. */
function sectionsOf(results: readonly CaseResult[]): string {
  const found = new Map<string, CaseResult[]>();
  for (const each of results) {
    const [chapter = ''] = sectionOf(each.law).split(/(?<=^\d+)\./);
    found.set(chapter, [...(found.get(chapter) ?? []), each]);
  }
  const order = Object.keys(sections);
  return [...found]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([chapter, all]) => {
      // the failures come first
      const worst = ['failed', 'passed', 'not_applicable'];
      const laws = [...byLaw(all).values()].sort(
        (a, b) => worst.indexOf(outcomeOf(a)) - worst.indexOf(outcomeOf(b)),
      );
      const outcomes = laws.map((each) => outcomeOf(each));
      const sums = (Object.keys(words) as Outcome[])
        .map((outcome) => [outcome, outcomes.filter((each) => each === outcome).length] as const)
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => `<span class="${outcome}">${count} ${words[outcome]}</span>`);
      const isOpen = outcomes.includes('failed') ? ' open' : '';
      return `<details${isOpen}>
<summary><h2>${escaped(sections[chapter] ?? chapter)}</h2> ${sums.join(' ')}</summary>
<ul class="laws">
${laws.map(lawOf).join('\n')}
</ul>
</details>`;
    })
    .join('\n');
}

function lawOf(all: readonly [CaseResult, ...CaseResult[]]): string {
  const [{ law, reason }] = all;
  const outcome = outcomeOf(all);
  const failures = all.filter((each) => each.outcome === 'failed').map(failureOf);
  const why = outcome === 'not_applicable' ? `<p class="reason">${escaped(reason ?? '')}</p>` : '';
  return `<li class="${outcome}"><span class="outcome">${words[outcome]}</span> <code>${escaped(law.id)}</code> <span class="level">${law.level}</span> ${sentenceOf(law.text)}${why}${failures.join('')}</li>`;
}

/** Text in which backticks mark code. */
const sentenceOf = (text: string) =>
  escaped(text).replace(/`([^`]*)`/g, (_, code) => `<code>${code}</code>`);

function failureOf(result: CaseResult): string {
  const { message = '', curl, answer } = result.failure ?? {};
  return `<div class="failure">
${result.variant === undefined ? '' : `<p>${escaped(titleOf(result).split(':')[0] ?? '')}</p>`}
<pre>${escaped(message)}</pre>
${curl === undefined ? '' : `<p>The last request:</p><pre>${escaped(curl)}</pre>`}
${answer === undefined ? '' : `<p>Its answer:</p><pre>${escaped(answer)}</pre>`}
</div>`;
}

const style = `
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --soft: #57606a; --line: #d0d7de; --box: #f6f8fa; --good: #116329; --bad: #b3181f; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #9aa4af; --line: #30363d; --box: #161b22; --good: #56d364; --bad: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; display: inline; margin: 0 .5rem 0 0; }
.verdict { font-size: 1.2rem; font-weight: 600; margin: 0 0 1rem; }
.passed { color: var(--good); } .failed { color: var(--bad); } .not_applicable { color: var(--soft); }
.counts { display: flex; flex-wrap: wrap; gap: 1.5rem; list-style: none; padding: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; color: var(--text); }
details { border-top: 1px solid var(--line); padding: .75rem 0; }
summary { cursor: pointer; } summary span { margin-right: .75rem; }
.laws { list-style: none; padding: 0; }
.laws li { padding: .4rem 0; color: var(--text); overflow-wrap: anywhere; }
.outcome { display: inline-block; min-width: 7.5rem; font-weight: 600; }
li.passed .outcome { color: var(--good); } li.failed .outcome { color: var(--bad); } li.not_applicable .outcome, .level, .reason { color: var(--soft); }
.level { font-size: .8rem; } .reason { margin: 0 0 0 7.5rem; }
code, pre { font: .9rem/1.45 ui-monospace, monospace; }
.failure { border-left: 3px solid var(--bad); padding-left: 1rem; margin: .5rem 0; }
pre { background: var(--box); padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 .75rem; }
`;
