import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { alone, isLong, long, longest, services } from './test/tiers.js';

const root = new URL('.', import.meta.url).pathname;
const { exports: entryPoints } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};

/** Every entry point of package.json, resolved to its source instead of the built file. */
const alias = Object.entries(entryPoints).flatMap(([entryPoint, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          find: new RegExp(`^dealwright${entryPoint.slice(1)}$`),
          replacement: target.default.replace('./dist/', root).replace(/\.js$/, '.ts'),
        },
      ],
);

/** The build alone puts the files of Swagger UI beside this module. */
alias.push({
  find: /^\.\/viewer-files\.js$/,
  replacement: `${root}dist/adapters/reference/viewer-files.js`,
});

/** The build alone puts the pages into this module; quick tests, which need no build, have none. */
const builtPages = `${root}dist/adapters/pages/built-pages.js`;
if (existsSync(builtPages)) {
  alias.push({ find: /^\.\/built-pages\.js$/, replacement: builtPages });
}

const testFiles = (globs: readonly string[]) => globs.map((glob) => `test/${glob}.test.ts`);

/** The same for a commit, so that a change fails by its own fault alone; another for each, to see more. */
function seedOfTree(): number {
  const asked = ['rev-parse', '--short=7', 'HEAD:./'];
  const { status, stdout } = spawnSync('git', asked, { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 1;
}

/**
 * Vitest starts with the largest file: if a small one takes long, the other cores wait for it. And a
 * worker ends, and all its modules with it, when the next file is of another project. So the slowest
 * files come first, and the files of one project come together.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) =>
      sorted.filter(({ moduleId }) => moduleId === `${root}test/${name}.test.ts`),
    );
    const all = [...first, ...sorted.filter((file) => !first.includes(file))];
    const isQuick = ({ project }: TestSpecification) => project.name === 'quick';
    return [...all.filter((file) => !isQuick(file)), ...all.filter(isQuick)];
  }
}

/** A group of files: one group runs after the other. */
const group = (
  name: string,
  groupOrder: number,
  options: NonNullable<UserWorkspaceConfig['test']>,
) => ({
  extends: true as const,
  test: { name, sequence: { groupOrder }, ...options },
});

const setSeed = 'test/kit/set-seed.ts';
// more than there are cores, since many wait for servers and processes
const maxWorkers = availableParallelism() + 2;

/** What the tests of mutants and of a cluster share with these. */
export const common = {
  resolve: { alias },
  test: {
    setupFiles: [setSeed],
    // the files of a worker share their modules, which takes a third off: nothing global may change
    isolate: false,
    // a machine that is busy with something else is slow, not wrong
    testTimeout: isLong ? 1_200_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
};

process.env['DEALWRIGHT_SEED'] ??= String(isLong ? Date.now() % 2 ** 30 : seedOfTree());
process.stdout.write(`DEALWRIGHT_SEED=${process.env['DEALWRIGHT_SEED']}\n`);

export default defineConfig({
  ...common,
  test: {
    ...common.test,
    sequence: { sequencer: LongestFirst },
    projects: [
      group('quick', 0, {
        include: testFiles(['**/*']),
        exclude: [...testFiles([...services, ...alone, ...long]), 'test/tools/**'],
        setupFiles: [setSeed, 'test/kit/no-services.ts'],
        maxWorkers,
      }),
      group('services', 0, {
        include: testFiles(isLong ? [...services, ...long] : services),
        exclude: testFiles(isLong ? alone : [...alone, ...long]),
        maxWorkers,
      }),
      // what measures memory starts with none that is somebody else's
      group('alone', 1, { include: testFiles(alone), maxWorkers: 1, isolate: true }),
    ],
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/tests.json' },
    coverage: {
      // .ci/run asks for it; it is of a whole run, so that a few files by themselves have none
      enabled: process.env['COVERAGE'] === 'true',
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      // a run with a failure says it too
      reportOnFailure: true,
      thresholds: { lines: 98, branches: 97.3 },
    },
  },
});
