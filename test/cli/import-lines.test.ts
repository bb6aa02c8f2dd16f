import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importLines, type Verdict } from '../../adapters/cli/import/import-lines.js';
import type { RawLine } from '../../adapters/cli/import/lines.js';
import { parseLine } from '../../adapters/cli/import/lines.js';

const email = fc.constantFrom('a@b.co', 'A@B.CO', 'c@d.co');
const id = fc.constantFrom('1', '2', '3');
const line = fc.oneof(
  email.map((each) => ({ contractor: { email: each } })),
  fc.tuple(email, id).map(([contractor_email, partner_id]) => ({
    deal: { contractor_email, partner_id },
  })),
  id.map((partner_id) => ({ deal_v2: { partner_id } })),
);

async function* rawLines(lines: readonly object[]): AsyncGenerator<RawLine> {
  let end = 0;
  for (const [at, each] of lines.entries()) {
    const bytes = Buffer.from(JSON.stringify(each));
    end += bytes.length + 1;
    yield { number: at + 1, bytes, end };
  }
}

const parse = ({ bytes }: RawLine) =>
  parseLine(bytes, 'en').match(
    (good) => good,
    (bad) => bad,
  );

/** The earlier lines that a line must wait for, found in another way. */
function dependsOn(earlier: object, later: object): boolean {
  const touches = (each: object) => {
    const [kind, body] = Object.entries(each)[0] as [string, Record<string, string>];
    const address = (body['email'] ?? body['contractor_email'])?.toLowerCase();
    return { kind, address, partner: body['partner_id'] };
  };
  const [one, two] = [touches(earlier), touches(later)];
  if (one.kind === 'contractor') return one.address === two.address;
  return two.kind !== 'contractor' && one.partner === two.partner;
}

describe('lines that are imported', () => {
  it('are sent each once, so many at a time, after what they depend on, and told in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat(3)),
        async (lines, concurrency, waits) => {
          const told: number[] = [];
          const answered = new Set<number>();
          let inFlight = 0;
          const numbers = new Map<unknown, number>();
          await importLines({
            lines: rawLines(lines),
            parse: (raw) => {
              const parsed = parse(raw);
              numbers.set(parsed, raw.number);
              return parsed;
            },
            send: async (sent) => {
              const number = numbers.get(sent) ?? 0;
              inFlight += 1;
              expect(inFlight).toBeLessThanOrEqual(concurrency);
              for (let at = 1; at < number; at += 1) {
                const [earlier, later] = [lines[at - 1] ?? {}, lines[number - 1] ?? {}];
                if (dependsOn(earlier, later)) expect(answered).toContain(at);
              }
              for (let turns = waits.next().value; turns > 0; turns -= 1) {
                await new Promise((resolve) => setImmediate(resolve));
              }
              inFlight -= 1;
              expect(answered).not.toContain(number);
              answered.add(number);
              return { is: 'created' };
            },
            onVerdict: async (raw, verdict) => {
              expect(verdict).toEqual({ is: 'created' });
              told.push(raw.number);
              return true;
            },
            concurrency,
            stop: new AbortController().signal,
          });
          expect(told).toEqual(lines.map((_, at) => at + 1));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('do not wait for a slow one that they do not depend on', async () => {
    let release = () => {};
    const slow = new Promise<Verdict>((resolve) => {
      release = () => resolve({ is: 'created' });
    });
    const sent: string[] = [];
    await importLines({
      lines: rawLines([
        { contractor: { email: 'a@b.co' } },
        { deal: { contractor_email: 'A@b.co', partner_id: '1' } },
        { deal_v2: { partner_id: '2' } },
        { contractor: { email: 'c@d.co' } },
        { deal: { contractor_email: 'c@d.co', partner_id: '3' } },
      ]),
      parse,
      send: async ({ kind, makes }) => {
        sent.push(makes);
        if (makes === 'contractor a@b.co') return slow;
        if (makes === 'deal 3') release();
        return kind === 'contractor' ? { is: 'already_there' } : { is: 'created' };
      },
      onVerdict: async () => true,
      concurrency: 2,
      stop: new AbortController().signal,
    });
    expect(sent).toEqual(['contractor a@b.co', 'deal 2', 'contractor c@d.co', 'deal 3', 'deal 1']);
  });

  it('are read ahead no further than so many', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<RawLine> {
      for (;;) {
        read += 1;
        const bytes = Buffer.from(JSON.stringify({ deal_v2: { partner_id: String(read) } }));
        yield { number: read, bytes, end: 0 };
      }
    }
    let told = 0;
    let most = 0;
    await importLines({
      lines: endless(),
      parse,
      send: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { is: 'created' };
      },
      onVerdict: async () => {
        most = Math.max(most, read - told);
        told += 1;
        return told < 2_000;
      },
      concurrency: 2,
      stop: new AbortController().signal,
    });
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(65);
  });

  it('are sent no more once it is told to stop, though no more come in', async () => {
    const stop = new AbortController();
    async function* stalled(): AsyncGenerator<RawLine> {
      yield* rawLines([{ deal_v2: { partner_id: '1' } }, { deal_v2: { partner_id: '1' } }]);
      await new Promise(() => {});
    }
    const verdicts: Verdict[] = [];
    await importLines({
      lines: stalled(),
      parse,
      send: async () => {
        // until the second line was read
        await new Promise((resolve) => setImmediate(resolve));
        stop.abort();
        return { is: 'created' };
      },
      onVerdict: async (_, verdict) => {
        verdicts.push(verdict);
        return true;
      },
      concurrency: 4,
      stop: stop.signal,
    });
    expect(verdicts).toEqual([{ is: 'created' }, { is: 'unanswered' }]);
  });

  it('end with the error of a sender, once those before it are told', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const told: number[] = [];
    const imported = importLines({
      lines: rawLines([{ deal_v2: { partner_id: '1' } }, { deal_v2: { partner_id: '2' } }]),
      parse,
      send: async ({ makes }) => {
        if (makes === 'deal 2') throw new Error('the sender is gone');
        // long enough for a rejection to count as unhandled
        for (let turn = 0; turn < 5; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        return { is: 'created' };
      },
      onVerdict: async ({ number }) => told.push(number) > 0,
      concurrency: 2,
      stop: new AbortController().signal,
    });
    await expect(imported).rejects.toThrow('the sender is gone');
    process.off('unhandledRejection', onUnhandled);
    expect([told, unhandled]).toEqual([[1], []]);
  });

  it('end with the error of a report or of a reader', async () => {
    const work = {
      parse,
      send: async (): Promise<Verdict> => ({ is: 'created' }),
      concurrency: 1,
      stop: new AbortController().signal,
    };
    const lines = Array.from({ length: 500 }, (_, at) => ({ deal_v2: { partner_id: String(at) } }));
    const full = async () => {
      throw new Error('the disk is full');
    };
    await expect(importLines({ ...work, lines: rawLines(lines), onVerdict: full })).rejects.toThrow(
      'the disk is full',
    );
    async function* broken(): AsyncGenerator<RawLine> {
      yield* rawLines(lines.slice(0, 3));
      throw new Error('the file is gone');
    }
    const told: number[] = [];
    const onVerdict = async ({ number }: RawLine) => told.push(number) > 0;
    await expect(importLines({ ...work, lines: broken(), onVerdict })).rejects.toThrow('is gone');
    expect(told).toEqual([1, 2, 3]);
  });
});

describe('a line', () => {
  const keyOf = (text: string) => {
    const line = parseLine(Buffer.from(text), 'en');
    return line.isOk() ? line.value.idempotencyKey : line.error.code;
  };

  it('has a key of its content alone', () => {
    const key = keyOf('{"deal_v2":{"partner_id":"1","title":"x"}}');
    expect(key).toMatch(/^import-[0-9a-f]{64}$/);
    expect(keyOf(' {"deal_v2" : {"title":"x", "partner_id":"\\u0031"}} ')).toBe(key);
    expect(keyOf('{"deal":{"partner_id":"1","title":"x"}}')).not.toBe(key);
    expect(keyOf('{"deal_v2":{"partner_id":"1","title":"y"}}')).not.toBe(key);
    expect(keyOf('{"deal_v2":{"partner_id":1,"title":"x"}}')).not.toBe(key);
  });

  const deep = '['.repeat(20_000);
  it.each([
    {
      code: 'invalid_json',
      lines: ['{', '{"deal":}', `{"deal":${deep}${deep.replaceAll('[', ']')}}`],
    },
    {
      code: 'invalid_line',
      lines: [
        '[]',
        '[{"deal":{}}]',
        'null',
        '1',
        '{}',
        '{"deal":{},"deal_v2":{}}',
        '{"toString":{}}',
      ],
    },
  ])('is refused as $code', ({ code, lines }) => {
    for (const each of lines) expect(keyOf(each)).toBe(code);
  });

  it('that is no UTF-8, or too long, is refused', () => {
    const bytes = Buffer.from('{"deal":{"name":"\u00ff"}}', 'latin1');
    expect(parseLine(bytes, 'en')._unsafeUnwrapErr().code).toBe('invalid_json');
    expect(parseLine(undefined, 'pl')._unsafeUnwrapErr().code).toBe('payload_too_large');
  });
});
