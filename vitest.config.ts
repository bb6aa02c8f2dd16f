import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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

const files = 'test/**/*.test.ts';
/**
 * What says how long something takes, how much memory it holds, or which timers are left: beside others
 * it would measure them.
 */
const alone = [
  'test/adapters/postgres/timeouts.test.ts',
  'test/adapters/http/{node-memory,node-slow,node-uploads,uploads-memory,uploads-node}.test.ts',
  'test/adapters/system/**/*.test.ts',
  'test/cli/upload.test.ts',
];

/** What takes longest, in the order to start it. */
const longest = [
  'adapters/postgres/archive',
  'faults/sqlite',
  'fuzz/fuzz',
  'adapters/postgres/server',
  'adapters/reference/browser',
  'adapters/postgres/pglite',
  'faults/postgres',
  'adapters/http-store/contract',
  'checks/snippets',
  'package/tarball',
].map((name) => `${root}test/${name}.test.ts`);

/** Vitest starts with the largest file: where a small one takes long, the other cores wait for it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((path) => sorted.filter(({ moduleId }) => moduleId === path));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
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

export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      // one more than there are cores, since many wait for servers and processes
      group('together', 0, {
        include: [files],
        exclude: alone,
        maxWorkers: availableParallelism() + 1,
      }),
      // what measures memory starts with none that is somebody else's
      group('alone', 1, { include: alone, maxWorkers: 1, isolate: true }),
    ],
    // the files of a worker share their modules, which takes a third off: nothing global may change
    isolate: false,
    // a machine that is busy with something else is slow, not wrong
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/tests.json' },
    coverage: {
      // .ci/run asks for it; it is of a whole run, so that a few files by themselves have none
      enabled: process.env['COVERAGE'] === 'true',
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 98, branches: 97.5 },
    },
  },
});
