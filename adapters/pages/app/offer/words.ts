import { createWords } from '../base/language.js';
import { en } from './words-en.js';
import { pl } from './words-pl.js';

export const words = createWords(en, pl);
