import { createKeyValueStore, type KeyValueLike } from 'dealwright/key-value';
import type { Answer, DealFilter } from 'dealwright/ports';
import { deliveryContract, hammerStore, storeContract } from 'dealwright/spec';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, keyOf } from '../../../adapters/key-value/entries.js';
import { ask } from '../../../spec/store/subject.js';
import { consumption, createDeal, delivery, writeOf } from '../../../spec/store/writes.js';
import { hammer, hammerSeeds } from '../../kit/hammer.js';
import { createSortedMap } from './sorted-map.js';

const close = async () => undefined;
const acme = { environment: 'sandbox', partner: 'acme' } as const;
const attempt = '01KDVE00000000000000000000';
const answer = { answer_key: 'deal k', fingerprint: 'f', answer: '{}', ends_at: null };
const write = {
  attempt,
  expect: [{ absent: 'answer', key: 'deal k' }],
  insert: [{ kind: 'answer', row: answer }],
  change: [],
  events: [],
} as const;

describe('a store over key-value transactions that answers at once', () => {
  const makeStore = () => ({ ...createKeyValueStore(createSortedMap()), close });
  storeContract({ describe, it }, makeStore);
  deliveryContract({ describe, it }, makeStore);

  it('shares integers with another store over the same data', async () => {
    const kv = createSortedMap();
    const stores = [createKeyValueStore(kv), createKeyValueStore(kv)];
    const asked = Array.from({ length: 200 }, (_, at) => stores[at % 2]?.reserve('sandbox', 3));
    const firsts = (await Promise.all(asked)).map((each) => each?._unsafeUnwrap());
    expect(new Set(firsts).size).toBe(200);
    expect(Math.max(...firsts.map(Number))).toBe(598);
  });
});

describe('a count of records with certain values', () => {
  it('reads none of them as long as all records are few enough', async () => {
    const kv = createSortedMap();
    let reads = 0;
    const store = createKeyValueStore({
      ...kv,
      transaction: (run) =>
        kv.transaction((within) =>
          run({
            ...within,
            values(range) {
              reads += 1;
              return within.values(range);
            },
          }),
        ),
    });
    await ask(store.commit(acme, consumption('c')));
    for (const [at, status] of ['pending', 'pending', 'delivered'].entries()) {
      await ask(store.commit(acme, delivery('c', `d${at}`, { status } as object)));
    }
    reads = 0;
    for (const [than, outcome, count] of [
      [4, 'committed', 0],
      [3, 'committed', 1],
      [2, 'refused', 2],
    ] as const) {
      const fewer = {
        fewer: 'delivery',
        under: 'c',
        than,
        where: { status: ['pending'] },
      } as const;
      const made = await ask(store.commit(acme, writeOf({ expect: [fewer] })));
      expect([made.outcome, reads]).toEqual([outcome, count]);
    }
  });
});

describe('a transaction of a store', () => {
  it('reads first: one batch is its last call', async () => {
    const kv = createSortedMap();
    const late: string[] = [];
    const watched: KeyValueLike = {
      ...kv,
      transaction: (run) =>
        kv.transaction((within) => {
          let hasWritten = false;
          const note = (call: string) => hasWritten && late.push(call);
          return run({
            get(key) {
              note('get');
              return within.get(key);
            },
            values(range) {
              note('values');
              return within.values(range);
            },
            batch(operations) {
              note('batch');
              hasWritten = true;
              return within.batch(operations);
            },
          });
        }),
    };
    const store = { ...createKeyValueStore(watched), close };
    const { committed } = await hammerStore([store], hammer(hammerSeeds[0] ?? 1, 1000));
    await store.identity?.();
    expect(committed).toBeGreaterThan(200);
    expect(late).toEqual([]);
  });
});

describe('a store over key-value batches', () => {
  it.each(hammerSeeds)(
    'sends writes again whose batches failed after they were made: seed %i',
    async (seed) => {
      const { get, values, batch } = createSortedMap();
      let call = 0;
      const losing: KeyValueLike['batch'] = (operations) => {
        batch(operations);
        call += 1;
        if (call % 9 === 0) throw new Error('the connection was lost');
      };
      const store = { ...createKeyValueStore({ get, values, batch: losing }), close };
      const report = await hammerStore([store], hammer(seed));
      expect(report.committed).toBeGreaterThan(500);
      expect(report.sentAgain).toBeGreaterThan(50);
    },
  );

  it('says that nothing has happened if it could not read', async () => {
    const { batch, values } = createSortedMap();
    const get = () => Promise.reject(new Error('the disk is gone'));
    const failed = await createKeyValueStore({ get, batch, values }).commit(acme, write);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'none' });
  });

  it('says that a batch that failed may have been made, and makes it once', async () => {
    const { get, values, batch } = createSortedMap();
    let isLost = true;
    const losing: KeyValueLike['batch'] = (operations) => {
      batch(operations);
      if (isLost) throw new Error('the connection was lost');
    };
    const store = createKeyValueStore({ get, values, batch: losing });
    const failed = await store.commit(acme, write);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    isLost = false;
    expect((await store.commit(acme, write))._unsafeUnwrap()).toEqual({ outcome: 'committed' });
    const other = await store.commit(acme, { ...write, attempt: attempt.replace(/0$/, '1') });
    expect(other._unsafeUnwrap()).toMatchObject({ outcome: 'refused', first: { answer: '{}' } });
  });

  it('reserves no integer above 2^53-1', async () => {
    const kv = createSortedMap();
    const store = createKeyValueStore(kv);
    const all = Number.MAX_SAFE_INTEGER;
    expect((await store.reserve('sandbox', all))._unsafeUnwrap()).toBe(1);
    const failed = (await store.reserve('sandbox', 1))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ outcome: 'none', retryable: false });
    expect((await store.reserve('production', 1))._unsafeUnwrap()).toBe(1);
  });
});

describe('a page over a key-value store', () => {
  it('takes no more of a range than the page has, however many there are', async () => {
    const kv = createSortedMap();
    const store = { ...createKeyValueStore(kv), close };
    for (let at = 0; at < 120; at += 1) {
      const created_at = `2026-01-01T00:00:00.${String(at).padStart(3, '0')}Z`;
      await createDeal(store, acme, `deal ${at}`, 1, {
        ...{ created_at, email_key: 'a@b.example', attention: 'true', due_at: created_at },
      });
    }
    await ask(store.commit(acme, consumption('consumer')));
    for (let at = 0; at < 120; at += 1) {
      const due_at = '2026-01-01T00:00:00.000Z';
      await ask(store.commit(acme, delivery('consumer', `${1000 + at}`, { due_at })));
    }
    let taken = 0;
    const counting: KeyValueLike = {
      ...kv,
      values: (range) => {
        const values = kv.values(range);
        taken += values.length;
        return values;
      },
    };
    const counted = createKeyValueStore(counting);
    const from = { created_at: '2026-01-01T00:00:00.060Z', attempt: '' };
    const filters: readonly DealFilter[] = [
      ...[{}, { status: 'created' }, { freelancer_status: 'new' }],
      ...[{ status: 'created', freelancer_status: 'new' }, { email_key: 'a@b.example' }],
      ...[
        { attention: 'true' },
        { created_from: from.created_at },
        { created_to: from.created_at },
      ],
    ] as DealFilter[];
    const ranges = (['older', 'newer'] as const).flatMap((direction) =>
      [undefined, from].map((each) => ({ direction, from: each, limit: 20 })),
    );
    const orders = ['ascending', 'descending'] as const;
    const end = '2027-01-01T00:00:00.000Z';
    const pages: (() => Answer<{ readonly length: number }>)[] = [
      ...filters.flatMap((filter) =>
        ranges.map((range) => () => counted.deals.list(acme, filter, range)),
      ),
      ...orders.flatMap((direction) => [
        () => counted.records.list(acme, 'delivery', { direction, limit: 20, under: 'consumer' }),
        () => counted.records.list(acme, 'delivery', { direction, limit: 20, after: '1060' }),
      ]),
      () => counted.due(acme, 'deal', end, 20),
      () => counted.due(acme, 'delivery', end, 20, 'consumer'),
      () => counted.events.of(acme, 'deal:deal 3', 0, 20),
    ];
    let given = 0;
    for (const page of pages) {
      taken = 0;
      const { length } = await ask(page());
      expect(taken).toBe(length);
      given += length;
    }
    expect(given).toBeGreaterThan(500);
  });
});

describe('keys', () => {
  const text = fc.string({ unit: 'binary' });
  const codePoints = (value: string) => [...value].map((each) => each.codePointAt(0) ?? 0);
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((point, index) => point !== b[index]);
    if (at < 0) return Math.sign(a.length - b.length);
    return at >= b.length ? 1 : Math.sign((a[at] ?? 0) - (b[at] ?? 0));
  };
  const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

  it('are printable ASCII and sort as texts do by code point', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(keyOf(a)).toMatch(/^[\x21-\x7e]*$/);
        expect(compareText(keyOf(a), keyOf(b))).toBe(compare(codePoints(a), codePoints(b)));
        // the first part decides, before all parts that follow
        if (a !== b) expect(keyOf(a, b) < keyOf(b, a)).toBe(keyOf(a) < keyOf(b));
      }),
    );
  });

  it('sort as safe integers do', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(compareText(keyOf(a), keyOf(b))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('differ if their parts do, and end where the keys of other parts begin', () => {
    const part = fc.oneof(text, fc.constant(null), fc.constantFrom('', ' ', '!', '~', 'a', 'a b'));
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const [key, other] = [keyOf(...a), keyOf(...b)];
        expect(key === other).toBe(JSON.stringify(a) === JSON.stringify(b));
        const isUnder = JSON.stringify(a) === JSON.stringify(b.slice(0, a.length));
        expect(other >= key && other < endOf(key)).toBe(isUnder);
      }),
      { numRuns: 1000 },
    );
  });
});
