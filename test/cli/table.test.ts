import { describe, expect, it } from 'vitest';
import { formatTable } from '../../adapters/cli/output.js';

const head = ['id', 'title'];

describe('a table', () => {
  it('has its columns below each other, figures to the right, and a dash for nothing', () => {
    const rows = [
      [1, 'Short'],
      [1000, null],
    ];
    expect(formatTable(rows, { head, right: [0], flexible: 1 })).toBe(
      ['  id  title', '   1  Short', '1000  -', ''].join('\n'),
    );
  });

  it('is not wider than the terminal: its flexible column gives way', () => {
    const rows = [[1, 'A title that is far too long for a terminal of 20 columns']];
    const lines = formatTable(rows, { head, flexible: 1, width: 20 }).split('\n');
    expect(lines).toEqual(['id  title', '1   A title that is…', '']);
  });

  it('goes on in the next line if it is told to', () => {
    const value = '0123456789'.repeat(5);
    const lines = formatTable([['name', value]], { flexible: 1, wrap: true, width: 26 });
    expect(lines).toBe(
      `name  ${value.slice(0, 20)}\n      ${value.slice(0, 20)}\n      ${value.slice(0, 10)}\n`,
    );
  });

  it('counts what takes two columns as two', () => {
    const rows = [
      ['日本', 'x'],
      ['abcd', 'y'],
    ];
    expect(formatTable(rows, { flexible: 1 })).toBe('日本  x\nabcd  y\n');
  });

  it('is whole if there is no terminal', () => {
    const long = 'x'.repeat(5_000);
    expect(formatTable([[1, long]], { head, flexible: 1 })).toContain(long);
  });

  it('has a row in one line with any characters in it', () => {
    const rows = [[1, 'a\r\nb\u001b[1A\tc\u009b2J']];
    expect(formatTable(rows, { head, flexible: 1 })).toBe(
      'id  title\n1   a\\r\\nb\\u001b[1A\\tc\\u009b2J\n',
    );
  });
});
