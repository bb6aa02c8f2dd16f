import { expect, it } from 'vitest';
import type { Law } from '../../spec/laws.js';
import { suites, unjudged } from '../../spec/suites.js';
import { filled } from './filled.js';

const path = new URL('../../docs/reference/laws.md', import.meta.url).pathname;

/** By the numbers of decisions; the interface comes first. */
function inOrder({ id: a }: Law, { id: b }: Law): number {
  return a.replace(/^i/, '0').localeCompare(b.replace(/^i/, '0'), 'en', { numeric: true });
}

function table(laws: readonly Law[]): string {
  const rows = [...laws].sort(inOrder).map(({ id, level, text }) => {
    return `| \`${id}\` | ${level} | ${text.replaceAll('|', '\\|')} |`;
  });
  return ['| Law | Level | Sentence |', '| --- | --- | --- |', ...rows].join('\n');
}

// npx vitest run test/docs/laws.test.ts -u writes the page again
it('docs/reference/laws.md has every law', async () => {
  const sections = Object.entries(suites).map(([judged, groups]) => {
    const laws = groups.flatMap((group) => group.laws);
    return `## Laws of ${judged}\n\n${laws.length} laws.\n\n${table(laws)}`;
  });
  const reasons = Object.entries(unjudged).map(([number, why]) => `| ${number} | ${why} |`);
  const left = ['| Decision | Why no law judges it |', '| --- | --- |', ...reasons].join('\n');
  const laws = [...sections, `## Decisions without a law\n\n${left}`].join('\n\n');
  await expect(filled(path, { laws })).toMatchFileSnapshot(path);
});
