import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { startPostgres } from './cluster.mjs';
import { pgbenchOfLoneCreate } from './lone-create.mjs';

const rounds = 11;
const warmUps = 4;
const seconds = 3;

/** The contenders, which take turns in a round, and their names on the page. */
const sides = {
  bench1: 'pgbench, the lone statement, 1 client',
  driver1: 'node-postgres alone, the same statement, 1 in flight',
  ours1: 'dealwright, 1 in flight',
  bench64: 'pgbench, the lone statement, 64 clients',
  ours64: 'dealwright, gathered, 64 in flight',
  alone64: 'dealwright, not gathered, 64 in flight, 10 connections',
  drizzle64: 'Drizzle, a transaction of three inserts, 64 in flight, 20 connections',
};

async function run() {
  const postgres = await startPostgres({ settings: { max_connections: '120' } });
  const figures = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  const stops = [() => postgres.stop()];
  try {
    const pgbench = await pgbenchOfLoneCreate(postgres);
    stops.unshift(pgbench.remove);
    const contender = (...args) => {
      const each = startContender(new URL('./create-worker.mjs', import.meta.url), args);
      stops.unshift(each.stop);
      return async (inFlight) =>
        (await each.ask({ inFlight, milliseconds: seconds * 1000 })).perSecond;
    };
    const gathered = contender('dealwright', postgres.socketUrl);
    const alone = contender('dealwright', postgres.socketUrl, 'alone');
    const driver = contender('driver', postgres.socketUrl);
    const drizzle = contender('drizzle', postgres.socketUrl);
    const ask = {
      bench1: () => pgbench.run(1, seconds),
      driver1: () => driver(1),
      ours1: () => gathered(1),
      bench64: () => pgbench.run(64, seconds),
      ours64: () => gathered(64),
      alone64: () => alone(64),
      drizzle64: () => drizzle(64),
    };
    // rounds up to 0 warm up: one by one it takes some thousand creates until the code is compiled
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      const names = Object.keys(sides);
      for (const name of round % 2 === 0 ? names : names.reverse()) {
        const perSecond = await ask[name]();
        if (round > 0) figures[name].push(perSecond);
      }
      await postgres.psql('checkpoint');
    }
  } finally {
    for (const stop of stops) await stop();
  }
  return report(figures);
}

function report(figures) {
  const rows = Object.entries(sides).map(([name, title]) => [
    title,
    Math.round(median(figures[name])).toLocaleString('en'),
    `${medianRatio(figures[name], figures[name.includes('64') ? 'bench64' : 'bench1']).toFixed(2)}x`,
  ]);
  const target = (above, below, wanted, words) => {
    const ratio = medianRatio(figures[above], figures[below]);
    return `- ${words}: ${ratio.toFixed(2)}x (target: ${wanted}; ${verdict(ratio >= wanted)}).`;
  };
  return `\`createDeal\` through the library; all deals are of one partner. PostgreSQL runs with fsync on. One process for
each contender, over a Unix socket; ${rounds} rounds of ${seconds} s each, in turns. pgbench runs the "lone statement": the
prepared statement of a single create. Each of its clients is another partner, because creates of one partner wait for
each other unless they are gathered.

${table(['', 'deals/s', 'against pgbench'], rows)}

${target('ours1', 'bench1', 0.85, '1 in flight, against pgbench')}
${target('ours64', 'bench64', 2.2, '64 in flight, gathered, against pgbench with 64 clients')}
${target('ours64', 'drizzle64', 8, '64 in flight, against a Drizzle transaction of three inserts')}
`;
}

export const createOnPostgres = {
  name: 'postgres-create',
  title: 'A create in PostgreSQL',
  run,
};
