import { expect, it } from 'vitest';
import { missing, repeated } from './check-mail.js';

const to = 'office@acme.example';
const sent = (by: string, messageId: string) => ({ by, messageId, to });

it('explains a message that was sent twice by a kill of its first sender alone', () => {
  const twice = [sent('one', 'a'), sent('one', 'b'), sent('two', 'b'), sent('two', 'c')];
  expect(repeated(twice, new Set(['one']))).toEqual({ again: 1, unexplained: 0 });
  expect(repeated(twice, new Set(['two']))).toEqual({ again: 1, unexplained: 1 });
  expect(repeated(twice, new Set())).toEqual({ again: 1, unexplained: 1 });
});

it('explains no other repetition', () => {
  const killed = new Set(['one', 'two']);
  const notLast = [sent('one', 'a'), sent('one', 'b'), sent('two', 'a')];
  expect(repeated(notLast, killed)).toEqual({ again: 1, unexplained: 1 });
  const bySame = [sent('one', 'a'), sent('one', 'a')];
  expect(repeated(bySame, killed)).toEqual({ again: 1, unexplained: 1 });
});

it('counts what is missing once for each receiver', () => {
  expect(missing([to, to, 'b'], [sent('one', 'a'), sent('two', 'a')])).toBe(2);
  expect(missing([to], [sent('one', 'a'), sent('one', 'b')])).toBe(0);
});
