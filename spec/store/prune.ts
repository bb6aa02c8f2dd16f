import type { EndingKind } from '../../src/domain/records/records.js';
import { check, equal } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { acme, ask, globex, group, nextId, type StoreSubject } from './subject.js';
import { absent, changeOf, committed, insertOf, present, refused, writeOf } from './writes.js';

const time = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

/** Keeps an answer that ends at a time, or never. */
const answer = (answer_key: string, ends_at: string | null) =>
  writeOf({
    expect: [absent('answer', answer_key)],
    insert: [insertOf('answer', { answer_key, ends_at })],
  });

/** Expired records that a store deletes; one that keeps everything passes. */
export const pruning = group(
  'what has ended',
  {
    must: {
      '2.7/store/pruned-by-time':
        'Pruning deletes the records of a kind that end at or before a given time, of every tenant, and no others.',
      '2.7/store/pruned-up-to-a-limit':
        'Pruning deletes no more records than its limit, and returns how many it has deleted.',
      '2.7/store/pruned-by-current-end':
        'Pruning goes by the current end of a record, which a write may have moved.',
      '2.7/store/ended-key-is-taken-once':
        'Of several writes at once that take over an ended key, one is made, and pruning keeps the key with its new answer.',
      '7.2/store/pruned-from-below': 'Pruning deletes a record only once no record is under it.',
    },
  },
  (define) => {
    const defineWith = (
      id: Parameters<typeof define>[0],
      body: (
        store: StoreSubject,
        prune: (kind: EndingKind, before: string, limit?: number) => Promise<number>,
      ) => Promise<void>,
    ) =>
      define(id, async (store) => {
        if (store.prune === undefined) notApplicable('the store has no prune');
        await body(store, (kind, before, limit = 100) =>
          // bound to the store, as a class needs it
          ask(store.prune?.(kind, before, limit) as never),
        );
      });
    const isThere = async (store: StoreSubject, key: string, tenant = acme) => {
      const outcome = await ask(
        store.commit(tenant, writeOf({ expect: [present('answer', key)] })),
      );
      return outcome.outcome === 'committed';
    };

    defineWith('2.7/store/pruned-by-time', async (store, prune) => {
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

    defineWith('2.7/store/pruned-up-to-a-limit', async (store, prune) => {
      for (let each = 0; each < 5; each += 1) {
        await ask(store.commit(acme, answer(`key ${each}`, time(1))));
      }
      equal(await prune('answer', time(2), 2), 2, 'two');
      equal(await prune('answer', time(2), 2), 2, 'two more');
      equal(await prune('answer', time(2), 2), 1, 'the last one');
    });

    defineWith('2.7/store/pruned-by-current-end', async (store, prune) => {
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

    defineWith('2.7/store/ended-key-is-taken-once', async (store, prune) => {
      await ask(store.commit(acme, answer('key', time(1))));
      const use = () =>
        store.commit(
          acme,
          writeOf({
            expect: [present('answer', 'key', { ends_at: [time(1)] })],
            change: [
              changeOf('answer', 'key', {
                fingerprint: 'new',
                answer: '{"n":1}',
                ends_at: time(9),
              }),
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

    defineWith('7.2/store/pruned-from-below', async (store, prune) => {
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
  },
);
