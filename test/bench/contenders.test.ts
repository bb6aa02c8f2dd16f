import { describe, expect, it } from 'vitest';
import { startContender } from '../../bench/contender.mjs';

const bench = (file: string) => new URL(`../../bench/${file}`, import.meta.url);

/** What a contender answers, in a process of its own as in a run of the benchmarks. */
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

describe('what the benchmarks compare', () => {
  it.each([
    'raw',
    'dealwright-node-keeping',
    'dealwright-node-none',
    'dealwright-web-none',
    'fastify-zod',
    'express-zod',
  ])('creates deals over HTTP: %s', async (name) => {
    const token = 'token-of-a-benchmark';
    const server = startContender(bench('http/server.mjs'), [name, token]);
    const load = startContender(bench('http/load.mjs'), [token]);
    try {
      const { port } = await server.ask({});
      let perSecond = 0;
      // on a busy machine the first answer can take longer than a short load lasts
      while (perSecond === 0) {
        const measured = await load.ask({ port, connections: 2, milliseconds: 50 });
        expect(measured).toEqual({ perSecond: expect.any(Number), busy: expect.any(Number) });
        ({ perSecond } = measured as { readonly perSecond: number });
      }
    } finally {
      load.stop();
      server.stop();
    }
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

  it('judges the same bodies in the same way', async () => {
    const names = ['dealwright', 'zod', 'ajv', 'typebox'];
    const [ours, ...theirs] = await Promise.all(
      names.map((name) => answerOf('validation/worker.mjs', [name], [{ verdicts: true }])),
    );
    for (const verdicts of theirs) expect(verdicts).toEqual(ours);
  });

  it('is not waited for where it has ended', async () => {
    const gone = startContender(bench('http/limit.mjs'), ['that listens to nobody']);
    await expect(gone.ask({})).rejects.toThrow('that listens to nobody ended with 0');
  });
});
