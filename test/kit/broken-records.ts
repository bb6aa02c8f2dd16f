import { ulidOf } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { answering, type BrokenStores, settle, writing } from './store-parts.js';

const keyed = '2.1/store/record-by-key';
const listed = '7.8/store/records-in-order';
const under = '7.8/store/records-under-one';
const nulls = '7.3/store/expected-null';
const claims = '7.3/store/race-for-a-claim';
const due = '6.6/store/due-order';
const watched = '7/store/watchers';

const keyOf = (row: object) => String(Reflect.get(row, 'id') ?? Reflect.get(row, 'name'));

const freshId = () => ulidOf(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

/** Stores with a mistake in finding by keys, or in leases, and a law that it breaks. */
export const brokenRecords: BrokenStores = {
  'has another id with each call': [
    () => ({ identity: () => ok(freshId()) }),
    '2.4/store/id-is-one-ulid',
  ],
  'has an id that is not a ULID': [
    () => ({ identity: () => ok('the-one-store') }),
    '2.4/store/id-is-one-ulid',
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
    '2.4/store/id-is-one-ulid',
  ],
  'has the same id as every other store': [
    () => ({ identity: () => ok('01KDVE00000000000000000000') }),
    '2.4/store/id-is-its-own',
  ],
  'has an id for each handle': [
    () => {
      const id = freshId();
      return { identity: () => ok(id) };
    },
    '2.4/store/id-for-two-handles',
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
  'lists the proposals of every deal': [
    ({ records }) => ({
      records: {
        ...records,
        list: (tenant, kind, { under: parent, ...range }) =>
          records.list(tenant, kind, {
            ...range,
            ...(parent !== undefined && kind !== 'proposal' && { under: parent }),
          }),
      },
    }),
    under,
  ],
  'finds deals of the other environment': [
    ({ records }) => ({
      records: {
        ...records,
        byIndex: ({ partner }, ...rest) =>
          records.byIndex(
            { environment: 'sandbox', ...(partner !== undefined && { partner }) },
            ...rest,
          ),
      },
    }),
    '4/store/index-ranges',
  ],
  'begins a range of an index at its edge again': [
    ({ records }) => ({
      records: {
        ...records,
        byIndex: (owner, kind, { after, ...range }) => records.byIndex(owner, kind, range),
      },
    }),
    '4/store/index-ranges',
  ],
  'finds a deal where it was': [
    ({ records, commit }) => {
      let isChanged = false;
      const known = new Map<string, ReturnType<typeof records.byIndex>>();
      return {
        commit(tenant, write) {
          isChanged ||= write.change.some(({ kind }) => kind === 'deal');
          return commit(tenant, write);
        },
        records: {
          ...records,
          byIndex(owner, kind, range) {
            const name = JSON.stringify([owner, kind, range]);
            const found = (isChanged && known.get(name)) || records.byIndex(owner, kind, range);
            known.set(name, found as ReturnType<typeof records.byIndex>);
            return found as ReturnType<typeof records.byIndex<typeof kind>>;
          },
        },
      };
    },
    '4/store/index-is-current',
  ],
  'finds no payment by its reference': [
    ({ records }) => ({
      records: {
        ...records,
        byIndex: (owner, kind, range) =>
          range.index[0] === 'reference' ? ok([]) : records.byIndex(owner, kind, range),
      },
    }),
    '4/store/index-of-parts',
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
  'says that nothing equals null, as SQL does': [
    writing((write) => ({
      ...write,
      expect: write.expect.map((each) => {
        if (!('present' in each)) return each;
        const asked = Object.entries<readonly unknown[]>(each.where ?? {}).map(([name, all]) => [
          name,
          all.filter((value) => value !== null),
        ]);
        return { ...each, where: Object.fromEntries(asked) };
      }),
    })),
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
