import { deliveryContract, storeContract } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { createHastyStore } from './database.js';

describe('the store in SQLite', () => {
  storeContract({ describe, it }, () => createHastyStore());
  deliveryContract({ describe, it }, () => createHastyStore());
});

describe('the store in SQLite that commits each write alone', () => {
  storeContract({ describe, it }, () => createHastyStore({ gather: false }));
});
