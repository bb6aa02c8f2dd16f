import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoth, hostile, plain } from './hostile.js';
import { makeDeal } from './service.js';

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
        const expected = await inside.uploadFile({ id }, upload);
        expect(plain(await client.uploadFile({ id }, upload))).toEqual(plain(expected));
      }),
      { numRuns: 1000 },
    );
    for (const each of hostile) {
      const expected = await inside.uploadFile({ id }, each as typeof valid);
      expect(plain(await client.uploadFile({ id }, each as typeof valid))).toEqual(plain(expected));
    }
  });

  it('of numbers that are wider than a byte are not bytes, as in process', async () => {
    const { inside, client } = createBoth();
    const { id } = await makeDeal(client);
    for (const wide of [Uint16Array.of(1), Int8Array.of(1), new DataView(new ArrayBuffer(1))]) {
      const upload = { name: 'a', content: wide as object as Uint8Array };
      const expected = await inside.uploadFile({ id }, upload);
      expect(plain(await client.uploadFile({ id }, upload))).toEqual(plain(expected));
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
        const expected = await inside.uploadFile(
          { id },
          { name: 'a', content: make() },
          { language },
        );
        const found = await client.uploadFile({ id }, { name: 'a', content: make() }, { language });
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

  it('may name its stage after its content, in any way', async () => {
    const { inside, client } = createBoth();
    const { id, stage_id } = await makeDeal(client);
    for (const value of [stage_id, undefined, 0, 1.5, 'x', {}, true]) {
      const upload = { name: 'a', content: 'AAAA', stage_id: () => value };
      const expected = await inside.uploadFile({ id }, upload);
      expect(plain(await client.uploadFile({ id }, upload))).toEqual(plain(expected));
    }
  });
});
