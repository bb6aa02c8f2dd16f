import type { WriteSet } from 'dealwright/ports';
import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { afterEach, expect, it, vi } from 'vitest';
import { acme, globex } from '../../../spec/store/subject.js';
import { move, provided, registration, under } from '../../../spec/store/writes.js';
import { allMade, dealOf, writesIn } from './new-deals.js';

type Rows = Awaited<ReturnType<PostgresLike['query']>>['rows'];

/** A database whose answers to commits depend on the test and on the number of their writes. */
function answering(answer: (writes: number, nth: number) => Rows): PostgresLike {
  let nth = 0;
  return {
    async query({ text, values = [] }) {
      nth += 1;
      return { rows: answer(writesIn(text, values), nth) };
    },
  };
}

const refusal = (code: string) => Object.assign(new Error(code), { code });
const fail = (code: string): never => {
  throw refusal(code);
};

async function outcomesOf(db: PostgresLike, writes: readonly (string | WriteSet)[]) {
  const store = createPostgresStore(db);
  const answers = await Promise.all(
    writes.map((each) => store.commit(acme, typeof each === 'string' ? dealOf(each) : each)),
  );
  return answers.map((each) => (each.isOk() ? each.value.outcome : each.error.outcome));
}

it('a batch that was lost leaves it open what became of its writes, which go one by one then', async () => {
  const db = answering((rows, nth) => {
    if (nth === 1) return fail('ECONNRESET');
    if (rows > 1) return fail('40P01');
    return fail('42501');
  });
  expect(await outcomesOf(db, ['a', 'b'])).toEqual(['unknown', 'unknown']);
});

it('a batch that was lost is not sent again if one of it only changes records', async () => {
  let sent = 0;
  const db = answering(() => {
    sent += 1;
    return fail('ECONNRESET');
  });
  expect(await outcomesOf(db, ['a', move('b', 1, {})])).toEqual(['unknown', 'unknown']);
  expect(sent).toBe(1);
});

it('a batch whose answer cannot be read is not sent one by one if one only changes records', async () => {
  const batches: number[] = [];
  const db = answering((writes) => {
    batches.push(writes);
    return [{ answer: '?' }];
  });
  expect(await outcomesOf(db, ['a', move('b', 1, {})])).toEqual(['unknown', 'unknown']);
  expect(batches).toEqual([2]);
});

it.each(['54000', 'XX000', '42501', 'P0001', '22003', '0A000'])(
  'a row that the server refuses with %s does not fail its neighbours',
  async (code) => {
    const db: PostgresLike = {
      async query({ text, values = [] }) {
        if (values.some((value) => String(value).includes('bad'))) return fail(code);
        return { rows: allMade(text) };
      },
    };
    expect(await outcomesOf(db, ['a', 'bad', 'c'])).toEqual(['committed', 'none', 'committed']);
  },
);

it.each(['42P01', '26000', '28P01'])('what %s says is said of all at once', async (code) => {
  let sent = 0;
  const db = answering(() => {
    sent += 1;
    return fail(code);
  });
  expect(await outcomesOf(db, ['a', 'b', 'c'])).toEqual(['none', 'none', 'none']);
  expect(sent).toBe(1);
});

it('long texts go out in several statements', async () => {
  const sizes: number[] = [];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      sizes.push(writesIn(text, values));
      return { rows: allMade(text) };
    },
  };
  const store = createPostgresStore(db);
  const described = (name: string, length: number): WriteSet => {
    const given = dealOf(name);
    const insert = given.insert.map((each) =>
      each.kind === 'deal'
        ? { ...each, row: { ...each.row, description: 'd'.repeat(length) } }
        : each,
    );
    return { ...given, insert };
  };
  const mebibyte = 1_024 * 1_024;
  const lengths = [5, 4 * mebibyte, 4 * mebibyte, 9 * mebibyte, 5, 5, 5];
  const answers = await Promise.all(
    lengths.map((length, at) => store.commit(acme, described(`deal ${at}`, length))),
  );
  for (const each of answers) expect(each._unsafeUnwrap()).toEqual({ outcome: 'committed' });
  expect(sizes).toEqual([2, 1, 1, 3]);
});

it('values that cannot be made fail the write that they are of, and nothing was sent', async () => {
  const db: PostgresLike = { query: async ({ text }) => ({ rows: allMade(text) }) };
  const store = createPostgresStore(db);
  // like a text that is longer than texts can be
  const broken = {
    get id() {
      throw new RangeError('Invalid string length');
    },
  };
  const answers = await Promise.all(
    ['a', 'bad', 'c'].map((name) => {
      const write = dealOf(name);
      return store.commit(acme, name === 'bad' ? { ...write, events: [Object(broken)] } : write);
    }),
  );
  expect(answers.map((each) => (each.isOk() ? each.value.outcome : each.error))).toMatchObject([
    'committed',
    { outcome: 'none', retryable: false, cause: { message: 'Invalid string length' } },
    'committed',
  ]);
});

it('an answer that cannot be read fails the one that it is of', async () => {
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      const isBad = values.some((value) => String(value).includes('bad'));
      return { rows: isBad ? [{ answer: 'token' }] : allMade(text) };
    },
  };
  expect(await outcomesOf(db, ['a', 'bad', 'c'])).toEqual(['committed', 'unknown', 'committed']);
});

it('of tenants whose nodes are not known four of a batch go out at once', async () => {
  let underWay = 0;
  let most = 0;
  const db: PostgresLike = {
    async query({ text }) {
      if (text.includes('pg_dist_placement')) throw new Error('this is no cluster');
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { rows: allMade(text) };
    },
  };
  const store = createPostgresStore(db, { gather: { by: 'node' } });
  const added = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      store.commit({ ...acme, partner: `partner ${at}` }, dealOf('deal')),
    ),
  );
  expect(added.every((each) => each.isOk())).toBe(true);
  expect(most).toBe(4);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers when the test says so, with the sizes of the batches that it holds. */
function held() {
  // on a busy machine a tenth of a second passes here, after which a batch counts as delayed
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sizes: number[] = [];
  const answers: (() => void)[] = [];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      sizes.push(writesIn(text, values));
      await new Promise<void>((resolve) => answers.push(resolve));
      return { rows: allMade(text) };
    },
  };
  const store = createPostgresStore(db);
  let last = 0;
  const create = () => {
    last += 1;
    return dealOf(`deal ${last}`);
  };
  const commit = (write: WriteSet, tenant = acme) => store.commit(tenant, write);
  const add = (count: number) => Array.from({ length: count }, () => commit(create()));
  const addWith = (key: string, tenant = acme) => commit(under(key, create()), tenant);
  return { store, sizes, create, commit, add, addWith, answerOldest: () => answers.shift()?.() };
}

/** Long enough for work that is put off to the next turn, and for its consequences. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('what comes at once is shared by two statements, and what comes after them is gathered', async () => {
  const { sizes, add, answerOldest } = held();
  const first = add(40);
  await someTurns();
  expect(sizes).toEqual([20, 20]);
  const second = [...add(7), ...add(50)];
  await someTurns();
  // no third batch, however many writes wait
  expect(sizes).toEqual([20, 20]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([20, 20, 57]);
  answerOldest();
  answerOldest();
  const added = await Promise.all([...first, ...second]);
  expect(added.every((each) => each.isOk())).toBe(true);
});

it('a key that is under way is in no other batch, and twice in none', async () => {
  const { sizes, addWith, answerOldest } = held();
  const all = ['a', 'b', 'a'].map((key) => addWith(key));
  await someTurns();
  expect(sizes).toEqual([2]);
  all.push(addWith('b'), addWith('c'), addWith('b', globex));
  await someTurns();
  // writes of `b` and `a` wait, and keys belong to their tenants
  expect(sizes).toEqual([2, 2]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([2, 2, 2]);
  answerOldest();
  answerOldest();
  expect((await Promise.all(all)).every((each) => each.isOk())).toBe(true);
});

it('a record that only has to exist may be in every batch, until a write changes it', async () => {
  const { sizes, create, commit, answerOldest } = held();
  const needing = () =>
    commit(provided(create(), { present: 'contractor', key: 'user@example.com' }));
  const all = [needing(), needing()];
  await someTurns();
  all.push(needing());
  await someTurns();
  expect(sizes).toEqual([2, 1]);
  // the write that creates it waits for those that need it; later ones wait for that write
  all.push(commit(registration('user@example.com')), needing(), needing());
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([2, 1]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([2, 1, 1]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([2, 1, 1, 2]);
  answerOldest();
  expect((await Promise.all(all)).every((each) => each.isOk())).toBe(true);
});

it('what is not a write is refused by itself', async () => {
  const { store, sizes, add, create, answerOldest } = held();
  const none = { ...create(), insert: Object(undefined) };
  const refused = (await store.commit(acme, none))._unsafeUnwrapErr();
  expect(refused).toMatchObject({ outcome: 'none', retryable: false });
  const all = add(3);
  await someTurns();
  expect(sizes).toEqual([3]);
  answerOldest();
  expect((await Promise.all(all)).every((each) => each.isOk())).toBe(true);
});

it('few go out together though a second statement could be under way', async () => {
  const { sizes, add, answerOldest } = held();
  const all = add(16);
  await someTurns();
  expect(sizes).toEqual([16]);
  answerOldest();
  expect((await Promise.all(all)).every((each) => each.isOk())).toBe(true);
});
