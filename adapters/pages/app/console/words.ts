import { createWords } from '../base/language.js';
import { en as sharedEn } from '../base/words-en.js';
import { pl as sharedPl } from '../base/words-pl.js';
import { en } from './words-en.js';
import { pl } from './words-pl.js';

export const words = createWords({ ...sharedEn, ...en }, { ...sharedPl, ...pl });
