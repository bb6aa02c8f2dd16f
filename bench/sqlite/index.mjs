import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';

const rounds = 15;
const inFlight = 64;
const count = 2_000;
const target = 4;
const sides = { gathered: 'gathered', alone: 'a transaction for each deal' };

async function run() {
  const names = Object.keys(sides);
  const workers = names.map((name) =>
    startContender(new URL('./worker.mjs', import.meta.url), [name]),
  );
  const figures = names.map(() => []);
  try {
    // round 0 warms up
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, worker] of workers.entries()) {
        const microseconds = await worker.ask({ inFlight, count });
        if (round > 0) figures[index].push(microseconds);
      }
    }
  } finally {
    for (const worker of workers) worker.stop();
  }
  const [gathered, alone] = figures;
  const ratio = medianRatio(alone, gathered);
  const rows = names.map((name, index) => [
    sides[name],
    `${median(figures[index]).toFixed(0)} us`,
    Math.round(1e6 / median(figures[index])).toLocaleString('en'),
  ]);
  return `\`createDeal\` with libsql and a file, ${inFlight} calls in flight, WAL and \`synchronous=FULL\`: each answer waits
until its transaction is on the disk. ${count.toLocaleString('en')} deals a round, ${rounds} rounds, in turns.

${table(['', 'a deal', 'deals/s'], rows)}

- ${ratio.toFixed(1)}x as fast gathered (target: ${target}; ${verdict(ratio >= target)}).
`;
}

/** The measurements that are compared with another commit, whose checkout is at `root`. */
async function side(root) {
  const worker = startContender(new URL('bench/sqlite/worker.mjs', root), ['gathered']);
  return {
    measure: async () => ({
      'a durable create in SQLite, gathered, us': await worker.ask({ inFlight, count }),
      'a durable command in SQLite, gathered, us': await worker.ask({
        ...{ what: 'command', inFlight, count },
      }),
    }),
    stop: () => worker.stop(),
  };
}

export const createOnSqlite = {
  name: 'sqlite-create',
  title: 'A durable create in SQLite',
  run,
  side,
};
