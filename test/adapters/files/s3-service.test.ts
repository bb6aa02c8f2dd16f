import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Tenant } from 'dealwright/ports';
import { createS3FileStore } from 'dealwright/s3';
import { fileStoreContract } from 'dealwright/spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../kit/children.js';
import { type Swift, startSwift } from '../../kit/swift/swift.js';

const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
const id = '01KDVE00000000000000000001';
const mebibyte = 1024 * 1024;
const key = `sandbox/${createHash('sha256').update('acme').digest('hex')}/${id}`;

let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
}, 600_000);
afterAll(() => swift?.stop());

async function* bytes(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 65_536) yield new Uint8Array(Math.min(65_536, size - at));
}

/** All keys of a bucket, and the uploads that were begun and not ended. */
async function remains(bucket: string): Promise<{ keys: string[]; uploads: string[] }> {
  const keysOf = async (path: string) =>
    [...(await (await swift.ask(path)).text()).matchAll(/<Key>(.*?)<.Key>/g)].map(
      ([, key]) => `${key}`,
    );
  return { keys: await keysOf(bucket), uploads: await keysOf(`${bucket}?uploads`) };
}

describe('in a bucket', () => {
  fileStoreContract({ describe, it }, async () => ({
    ...createS3FileStore({ ...swift.options, bucket: await swift.makeBucket() }),
    close: async () => undefined,
  }));
});

describe('a service that checks signatures', () => {
  it.each([
    ['a secret', { secretAccessKey: 'another-secret' }],
    ['a key', { accessKeyId: 'test:nobody' }],
    ['a region', { region: 'us-test' }],
    ['a clock', { timer: { now: () => Date.now() - 3_600_000, sleep: () => () => undefined } }],
  ])('refuses another than its own: %s', async (_, wrong) => {
    const bucket = await swift.makeBucket();
    const good = createS3FileStore({ ...swift.options, bucket });
    const bad = createS3FileStore({ ...swift.options, bucket, ...wrong });
    expect((await good.put(acme, id, bytes(10))).isOk()).toBe(true);
    for (const answer of [
      await bad.put(acme, id, bytes(20)),
      await bad.put(acme, id, bytes(6 * mebibyte)),
      await bad.get(acme, id),
      await bad.delete(acme, id),
      await bad.list(acme, undefined),
    ]) {
      const { cause, ...failure } = answer._unsafeUnwrapErr();
      expect(failure).toEqual({ code: 'unavailable', outcome: 'none', retryable: false });
      expect(cause).toMatchObject({ reason: 'status', status: expect.toSatisfy(isRefusal) });
    }
    expect((await good.list(acme, undefined))._unsafeUnwrap()).toEqual([id]);
  });

  it('has one object for a content, however it came, and nothing of one that broke off', async () => {
    const bucket = await swift.makeBucket();
    const store = createS3FileStore({ ...swift.options, bucket });
    for (const size of [0, 10, 5 * mebibyte, 5 * mebibyte + 1, 12 * mebibyte]) {
      expect((await store.put(acme, id, bytes(size))).isOk()).toBe(true);
      expect(await remains(bucket)).toEqual({ keys: [key], uploads: [] });
      const head = await swift.ask(`${bucket}/${key}`, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(String(size));
      await store.delete(acme, id);
      expect(await remains(bucket)).toEqual({ keys: [], uploads: [] });
    }
    let wasOpen: string[] = [];
    async function* broken() {
      yield* bytes(11 * mebibyte);
      wasOpen = (await remains(bucket)).uploads;
      throw new Error('the line broke');
    }
    expect((await store.put(acme, id, broken())).isErr()).toBe(true);
    expect(wasOpen).toEqual([key]);
    expect(await remains(bucket)).toEqual({ keys: [], uploads: [] });
    expect(await remains(`${bucket}+segments`)).toEqual({ keys: [], uploads: [] });
  });

  it('keeps to its prefix, and passes over what is not its own, though it fills a page', async () => {
    const bucket = await swift.makeBucket();
    const store = createS3FileStore({ ...swift.options, bucket, prefix: 'deals/files/' });
    const folder = `${bucket}/deals/files/${key.slice(0, -id.length)}`;
    const others = ['0', '00', '000', '01', '010', '01KDVE%20%26%3C%2B', 'notes.txt'];
    for (const name of others) {
      expect((await swift.ask(`${folder}${name}`, { method: 'PUT', body: '' })).status).toBe(200);
    }
    const page = await (await swift.ask(bucket)).text();
    expect(page).toContain('<IsTruncated>true</IsTruncated>');
    expect(page).not.toContain('01KDVE');
    expect((await store.put(acme, id, bytes(10))).isOk()).toBe(true);
    expect((await store.list(acme, undefined))._unsafeUnwrap()).toEqual([id]);
    expect((await store.list(acme, id))._unsafeUnwrap()).toEqual([]);
    expect((await swift.ask(`${folder}${id}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('says what bucket is not there', async () => {
    const store = createS3FileStore({ ...swift.options, bucket: 'nowhere' });
    for (const answer of [
      await store.put(acme, id, bytes(10)),
      await store.list(acme, undefined),
    ]) {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        retryable: false,
        cause: { reason: 'status', status: 404, s3Code: 'NoSuchBucket' },
      });
    }
  });

  it('is sent 25 MiB of which little is held', async () => {
    const bucket = await swift.makeBucket();
    const measure = fileURLToPath(new URL('children/measure-memory.mjs', import.meta.url));
    const args = ['--expose-gc', measure, JSON.stringify({ ...swift.options, bucket })];
    const { stdout, stderr } = await run(process.execPath, args);
    expect(stderr).toBe('');
    const { growth } = JSON.parse(stdout) as { readonly growth: number };
    // the part that is being filled, and the buffers of the one that was sent
    expect(growth).toBeLessThanOrEqual(14 * mebibyte);
  }, 120_000);
});

function isRefusal(status: unknown): boolean {
  return status === 400 || status === 403;
}
