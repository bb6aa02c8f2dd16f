import type { Translated } from '../base/language.js';
import type { en } from './words-en.js';

export const pl: Translated<typeof en> = {
  nav: { today: 'Dziś', deals: 'Zlecenia', partners: 'Zleceniodawcy', failing: 'Awarie' },
  partner: 'Zleceniodawca',
};
