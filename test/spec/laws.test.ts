import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { casesOf, type Law } from '../../spec/laws.js';
import { suites, unjudged } from '../../spec/suites.js';

const root = new URL('../../', import.meta.url);
const groups = Object.values(suites).flat();
const laws: readonly Law[] = groups.flatMap((group) => group.laws);
const numberOf = (id: string) => id.slice(0, id.indexOf('/'));

describe('the laws', () => {
  it('have an id of their own, which begins with its decision', () => {
    const wrong = laws.filter(
      ({ id }) => !/^(i|i[12]\.0|[1-9]\d?(\.\d+)?)(\/[a-z0-9-]+)+$/.test(id.replaceAll('_', '-')),
    );
    expect(wrong).toEqual([]);
    const seen = new Set<string>();
    const twice = laws.filter(({ id }) => seen.size === seen.add(id).size);
    expect(twice.map(({ id }) => id)).toEqual([]);
  });

  it('are one sentence each', () => {
    const wrong = laws.filter(({ text }) => !/^[A-Z`0-9].*\.$/s.test(text) || text.length > 200);
    expect(wrong.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  });

  it.each(groups.map((group) => [group.name, group] as const))(
    'of %s have cases, and no case is without a law',
    (_, group) => {
      expect(casesOf(group).length).toBeGreaterThanOrEqual(group.laws.length);
    },
  );

  it('are found to be without a case, and a case to be without a law', () => {
    const law: Law = { id: '1.1/planted', level: 'MUST', text: 'It is planted.' };
    const without = { name: 'planted', laws: [law], cases: () => undefined };
    expect(() => casesOf(without)).toThrow('the law 1.1/planted has no case');
    const stray = {
      ...without,
      cases: (define: (id: string, body: () => Promise<void>) => void) => {
        define('1.1/stray', async () => undefined);
      },
    };
    expect(() => casesOf(stray)).toThrow('the case 1.1/stray has no law');
  });
});

describe('the decisions', () => {
  const page = readFileSync(new URL('docs/reference/decisions.md', root), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+\.\d+) \|/gm)].map(([, number = '']) => number);
  // the laws of section 4 cite the section
  const numbers = [...new Set(rows.map((number) => number.replace(/^4\..*/, '4')))];
  const asked = [...numbers.filter((number) => !number.startsWith('8')), '3', '9.10'];
  const cited = new Set(laws.map(({ id }) => numberOf(id)));

  it('are many', () => expect(asked.length).toBeGreaterThan(45));

  it.each(asked)('%s has a law, or a reason why it has none', (number) => {
    expect(cited.has(number) !== number in unjudged).toBe(true);
  });

  it('are those that laws cite', () => {
    const known = new Set([...asked, 'i', 'i1.0', 'i2.0', '6', '7', '8']);
    expect([...cited].filter((number) => !known.has(number))).toEqual([]);
  });
});
