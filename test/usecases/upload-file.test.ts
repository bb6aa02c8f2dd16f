import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { acme } from './marketplace-with.js';
import { abc, bytes, errorOf, upload, watched, withDeal } from './with-deal.js';

describe('the stage of a file', () => {
  it('is needed if the deal has several', async () => {
    const { api, id, stage_ids, kept } = await withDeal({}, 3);
    expect(await errorOf(api, id, upload)).toEqual(['stage_id required']);
    expect(await kept()).toEqual([]);
    for (const stage_id of stage_ids) {
      const file = (await api.uploadFile({ id }, { ...upload, stage_id }))._unsafeUnwrap();
      expect(file.stage_id).toBe(stage_id);
    }
  });

  it('is judged beside what else is wrong, each once', async () => {
    const { api, id } = await withDeal({}, 2);
    for (const [stage_id, code] of [
      [12_345, 'unknown_stage'],
      [undefined, 'required'],
      ['1', 'wrong_type'],
    ]) {
      const findings = await errorOf(api, id, { ...upload, name: '', stage_id });
      expect([...findings].sort()).toEqual(['name too_short', `stage_id ${code}`]);
    }
    expect(await errorOf(api, id, [])).toEqual(['wrong_type']);
  });

  it('may be told once the content was read', async () => {
    const { api, id, stage_ids } = await withDeal({}, 2);
    const { seen, content } = watched(bytes);
    const stage_id = () => (seen.isEnded ? stage_ids[1] : undefined);
    const file = (await api.uploadFile({ id }, { ...upload, content, stage_id }))._unsafeUnwrap();
    expect(file).toMatchObject({ stage_id: stage_ids[1], sha256: abc, size: 3 });
  });

  it.each([
    ['is not one of the deal', () => 12_345, 'stage_id unknown_stage'],
    ['is text', () => '1', 'stage_id wrong_type'],
    ['is missing', () => undefined, 'stage_id required'],
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'stage_id unreadable',
    ],
  ])('that is told late and %s leaves nothing', async (_, stage_id, code) => {
    const { api, id, kept } = await withDeal({}, 2);
    expect(await errorOf(api, id, { ...upload, stage_id })).toEqual([code]);
    expect(await kept()).toEqual([]);
  });
});

describe('a content', () => {
  it('is not read if its words are refused, and the stage is known', async () => {
    const { api, id, kept } = await withDeal();
    const { seen, content } = watched(bytes);
    expect(await errorOf(api, id, { name: '', content })).toEqual(['name too_short']);
    expect(seen.read).toBe(0);
    expect(await kept()).toEqual([]);
  });

  it('is read, but not stored, if its words are refused, and the stage comes later', async () => {
    const puts: unknown[] = [];
    const files = createMemoryFileStore();
    const put = (...args: Parameters<FileStore['put']>) => {
      puts.push(args);
      return files.put(...args);
    };
    const { api, id } = await withDeal({ files: { ...files, put } });
    const { seen, content } = watched(bytes, bytes);
    const input = { name: '', content, stage_id: () => (seen.isEnded ? 'x' : 'not yet') };
    expect(await errorOf(api, id, input)).toEqual(['stage_id wrong_type', 'name too_short']);
    expect([seen.read, puts]).toEqual([2, []]);
    const large = watched(bytes, bytes, bytes, bytes, bytes);
    const late = { name: '', content: large.content, stage_id: () => 1 };
    expect(await errorOf(api, id, late)).toBe('payload_too_large');
    expect(large.seen.read).toBe(4);
  });

  it('is cut off at the first byte too many', async () => {
    const { api, id, kept } = await withDeal();
    const most = watched(bytes, bytes, bytes, Uint8Array.of(1));
    expect((await api.uploadFile({ id }, { ...upload, content: most.content })).isOk()).toBe(true);
    const { seen, content } = watched(bytes, bytes, bytes, bytes, bytes, bytes);
    const error = (await api.uploadFile({ id }, { ...upload, content }))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'payload_too_large', max_bytes: 10 });
    expect(seen).toEqual({ read: 4, isEnded: true });
    expect(await kept()).toHaveLength(1);
  });

  it.each([
    ['throws', new Error('the line is gone'), ['content unreadable']],
    ['throws nonsense', undefined, ['content unreadable']],
    ['is of a malformed form', { code: 'malformed_form' }, ['malformed_form']],
    ['is there twice', { code: 'repeated' }, ['file repeated']],
    ['is said to be too large', { code: 'too_large' }, 'payload_too_large'],
    ['ends with another code', { code: 'aborted' }, ['content unreadable']],
  ])('that %s leaves nothing', async (_, cause, code) => {
    const { api, id, kept } = await withDeal();
    async function* content(): AsyncGenerator<Uint8Array> {
      yield bytes;
      throw cause;
    }
    expect(await errorOf(api, id, { ...upload, content: content() })).toEqual(code);
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['text', 'abc'],
    ['numbers', [97]],
    ['wide numbers', new Uint16Array([97])],
    ['a view', new DataView(new ArrayBuffer(1))],
    ['nothing', undefined],
  ])('whose pieces are %s is refused', async (_, piece) => {
    const { api, id, kept } = await withDeal();
    async function* content(): AsyncGenerator<unknown> {
      yield piece;
    }
    const input = { ...upload, content: content() };
    expect(await errorOf(api, id, input)).toEqual(['content unreadable']);
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['wide numbers', new Uint16Array([97])],
    ['signed numbers', new Int8Array([97])],
    ['a view', new DataView(new ArrayBuffer(1))],
    ['a buffer', new ArrayBuffer(1)],
    ['pieces that come at once', [bytes].values()],
  ])('that is %s is refused', async (_, content) => {
    const { api, id } = await withDeal();
    expect(await errorOf(api, id, { ...upload, content })).toEqual(['content wrong_type']);
  });

  it('may be a Buffer, and is copied', async () => {
    const { api, id, files } = await withDeal();
    const content = Buffer.from('abc');
    const file = (await api.uploadFile({ id }, { ...upload, content }))._unsafeUnwrap();
    content.fill(0);
    const stored = (await files.get(acme, file.id))._unsafeUnwrap();
    const pieces: Uint8Array[] = [];
    for await (const piece of stored ?? []) pieces.push(piece);
    expect([Buffer.concat(pieces).toString(), file.sha256]).toEqual(['abc', abc]);
  });
});

describe('a content that is refused before it is read', () => {
  it.each([
    ['no such deal', 99_999, upload],
    ['no name', 1, { ...upload, name: '' }],
    ['no such stage', 1, { ...upload, stage_id: 77 }],
  ])('is released if there is %s', async (_, id, given) => {
    const { api } = await withDeal();
    let closed = 0;
    const iterator = {
      next: async () => ({ done: false as const, value: bytes }),
      return: async () => {
        closed += 1;
        return { done: true as const, value: undefined };
      },
    };
    const content = { [Symbol.asyncIterator]: () => iterator };
    expect((await api.uploadFile({ id }, { ...given, content })).isErr()).toBe(true);
    expect(closed).toBe(1);
  });

  it.each([
    ['no such deal', 99_999, upload],
    ['no name', 1, { ...upload, name: '' }],
  ])('closes the file that it would have come from if there is %s', async (_, id, given) => {
    const { api } = await withDeal();
    const content = createReadStream(new URL(import.meta.url));
    const closed = once(content, 'close');
    expect((await api.uploadFile({ id }, { ...given, content })).isErr()).toBe(true);
    await closed;
    expect(content.bytesRead).toBe(0);
  });

  it('does no harm if it cannot be released', async () => {
    const { api } = await withDeal();
    const content = {
      [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
        throw new Error('it is read already');
      },
    };
    expect(await errorOf(api, 99_999, { ...upload, content })).toBe('not_found');
  });
});
