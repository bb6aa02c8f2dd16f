import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acme, addition, additionV2, contractor, registration } from './additions.js';
import { createHastyStore, type TestStore } from './database.js';

let store: TestStore;
beforeAll(async () => {
  store = createHastyStore();
  (await store.contractors.add(acme, registration()))._unsafeUnwrap();
});
afterAll(() => store.close());

/** Any text that the domain lets through. */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((each) => each.toWellFormed().replaceAll('\0', '\u2028'));

it('keeps any text, in every place where text is free', async () => {
  let number = 0;
  const property = fc.asyncProperty(text, text, text, async (name, description, city) => {
    number += 1;
    const given = addition(`${number}`, { idempotency: { key: `${number}`, fingerprint: name } });
    const [stage] = given.deal.stages;
    if (stage === undefined) throw new Error('there is a stage');
    const deal = { ...given.deal, name, description, stages: [{ ...stage, name: city }] };
    (await store.deals.add(acme, { ...given, deal }))._unsafeUnwrap();
    const read = (await store.deals.byPartnerId(acme, `${number}`))._unsafeUnwrap();
    expect(read?.value).toMatchObject({ name, description, stages: [{ name: city }] });
    const again = (await store.deals.add(acme, { ...given, deal }))._unsafeUnwrap();
    expect(again).toMatchObject({ by: 'idempotency_key', first: { fingerprint: name } });

    const tenant = { environment: 'sandbox', partner: city } as const;
    const v2 = additionV2(name, { description }, tenant);
    const made = (await store.dealsV2.add(tenant, v2))._unsafeUnwrap();
    const known = made.outcome === 'created';
    const details = (await store.dealIndex.byPartnerId(tenant, name))._unsafeUnwrap();
    expect(details?.value.partner_id).toBe(name);
    if (known) expect(details?.value).toEqual(v2.deal);
    const key = { ...contractor, email_key: `${number}@example.com` };
    const person = { ...registration().contractor, name, surname: description, city, nip: name };
    (
      await store.contractors.add(tenant, { ...registration(tenant), key, contractor: person })
    )._unsafeUnwrap();
    expect((await store.contractors.byKey(tenant, key))._unsafeUnwrap()?.value).toEqual(person);
    const log = (await store.events.after(tenant, undefined, 1000))._unsafeUnwrap();
    if (log === 'invalid_cursor') throw new Error('there is a log');
    expect(log.events.at(-1)).toMatchObject(tenant);
    if (known) expect(log.events).toContainEqual(v2.events[0]);
  });
  await fc.assert(property, { numRuns: 150 });
});

it('keeps a description of a mebibyte', async () => {
  const description = 'ż😀\u2028"\\\u0001'.repeat(150_000).slice(0, 2 ** 20 - 1);
  const given = addition('long', { description });
  (await store.deals.add(acme, given))._unsafeUnwrap();
  const read = (await store.deals.byPartnerId(acme, 'long'))._unsafeUnwrap();
  expect(read?.value.description === description).toBe(true);
});

it('gives ids up to 2^53-1, and says then that there are no more', async () => {
  const { db } = store;
  db.prepare('update dealwright_ids set next = ?').run(Number.MAX_SAFE_INTEGER - 1);
  const last = (await store.deals.add(acme, addition('last')))._unsafeUnwrap();
  expect(last).toMatchObject({ id: 2 ** 53 - 2, stage_ids: [2 ** 53 - 1] });
  const read = (await store.deals.byId(acme, 2 ** 53 - 2))._unsafeUnwrap();
  expect(read?.value.stages[0]?.id).toBe(2 ** 53 - 1);
  const refused = (await store.deals.add(acme, addition('one more')))._unsafeUnwrapErr();
  expect(refused).toMatchObject({ outcome: 'none', retryable: false });
  expect((await store.deals.byPartnerId(acme, 'one more'))._unsafeUnwrap()).toBeUndefined();
});
