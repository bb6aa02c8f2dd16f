import type { Tenant } from '../../src/domain/values/tenant.js';
import type { Answer } from '../../src/ports/answer.js';
import type { FileStore } from '../../src/ports/file-store.js';
import { check, show } from '../expectations.js';
import { groupsOf } from '../laws.js';

/**
 * The subject of the suite of file stores: an empty store for each case.
 */
export interface FileStoreSubject extends FileStore {
  close(): PromiseLike<void>;
}

/** Makes a group of laws about file stores. */
export const group = groupsOf<FileStoreSubject>();

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };

/** The id with this number, later in order than those of lower numbers. */
export function fileId(number: number): string {
  return `01KDVE${String(number).padStart(20, '0')}`;
}

/** The value of an answer, which must be a success. */
export async function ask<T>(answer: Answer<T>): Promise<T> {
  const result = await answer;
  check(result.isOk(), result.isErr() ? `the store failed: ${show(result.error.cause)}` : '');
  return result.value;
}

/** Bytes in which no range is like another, so a lost or repeated one is found. */
export function bytesFrom(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed + 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** The pieces, one after another, each in its own turn. */
export async function* piecesOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield piece;
}

/** Cuts bytes into pieces of these sizes, again and again. */
export function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** Puts bytes under an id, as one piece. */
export async function put(
  store: FileStoreSubject,
  tenant: Tenant,
  id: string,
  bytes: Uint8Array,
): Promise<void> {
  check((await ask(store.put(tenant, id, piecesOf(bytes)))) === 'stored', `${id} is stored`);
}

/** The complete content of an id. */
export async function read(
  store: FileStoreSubject,
  tenant: Tenant,
  id: string,
): Promise<Uint8Array | undefined> {
  const content = await ask(store.get(tenant, id));
  return content === undefined ? undefined : joined(content);
}

/** All bytes of a content. */
export async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    check(piece instanceof Uint8Array, 'a piece is a Uint8Array');
    pieces.push(piece);
    length += piece.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Fails the case unless both are the same bytes; it names the place where they differ, and shows
 * none.
 */
export function sameBytes(
  actual: Uint8Array | undefined,
  expected: Uint8Array,
  what: string,
): void {
  check(actual !== undefined, `${what}: there is nothing`);
  const at = expected.findIndex((byte, index) => byte !== actual[index]);
  check(at === -1, `${what}: byte ${at} of ${expected.length} is another`);
  check(
    actual.length === expected.length,
    `${what}: ${actual.length} bytes instead of ${expected.length}`,
  );
}
