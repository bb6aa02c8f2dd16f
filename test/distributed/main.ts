import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { measureCosts, measureMemory } from './run/costs.js';
import { runKills } from './run/kills.js';
import { runMoves } from './run/moves.js';
import { type Passed, pageOf, type Results } from './run/page.js';
import { readSettings, variables } from './run/settings.js';

const { values } = parseArgs({
  options: {
    // the parts to run, added to those of the last run: contract,costs,memory,kills,moves
    only: { type: 'string', default: 'contract,costs,memory,kills,moves' },
    kills: { type: 'string', default: '50' },
    creates: { type: 'string', default: '100000' },
  },
});
const parts = new Set(values.only.split(','));
const settings = readSettings(process.env);
const kept = 'reports/distributed.json';
const contractReport = 'reports/distributed-contract.json';

async function versionsOf(url: string) {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query<{ server: string; citus: string; shards: string }>(
    `select current_setting('server_version') as server, extversion as citus,
      current_setting('citus.shard_count') as shards, citus_version() as citus_version
    from pg_extension where extname = 'citus'`,
  );
  await pool.end();
  const [row] = rows;
  const { citus_version } = Object(row) as { readonly citus_version: string };
  const citus = /^Citus (\S+)/.exec(citus_version)?.[1] ?? row?.citus;
  const server = row?.server.split(' ')[0];
  return {
    versions: [`Citus ${citus}`, `PostgreSQL ${server}`, `Node ${process.versions.node}`],
    shards: Number(row?.shards),
  };
}

function passedIn(path: string): Passed {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
    }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: string) => all.filter((each) => each.status === status).length;
  const [passed, failed] = [count('passed'), count('failed')];
  return {
    ...{ passed, failed, left: all.length - passed - failed },
    failures: all.filter((each) => each.status === 'failed').map(({ fullName }) => fullName),
    files: Object.fromEntries(
      testResults.map(({ name, assertionResults }) => [
        `\`${name.slice(name.indexOf('test/distributed'))}\``,
        assertionResults.length,
      ]),
    ),
  };
}

const earlier: Partial<Results> = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
const [processor] = cpus();
let results: Results = {
  ...{ versions: [], shards: 0 },
  ...earlier,
  ...(await versionsOf(settings.cluster)),
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores (${processor?.model.trim()}), ${process.platform} ${process.arch}`,
};
const keep = (more: Partial<Results>) => {
  results = { ...results, ...more };
  mkdirSync('reports', { recursive: true });
  writeFileSync(kept, JSON.stringify(results));
  writeFileSync('docs/reference/cluster.md', pageOf(results));
};

const needs: Readonly<Record<string, readonly (keyof typeof variables)[]>> = {
  costs: ['plain'],
  kills: ['kill', 'start'],
  moves: ['spare'],
};
for (const part of parts) {
  const lacks = (needs[part] ?? []).filter((name) => settings[name] === undefined);
  const names = lacks.map((name) => variables[name]);
  if (names.length > 0) process.stderr.write(`left out ${part}: it needs ${names.join(', ')}\n`);
}

if (parts.has('contract')) keep({ contract: passedIn(contractReport) });
if (parts.has('costs') && settings.plain !== undefined) {
  keep({ costs: await measureCosts(settings.plain, settings.cluster) });
}
if (parts.has('memory')) {
  keep({ memory: [...(await measureMemory(settings.cluster, Number(values.creates)))] });
}
if (parts.has('kills') && settings.kill !== undefined && settings.start !== undefined) {
  const commands = { kill: settings.kill, start: settings.start };
  keep({ kills: await runKills(settings.cluster, commands, Number(values.kills)) });
}
if (parts.has('moves') && settings.spare !== undefined) {
  keep({ moves: await runMoves(settings.cluster, settings.spare, settings.plain) });
}
const wrong = [
  ...(results.contract?.failures ?? []),
  ...(results.kills?.wrong ?? []),
  ...(results.moves?.wrong ?? []),
];
for (const each of wrong) process.stderr.write(`${each}\n`);
process.exit(wrong.length === 0 ? 0 : 1);
