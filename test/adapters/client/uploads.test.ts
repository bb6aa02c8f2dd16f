import { createHash } from 'node:crypto';
import type { ClientFileUpload } from 'dealwright/client';
import { createClient } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deal } from '../../kit/requests.js';
import { createTestHandler, serve } from '../../kit/service.js';
import { createOfflineClient, makeDeal, token } from './service.js';

const bytes = new TextEncoder().encode('Once upon a time');
const sha256 = createHash('sha256').update(bytes).digest('hex');

async function* iterable(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 5) yield bytes.subarray(at, at + 5);
}

const contents: Readonly<Record<string, () => ClientFileUpload['content']>> = {
  bytes: () => bytes,
  'a Buffer': () => Buffer.from(bytes),
  'base64 text': () => Buffer.from(bytes).toString('base64'),
  'a Blob': () => new Blob([bytes]),
  'a File': () => new File([bytes], 'other.txt'),
  'a stream': () => new Blob([bytes]).stream(),
  'an iterable': iterable,
};

describe('an upload', () => {
  for (const [name, make] of Object.entries(contents)) {
    for (const [way, over] of [
      ['without a network', async () => ({ api: createOfflineClient(), close: async () => {} })],
      [
        'over node:http',
        async () => {
          const { baseUrl, close } = await serve(createTestHandler());
          return { api: createClient({ baseUrl, token }), close };
        },
      ],
    ] as const) {
      it(`takes ${name} ${way}`, async () => {
        const { api, close } = await over();
        const { id, stage_id } = await makeDeal(api);
        const seen: unknown[] = [];
        const terms = { name: 'a.txt', content_type: 'text/x-story' };
        const stored = await api.uploadFile(
          { id },
          { ...terms, stage_id, content: make() },
          { onProgress: (each) => seen.push(each) },
        );
        expect(stored._unsafeUnwrap()).toMatchObject({ ...terms, stage_id, size: 16, sha256 });
        const quiet = await api.uploadFile(
          { id },
          {
            ...terms,
            stage_id: () => stage_id,
            content: make(),
          },
        );
        expect(quiet._unsafeUnwrap()).toMatchObject({ ...terms, stage_id, size: 16, sha256 });
        const total = name === 'a stream' || name === 'an iterable' ? {} : { total: 16 };
        expect(seen[0]).toEqual({ sent: 0, ...total });
        expect(seen.at(-1)).toEqual({ sent: 16, ...total });
        await close();
      });
    }
  }
});

describe('a file that is too large', () => {
  const size = 26 * 1024 * 1024;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < size; at += 65_536) yield new Uint8Array(65_536);
  }
  it.each([
    ['as a whole', () => new Blob([new Uint8Array(size)])],
    ['in pieces', pieces],
  ])('and is sent %s is refused over node:http, and nothing is kept', async (_, make) => {
    const { baseUrl, close } = await serve(createTestHandler());
    const api = createClient({ baseUrl, token });
    const { id } = await makeDeal(api);
    const error = (await api.uploadFile({ id }, { name: 'a', content: make() }))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'payload_too_large', max_bytes: 25 * 1024 * 1024 });
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages[0]?.work_files).toEqual([]);
    await close();
  });
});

describe('the name of a file', () => {
  const pieces = [
    '"',
    '\\',
    '%',
    '22',
    '25',
    '0A',
    '0D',
    '01',
    '7F',
    '\r',
    '\n',
    '\x1f',
    '\x7f',
    '\t',
    ';',
    ' filename="',
    '/',
    '..',
  ];
  const name = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 })))
    .map((parts) => parts.join(''))
    .filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'))
    .filter((text) => [...text].length <= 255);

  it('comes back as it was', async () => {
    const api = createOfflineClient();
    await makeDeal(api);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(name, async (each) => {
        count += 1;
        const added = await api.createDeal({ ...deal, partner_id: `deal-${count}` });
        const { id } = added._unsafeUnwrap();
        const stored = await api.uploadFile({ id }, { name: each, content: bytes });
        expect(stored._unsafeUnwrap().name).toBe(each);
      }),
      { numRuns: 500 },
    );
  });
});
