import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

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

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    // a machine that is busy with something else is slow, not wrong
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/tests.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // some branches of the kit run only where it finds a fault; broken stores prove that it does
      exclude: ['src/testing/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 98, branches: 98 },
    },
  },
});
