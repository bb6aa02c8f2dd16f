import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable, printableJson } from '../../adapters/cli/output.js';

/** Text with many characters that control a terminal. */
const text = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '\u202e',
      '\u2066',
      '\u2028',
      '\ufeff',
      '\u061c',
      '\u{e0041}',
      '\ud800',
      'ż',
      '👩‍💻',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const obeyed =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

it('shows no character that a terminal would obey', () => {
  fc.assert(fc.property(text, (value) => !obeyed.test(printable(value))));
});

it('shows everything else as it is', () => {
  for (const value of ['Zażółć gęślą jaźń', '日本語', '👩‍💻', 'שלום', 'a\\b "c"', 'नि‍']) {
    expect(printable(value)).toBe(value);
  }
  expect(printable('a\u001b[2Jb\n\u202e')).toBe('a\\u001b[2Jb\\n\\u202e');
});

it('writes JSON that means the value, and that a terminal can be shown', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text), fc.integer())), (value) => {
      for (const json of [printableJson(value), printableJson(value, 2)]) {
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(json.replaceAll('\n', '')).not.toMatch(obeyed);
      }
      expect(printableJson(value)).not.toContain('\n');
    }),
  );
});
