import { startContender } from '../contender.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';

const rounds = 9;
const warmUps = 2;

/** In each round new deals are created, and then each gets its commands. */
async function measure(contender, inFlight, count) {
  const figures = { create: [], command: [], createCpu: [], commandCpu: [] };
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    for (const what of ['create', 'command']) {
      const { microseconds, cpu } = await contender.ask({ what, inFlight, count });
      if (round <= 0) continue;
      figures[what].push(microseconds);
      figures[`${what}Cpu`].push(cpu);
    }
  }
  return figures;
}

async function run() {
  const worker = new URL('./worker.mjs', import.meta.url);
  const inMemory = startContender(worker);
  const postgres = await startPostgres({ settings: { max_connections: '120' } });
  const onPostgres = startContender(worker, [postgres.socketUrl]);
  try {
    const memory = await measure(inMemory, 1, 20_000);
    const database = await measure(onPostgres, 64, 6_400);
    return report(memory, database);
  } finally {
    inMemory.stop();
    onPostgres.stop();
    await postgres.stop();
  }
}

function report(memory, database) {
  const row = (title, figures) => [
    title,
    median(figures.create).toFixed(1),
    median(figures.command).toFixed(1),
    median(figures.createCpu).toFixed(1),
    median(figures.commandCpu).toFixed(1),
  ];
  const times = medianRatio(memory.command, memory.create);
  const share = medianRatio(database.create, database.command);
  return `\`createDeal\`, and then \`invite\` on each of these deals: a command reads the whole deal, decides, and writes
once. ${rounds} rounds. Microseconds for each call. In PostgreSQL 64 calls are in flight on 64 deals, and all writes are
gathered.

${table(
  ['', 'create', 'command', 'CPU of a create', 'CPU of a command'],
  [row('in memory, one at a time', memory), row('in PostgreSQL, 64 in flight', database)],
)}

- In memory, a command against a create: ${times.toFixed(2)}x (target: at most 2; ${verdict(times <= 2)}).
- In PostgreSQL, commands in a second against gathered creates: ${share.toFixed(2)}x (target: 0.6; ${verdict(share >= 0.6)}).
`;
}

/** The measurements that are compared with another commit, whose checkout is at `root`. */
async function side(root) {
  const worker = new URL('bench/commands/worker.mjs', root);
  const postgres = await startPostgres({ settings: { max_connections: '120' } });
  const places = [
    ['in memory', startContender(worker), 1, 20_000],
    ['in PostgreSQL', startContender(worker, [postgres.socketUrl]), 64, 6_400],
  ];
  return {
    async measure() {
      const figures = {};
      for (const [where, contender, inFlight, count] of places) {
        for (const what of ['create', 'command']) {
          const { microseconds, cpu } = await contender.ask({ what, inFlight, count });
          figures[`a ${what} ${where}, us`] = microseconds;
          figures[`a ${what} ${where}, CPU in us`] = cpu;
        }
      }
      return figures;
    },
    async stop() {
      for (const [, contender] of places) contender.stop();
      await postgres.stop();
    },
  };
}

export const commandsOnDeals = { name: 'commands', title: 'A command', run, side };
