import type { EndingKind } from '../../src/domain/records/records.js';
import { check, equal } from '../expectations.js';
import { acme, ask, type DefineCase, globex, nextId, type StoreSubject } from './subject.js';
import { absent, changeOf, committed, insertOf, present, refused, writeOf } from './writes.js';

const time = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

/** Keeps an answer that ends at a time, or never. */
const answer = (answer_key: string, ends_at: string | null) =>
  writeOf({
    expect: [absent('answer', answer_key)],
    insert: [insertOf('answer', { answer_key, ends_at })],
  });

/** Expired records that a store deletes; one that keeps everything passes. */
export function pruning(define: DefineCase): void {
  const defineWith = (
    name: string,
    body: (
      store: StoreSubject,
      prune: (kind: EndingKind, before: string, limit?: number) => Promise<number>,
    ) => Promise<void>,
  ) =>
    define(name, async (store) => {
      if (store.prune === undefined) return;
      await body(store, (kind, before, limit = 100) =>
        // bound to the store, as a class needs it
        ask(store.prune?.(kind, before, limit) as never),
      );
    });
  const isThere = async (store: StoreSubject, key: string, tenant = acme) => {
    const outcome = await ask(store.commit(tenant, writeOf({ expect: [present('answer', key)] })));
    return outcome.outcome === 'committed';
  };

  defineWith('deletes what has ended, of every tenant, and nothing else', async (store, prune) => {
    for (const [key, ends] of [
      ['first', time(1)],
      ['at that time', time(2)],
      ['later', time(3)],
      ['never', null],
    ] as const) {
      for (const tenant of [acme, globex]) {
        equal(await ask(store.commit(tenant, answer(key, ends))), committed, key);
      }
    }
    equal(await prune('answer', time(2)), 4, 'how many');
    for (const tenant of [acme, globex]) {
      check(!(await isThere(store, 'first', tenant)), 'what has ended');
      check(!(await isThere(store, 'at that time', tenant)), 'what ends at that time');
      check(await isThere(store, 'later', tenant), 'what ends later');
      check(await isThere(store, 'never', tenant), 'what does not end');
    }
    equal(await prune('answer', time(2)), 0, 'again');
    equal(await ask(store.commit(acme, answer('first', null))), committed, 'its key is free');
  });

  defineWith('deletes no more than it is asked for', async (store, prune) => {
    for (let each = 0; each < 5; each += 1) {
      await ask(store.commit(acme, answer(`key ${each}`, time(1))));
    }
    equal(await prune('answer', time(2), 2), 2, 'two');
    equal(await prune('answer', time(2), 2), 2, 'two more');
    equal(await prune('answer', time(2), 2), 1, 'the last one');
  });

  defineWith('goes by when a record ends now', async (store, prune) => {
    for (const key of ['longer', 'shorter']) {
      await ask(store.commit(acme, answer(key, key === 'longer' ? time(1) : null)));
      const ends_at = key === 'longer' ? time(3) : time(1);
      const write = writeOf({
        expect: [present('answer', key)],
        change: [changeOf('answer', key, { ends_at })],
      });
      equal(await ask(store.commit(acme, write)), committed, key);
    }
    equal(await prune('answer', time(2)), 1, 'how many');
    check(await isThere(store, 'longer'), 'what was to end before');
  });

  defineWith('gives an ended key to one write, and keeps it then', async (store, prune) => {
    await ask(store.commit(acme, answer('key', time(1))));
    const use = () =>
      store.commit(
        acme,
        writeOf({
          expect: [present('answer', 'key', { ends_at: [time(1)] })],
          change: [
            changeOf('answer', 'key', { fingerprint: 'new', answer: '{"n":1}', ends_at: time(9) }),
          ],
        }),
      );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => ask(use())));
    const made = outcomes.filter(({ outcome }) => outcome === 'committed');
    equal(made.length, 1, 'how many have it');
    equal(await prune('answer', time(2)), 0, 'what has ended');
    const met = await ask(store.commit(acme, answer('key', null)));
    const first = { fingerprint: 'new', answer: '{"n":1}' };
    equal(met, { ...refused(0), first }, 'what is under it');
  });

  defineWith('deletes what is under another before that one', async (store, prune) => {
    for (const [name, ends_at] of [
      ['gone', time(1)],
      ['here', null],
    ] as const) {
      const ids = [nextId(), nextId()];
      const write = writeOf({
        expect: [absent('consumer', name)],
        insert: [
          insertOf('consumer', { name, ends_at }),
          ...ids.map((id) => insertOf('delivery', { id, consumer: name })),
        ],
      });
      equal(await ask(store.commit(acme, write)), committed, name);
    }
    equal(await prune('consumer', time(2)), 0, 'one with deliveries');
    equal(await prune('delivery', time(2), 1), 1, 'a delivery');
    equal(await prune('consumer', time(2)), 0, 'one with a delivery');
    equal(await prune('delivery', time(2)), 1, 'the other delivery');
    equal(await prune('consumer', time(2)), 1, 'the consumer');
    const range = { direction: 'ascending', limit: 9 } as const;
    const left = await ask(store.records.list(acme, 'consumer', range));
    equal(
      left.map(({ name }) => name),
      ['here'],
      'what is left',
    );
    const under = await ask(store.records.list(acme, 'delivery', { ...range, under: 'here' }));
    equal(under.length, 2, 'its deliveries');
  });
}
