import { createWords } from '../base/language.js';
import { screenEn, screenPl } from '../base/screen-words.js';
import { en } from './words-en.js';
import { pl } from './words-pl.js';

export const words = createWords({ ...screenEn, ...en }, { ...screenPl, ...pl });
