import * as fc from 'fast-check';
import { err, ok, type Result } from 'neverthrow';
import { expect, it } from 'vitest';
import { type Failure, failureOf } from '../../../adapters/postgres/connection/failures.js';
import type { SendOnce } from '../../../adapters/postgres/connection/send.js';
import { createIdBlocks, type IdBlocks } from '../../../adapters/postgres/write/id-blocks.js';
import { createIdBlocks as createBlocks } from '../../../adapters/shared/id-blocks.js';

const size = 8;

const failure = (isConnectionLost: boolean, code?: string): Failure => ({
  code,
  outcome: 'none',
  retry: 'never',
  isConnectionLost,
  cause: new Error('it failed'),
});

/** A server that answers when the test says so. */
function createServer() {
  let next = 1;
  const asked: { readonly first: number; readonly length: number; readonly time: number }[] = [];
  const open: (((failed?: Failure) => void) & { readonly time: number })[] = [];
  /** Grows with each loss of a connection that may have been that of the last block. */
  let time = 0;
  const send: SendOnce = (_, [length]) =>
    new Promise<Result<readonly string[], Failure>>((resolve) => {
      const first = next;
      next += Number(length);
      asked.push({ first, length: Number(length), time });
      const answer = (failed?: Failure) =>
        resolve(failed === undefined ? ok([String(first)]) : err(failed));
      open.push(Object.assign(answer, { time }));
    });
  return {
    send,
    asked,
    open,
    /** Loses a connection: that of a statement sent before the last loss changes nothing more. */
    lose: (statement = { time }) => {
      if (statement.time === time) time += 1;
    },
    /** Whether an id is of a block that was requested after the last loss of a connection. */
    isFresh: (id: number) =>
      asked.some((each) => each.time === time && id >= each.first && id < each.first + each.length),
  };
}

const rangeOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => first + at);

/** Takes so many ids, and returns all of them. */
async function take(ids: IdBlocks, count: number): Promise<Result<number[], Failure>> {
  const first = await ids.take(count);
  return (typeof first === 'number' ? ok(first) : first).map((each) => rangeOf(each, count));
}

const flush = () => new Promise((resolve) => setImmediate(resolve));

/** Takes ids one by one until the next block is requested. */
async function takeUntilPrefetch() {
  const server = createServer();
  const ids = createIdBlocks(server.send, 'dealwright', 'sandbox', size);
  const first = take(ids, 1);
  server.open.shift()?.();
  const given = [...(await first)._unsafeUnwrap()];
  while (server.open.length === 0) given.push(...(await take(ids, 1))._unsafeUnwrap());
  expect(given.length).toBeLessThan(size);
  return { server, ids, given };
}

it('gives nothing of a block that is on its way when a connection is lost', async () => {
  const { server, ids } = await takeUntilPrefetch();
  const [prefetched] = server.open.splice(0);
  ids.discard();
  prefetched?.();
  await flush();
  const taking = take(ids, 1);
  expect(server.open).toHaveLength(1);
  server.open.shift()?.();
  expect((await taking)._unsafeUnwrap()).toEqual([1 + 2 * size]);
});

it('gives nothing of what is left if the taking of the next block loses its connection', async () => {
  const { server, ids } = await takeUntilPrefetch();
  server.open.shift()?.(failure(true));
  await flush();
  const taking = take(ids, 1);
  server.open.shift()?.();
  expect((await taking)._unsafeUnwrap()).toEqual([1 + 2 * size]);
});

it('keeps what is left if no connection is free for the next block in time', async () => {
  const { server, ids, given } = await takeUntilPrefetch();
  server.open.shift()?.(failureOf(new Error('timeout exceeded when trying to connect')));
  await flush();
  expect((await take(ids, 1))._unsafeUnwrap()).toEqual([given.length + 1]);
});

it('keeps what it took since, if the taking of an earlier block loses its connection', async () => {
  const { server, ids } = await takeUntilPrefetch();
  const waiting = take(ids, size);
  ids.discard();
  const taking = take(ids, 1);
  const [earlier, later] = server.open.splice(0);
  later?.();
  expect((await taking)._unsafeUnwrap()).toEqual([1 + 2 * size]);
  earlier?.(failure(true));
  // the block is discarded already: the receiver of this error must not discard another
  expect((await waiting)._unsafeUnwrapErr()).toMatchObject({ isConnectionLost: false });
  expect((await take(ids, 1))._unsafeUnwrap()).toEqual([2 + 2 * size]);
});

it('goes on with what is left if the server refuses the next block', async () => {
  const { server, ids, given } = await takeUntilPrefetch();
  server.open.shift()?.(failure(false));
  await flush();
  expect((await take(ids, 1))._unsafeUnwrap()).toEqual([given.length + 1]);
});

it('says that no id is left if the server has none', async () => {
  const server = createServer();
  const taking = take(createIdBlocks(server.send, 'dealwright', 'sandbox', size), 3);
  server.open.shift()?.(failure(false, '23514'));
  await flush();
  server.open.shift()?.(failure(false, '23514'));
  await flush();
  expect(server.asked.map(({ length }) => length)).toEqual([size, 3]);
  const { cause, ...refused } = (await taking)._unsafeUnwrapErr();
  expect(String(cause)).toMatch('all ids are given out');
  expect(refused).toMatchObject({ outcome: 'none', retry: 'never', isConnectionLost: false });
});

it('gives the last ids, of which there is no whole block, and no others', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 0, max: 3 * size }),
    fc.array(fc.integer({ min: 1, max: size + 2 }), { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    async (last, counts, together) => {
      let next = 1;
      const send: SendOnce = async (_, [length]) => {
        await flush();
        if (next + Number(length) - 1 > last) return err(failure(false, '23514'));
        next += Number(length);
        return ok([String(next - Number(length))]);
      };
      const ids = createIdBlocks(send, 'dealwright', 'sandbox', size);
      const taken: Result<readonly number[], Failure>[] = [];
      if (together) taken.push(...(await Promise.all(counts.map((count) => take(ids, count)))));
      else for (const count of counts) taken.push(await take(ids, count));
      const given = taken.flatMap((each) => each.unwrapOr([]));
      expect(new Set(given).size).toBe(given.length);
      expect(Math.max(0, ...given)).toBeLessThanOrEqual(last);
      for (const [at, each] of taken.entries()) {
        if (each.isOk()) expect(each.value).toHaveLength(counts[at] ?? 0);
        else expect(each.error.code).toBe('IDS_USED_UP');
      }
      // one at a time, until they run out
      if (counts[0] !== undefined && counts[0] <= last) expect(given.length).toBeGreaterThan(0);
      while ((await take(ids, 1)).isOk()) given.push(0);
      expect(next).toBe(last + 1);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

it('gives each id once, in order, and none of before a connection was lost', async () => {
  const step = fc.oneof(
    fc.record({ take: fc.integer({ min: 1, max: 2 * size }) }),
    fc.constantFrom('discard', 'answer', 'answer the last', 'lose', 'refuse'),
  );
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const server = createServer();
    const ids = createIdBlocks(server.send, 'dealwright', 'sandbox', size);
    const given: number[] = [];
    for (const each of steps) {
      const fresh: number[] = [];
      const keep = (taken: Result<readonly number[], Failure>) => {
        if (taken.isErr()) return;
        // right now: a later loss is another matter
        expect(taken.value.filter((id) => !server.isFresh(id))).toEqual([]);
        fresh.push(...taken.value);
      };
      if (typeof each === 'object') {
        const { take: count } = each;
        const taking = ids.take(count);
        if (typeof taking === 'number') keep(ok(rangeOf(taking, count)));
        else void taking.then((taken) => wait(taken.map((first) => rangeOf(first, count))));
      } else if (each === 'discard') {
        server.lose();
        ids.discard();
      } else if (each === 'lose') {
        const statement = server.open.shift();
        if (statement !== undefined) server.lose(statement);
        statement?.(failure(true));
      } else if (each === 'answer the last') server.open.pop()?.();
      else server.open.shift()?.(each === 'refuse' ? failure(false) : undefined);
      await flush();
      for (const taken of waited.splice(0)) keep(taken);
      given.push(...fresh);
    }
    expect(given).toEqual([...new Set(given)].sort((a, b) => a - b));
  });
  const waited: Result<readonly number[], Failure>[] = [];
  const wait = (taken: Result<readonly number[], Failure>) => waited.push(taken);
  await fc.assert(property, { numRuns: 300 });
});

it('drops a block whose ids are not above the one that it is given', async () => {
  const { server, ids } = await takeUntilPrefetch();
  const [prefetched] = server.open.splice(0);
  // another process has the block after the one that is on its way
  const other = take(createIdBlocks(server.send, 'dealwright', 'sandbox', size), 1);
  server.open.shift()?.();
  const last = Number((await other)._unsafeUnwrap().at(-1));
  expect(ids.takeAtOnce(1, last)).toBeUndefined();
  const taking = ids.take(2, last);
  prefetched?.();
  await flush();
  server.open.shift()?.();
  expect(await taking).toEqual(ok(last + size));
  // the rest of that block is above, too
  expect(ids.takeAtOnce(2, last + size + 1)).toBe(last + size + 2);
});

it('asks once for ids above another one, whatever the answer is', async () => {
  const asked: unknown[] = [];
  const ids = createBlocks({
    fetch: async (...given) => {
      asked.push(given);
      return ok(1);
    },
    size,
    isUsedUp: () => false,
  });
  expect(await ids.take(2, 50)).toEqual(ok(1));
  expect(asked[0]).toEqual([size, 50]);
});
