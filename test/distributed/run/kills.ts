import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { recover, wrongAfter } from './check.js';
import { startLoad } from './load.js';
import { nodesOf, type ServerNode } from './nodes.js';
import { createPlace, registerContractor, tenantsOn } from './place.js';

/** The figures of a run of kills. */
export interface KillFigures {
  readonly kills: number;
  readonly acknowledged: number;
  /** Creates of tenants of the worker that was down. */
  readonly unavailable: number;
  /** Creates of tenants of the other workers meanwhile: acknowledged, the least of any kill, not. */
  readonly besides: number;
  readonly leastBesides: number;
  readonly unavailableBesides: number;
  /** Milliseconds from a worker that takes connections to the first create there: median and longest. */
  readonly recovery: number;
  readonly longestRecovery: number;
  readonly contractors: number;
  readonly seconds: number;
  /** All faults at the end, including losses. */
  readonly wrong: readonly string[];
}

/** Shell commands that kill a worker, and start it. */
export interface WorkerCommands {
  readonly kill: string;
  readonly start: string;
}

const tenantsOfEach = 4;
const run = promisify(execFile);

/** Kills one worker after the other while creates go on, and checks that nothing was lost. */
export async function runKills(
  url: string,
  commands: WorkerCommands,
  kills: number,
): Promise<KillFigures> {
  const begin = performance.now();
  const place = await createPlace(url, true);
  try {
    const nodes = await nodesOf(place.pool, url);
    const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
    const groups = workers.map(({ group }) => group);
    const store = place.store({ gather: { by: 'node' } });
    await registerContractor(store);
    const load = startLoad(store, await tenantsOn(place, groups, tenantsOfEach));
    let [besides, unavailableBesides, leastBesides] = [0, 0, Number.POSITIVE_INFINITY];
    const recoveries: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = workers[kill % workers.length] as ServerNode;
      const others = groups.filter((group) => group !== worker.group);
      const sum = (of: 'acknowledged' | 'unavailable') =>
        others.reduce((all, group) => all + load.of(group)[of], 0);
      await sleep(Math.random() * 600);
      await tell(commands.kill, worker);
      const [acknowledged, refused] = [sum('acknowledged'), sum('unavailable')];
      // sometimes for longer than the store tries again
      await sleep(kill % 10 === 9 ? 6_000 : 300 + Math.random() * 1_200);
      const done = sum('acknowledged') - acknowledged;
      besides += done;
      leastBesides = Math.min(leastBesides, done);
      unavailableBesides += sum('unavailable') - refused;
      await tell(commands.start, worker);
      await untilItListens(worker);
      const back = performance.now();
      const before = load.of(worker.group).acknowledged;
      while (load.of(worker.group).acknowledged === before) {
        if (performance.now() - back > 60_000) throw new Error(`${worker.name} is not found again`);
        await sleep(5);
      }
      recoveries.push(performance.now() - back);
      if (kill % 10 === 9) process.stdout.write(`${kill + 1} kills\n`);
    }
    await load.stop();
    await recover(place.pool);
    recoveries.sort((a, b) => a - b);
    const all = (of: 'acknowledged' | 'unavailable') =>
      groups.reduce((sum, group) => sum + load.of(group)[of], 0);
    return {
      ...{ kills, besides, leastBesides, unavailableBesides },
      acknowledged: all('acknowledged'),
      unavailable: all('unavailable') - unavailableBesides,
      recovery: recoveries[Math.floor(recoveries.length / 2)] ?? Number.NaN,
      longestRecovery: recoveries.at(-1) ?? Number.NaN,
      contractors: load.contractors.length,
      seconds: (performance.now() - begin) / 1000,
      wrong: await wrongAfter(place, load, nodes),
    };
  } finally {
    await place.close();
  }
}

async function tell(command: string, { name }: ServerNode): Promise<void> {
  await run('sh', ['-c', command], { env: { ...process.env, NODE: name } });
}

async function untilItListens({ url }: ServerNode): Promise<void> {
  for (;;) {
    const client = new Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(20);
    }
  }
}
