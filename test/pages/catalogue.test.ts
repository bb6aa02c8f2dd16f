import { expect, it } from 'vitest';
import { en as screenEn } from '../../adapters/pages/app/base/screen-words-en.js';
import { pl as screenPl } from '../../adapters/pages/app/base/screen-words-pl.js';
import { en as sharedEn } from '../../adapters/pages/app/base/words-en.js';
import { pl as sharedPl } from '../../adapters/pages/app/base/words-pl.js';
import { en as consoleEn } from '../../adapters/pages/app/console/words-en.js';
import { pl as consolePl } from '../../adapters/pages/app/console/words-pl.js';
import { en as offerEn } from '../../adapters/pages/app/offer/words-en.js';
import { pl as offerPl } from '../../adapters/pages/app/offer/words-pl.js';
import { en as portalEn } from '../../adapters/pages/app/portal/words-en.js';
import { pl as portalPl } from '../../adapters/pages/app/portal/words-pl.js';

/** Every word with its path; of a function, what it says of one value. */
function wordsIn(table: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(table).flatMap(([name, word]) => {
    const place = `${path}/${name}`;
    if (typeof word === 'function') return [[place, String(word('<value>'))] as const];
    return typeof word === 'object' ? wordsIn(word, place) : [[place, String(word)] as const];
  });
}

it.each([
  ['all pages', sharedEn, sharedPl],
  ['pages with several screens', screenEn, screenPl],
  ['the offer', offerEn, offerPl],
  ['the portal', portalEn, portalPl],
  ['the console', consoleEn, consolePl],
])('the words of %s are there in both languages, with the same values in them', (_, en, pl) => {
  const [english, polish] = [wordsIn(en), wordsIn(pl)];
  expect(english.length).toBeGreaterThan(20);
  expect(polish.map(([place]) => place)).toEqual(english.map(([place]) => place));
  for (const [place, word] of [...english, ...polish]) {
    expect([place, word.trim()]).toEqual([place, word]);
    expect(word).not.toBe('');
  }
  const withValue = (words: typeof english) =>
    words.filter(([, word]) => word.includes('<value>')).map(([place]) => place);
  expect(withValue(polish)).toEqual(withValue(english));
  // a word that was copied and not translated
  const same = english.filter(([place, word]) =>
    polish.some(([at, to]) => at === place && to === word),
  );
  expect(same.length).toBe(0);
});
