import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startContender } from '../contender.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { rateOf, tokens } from './limits.mjs';

const calls = Number(process.env.READER_CALLS ?? 60);
const rounds = Number(process.env.READER_ROUNDS ?? 7);
const seconds = 6;
const target = 2;
const schemes = { partner: 'Token', operator: 'Operator', offer: 'Offer' };
const cores = { server: 0, clients: 1 };
const start = (file, args, core) => startContender(new URL(file, import.meta.url), args, { core });

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-bench-'));
  const postgres = await startPostgres();
  try {
    const { socketUrl } = await postgres.createDatabase();
    const places = { memory: '', sqlite: join(folder, 'deals.db'), postgres: socketUrl };
    const figures = {};
    for (const [store, place] of Object.entries(places))
      figures[store] = await measure(store, place);
    return report(figures);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What readers cost over a store, and the other partner beside the worst of each kind. */
export async function measure(store, place, isOnlySearched = false) {
  const server = start('./server.mjs', [store, place], cores.server);
  const clients = ['reader', 'victim'].map(() => start('./client.mjs', [], cores.clients));
  const [reader, other] = clients;
  try {
    const { port, ways } = await server.ask({});
    const question = ({ who, path, token }) => ({
      ...{ port, path },
      authorization: `${schemes[who]} ${token ?? tokens[who]}`,
    });
    const costs = [];
    for (const way of ways) {
      await reader.ask({ how: 'inTurn', count: calls, ...question(way) });
      await server.ask({});
      const { statuses } = await reader.ask({ how: 'inTurn', count: calls, ...question(way) });
      const { cpu, spent } = await server.ask({});
      const [each, cost] = [cpu / calls, spent / calls];
      // the share of a core that a caller takes who asks for nothing else, and how long it makes
      // others wait in the mean: the longer one request, the longer they do
      const load = Math.min((each / cost) * rateOf(way.who) * 1e-6, 0.99);
      const wait = (load * each) / (2 * (1 - load));
      costs.push({ ...way, statuses, cpu: each, cost, load, wait });
    }
    costs.sort((a, b) => b.wait - a.wait);
    if (isOnlySearched) return { costs, beside: {} };
    await server.ask({ isLimited: true });
    const asOther = {
      ...{ how: 'atTimes', every: 5, seconds, port, path: '/api/2.0/deal/victim/' },
      authorization: `Token ${tokens.victim}`,
    };
    await other.ask(asOther);
    const beside = {};
    for (const who of Object.keys(schemes)) {
      const worst = costs.find((each) => each.who === who);
      const all = { worst, idle: [], busy: [], p50: [], statuses: [] };
      beside[who] = all;
      const asReader = { how: 'asAllowed', connections: 8, pause: 20, ...question(worst) };
      // the burst
      await reader.ask({ ...asReader, seconds: 8 });
      for (let round = 0; round < rounds; round += 1) {
        all.idle.push((await other.ask(asOther)).p99);
        // it has saved up for as long as the other was alone: again until that is spent
        await reader.ask({ ...asReader, seconds: 4 });
        const [{ p99, p50 }, { statuses }] = await Promise.all([
          other.ask(asOther),
          reader.ask({ ...asReader, seconds }),
        ]);
        all.busy.push(p99);
        all.p50.push(p50);
        all.statuses.push(statuses);
      }
    }
    return { costs, beside };
  } finally {
    server.stop();
    for (const each of clients) each.stop();
  }
}

function report(figures) {
  const rows = Object.entries(figures).flatMap(([store, { beside }]) =>
    Object.entries(beside).map(([who, { worst, idle, busy }]) => [
      ...[store, who, `\`${worst.path}\``],
      `${(worst.cpu / 1000).toFixed(2)} ms`,
      worst.cost.toFixed(1),
      `${median(idle).toFixed(1)} ms`,
      `${median(busy).toFixed(1)} ms`,
      `${medianRatio(busy, idle).toFixed(2)}x`,
    ]),
  );
  const ratios = Object.values(figures).flatMap(({ beside }) =>
    Object.values(beside).map(({ idle, busy }) => medianRatio(busy, idle)),
  );
  const worst = Math.max(...ratios);
  const head = ['store', 'reader', 'worst way', 'CPU', 'counts as', 'idle', 'beside it', 'ratio'];
  return `Another partner asks for its deal 200 times a second; p99 of that, idle and beside a reader that takes all
that the limits of \`dealwright serve\` allow: a partner, an operator, or the bearer of a payment token. The worst way to
read is searched for over the routes, with pages of the largest texts, a deal of 1.0 with a text of 1 MB, 1,000 files, 300
deals: that with the most CPU time for what it counts as. ${rounds} rounds of ${seconds} s, each idle and then beside the reader.

${table(head, rows)}

- ${worst.toFixed(2)}x idle at most (target: ${target}; ${verdict(worst <= target)}).
`;
}

export const worstReaders = {
  name: 'readers',
  title: 'Another partner beside the worst reader',
  run,
};
