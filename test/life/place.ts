import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore, Store } from 'dealwright/ports';
import { createSystemPorts } from 'dealwright/system';
import { paymentTokens } from '../kit/ports.js';
import { dayOne } from './states.js';

/** A place for deals: a store with its files, its time, and a tenant without due work. */
export interface Place {
  readonly store: Store;
  readonly files: FileStore;
  now: number;
  count: number;
  partner: string;
}

export const createPlace = (store: Store): Place => ({
  store,
  files: createMemoryFileStore(),
  now: dayOne,
  count: 0,
  partner: 'acme',
});

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const inLetters = (number: number, length: number): string =>
  length === 0 ? '' : inLetters(Math.floor(number / 32), length - 1) + letters[number % 32];
let ids = 0;
/** ULIDs by the time of a place, in ascending order. */
export const idsOf = (place: Place) => ({
  next: () => inLetters(place.now, 10) + inLetters(++ids, 16),
});

/** The ports that all worlds share. */
export const shared = {
  ...createSystemPorts(),
  categories: createCategoryCatalogue(defaultCategoryTree),
  paymentTokens,
};
