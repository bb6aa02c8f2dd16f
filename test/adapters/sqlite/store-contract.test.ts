import { storeContract } from 'dealwright/testing';
import { describe, it } from 'vitest';
import { createTestStore } from './database.js';

// what is answered is the same, and every case would wait for the disk otherwise
const synchronous = 'normal';

describe('the store in SQLite', () => {
  storeContract({ describe, it }, () => createTestStore({ synchronous }));
});

describe('the store in SQLite that commits each write alone', () => {
  storeContract({ describe, it }, () => createTestStore({ synchronous, gather: false }));
});
