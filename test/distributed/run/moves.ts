import { setTimeout as sleep } from 'node:timers/promises';
import { wrongAfter } from './check.js';
import { type Cost, measureCosts } from './costs.js';
import { startLoad } from './load.js';
import { nodesOf } from './nodes.js';
import { createPlace, registerContractor, tenantsOn } from './place.js';

/** The figures of adding a node under load. */
export interface MoveFigures {
  readonly acknowledged: number;
  readonly unavailable: number;
  /** The longest time without an acknowledged create, in milliseconds. */
  readonly longestPause: number;
  /** Shards of tenants that moved to the new node. */
  readonly moved: number;
  readonly seconds: number;
  readonly wrong: readonly string[];
  /** The cost of a create on the larger cluster. */
  readonly costs: readonly Cost[];
}

/** Adds a worker while creates go on, moves shards to it, and removes it again. */
export async function runMoves(
  url: string,
  spare: string,
  plain: string | undefined,
): Promise<MoveFigures> {
  const [host, port] = spare.split(':');
  const place = await createPlace(url, true);
  const { pool, schema } = place;
  const before = await nodesOf(pool, url);
  const workers = before.filter(({ isCoordinator }) => !isCoordinator);
  try {
    const store = place.store({ gather: { by: 'node' } });
    await registerContractor(store);
    const groups = workers.map(({ group }) => group);
    const load = startLoad(store, await tenantsOn(place, groups, 8), false);
    const all = (of: 'acknowledged' | 'unavailable') =>
      groups.reduce((sum, group) => sum + load.of(group)[of], 0);
    let [seen, since, longestPause, isOver] = [0, performance.now(), 0, false];
    const watching = (async () => {
      while (!isOver) {
        await sleep(5);
        if (all('acknowledged') === seen) continue;
        longestPause = Math.max(longestPause, performance.now() - since);
        [seen, since] = [all('acknowledged'), performance.now()];
      }
    })();
    const begin = performance.now();
    await pool.query('select citus_add_node($1, $2)', [host, Number(port)]);
    await pool.query('select citus_rebalance_start()');
    await pool.query('select citus_rebalance_wait()');
    const seconds = (performance.now() - begin) / 1000;
    await sleep(2_000);
    const counted = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_dist_shard s join pg_dist_placement p using (shardid)
      join pg_dist_node n using (groupid)
      where s.logicalrelid = '${schema}.tenants'::regclass and n.nodename = $1 and n.nodeport = $2`,
      [host, Number(port)],
    );
    await load.stop();
    isOver = true;
    await watching;
    const figures = {
      ...{ acknowledged: all('acknowledged'), unavailable: all('unavailable') },
      ...{ longestPause, seconds, moved: counted.rows[0]?.count ?? 0 },
      wrong: await wrongAfter(place, load, await nodesOf(pool, url)),
    };
    await place.close();
    const work = [
      'a create, 64 in flight, gathered by node',
      'a create, 256 in flight, gathered by node',
    ];
    return { ...figures, costs: plain === undefined ? [] : await measureCosts(plain, url, work) };
  } finally {
    await takeAway(url, spare);
  }
}

/** Drops the tables of this run: else the node could not be removed. */
async function takeAway(url: string, spare: string): Promise<void> {
  const [host, port] = spare.split(':');
  const { Client } = (await import('pg')).default;
  const client = new Client(url);
  await client.connect();
  const known = await client.query(
    'select 1 from pg_dist_node where nodename = $1 and nodeport = $2',
    [host, Number(port)],
  );
  if (known.rows.length > 0) {
    await client.query('select citus_remove_node($1, $2)', [host, Number(port)]);
  }
  await client.end();
}
