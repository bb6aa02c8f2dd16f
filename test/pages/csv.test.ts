import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Cell, csvOf } from '../../adapters/pages/app/base/csv.js';
import { seed } from '../kit/seed.js';

const cellOf = (cell: Cell, language: 'en' | 'pl' = 'en') => csvOf([[cell]], language);

const signs = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  '﹦',
  '﹢',
  '﹣',
  '﹫',
  '⁺',
  '⁻',
  '\u2212',
];
const unseen = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\u2028', '\ufeff', '\u200b', '\0'];

it('makes text that begins like a formula harmless, whatever stands before its sign', () => {
  for (const sign of signs) {
    for (const before of unseen) {
      const text = `${before}${sign}SUM(A1)`;
      expect(cellOf(text), JSON.stringify(text)).toBe(`"'${text}"\r\n`);
      expect(cellOf(`a${text}`)).toBe(`"a${text}"\r\n`);
    }
  }
  for (const text of [
    '\t1',
    '\r1',
    '\n1',
    '+48 123',
    '-',
    '-1-1',
    '-1+cmd',
    '-1\n',
    '--1',
    '-.5',
  ]) {
    expect(cellOf(text), JSON.stringify(text)).toBe(`"'${text}"\r\n`);
  }
});

it('leaves a number a number', () => {
  for (const text of ['0', '-1', '-5.00', '-5,00', '12.50', '-999999999999999999.99']) {
    expect(cellOf(text)).toBe(`"${text}"\r\n`);
  }
  expect(cellOf({ amount: '-5.00' })).toBe('"-5.00"\r\n');
});

it('separates cells in Polish by semicolons, and writes amounts with a comma', () => {
  const row = ['a;b,c', { amount: '1234.50' }, { amount: '-5.00' }, '12.50', '"', '=1'] as const;
  expect(csvOf([row, ['x']], 'pl')).toBe(
    '"a;b,c";"1234,50";"-5,00";"12.50";"""";"\'=1"\r\n"x"\r\n',
  );
  expect(csvOf([row], 'en')).toBe('"a;b,c","1234.50","-5.00","12.50","""","\'=1"\r\n');
});

it('keeps every text: a reader of RFC 4180 finds it, but for one apostrophe', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...signs, ...unseen, '"', ';', ',', '\r\n', '1') }),
  );
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1 }),
      fc.constantFrom('en', 'pl'),
      (cells, language) => {
        const line = csvOf([cells], language);
        const found = [...line.matchAll(/"((?:[^"]|"")*)"(?:[,;]|\r\n$)/g)];
        expect(found.map(([whole]) => whole).join('')).toBe(line);
        const read = found.map(([, each = '']) => each.replaceAll('""', '"'));
        for (const [at, each] of read.entries())
          expect([cells[at], `'${cells[at]}`]).toContain(each);
      },
    ),
    { seed },
  );
});
