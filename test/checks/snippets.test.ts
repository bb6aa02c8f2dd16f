import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileSnippets,
  findSnippets,
  runSnippet,
  runTogether,
} from '../../scripts/checks/snippets.mjs';
import { root, withPlanted } from './plant.js';

const snippets = findSnippets(root);
const slow = { timeout: 120_000 };

describe('the blocks of the documents and of the comments', () => {
  it('compile, each by itself, against what is built', slow, () => {
    expect(snippets.length).toBeGreaterThan(100);
    expect(compileSnippets(root, snippets)).toEqual([]);
  });

  const running = snippets.filter(({ runs }) => runs);
  let allRun = false;
  beforeAll(async () => {
    allRun = await runTogether(root, running);
  }, 600_000);

  it.each(running)('run: $file:$line', slow, async (snippet) => {
    if (!allRun) expect(await runSnippet(root, snippet)).toBe(undefined);
  });

  it('are those of the README too', () => {
    expect(running.some(({ file }) => file === 'README.md')).toBe(true);
  });
});

const fence = '```';

const planted = {
  'package.json': '{ "name": "planted", "type": "module" }',
  'README.md': `# Planted

${fence}ts
const good: number = 1;
${fence}

${fence}ts
const shared = good;
const bad: string = 1;
${fence}

- in a list:

  ${fence}ts
  throw new Error('as planted');
  ${fence}

${fence}ts no-run
throw new Error('not run');
${fence}

${fence}sh
const nothing: string = 1;
${fence}
`,
  'docs/how-to/deep.md': `${fence}ts\nimport { missing } from 'dealwright';\n${fence}\n`,
  'docs/how-to/part.md': `${fence}ts in=examples/part
import { part } from './part.js';
const bad: string = part;
${fence}
`,
  'examples/part/part.ts': 'export const part = 1;\n',
  'src/planted.ts': `/**
 * Planted.
 *
 * @example
 * ${fence}ts
 * const bad: string = 2;
 * ${fence}
 */
export const planted = 1;
`,
};

describe('planted blocks', () => {
  it('are found, with the line of their first line', slow, async () => {
    const found = await withPlanted(planted, findSnippets);
    expect(found.map(({ file, line, runs }) => `${file}:${line} ${runs}`)).toEqual([
      'README.md:4 true',
      'README.md:8 true',
      'README.md:15 true',
      'README.md:19 false',
      'docs/how-to/deep.md:2 true',
      'docs/how-to/part.md:2 false',
      'src/planted.ts:6 false',
    ]);
  });

  it('that do not compile are named by file and line', slow, async () => {
    const found = await withPlanted(planted, (folder) =>
      compileSnippets(folder, findSnippets(folder)),
    );
    expect(found.map(({ file, line }) => `${file}:${line}`).sort()).toEqual([
      'README.md:8',
      'README.md:9',
      'docs/how-to/deep.md:2',
      'docs/how-to/part.md:3',
      'src/planted.ts:6',
    ]);
  });

  it('that fail are named by file and line', slow, async () => {
    const failed = await withPlanted(planted, async (folder) => {
      const all = findSnippets(folder).filter(({ runs, file }) => runs && file === 'README.md');
      return Promise.all(all.map((snippet) => runSnippet(folder, snippet)));
    });
    expect(failed).toEqual([
      undefined,
      expect.objectContaining({
        file: 'README.md',
        line: 8,
        message: expect.stringMatching(/ended with code 1[\s\S]*good is not defined/),
      }),
      expect.objectContaining({
        file: 'README.md',
        line: 15,
        message: expect.stringContaining('as planted'),
      }),
    ]);
  });

  it.each([
    ['none of them fails', 'export {};', true],
    ['one throws', 'throw new Error();', false],
    ['one fails later', 'setTimeout(() => { throw new Error(); });', false],
    ['one waits for ever', 'await new Promise(() => {});', false],
    ['one ends the program', 'process.exit(0);', false],
  ])('together end well or not: %s', slow, async (_, code, expected) => {
    const block = (line: number, code: string) => ({ file: 'README.md', line, code, runs: true });
    const blocks = [block(1, 'export {};'), block(2, code), block(3, 'export {};')];
    expect(await withPlanted({}, (folder) => runTogether(folder, blocks))).toBe(expected);
  });
});
