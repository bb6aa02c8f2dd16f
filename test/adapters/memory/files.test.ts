import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore, Tenant } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const others: readonly Tenant[] = [
  { environment: 'production', partner: 'acme' },
  { environment: 'sandbox', partner: 'globex' },
  { environment: 'sandbox', partner: 'sandbox:acme' },
];

async function* pieces(...all: readonly Uint8Array[]) {
  yield* all;
}

async function read(store: FileStore, id: string, tenant = acme): Promise<number[] | undefined> {
  const content = (await store.get(tenant, id))._unsafeUnwrap();
  if (content === undefined) return undefined;
  const bytes: number[] = [];
  for await (const piece of content) bytes.push(...piece);
  return bytes;
}

describe('files in memory', () => {
  it('are copies: of what is written, and each time of what is read', async () => {
    const store = createMemoryFileStore();
    const written = [Uint8Array.of(1, 2), Uint8Array.of(3)];
    await store.put(acme, 'a', pieces(...written));
    for (const piece of written) piece.fill(9);
    expect(await read(store, 'a')).toEqual([1, 2, 3]);
    const handedOut = (await store.get(acme, 'a'))._unsafeUnwrap();
    for await (const piece of handedOut ?? pieces()) piece.fill(9);
    expect(await read(store, 'a')).toEqual([1, 2, 3]);
  });

  it('do not keep a piece that its sender uses again', async () => {
    const store = createMemoryFileStore();
    const buffer = new Uint8Array(2);
    async function* reusing() {
      for (const value of [1, 2, 3]) yield buffer.fill(value);
    }
    await store.put(acme, 'a', reusing());
    expect(await read(store, 'a')).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('are not there if their content ends in an exception: the answer is a failure', async () => {
    const store = createMemoryFileStore();
    const cause = new Error('too large');
    async function* failing() {
      yield Uint8Array.of(1);
      throw cause;
    }
    const failure = (await store.put(acme, 'a', failing()))._unsafeUnwrapErr();
    expect(failure).toEqual({ code: 'unavailable', outcome: 'none', retryable: true, cause });
    expect(await read(store, 'a')).toBeUndefined();
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual([]);
  });

  it('are not there while they are half written', async () => {
    const store = createMemoryFileStore();
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* slow() {
      yield Uint8Array.of(1);
      await paused;
      yield Uint8Array.of(2);
    }
    const writing = store.put(acme, 'a', slow());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await read(store, 'a')).toBeUndefined();
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual([]);
    goOn();
    expect((await writing)._unsafeUnwrap()).toBe('stored');
    expect(await read(store, 'a')).toEqual([1, 2]);
  });

  it('are those of one tenant, though a name reads like two', async () => {
    const store = createMemoryFileStore();
    await store.put(acme, 'a', pieces(Uint8Array.of(1)));
    for (const other of others) {
      expect(await read(store, 'a', other)).toBeUndefined();
      expect((await store.list(other, undefined))._unsafeUnwrap()).toEqual([]);
      expect((await store.delete(other, 'a'))._unsafeUnwrap()).toBe('missing');
    }
    expect(await read(store, 'a')).toEqual([1]);
    expect((await store.delete(acme, 'a'))._unsafeUnwrap()).toBe('deleted');
    expect((await store.delete(acme, 'a'))._unsafeUnwrap()).toBe('missing');
  });

  it('are listed in the order of their ids, put in any order', async () => {
    const store = createMemoryFileStore();
    for (const id of ['c', 'a', 'e', 'b', 'd']) await store.put(acme, id, pieces());
    const behind = async (id?: string) => (await store.list(acme, id))._unsafeUnwrap();
    expect(await behind()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await store.delete(acme, 'b');
    expect(await behind('b')).toEqual(['c', 'd', 'e']);
    expect(await behind('e')).toEqual([]);
  });

  it('can be empty, which is not the same as missing', async () => {
    const store = createMemoryFileStore();
    await store.put(acme, 'a', pieces());
    expect(await read(store, 'a')).toEqual([]);
    expect(await read(store, 'b')).toBeUndefined();
  });
});
