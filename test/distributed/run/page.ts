import type { Cost } from './costs.js';
import type { KillFigures } from './kills.js';
import type { MoveFigures } from './moves.js';

/** The figures of a run of the contracts. */
export interface Passed {
  readonly passed: number;
  readonly failed: number;
  readonly left: number;
  /** Names of cases that failed. */
  readonly failures: readonly string[];
  /** Cases by file. */
  readonly files: Readonly<Record<string, number>>;
}

/** All results on the page; a part that was not run is absent. */
export interface Results {
  readonly date: string;
  readonly versions: readonly string[];
  readonly machine: string;
  readonly shards: number;
  readonly contract?: Passed;
  readonly costs?: readonly Cost[];
  readonly memory?: readonly (readonly [creates: number, bytes: number])[];
  readonly kills?: KillFigures;
  readonly moves?: MoveFigures;
}

/** The page of the docs that a run writes. */
export function pageOf(results: Results): string {
  const { date, versions, machine, shards, contract, costs, memory, kills, moves } = results;
  const parts = [
    `# A run on a cluster of Citus

<!-- npm run test:distributed writes this page: do not edit it -->

\`npm run test:distributed\` on a coordinator and two workers, on one machine with the load: ${machine}. ${date}; ${versions.join(', ')}; ${shards} shards a table, \`fsync\` on. A part may come from a run of its own (\`--only\`); other work went on beside. [Scale](../explanation/scale.md) has the conclusions.`,
    contract && contractText(contract),
    costs && costsText(costs),
    memory && memoryText(memory),
    kills && killsText(kills),
    moves && movesText(moves),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

function contractText({ passed, failed, left, failures, files }: Passed): string {
  const rows = Object.entries(files).map(([name, count]) => `| ${name} | ${count} |`);
  return `## Cases

The contracts of [stores, archives and deliveries](../how-to/plug-in-a-store.md), with the event log, and a run of the command line: \`migrate --distribute\`, \`serve --no-migrate\`, \`dump\` and \`restore\`. The store contract runs with each write alone and gathered by node. Tables have 8 shards here.

**${passed} passed, ${failed} failed, ${left} left out.**${failures.map((name) => `\n- failed: ${name}`).join('')}

| File | Cases |
| --- | ---: |
${rows.join('\n')}`;
}

const us = (value: number) => `${Math.round(value).toLocaleString('en')}`;
const against = (value: number, plain: number) => (value / plain).toFixed(2);

function costTable(costs: readonly Cost[]): string {
  const rows = costs.map(({ what, plain, coordinator, workers, plainRate, rate }) => {
    const cells = [what, us(plain), us(coordinator), us(workers), against(coordinator, plain)];
    const total = against(coordinator + workers, plain);
    return `| ${[...cells, total, against(rate, plainRate)].join(' | ')} |`;
  });
  return `| | plain server, us | coordinator, us | workers, us | coordinator against plain | all nodes against plain | calls a second against plain |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}`;
}

/** The highest cost of the coordinator, and of all nodes together, relative to a plain server. */
const highest: Readonly<Record<string, readonly [coordinator: number, all: number]>> = {
  'a create, 64 in flight, gathered by node': [0.45, 3],
  'a deal by its `partner_id`, 8 in flight': [2, 6],
  'a page of 20 deals, 8 in flight': [2, 6],
  'a page of 100 tenants (a relay)': [2, 10],
};

function costsText(costs: readonly Cost[]): string {
  const targets = costs.flatMap(({ what, plain, coordinator, workers }) => {
    const [ofCoordinator, ofAll] = highest[what] ?? [];
    if (ofCoordinator === undefined || ofAll === undefined) return [];
    return [
      target(`${what}: the coordinator`, coordinator / plain, ofCoordinator),
      target(`${what}: all nodes`, (coordinator + workers) / plain, ofAll),
    ];
  });
  return `## Costs

CPU of a server's processes for each call, in user mode and in the kernel, from \`/proc\` (\`schedstat\`): the median of five rounds, on the plain server and on the cluster in turns. Eight tenants, four on each worker. The plain server gathers as by default. All run on the same two cores, so calls a second show the cost of the work, not the gain of more machines.

${costTable(costs)}

CPU against one plain server:

${targets.join('\n')}`;
}

function target(what: string, value: number, most: number): string {
  const verdict = value <= most ? 'reached' : 'missed';
  return `- ${what} ${value.toFixed(2)} (target: at most ${most}; ${verdict}).`;
}

function memoryText(memory: readonly (readonly [number, number])[]): string {
  const rows = memory.map(
    ([creates, bytes]) =>
      `| ${creates.toLocaleString('en')} | ${(bytes / 2 ** 20).toFixed(1)} MB |`,
  );
  const [, last = Number.NaN] = memory.at(-1) ?? [];
  const verdict = last < 32 * 2 ** 20 ? 'reached' : 'missed';
  return `## Memory

The own memory (\`RssAnon\`) of the largest process of a worker, after so many creates that the coordinator sent it through one connection. Target: less than 32 MB after 100,000; ${verdict}.

| Creates | |
| ---: | ---: |
${rows.join('\n')}`;
}

function killsText(kills: KillFigures): string {
  const count = (value: number) => value.toLocaleString('en');
  const rows = [
    ['Kills of a worker', count(kills.kills)],
    ['Errors found afterwards', kills.wrong.length === 0 ? '0' : kills.wrong.join('; ')],
    ['Creates acknowledged', count(kills.acknowledged)],
    ['Registrations of contractors acknowledged', count(kills.contractors)],
    ['Creates for the worker that was down: `unavailable`', count(kills.unavailable)],
    ['Creates for the other worker meanwhile: acknowledged', count(kills.besides)],
    ['The fewest of these during one kill', count(kills.leastBesides)],
    ['Creates for the other worker meanwhile: `unavailable`', count(kills.unavailableBesides)],
    [
      'From a worker that takes connections to the first create there, median',
      `${us(kills.recovery)} ms`,
    ],
    ['the longest', `${us(kills.longestRecovery)} ms`],
    ['Seconds', us(kills.seconds)],
  ];
  return `## Kills

Eight tenants create deals, three at a time each, and contractors are registered. Meanwhile one worker after the other is ended by SIGKILL, with all of its processes, stays down for 0.3 to 1.5 seconds (every tenth time for 6), and is started again. In the end every acknowledged deal and contractor exists, each deal has its stage and its event, and no log has a gap. The store object was never replaced.

| | |
| --- | ---: |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`;
}

function movesText(moves: MoveFigures): string {
  const rows = [
    ['Errors found afterwards', moves.wrong.length === 0 ? '0' : moves.wrong.join('; ')],
    ['Shards of `tenants` that moved to the new worker', String(moves.moved)],
    ['Creates acknowledged', moves.acknowledged.toLocaleString('en')],
    ['Creates that were `unavailable`', moves.unavailable.toLocaleString('en')],
    ['The longest time without an acknowledged create', `${us(moves.longestPause)} ms`],
    ['Seconds', us(moves.seconds)],
  ];
  const costs =
    moves.costs.length === 0 ? '' : `\n\nOn the three workers:\n\n${costTable(moves.costs)}`;
  return `## A worker more

\`citus_add_node\` and \`citus_rebalance_start\` while creates go on.

| | |
| --- | ---: |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}${costs}`;
}
