import { beforeAll, describe, expect, it } from 'vitest';
import { startContender } from '../../bench/contender.mjs';
import { runWrk } from '../../bench/http/wrk.mjs';
import { ensurePackages } from '../kit/debian.js';

const token = 'token-of-a-benchmark';
const bench = (file: string) => new URL(`../../bench/${file}`, import.meta.url);

/** The answers of a contender, in a process of its own as in a run of the benchmarks. */
async function answerOf(file: string, args: readonly string[], questions: readonly object[]) {
  const contender = startContender(bench(file), [...args]);
  try {
    const answers: unknown[] = [];
    for (const question of questions) answers.push(await contender.ask(question));
    return answers;
  } finally {
    contender.stop();
  }
}

/** Creates deals over HTTP with the given token, in a contender that knows `token`. */
async function createOverHttp(name: string, given: string) {
  const server = startContender(bench('http/server.mjs'), [name, token]);
  try {
    const { port } = (await server.ask({})) as { readonly port: number };
    return await runWrk({ port, token: given, connections: 2, seconds: 1 });
  } finally {
    server.stop();
  }
}

describe('what the benchmarks compare', () => {
  beforeAll(() => ensurePackages('wrk'));

  it.each([
    'raw',
    'fastify',
    'hono-node',
    'dealwright-node-keeping',
    'dealwright-node-none',
    'dealwright-web-none',
    'fastify-zod',
    'express-zod',
  ])('creates deals over HTTP: %s', async (name) => {
    const { created, perSecond, busy } = await createOverHttp(name, token);
    expect(created).toBeGreaterThan(0);
    expect(perSecond).toBeGreaterThan(0);
    expect(busy).toBeGreaterThan(0);
  });

  it('counts no answer but 201', async () => {
    await expect(createOverHttp('dealwright-node-none', 'another')).rejects.toThrow(/wrk: 401 {/);
  });

  it.each(['dealwright', 'by-hand'])('creates deals in process: %s', async (name) => {
    expect(await answerOf('create/worker.mjs', [name], [{ count: 5 }])).toEqual([
      expect.any(Number),
    ]);
  });

  it('turns the pages of lists', async () => {
    const question = { filter: { status: 'created' }, depth: 100, pages: 1 };
    expect(await answerOf('list/worker.mjs', ['400'], [question])).toEqual([expect.any(Number)]);
  });

  it('hands events to a handler, and to a receiver', async () => {
    const receiver = startContender(bench('events/receiver.mjs'));
    try {
      const { port } = (await receiver.ask({})) as { readonly port: number };
      const target = `http://127.0.0.1:${port}/a`;
      const spent = { microseconds: expect.any(Number), cpu: expect.any(Number) };
      const answers = await answerOf(
        'events/worker.mjs',
        [],
        [
          { what: 'create', count: 5, inFlight: 2 },
          { what: 'relay', from: '0', count: 5 },
          { what: 'webhooks', urls: [target] },
          { what: 'deliver', events: 5, webhooks: 1 },
          { what: 'fetch', target, count: 2, inFlight: 1 },
        ],
      );
      expect(answers).toEqual([spent, spent, 'created', spent, spent]);
      expect(await receiver.ask({})).toMatchObject({ received: 7, again: 0 });
    } finally {
      receiver.stop();
    }
  });

  it('judges the same bodies in the same way', async () => {
    const names = ['dealwright', 'zod', 'ajv', 'typebox'];
    const [ours, ...theirs] = await Promise.all(
      names.map((name) => answerOf('validation/worker.mjs', [name], [{ verdicts: true }])),
    );
    for (const verdicts of theirs) expect(verdicts).toEqual(ours);
  });

  it('is not waited for if it has ended', async () => {
    const gone = startContender(bench('http/limit.mjs'), ['that listens to nobody']);
    await expect(gone.ask({})).rejects.toThrow('that listens to nobody ended with 0');
  });
});
