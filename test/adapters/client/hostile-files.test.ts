import { createMarketplace, type PartnerApi } from 'dealwright';
import type { DealwrightClient } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { createOfflineClient, createOfflineFetch, makeDeal, tenant } from './service.js';

/** One service, asked in process and through the client. */
function createBoth(): { readonly inside: PartnerApi; readonly client: DealwrightClient } {
  const ports = createPorts();
  const inside = createMarketplace(ports).partner(tenant);
  return { inside, client: createOfflineClient({ fetch: createOfflineFetch(ports) }) };
}

/** An answer without what differs from call to call. */
function plain(result: Awaited<ReturnType<PartnerApi[keyof PartnerApi]>>): unknown {
  if (result.isOk()) return 'an answer';
  const { request_id: _, ...error } = result.error;
  return error;
}

const throwing = {
  get name(): string {
    throw new Error('a getter that throws');
  },
};
const hostile: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  7n,
  '',
  '1',
  '1.5',
  'text',
  'a\0b',
  'a\ud800',
  'x'.repeat(300),
  Symbol('s'),
  () => 1,
  {},
  [],
  ['a'],
  new Date(0),
  throwing,
];

describe('a file', () => {
  it('of anything is answered as in process', async () => {
    const { inside, client } = createBoth();
    const { id, stage_id } = await makeDeal(client);
    const valid = { stage_id, name: 'a', content_type: 'text/plain', content: 'T25jZQ==' };
    const contents = [
      ...hostile,
      'T25jZQ',
      'T25j\nZQ==',
      'T===',
      '====',
      'A',
      new Uint8Array(3),
      new DataView(new ArrayBuffer(2)),
    ];
    const spoiled = fc.record(
      {
        stage_id: fc.constantFrom(...hostile.filter((one) => typeof one !== 'function')),
        name: fc.constantFrom(...hostile),
        content_type: fc.constantFrom(...hostile, ' a/b', 'a/b\r\nX: y', 'a/b;\tc=d', 'ż/b'),
        content: fc.constantFrom(...contents),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(spoiled, async (each) => {
        const upload = { ...valid, ...each } as typeof valid;
        const expected = await inside.uploadFile(id, upload);
        expect(plain(await client.uploadFile(id, upload))).toEqual(plain(expected));
      }),
      { numRuns: 1000 },
    );
    for (const each of hostile) {
      const expected = await inside.uploadFile(id, each as typeof valid);
      expect(plain(await client.uploadFile(id, each as typeof valid))).toEqual(plain(expected));
    }
  });

  it('of numbers that are wider than a byte are not bytes, as in process', async () => {
    const { inside, client } = createBoth();
    const { id } = await makeDeal(client);
    for (const wide of [Uint16Array.of(1), Int8Array.of(1), new DataView(new ArrayBuffer(1))]) {
      const upload = { name: 'a', content: wide as object as Uint8Array };
      const expected = await inside.uploadFile(id, upload);
      expect(plain(await client.uploadFile(id, upload))).toEqual(plain(expected));
      expect(expected._unsafeUnwrapErr().code).toBe('validation_failed');
    }
  });

  it('that ends in an error, or in what are not bytes, is unreadable as in process', async () => {
    const { inside, client } = createBoth();
    const { id } = await makeDeal(client);
    const makers = [
      async function* () {
        yield new Uint8Array(3);
        throw new Error('the disk is gone');
      },
      async function* () {
        yield 'text' as never;
      },
      () =>
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.error(new Error('the disk is gone'));
          },
        }) as AsyncIterable<Uint8Array>,
    ];
    for (const make of makers) {
      for (const language of ['en', 'pl'] as const) {
        const expected = await inside.uploadFile(id, { name: 'a', content: make() }, { language });
        const found = await client.uploadFile(id, { name: 'a', content: make() }, { language });
        const error = found._unsafeUnwrapErr();
        if (error.code !== 'validation_failed') throw new Error(error.code);
        const { cause = '', message } = error;
        expect(cause).toMatch(/^Error: the disk is gone$|^TypeError: a piece is not bytes$/);
        expect(plain(expected)).toEqual({
          code: 'validation_failed',
          message: message.slice(0, -cause.length - 1),
          errors: error.errors,
        });
        expect(message.endsWith(` ${cause}`)).toBe(true);
      }
    }
    const deal = (await client.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages.flatMap(({ work_files }) => work_files)).toEqual([]);
  });

  it('may name its stage behind its content, in any way', async () => {
    const { inside, client } = createBoth();
    const { id, stage_id } = await makeDeal(client);
    for (const value of [stage_id, undefined, 0, 1.5, 'x', {}, true]) {
      const upload = { name: 'a', content: 'AAAA', stage_id: () => value };
      const expected = await inside.uploadFile(id, upload);
      expect(plain(await client.uploadFile(id, upload))).toEqual(plain(expected));
    }
  });
});
