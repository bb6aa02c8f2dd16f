import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme, addition, additionOf, registration } from '../sql/writes.js';
import { createHastyStore, type TestStore } from './database.js';

let store: TestStore;
beforeAll(async () => {
  store = createHastyStore();
  (await store.commit(acme, registration()))._unsafeUnwrap();
});
afterAll(() => store.close());

/** Any text that the domain accepts. */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((each) => each.toWellFormed().replaceAll('\0', '\u2028'));

it('keeps any text, in every place where text is free', async () => {
  let number = 0;
  const property = fc.asyncProperty(text, text, text, async (title, description, partner) => {
    number += 1;
    const tenant = { environment: 'sandbox', partner } as const;
    const partner_id = `${title}${number}`;
    const part = { title, description, stage: partner, key: `${title}${number}` };
    const given = await addition(store, partner_id, { ...part, fingerprint: description }, tenant);
    (await store.commit(tenant, given))._unsafeUnwrap();
    const read = (await store.deals.byPartnerId(tenant, partner_id, ['stage']))._unsafeUnwrap();
    expect(read?.deal).toMatchObject({ partner_id, title, description });
    expect(read?.stage).toMatchObject([{ partner_id, name: partner }]);
    const again = { ...given, attempt: 'another' };
    expect((await store.commit(tenant, again))._unsafeUnwrap()).toMatchObject({
      expectation: 0,
      first: { fingerprint: description },
    });
    const log = (await store.events.after(tenant, undefined, 1000))._unsafeUnwrap();
    if (log === 'invalid_cursor') throw new Error('there is a log');
    expect(log.events.at(-1)).toEqual({ ...given.events[0], sequence: 1 });
    const before = { environment: 'sandbox', partner: '' } as const;
    expect((await store.tenants(before, 1000))._unsafeUnwrap()).toContainEqual({
      tenant,
      end: log.end,
    });
  });
  await fc.assert(property, { numRuns: 150 });
});

it('keeps a description of a mebibyte', async () => {
  const description = 'ż😀\u2028"\\\u0001'.repeat(150_000).slice(0, 2 ** 20 - 1);
  (await store.commit(acme, await addition(store, 'long', { description })))._unsafeUnwrap();
  const read = (await store.deals.byPartnerId(acme, 'long', []))._unsafeUnwrap();
  expect(read?.deal.description === description).toBe(true);
});

it('gives integers up to 2^53-1, and says then that there are no more', async () => {
  const last = Number.MAX_SAFE_INTEGER;
  const set = store.db.prepare('update dealwright_numbers set last = ? where environment = ?');
  set.run(last - 3, 'production');
  const own = { ...acme, environment: 'production' } as const;
  const refused = (await store.reserve('production', 4))._unsafeUnwrapErr();
  expect(refused).toMatchObject({ outcome: 'none', retryable: false });
  expect((await store.reserve('production', 1))._unsafeUnwrap()).toBe(last - 2);
  const waiting = [2, 1].map((count) => store.reserve('production', count));
  const [first, none] = await Promise.all(waiting);
  expect(first?._unsafeUnwrap()).toBe(last - 1);
  expect(none?._unsafeUnwrapErr()).toMatchObject({ outcome: 'none', retryable: false });
  (await store.commit(own, registration()))._unsafeUnwrap();
  (await store.commit(own, additionOf(last - 1, 'last')))._unsafeUnwrap();
  const read = (await store.deals.byId(own, last - 1, ['stage']))._unsafeUnwrap();
  expect(read?.stage[0]?.id).toBe(last);
  // the other environment has its own
  expect((await store.reserve('sandbox', 1))._unsafeUnwrap()).toBeLessThan(10_000);
});

it('takes integers in blocks, each for as many reservations as it has', async () => {
  const other = createHastyStore();
  const first = await Promise.all([1, 2, 300].map((count) => other.reserve('sandbox', count)));
  expect(first.map((each) => each._unsafeUnwrap())).toEqual([1, 2, 4]);
  const row = other.db.prepare("select last from dealwright_numbers where environment = 'sandbox'");
  expect(row.get()).toMatchObject({ last: 556 });
  expect((await other.reserve('sandbox', 1))._unsafeUnwrap()).toBe(304);
  await other.close();
});
