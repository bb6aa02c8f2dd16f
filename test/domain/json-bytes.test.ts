import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBytes, textBytes } from '../../src/domain/values/json-bytes.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\b\t\n\f\r"\\/', '\u0000\u001f\u007f\u0080\u07ff\u0800\uffff', '\u{10ffff}'),
);

it('are those of the text in UTF-8', () => {
  fc.assert(fc.property(text, (each) => textBytes(each) === Buffer.byteLength(each)));
});

it('are those of the JSON of a value in UTF-8', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (each) => {
      expect(jsonBytes(each)).toBe(Buffer.byteLength(JSON.stringify(each)));
    }),
  );
});
