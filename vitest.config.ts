import { readFileSync } from 'node:fs';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';

const root = new URL('.', import.meta.url).pathname;
const { exports: doors } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};

/** Every door of package.json, opened onto its source instead of the built file. */
const alias = Object.entries(doors).flatMap(([door, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          find: new RegExp(`^dealwright${door.slice(1)}$`),
          replacement: target.default.replace('./dist/', root).replace(/\.js$/, '.ts'),
        },
      ],
);

const files = 'test/**/*.test.ts';
/** What is in memory alone and changes nothing global: files of a worker can share their modules. */
const pure =
  'test/{marketplace.test.ts,{contract,domain,fields,ports,strict,usecases}/**/*.test.ts}';
/** What says how long something takes or how much memory it holds: beside others it would measure them. */
const alone = [
  'test/bench/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/adapters/http/{node-memory,node-slow,node-uploads,uploads-memory,uploads-node}.test.ts',
  'test/adapters/system/**/*.test.ts',
  'test/cli/upload.test.ts',
];

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
    projects: [
      group('pure', 0, { include: [pure], isolate: false, maxWorkers: '100%' }),
      group('others', 1, { include: [files], exclude: [pure, ...alone], maxWorkers: '100%' }),
      group('alone', 2, { include: alone, maxWorkers: 1 }),
    ],
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
      thresholds: { lines: 98, branches: 98 },
    },
  },
});
