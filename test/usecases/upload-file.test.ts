import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { FileUpload, PartnerApi, StageStatus } from 'dealwright';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore, MarketplacePorts } from 'dealwright/ports';
import { createManualClock } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { dealOf, eventsOf, settle } from '../kit/stored.js';
import { acme, marketplaceWith } from './marketplace-with.js';

const bytes = Uint8Array.of(0x61, 0x62, 0x63);
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const upload: FileUpload = { name: 'draft.txt', content: bytes };
const keyed = { idempotencyKey: 'key-1' };

/** A marketplace with a deal of this many stages. */
async function withDeal(
  ports: { readonly [P in keyof MarketplacePorts]?: unknown } = {},
  stages = 1,
) {
  const files = (ports.files ?? createMemoryFileStore()) as FileStore;
  const { api, store } = marketplaceWith(
    { ...ports, files },
    {
      fileLimit: 10,
      stagePlanner: ({ budget, name, work_days }) =>
        Array.from({ length: stages }, (_, index) => ({
          name: `${name} ${index}`,
          budget: (index === 0 ? budget : 0n) as typeof budget,
          work_days,
        })),
    },
  );
  expect((await api.registerContractor(contractorBody)).isOk()).toBe(true);
  const { id, stage_ids } = (await api.createDeal(dealBody))._unsafeUnwrap();
  const kept = async () => (await files.list(acme, undefined))._unsafeUnwrap();
  return { api, store, files, id, stage_ids, kept };
}

/** A content that tells how far it was read. */
function watched(...pieces: readonly Uint8Array[]) {
  const seen = { read: 0, isEnded: false };
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) {
        seen.read += 1;
        yield piece;
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, content: content() };
}

const errorOf = async (api: PartnerApi<never>, id: number, input: object) => {
  const error = (await api.uploadFile(id, input as FileUpload))._unsafeUnwrapErr();
  return error.code === 'validation_failed'
    ? error.errors.map(({ path, code }) => [...path, code].join(' '))
    : error.code;
};

describe('the stage of a file', () => {
  it('is needed where the deal has several', async () => {
    const { api, id, stage_ids, kept } = await withDeal({}, 3);
    expect(await errorOf(api, id, upload)).toEqual(['stage_id required']);
    expect(await kept()).toEqual([]);
    for (const stage_id of stage_ids) {
      const file = (await api.uploadFile(id, { ...upload, stage_id }))._unsafeUnwrap();
      expect(file.stage_id).toBe(stage_id);
    }
  });

  it('may be told once the content was read', async () => {
    const { api, id, stage_ids } = await withDeal({}, 2);
    const { seen, content } = watched(bytes);
    const stage_id = () => (seen.isEnded ? stage_ids[1] : undefined);
    const file = (await api.uploadFile(id, { ...upload, content, stage_id }))._unsafeUnwrap();
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
  it('is not read where its words are refused, and the stage is known', async () => {
    const { api, id, kept } = await withDeal();
    const { seen, content } = watched(bytes);
    expect(await errorOf(api, id, { name: '', content })).toEqual(['name too_short']);
    expect(seen.read).toBe(0);
    expect(await kept()).toEqual([]);
  });

  it('is read to nowhere where its words are refused, and the stage comes later', async () => {
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
    expect((await api.uploadFile(id, { ...upload, content: most.content })).isOk()).toBe(true);
    const { seen, content } = watched(bytes, bytes, bytes, bytes, bytes, bytes);
    const error = (await api.uploadFile(id, { ...upload, content }))._unsafeUnwrapErr();
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
    const file = (await api.uploadFile(id, { ...upload, content }))._unsafeUnwrap();
    content.fill(0);
    const stored = (await files.get(acme, file.id))._unsafeUnwrap();
    const pieces: Uint8Array[] = [];
    for await (const piece of stored ?? []) pieces.push(piece);
    expect([Buffer.concat(pieces).toString(), file.sha256]).toEqual(['abc', abc]);
  });
});

describe('a scanner', () => {
  it.each(['accepted', 'refused'] as const)(
    'sees all of the file before it is %s',
    async (verdict) => {
      const seen: unknown[] = [];
      const scanner = {
        scan: async (
          tenant: unknown,
          { content, ...facts }: { content: AsyncIterable<Uint8Array> },
        ) => {
          const pieces: Uint8Array[] = [];
          for await (const piece of content) pieces.push(piece);
          seen.push(tenant, facts, Buffer.concat(pieces).toString());
          return ok(verdict);
        },
      };
      const { api, store, id, kept } = await withDeal({ scanner });
      const result = await api.uploadFile(id, { ...upload, content_type: 'text/plain' }, keyed);
      const facts = { name: 'draft.txt', size: 3, sha256: abc, content_type: 'text/plain' };
      expect(seen).toEqual([acme, facts, 'abc']);
      const events = await eventsOf(store, acme);
      const isAccepted = verdict === 'accepted';
      expect([result.isOk(), (await kept()).length, events.length]).toEqual(
        isAccepted ? [true, 1, 3] : [false, 0, 2],
      );
      if (result.isErr()) {
        expect(result.error).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: ['content'], code: 'refused_by_scanner' }],
        });
      }
    },
  );
});

describe('the time of a scanner', () => {
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const deadline = 10_000;
  const pieces = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  type Content = AsyncIterable<Uint8Array>;

  /** A scanner that stops at each piece until the test lets it go on. */
  function createSlowScanner(verdict = 'accepted') {
    const waiting: (() => void)[] = [];
    const seen: { size: number; ended?: unknown } = { size: 0 };
    const scan = async (_: unknown, { content }: { content: Content }) => {
      try {
        for await (const piece of content) {
          seen.size += piece.length;
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
      } catch (cause) {
        seen.ended = cause;
      }
      return ok(verdict);
    };
    return { scan, seen, goOn: () => waiting.shift()?.() };
  }

  it('begins anew with each piece that it asks for, however long all of them take', async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const { api, id } = await withDeal({ timer, scanner });
    const uploaded = api.uploadFile(id, { ...upload, content: pieces() });
    for (let piece = 1; piece <= 3; piece += 1) {
      await turns();
      expect(scanner.seen.size).toBe(piece);
      timer.advance(deadline - 1);
      scanner.goOn();
    }
    expect((await uploaded).isOk()).toBe(true);
    expect(timer.sleepers()).toBe(0);
  });

  it('is over where it goes no further, and so is what it reads', async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const { api, id, kept } = await withDeal({ timer, scanner });
    const uploaded = api.uploadFile(id, { ...upload, content: pieces() });
    await turns();
    timer.advance(deadline);
    const error = (await uploaded)._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'scanner.scan', outcome: 'none' });
    expect(await kept()).toEqual([]);
    scanner.goOn();
    await turns();
    expect([scanner.seen.size, scanner.seen.ended]).toEqual([1, expect.any(Error)]);
    expect(timer.sleepers()).toBe(0);
  });

  it("is not the file store's, which has as much for each piece", async () => {
    const timer = createManualClock();
    const scanner = createSlowScanner();
    const arriving: ((piece: Uint8Array) => void)[] = [];
    let isReturned = false;
    const slow = async function* () {
      try {
        for (;;) yield await new Promise<Uint8Array>((resolve) => arriving.push(resolve));
      } finally {
        isReturned = true;
      }
    };
    const files = { ...createMemoryFileStore(), get: () => ok(slow()) };
    const { api, id, kept } = await withDeal({ timer, scanner, files });
    const uploaded = api.uploadFile(id, upload);
    await turns();
    timer.advance(deadline - 1);
    arriving.shift()?.(bytes);
    await turns();
    timer.advance(deadline - 1);
    scanner.goOn();
    await turns();
    timer.advance(deadline);
    // it takes what it got for the whole file, and is not believed
    const error = (await uploaded)._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'files.get', outcome: 'none' });
    expect([scanner.seen.size, scanner.seen.ended]).toEqual([3, expect.any(Error)]);
    expect(await kept()).toEqual([]);
    arriving.shift()?.(bytes);
    await turns();
    expect(isReturned).toBe(true);
    expect(timer.sleepers()).toBe(0);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('gone'))],
    [
      'throws at once',
      () => {
        throw new Error('gone');
      },
    ],
  ])('says nothing of a content that %s on the way', async (_, next) => {
    const files = {
      ...createMemoryFileStore(),
      get: () => ok({ [Symbol.asyncIterator]: () => ({ next }) }),
    };
    const { api, id } = await withDeal({ scanner: createSlowScanner(), files });
    expect((await api.uploadFile(id, upload))._unsafeUnwrapErr()).toMatchObject({
      port: 'files.get',
      cause: new Error('gone'),
    });
  });
});

/** Runs a test on a deal whose one stage has this status. */
async function withStage(
  status: StageStatus,
  test: (
    uploaded: () => ReturnType<PartnerApi<never>['uploadFile']>,
    kept: () => Promise<readonly string[]>,
  ) => Promise<void>,
) {
  const { api, store, id, stage_ids, kept } = await withDeal();
  const key = stage_ids[0] as number;
  const committed = await settle(
    store.commit(acme, {
      attempt: '01KDVE0000000000000000000A',
      expect: [{ present: 'stage', key }],
      insert: [],
      change: [{ kind: 'stage', key, set: { status } }],
      events: [],
    }),
  );
  expect(committed).toEqual({ outcome: 'committed' });
  await test(() => api.uploadFile(id, upload), kept);
}

describe('recording a file', () => {
  it('takes a thousand files for a deal and not one more, but for a repeat of one of them', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile(id, upload, keyed))._unsafeUnwrap();
    for (let count = 1; count < 1000; count += 1) {
      (await api.uploadFile(id, upload))._unsafeUnwrap();
    }
    expect((await api.uploadFile(id, upload, keyed))._unsafeUnwrap()).toEqual(first);
    for (const options of [undefined, { idempotencyKey: 'another' }]) {
      expect((await api.uploadFile(id, upload, options))._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: ['content'], code: 'too_many_files', params: { max: 1000 } }],
      });
    }
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages.flatMap(({ work_files }) => work_files)).toHaveLength(1000);
    expect(await kept()).toHaveLength(1000);
  });

  it('appends its event, and says nothing of the content in it', async () => {
    const { api, store, id, stage_ids } = await withDeal();
    const file = (await api.uploadFile(id, upload))._unsafeUnwrap();
    const events = await eventsOf(store, acme);
    const { id: work_file_id, uploaded_at, ...facts } = file;
    expect(events.at(-1)).toEqual({
      id: work_file_id,
      type: 'work_file.stored',
      ...acme,
      subject: `deal:${dealBody.partner_id}`,
      sequence: 2,
      at: uploaded_at,
      data: { partner_id: dealBody.partner_id, work_file_id, ...facts },
    });
    expect(facts.stage_id).toBe(stage_ids[0]);
  });

  it('takes 200 at once to one deal', async () => {
    const { api, store, id, kept } = await withDeal();
    const uploads = Array.from({ length: 200 }, () => api.uploadFile(id, upload));
    const files = (await Promise.all(uploads)).map((result) => result._unsafeUnwrap().id);
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages[0]?.work_files.map((file) => file.id)).toEqual([...files].sort());
    expect(await kept()).toHaveLength(200);
    const stored = await dealOf(store, acme, dealBody.partner_id);
    expect(stored?.deal.version).toBe(201);
  });

  it('lets 16 of one deal be under way, and those of another deal beside them', async () => {
    const { api, id } = await withDeal();
    const other = (await api.createDeal({ ...dealBody, partner_id: 'other' }))._unsafeUnwrap();
    const waiting: (() => void)[] = [];
    async function* slow() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      yield bytes;
    }
    const all = [...Array(40).keys()].map(() => api.uploadFile(id, { ...upload, content: slow() }));
    const beside = api.uploadFile(other.id, { ...upload, content: slow() });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
    await turn();
    expect(waiting).toHaveLength(17);
    while (waiting.length > 0) {
      waiting.shift()?.();
      await turn();
      expect(waiting.length).toBeLessThanOrEqual(17);
    }
    for (const uploaded of [...all, beside]) expect((await uploaded).isOk()).toBe(true);
  });

  it.each(['pending', 'changes_requested'] as const)('takes one while its stage is %s', (status) =>
    withStage(status, async (uploaded) => expect((await uploaded()).isOk()).toBe(true)),
  );

  it.each(['submitted', 'approved', 'paid', 'cancelled'] as const)(
    'refuses one while its stage is %s, and takes its content back',
    (status) =>
      withStage(status, async (uploaded, kept) => {
        expect((await uploaded())._unsafeUnwrapErr()).toMatchObject({
          code: 'precondition_failed',
          reason: 'stage_closed',
        });
        expect(await kept()).toEqual([]);
      }),
  );

  it('takes its content back where the key is used for something else', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile(id, upload, keyed))._unsafeUnwrap();
    const other = { ...upload, name: 'other.txt' };
    const error = (await api.uploadFile(id, other, keyed))._unsafeUnwrapErr();
    expect(error.code).toBe('idempotency_key_reused');
    expect(await kept()).toEqual([first.id]);
  });

  it('records nothing where the clock fails by then, and takes its content back', async () => {
    const timer = createManualClock();
    const now = () => {
      if (isStored) throw new Error('no time');
      return timer.now();
    };
    let isStored = false;
    const { api, id, kept } = await withDeal({ timer: { ...timer, now } });
    async function* content() {
      yield bytes;
      isStored = true;
    }
    const error = (await api.uploadFile(id, { ...upload, content: content() }))._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'timer.now', outcome: 'none' });
    expect(await kept()).toEqual([]);
  });

  it('takes the second content back where the first answer is repeated', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile(id, upload, keyed))._unsafeUnwrap();
    expect((await api.uploadFile(id, upload, keyed))._unsafeUnwrap()).toEqual(first);
    expect(await kept()).toEqual([first.id]);
  });
});

describe('a content that is refused before it is read', () => {
  it.each([
    ['no such deal', 99_999, upload],
    ['no name', 1, { ...upload, name: '' }],
    ['no such stage', 1, { ...upload, stage_id: 77 }],
  ])('is released where there is %s', async (_, id, given) => {
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
    expect((await api.uploadFile(id, { ...given, content })).isErr()).toBe(true);
    expect(closed).toBe(1);
  });

  it.each([
    ['no such deal', 99_999, upload],
    ['no name', 1, { ...upload, name: '' }],
  ])('closes the file that it would have come from where there is %s', async (_, id, given) => {
    const { api } = await withDeal();
    const content = createReadStream(new URL(import.meta.url));
    const closed = once(content, 'close');
    expect((await api.uploadFile(id, { ...given, content })).isErr()).toBe(true);
    await closed;
    expect(content.bytesRead).toBe(0);
  });

  it('does no harm where it cannot be released', async () => {
    const { api } = await withDeal();
    const content = {
      [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
        throw new Error('it is read already');
      },
    };
    expect(await errorOf(api, 99_999, { ...upload, content })).toBe('not_found');
  });
});
