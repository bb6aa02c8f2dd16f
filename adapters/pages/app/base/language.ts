import { effect, signal } from '@preact/signals';
import { keep, readKept } from './storage.js';

export type Language = 'en' | 'pl';

export const languages: Readonly<Record<Language, string>> = { en: 'English', pl: 'Polski' };

const name = 'language';
const known = (tag: string | undefined): Language | undefined =>
  (Object.keys(languages) as Language[]).find((each) => tag?.toLowerCase().startsWith(each));

const chosen =
  known(readKept(name, 'browser')) ?? navigator.languages.map(known).find((each) => each);

/** The language of the page: the chosen one, else the browser's, else English. */
export const language = signal<Language>(chosen ?? 'en');

effect(() => {
  document.documentElement.lang = language.value;
});

/** The options of each call: messages come in the language of the page. */
export const inLanguage = () => ({ language: language.value });

/** The choice of a person lasts. */
export function chooseLanguage(to: Language): void {
  language.value = to;
  keep(name, to, 'browser');
}

/** What a deal says of its freelancer counts if the browser knows none of our languages. */
export function suggestLanguage(tag: string | undefined): void {
  if (chosen === undefined && readKept(name, 'browser') === undefined) {
    language.value = known(tag) ?? language.value;
  }
}

/** Words in another language: the same names, and of a function the same arguments. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Translated<T[K]>;
};

/** The words of the language of the page; a component that asks for them is drawn anew with it. */
export const createWords =
  <T>(en: T, pl: Translated<T>): (() => T | Translated<T>) =>
  () =>
    language.value === 'pl' ? pl : en;

/** A word of a table that may lack it: a host has states and values of its own. */
export function wordOf(table: object, name: string, other: string = name): string {
  const word: unknown = Object.hasOwn(table, name) ? Reflect.get(table, name) : undefined;
  return typeof word === 'string' ? word : other;
}
