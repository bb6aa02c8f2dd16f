import { createWords } from './language.js';
import { en } from './screen-words-en.js';
import { pl } from './screen-words-pl.js';
import { en as sharedEn } from './words-en.js';
import { pl as sharedPl } from './words-pl.js';

/** The words that pages with several screens share. */
export const screenEn = { ...sharedEn, ...en, events: { ...sharedEn.events, ...en.partnerEvents } };
export const screenPl = { ...sharedPl, ...pl, events: { ...sharedPl.events, ...pl.partnerEvents } };

export const words = createWords(screenEn, screenPl);
