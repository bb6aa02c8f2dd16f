import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { expect, it } from 'vitest';
import { acme, additionV2, globex } from '../../../spec/store/subject.js';

type Rows = Awaited<ReturnType<PostgresLike['query']>>['rows'];

/** A database whose creates are answered by what the test says, by the rows that they send. */
function answering(answer: (rows: number, nth: number) => Rows): PostgresLike {
  let nth = 0;
  return {
    async query({ text, values = [] }) {
      if (text.startsWith('update "dealwright".ids')) return { rows: [{ answer: '1' }] };
      nth += 1;
      return { rows: answer(isBatch(text) ? JSON.parse(String(values[0])).length : 1, nth) };
    },
  };
}

const isBatch = (text: string) => text.startsWith('with input');
const refusal = (code: string) => Object.assign(new Error(code), { code });
const fail = (code: string): never => {
  throw refusal(code);
};

/** What a database answers that stores all that it is sent. */
function created(text: string, values: readonly unknown[]): Rows {
  if (!isBatch(text)) return [{ answer: text.startsWith('with deal') ? 'created' : '1' }];
  const deals = JSON.parse(String(values[0])) as readonly { readonly n: number }[];
  return deals.map(({ n }) => ({ answer: JSON.stringify([n, 'created']) }));
}

async function outcomesOf(db: PostgresLike, names: readonly string[]) {
  const { dealsV2 } = createPostgresStore(db);
  const added = await Promise.all(names.map((name) => dealsV2.add(acme, additionV2(acme, name))));
  return added.map((each) => (each.isOk() ? each.value.outcome : each.error.outcome));
}

it('a batch that was lost leaves it open what became of its creates, which go one by one then', async () => {
  const db = answering((rows, nth) => {
    if (nth === 1) return fail('ECONNRESET');
    if (rows > 1) return fail('40P01');
    return fail('42501');
  });
  expect(await outcomesOf(db, ['a', 'b'])).toEqual(['unknown', 'unknown']);
});

it.each(['54000', 'XX000', '42501', 'P0001', '22003', '0A000'])(
  'a row that the server refuses with %s does not fail its neighbours',
  async (code) => {
    const db: PostgresLike = {
      async query({ text, values = [] }) {
        if (values.some((value) => String(value).includes('bad'))) return fail(code);
        return { rows: created(text, values) };
      },
    };
    expect(await outcomesOf(db, ['a', 'bad', 'c'])).toEqual(['created', 'none', 'created']);
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

it('long descriptions go out in several statements', async () => {
  const sizes: number[] = [];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      if (!text.startsWith('update')) sizes.push(created(text, values).length);
      return { rows: created(text, values) };
    },
  };
  const { dealsV2 } = createPostgresStore(db);
  const described = (name: string, length: number) => {
    const given = additionV2(acme, name);
    return { ...given, deal: { ...given.deal, description: 'd'.repeat(length) } };
  };
  const mebibyte = 1_024 * 1_024;
  const lengths = [5, 4 * mebibyte, 4 * mebibyte, 9 * mebibyte, 5, 5, 5];
  const added = await Promise.all(
    lengths.map((length, at) => dealsV2.add(acme, described(`deal ${at}`, length))),
  );
  for (const each of added) expect(each._unsafeUnwrap()).toEqual({ outcome: 'created' });
  expect(sizes).toEqual([2, 1, 1, 3]);
});

it('values that cannot be made fail the one that they are of, and nothing was sent', async () => {
  const db: PostgresLike = {
    query: async ({ text, values = [] }) => ({ rows: created(text, values) }),
  };
  const { dealsV2 } = createPostgresStore(db);
  const given = ['a', 'bad', 'c'].map((name) => additionV2(acme, name));
  // as a text does that is longer than a text can be
  const broken = {
    toJSON: () => {
      throw new RangeError('Invalid string length');
    },
  };
  const added = await Promise.all(
    given.map((each) => {
      const isBad = each.deal.partner_id === 'bad';
      const events = each.events.map((event) => ({ ...event, data: Object(broken) }));
      return dealsV2.add(acme, isBad ? { ...each, events } : each);
    }),
  );
  expect(added.map((each) => (each.isOk() ? each.value.outcome : each.error))).toMatchObject([
    'created',
    { outcome: 'none', retryable: false, cause: { message: 'Invalid string length' } },
    'created',
  ]);
});

it('an answer that cannot be read fails the one that it is of', async () => {
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      const isBad = values.some((value) => String(value).includes('bad'));
      if (!isBad) return { rows: created(text, values) };
      return { rows: [{ answer: isBatch(text) ? '[0,"?"]' : 'token' }] };
    },
  };
  expect(await outcomesOf(db, ['a', 'bad', 'c'])).toEqual(['created', 'unknown', 'created']);
});

it('of tenants that go out by themselves four of a batch go out at once', async () => {
  let underWay = 0;
  let most = 0;
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      if (text.startsWith('update')) return { rows: [{ answer: '1' }] };
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { rows: created(text, values) };
    },
  };
  const { dealsV2 } = createPostgresStore(db, { gather: { by: 'tenant' } });
  const added = await Promise.all(
    Array.from({ length: 12 }, (_, at) => {
      const tenant = { ...acme, partner: `partner ${at}` };
      return dealsV2.add(tenant, additionV2(tenant, 'deal'));
    }),
  );
  expect(added.every((each) => each.isOk())).toBe(true);
  expect(most).toBe(4);
});

/** A database that answers when it is told to, and the sizes of the batches that it holds. */
function held() {
  const sizes: number[] = [];
  const answers: (() => void)[] = [];
  const db: PostgresLike = {
    async query({ text, values = [] }) {
      if (text.startsWith('update')) return { rows: [{ answer: '1' }] };
      const rows = created(text, values);
      sizes.push(rows.length);
      await new Promise<void>((resolve) => answers.push(resolve));
      return { rows };
    },
  };
  const { dealsV2 } = createPostgresStore(db);
  let last = 0;
  const addWith = (key: string | undefined, tenant = acme) => {
    last += 1;
    const idempotency = key === undefined ? undefined : { key, fingerprint: 'f' };
    return dealsV2.add(tenant, additionV2(tenant, `deal ${last}`, idempotency));
  };
  const add = (count: number) => Array.from({ length: count }, () => addWith(undefined));
  return { dealsV2, sizes, add, addWith, answerOldest: () => answers.shift()?.() };
}

/** Long enough for what is put off to the next turn, and for what follows from it. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('what comes at once is shared by two statements, and what comes behind them is gathered', async () => {
  const { sizes, add, answerOldest } = held();
  const first = add(40);
  await someTurns();
  expect(sizes).toEqual([20, 20]);
  const second = [...add(7), ...add(50)];
  await someTurns();
  // no third one, whatever waits
  expect(sizes).toEqual([20, 20]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([20, 20, 57]);
  answerOldest();
  answerOldest();
  const added = await Promise.all([...first, ...second]);
  expect(added.every((each) => each.isOk())).toBe(true);
});

it('a key that is under way is in no other batch, which could wait for it crosswise', async () => {
  const { sizes, addWith, answerOldest } = held();
  const all = ['a', 'b'].map((key) => addWith(key));
  await someTurns();
  all.push(addWith('b'), addWith('c'), addWith('b', globex), addWith('a'));
  await someTurns();
  // those of `b` and `a` wait, and keys are of their tenants
  expect(sizes).toEqual([2, 2]);
  answerOldest();
  await someTurns();
  expect(sizes).toEqual([2, 2, 2]);
  answerOldest();
  answerOldest();
  expect((await Promise.all(all)).every((each) => each.isOk())).toBe(true);
});

it('what is no addition is refused by itself', async () => {
  const { dealsV2, sizes, add, answerOldest } = held();
  const none = { ...additionV2(acme, 'bad'), deal: Object(undefined) };
  const refused = (await dealsV2.add(acme, none))._unsafeUnwrapErr();
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
