import { pathToFileURL } from 'node:url';
import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { StoreHooks } from 'dealwright/sqlite';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { findSnippets } from '../../scripts/checks/snippets.mjs';
import { acme, additionOf, registration } from '../adapters/sql/writes.js';
import { createTestStore } from '../adapters/sqlite/database.js';
import { root, withPlanted } from '../checks/plant.js';

interface Shown {
  createStoreMetrics(system: 'sqlite' | 'postgresql'): StoreHooks;
}

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
});
metrics.setGlobalMeterProvider(provider);
afterAll(async () => {
  metrics.disable();
  await provider.shutdown();
});

/** The points of a histogram: its attributes, their number, and their sum. */
async function pointsOf(name: string) {
  await provider.forceFlush();
  const all =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const found = all.find((metric) => metric.descriptor.name === name) as HistogramMetricData;
  const points = found.dataPoints.map(({ attributes, value }) => ({ attributes, ...value }));
  return { unit: found.descriptor.unit, points };
}

it('measures what the page on observing says that it measures', async () => {
  const file = 'docs/how-to/observe-the-store.md';
  const block = findSnippets(root).find(
    (each) => each.file === file && each.code.includes('createStoreMetrics'),
  );
  const { outputText } = ts.transpileModule(block?.code ?? '', {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const { createStoreMetrics } = await withPlanted<Shown>(
    { 'shown.mjs': outputText },
    (folder) => import(pathToFileURL(`${folder}/shown.mjs`).href),
  );
  const begun = performance.now();
  const store = createTestStore({ hooks: createStoreMetrics('sqlite') });
  try {
    (await store.reserve('sandbox', 6))._unsafeUnwrap();
    (await store.commit(acme, registration()))._unsafeUnwrap();
    await Promise.all([1, 3, 5].map((id) => store.commit(acme, additionOf(id, `${id}`))));
    store.db.prepare('drop table dealwright_stages').run();
    (await store.deals.byPartnerId(acme, '1', ['stage']))._unsafeUnwrapErr();
  } finally {
    await store.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  const of = (operation: string) => ({
    'db.system.name': 'sqlite',
    'db.operation.name': operation,
  });
  const duration = await pointsOf('db.client.operation.duration');
  expect(duration.unit).toBe('s');
  expect(duration.points.map(({ attributes, count }) => [attributes, count])).toEqual([
    [of('reserve'), 1],
    [of('commit'), 2],
    [
      {
        ...of('deals.byPartnerId'),
        'error.type': 'SQLITE_ERROR',
        'db.response.status_code': 'SQLITE_ERROR',
      },
      1,
    ],
  ]);
  const sum = duration.points.reduce((all, point) => all + (point.sum ?? 0), 0);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual(seconds);
  const sizes = await pointsOf('dealwright.store.batch.size');
  expect(sizes.points.map(({ attributes, sum: calls }) => [attributes, calls])).toEqual([
    [of('reserve'), 1],
    [of('commit'), 4],
    [of('deals.byPartnerId'), 1],
  ]);
});
