import { ulidOf } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { answering, type BrokenStores, settle } from './store-parts.js';

const keyed = 'finds a record by its key, for its tenant alone';
const listed = 'lists records in the order of their keys, from any key on';
const under = 'lists what is under one record, and nothing else';
const nulls = 'asks whether a field has a value, or none';
const claims = 'of 20 claims of one consumer one is made, new or claimed before';
const due = 'gives what is due, the longest overdue first, of one time by its key';
const watched = 'tells those that watch of each log that grows, until they stop';

const keyOf = (row: object) => String(Reflect.get(row, 'id') ?? Reflect.get(row, 'name'));

const freshId = () => ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

/** Stores with a mistake in finding by keys, or in leases, and a case that finds it. */
export const brokenRecords: BrokenStores = {
  'has another id with each call': [
    () => ({ identity: () => ok(freshId()) }),
    'has one id, a ULID, whatever is written, and asked for at once',
  ],
  'has an id that is not a ULID': [
    () => ({ identity: () => ok('the-one-store') }),
    'has one id, a ULID, whatever is written, and asked for at once',
  ],
  'has another id after a write': [
    ({ commit }) => {
      let id = freshId();
      return {
        commit(...given) {
          id = freshId();
          return commit(...given);
        },
        identity: () => ok(id),
      };
    },
    'has one id, a ULID, whatever is written, and asked for at once',
  ],
  'has the same id as every other store': [
    () => ({ identity: () => ok('01KDVE00000000000000000000') }),
    'has another id than another store',
  ],
  'has an id for each handle': [
    () => {
      const id = freshId();
      return { identity: () => ok(id) };
    },
    'answers the same id to two handles that ask at once',
  ],
  'finds a record by its key in any letters': [
    ({ records }) => ({
      records: {
        ...records,
        byKey: (tenant, kind, key) =>
          records.byKey(tenant, kind, (String(key) === 'ONE' ? 'One' : key) as typeof key),
      },
    }),
    keyed,
  ],
  'lists the records of another partner': [
    ({ records }) => ({
      records: {
        ...records,
        list: (tenant, ...rest) => records.list({ ...tenant, partner: 'acme' }, ...rest),
      },
    }),
    listed,
  ],
  'lists records in one direction only': [
    ({ records }) => ({
      records: {
        ...records,
        list: (tenant, kind, range) =>
          records.list(tenant, kind, { ...range, direction: 'ascending' }),
      },
    }),
    listed,
  ],
  'lists records by the halves of their characters': [
    ({ records }) => ({
      records: {
        ...records,
        async list(tenant, kind, range) {
          const found = await settle(records.list(tenant, kind, range));
          const sign = range.direction === 'ascending' ? 1 : -1;
          return ok([...found].sort((a, b) => (keyOf(a) < keyOf(b) ? -sign : sign)));
        },
      },
    }),
    listed,
  ],
  'lists the record that a list goes on after': [
    ({ records }) => ({
      records: {
        ...records,
        async list(tenant, kind, { after, ...range }) {
          const all = await settle(records.list(tenant, kind, { ...range, limit: 1_000 }));
          const at = all.findIndex((row) => keyOf(row) === after);
          if (at < 0) return records.list(tenant, kind, { ...range, ...(after && { after }) });
          return ok(all.slice(at, at + range.limit));
        },
      },
    }),
    listed,
  ],
  'lists what is under every record': [
    ({ records }) => ({
      records: {
        ...records,
        list: (tenant, kind, { under: _, ...range }) => records.list(tenant, kind, range),
      },
    }),
    under,
  ],
  'loses a delivery that is due': [
    ({ due: all }) => ({
      async due(tenant, kind, before, limit) {
        const found = await settle(all(tenant, kind, before, limit));
        return ok(kind === 'delivery' ? found.filter((_, at) => at !== 2) : found);
      },
    }),
    due,
  ],
  'takes what has no value for any value': [
    ({ commit }) => ({
      commit: (tenant, write) =>
        commit(tenant, {
          ...write,
          expect: write.expect.map((each) => {
            if (!('present' in each) || each.present !== 'consumer') return each;
            const asked = Object.entries(each.where ?? {}).filter(([, all]) => !all.includes(null));
            return { ...each, where: Object.fromEntries(asked) };
          }),
        }),
    }),
    nulls,
  ],
  'gives a lease to two that come at once': [
    ({ commit }) => {
      const before = new Map<string, { readonly turn: number }>();
      return {
        async commit(tenant, write) {
          const [claim] = write.change;
          if (claim?.kind !== 'consumer') return commit(tenant, write);
          const outcome = await settle(commit(tenant, write));
          const known = before.get(claim.key);
          before.set(claim.key, { turn: (known?.turn ?? 0) + 1 });
          // the second of each twenty gets the answer that it has the lease, too
          const isSecond = (known?.turn ?? 0) % 20 === 1;
          return ok(isSecond ? { outcome: 'committed' } : outcome);
        },
      };
    },
    claims,
  ],
  'tells those that watch after they have stopped': [
    (store) => ({
      watch(listener) {
        store.watch?.(listener);
        return () => undefined;
      },
    }),
    watched,
  ],
  'tells those that watch of another tenant': [
    (store) => ({
      watch: (listener) =>
        store.watch?.((tenant) => listener(tenant && { ...tenant, partner: 'other' })) ??
        (() => undefined),
    }),
    watched,
  ],
  'says that a claim was made that was not': [
    answering((outcome, { change: [change] }) =>
      change?.kind === 'consumer' ? { outcome: 'committed' } : outcome,
    ),
    nulls,
  ],
};
