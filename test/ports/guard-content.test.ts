import { unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createContentGuard } from '../../src/ports/guard-content.js';

const deadline = 1000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A content whose pieces come when the test says so. */
function createContent() {
  let give: (piece: Uint8Array | undefined) => void = () => undefined;
  let isReturned = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = await new Promise<Uint8Array | undefined>((resolve) => {
          give = resolve;
        });
        if (piece === undefined) return;
        yield piece;
      }
    } finally {
      isReturned = true;
    }
  }
  return {
    content: pieces(),
    give: async (piece?: Uint8Array) => {
      await turn();
      give(piece);
      await turn();
    },
    isReturned: () => isReturned,
  };
}

async function readAll(content: AsyncIterable<Uint8Array>) {
  let size = 0;
  for await (const piece of content) size += piece.length;
  return ok(size);
}

const here = async function* (...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size);
};

describe('the guard of ports that take a content', () => {
  it('passes on the pieces, and the answer', async () => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    expect(await guard('none', here(1, 2, 3), readAll)).toEqual(ok(6));
    expect(await guard('none', here(), readAll)).toEqual(ok(0));
    expect(await guard('none', here(1), () => ok('at once'))).toEqual(ok('at once'));
    expect(timer.sleepers()).toBe(0);
  });

  it('waits for a caller as long as it takes: a slow line fails no store', async () => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    const { content, give } = createContent();
    const answer = guard('none', content, readAll);
    for (let piece = 0; piece < 5; piece += 1) {
      await turn();
      timer.advance(100 * deadline);
      await give(new Uint8Array(7));
    }
    timer.advance(100 * deadline);
    await give();
    expect(await answer).toEqual(ok(35));
    expect(timer.sleepers()).toBe(0);
  });

  it('gives a port up that does not ask for the next piece in time', async () => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    const { content, give, isReturned } = createContent();
    let goOn: () => void = () => undefined;
    let seen: unknown;
    const answer = guard('unknown', content, async (pieces) => {
      try {
        for await (const _ of pieces) {
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
        }
      } catch (cause) {
        seen = cause;
      }
      return ok('too late');
    });
    await give(new Uint8Array(1));
    timer.advance(deadline - 1);
    await turn();
    timer.advance(1);
    const error = (await answer)._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retryable: true });
    expect(error.cause).toEqual(new Error(`no progress within ${deadline} ms`));
    // and it gets no more of the content
    goOn();
    await give(new Uint8Array(1));
    expect(seen).toEqual(new Error('the port took too long'));
    expect(isReturned()).toBe(true);
    expect(timer.sleepers()).toBe(0);
  });

  it.each([
    ['before the first piece', async () => new Promise<never>(() => undefined)],
    [
      'after the last',
      async (pieces: AsyncIterable<Uint8Array>) => {
        await readAll(pieces);
        return new Promise<never>(() => undefined);
      },
    ],
  ])('gives a port up that stops %s', async (_, ask) => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    const answer = guard('none', here(1, 2), ask);
    await turn();
    timer.advance(deadline);
    expect((await answer)._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      outcome: 'none',
    });
    expect(timer.sleepers()).toBe(0);
  });

  it('counts the time anew at each piece', async () => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    const goOn: (() => void)[] = [];
    const answer = guard('none', here(1, 1, 1, 1), async (pieces) => {
      for await (const _ of pieces) await new Promise<void>((resolve) => goOn.push(resolve));
      return ok('stored');
    });
    for (let piece = 0; piece < 4; piece += 1) {
      await turn();
      timer.advance(deadline - 1);
      goOn.shift()?.();
    }
    expect(await answer).toEqual(ok('stored'));
  });

  it('lets go of the content that a port reads no further', async () => {
    const guard = createContentGuard(createManualClock(), deadline);
    const { content, give, isReturned } = createContent();
    const answer = guard('none', content, async (pieces) => {
      for await (const _ of pieces) break;
      return ok('enough');
    });
    await give(new Uint8Array(1));
    expect(await answer).toEqual(ok('enough'));
    expect(isReturned()).toBe(true);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('answers for a port that %s', async (_, ask) => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    const error = (await guard('unknown', here(1), ask))._unsafeUnwrapErr();
    expect(error).toMatchObject({ outcome: 'unknown', cause: new Error('down') });
    expect(timer.sleepers()).toBe(0);
  });

  it("passes on a port's own failure, and refuses anything else", async () => {
    const guard = createContentGuard(createManualClock(), deadline);
    const own = unavailable({ outcome: 'none', retryAfter: 7 });
    expect(await guard('unknown', here(), () => own)).toEqual(own);
    const strange = await guard('unknown', here(), () => err('down') as never);
    expect(strange._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  });

  it('answers if the content itself throws, or the clock', async () => {
    const timer = createManualClock();
    const guard = createContentGuard(timer, deadline);
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw new Error('the line is gone');
    }
    const error = (await guard('none', failing(), readAll))._unsafeUnwrapErr();
    expect(error.cause).toEqual(new Error('the line is gone'));
    const sleep = () => {
      throw new Error('no time');
    };
    const timeless = createContentGuard({ ...timer, sleep }, deadline);
    const second = (await timeless('none', here(1), readAll))._unsafeUnwrapErr();
    expect(second).toMatchObject({ outcome: 'none', cause: new Error('no time') });
  });
});
