import { describeError } from 'dealwright';
import { expect, it } from 'vitest';
import {
  describeProblem,
  statuses,
  type WireErrorCode,
} from '../../../adapters/http/wire/problem.js';

const ofTheWireAlone = [
  {
    code: 'invalid_json',
    en: 'The body is missing, or is not JSON in UTF-8.',
    pl: 'Treść żądania nie jest poprawnym JSON-em w kodowaniu UTF-8 albo jej brakuje.',
  },
  {
    code: 'incomplete_body',
    en: 'The body broke off before its end.',
    pl: 'Treść żądania urwała się przed końcem.',
  },
  {
    code: 'method_not_allowed',
    en: 'This path does not allow this method; see the header Allow.',
    pl: 'Ta ścieżka nie obsługuje tej metody; dozwolone podaje nagłówek Allow.',
  },
  {
    code: 'unsupported_media_type',
    en: 'The body must be JSON in UTF-8 (application/json), or for a file also a form (multipart/form-data), without a content encoding.',
    pl: 'Treść żądania musi być JSON-em w UTF-8 (application/json), a dla pliku może też być formularzem (multipart/form-data), bez kodowania Content-Encoding.',
  },
  {
    code: 'internal',
    en: 'An error occurred in the service.',
    pl: 'Wystąpił błąd po stronie usługi.',
  },
  {
    code: 'range_not_satisfiable',
    en: 'The file does not have these bytes; see the header Content-Range.',
    pl: 'Plik nie zawiera tych bajtów; jego rozmiar podaje nagłówek Content-Range.',
  },
] as const;

it.each(ofTheWireAlone)('the sentence of $code stays the same in both languages', (problem) => {
  const { code, en, pl } = problem;
  expect(describeProblem(code, 'en')).toBe(en);
  expect(describeProblem(code, 'pl')).toBe(pl);
  expect(en).toMatch(/^[A-Z].*\.$/);
  expect(pl).toMatch(/^\p{Lu}.*\.$/u);
});

it('every other code of the wire is described as in process', () => {
  const own: readonly string[] = ofTheWireAlone.map(({ code }) => code);
  const others = (Object.keys(statuses) as WireErrorCode[]).filter((code) => !own.includes(code));
  expect(others).toHaveLength(Object.keys(statuses).length - own.length);
  for (const code of others as Parameters<typeof describeError>[0][]) {
    expect(describeProblem(code as WireErrorCode, 'pl')).toBe(describeError(code, 'pl'));
  }
});
