import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { startContender } from '../contender.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table, verdict } from '../report.mjs';
import { medianRatio } from '../statistics.mjs';
import { dealV2 } from '../validation/cases.mjs';

const worker = new URL('./worker.mjs', import.meta.url);
/** How many deals of one partner are due at once, and how many large ones end. */
const [dueDeals, largeDeals] = [100_000, 10];
/** Deals that end by hand and by the clock, for comparing the two. */
const compared = 6_400;
const rounds = 5;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** The other partner: a request every 10 ms, a deal made and read in turns, until it is stopped. */
function neighbour(port, token) {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  const askBy = (agent) => (method, path, body) =>
    new Promise((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port, method, path, headers };
      const asked = request(options, (answer) => {
        answer.resume();
        answer.on('end', () => {
          if (answer.statusCode < 300) resolve();
          else reject(new Error(`${method} ${path} was answered ${answer.statusCode}`));
        });
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  let count = 0;
  return {
    /** Milliseconds of each request until `isOver`. */
    async measure(isOver) {
      const times = [];
      // a server ends connections that were not used for a while
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const ask = askBy(agent);
      while (!isOver()) {
        const partner_id = `other-${count}`;
        count += 1;
        const begin = performance.now();
        await ask('POST', '/api/2.0/deal/', { ...dealV2, partner_id });
        const made = performance.now();
        await pause(5);
        const between = performance.now();
        await ask('GET', `/api/2.0/deal/${partner_id}/`);
        times.push(made - begin, performance.now() - between);
        await pause(5);
      }
      agent.destroy();
      return times;
    },
  };
}

/** The neighbour alone, beside many due deals, and beside large ones that end. */
async function fairness(kind) {
  const token = randomBytes(24).toString('hex');
  const service = startContender(worker, [kind, token]);
  try {
    const other = neighbour(await service.ask({ what: 'port' }), token);
    const during = async (milliseconds) => {
      const end = performance.now() + milliseconds;
      return other.measure(() => performance.now() > end);
    };
    await service.ask({ what: 'fill', count: dueDeals });
    await service.ask({ what: 'start' });
    // code that has not run yet is slow, on either side
    await service.ask({ what: 'fillLarge', count: 2 });
    await service.ask({ what: 'endLarge' });
    await during(3_000);
    await service.ask({ what: 'settle' });
    await service.ask({ what: 'fillLarge', count: largeDeals });
    await during(1_000);
    const idle = await during(10_000);
    await service.ask({ what: 'endLarge' });
    const beside = { large: await during(6_000) };
    const payouts = [await service.ask({ what: 'payOut' })];
    await service.ask({ what: 'settle' });
    await service.ask({ what: 'move' });
    await pause(1_500);
    const before = await service.ask({ what: 'expired' });
    const begin = performance.now();
    beside.due = await during(10_000);
    for (let index = 0; index < 3; index += 1) {
      payouts.push(await service.ask({ what: 'payOut' }));
    }
    const done = (await service.ask({ what: 'expired' })) - before;
    if (done === 0 || before + done >= dueDeals) throw new Error(`${before + done} have expired`);
    const rate = (done * 1000) / (performance.now() - begin);
    return {
      idle: percentile(idle, 0.99),
      due: percentile(beside.due, 0.99),
      large: percentile(beside.large, 0.99),
      payout: Math.max(...payouts),
      rate,
    };
  } finally {
    service.stop();
  }
}

/** Deals a second that end by the clock, in these processes together. */
async function byTheClock(services) {
  const [first] = services;
  await first.ask({ what: 'fill', count: compared });
  const before = await expiredIn(services);
  for (const each of services) await each.ask({ what: 'move' });
  // this long after the last request no others are expected
  await pause(200);
  const begin = performance.now();
  for (const each of services) await each.ask({ what: 'start' });
  while ((await expiredIn(services)) - before < compared) await pause(10);
  const rate = (compared * 1000) / (performance.now() - begin);
  for (const each of services) await each.ask({ what: 'stop' });
  return rate;
}

async function expiredIn(services) {
  let all = 0;
  for (const each of services) all += await each.ask({ what: 'expired' });
  return all;
}

/** On PostgreSQL: commands with 64 in flight, the same by the clock, and by three processes. */
async function together(url) {
  const services = [0, 1, 2].map(() => startContender(worker, [url, 'a-token-of-the-benchmark']));
  const [first] = services;
  const figures = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const took = await first.ask({ what: 'commands', count: compared });
      const alone = await byTheClock([first]);
      // all their clocks were moved equally
      for (const each of services.slice(1)) await each.ask({ what: 'move' });
      const all = await byTheClock(services);
      if (round > 0) figures.push({ commands: (compared * 1000) / took, alone, all });
    }
    return figures;
  } finally {
    for (const each of services) each.stop();
  }
}

async function run() {
  const stores = [
    ['memory', await fairness('memory')],
    ['SQLite', await fairness('sqlite')],
    ['PostgreSQL', await inCluster(fairness)],
  ];
  return report(stores, await inCluster(together));
}

/** Over a PostgreSQL of its own, so that earlier measurements leave nothing behind. */
async function inCluster(measure) {
  const postgres = await startPostgres({ settings: { max_connections: '120' } });
  try {
    return await measure(postgres.socketUrl);
  } finally {
    await postgres.stop();
  }
}

function report(stores, figures) {
  const ratio = (above, below) =>
    medianRatio(...[above, below].map((name) => figures.map((each) => each[name])));
  const [share, others] = [ratio('alone', 'commands'), ratio('all', 'alone')];
  const rows = stores.map(([name, { idle, due, large, payout, rate }]) => [
    name,
    idle.toFixed(1),
    due.toFixed(1),
    large.toFixed(1),
    (payout / 1000).toFixed(1),
    rate.toFixed(0),
  ]);
  const worst = Math.max(
    ...stores.flatMap(([, { idle, due, large }]) => [due, large].map((each) => each / idle)),
  );
  const slowest = Math.max(...stores.map(([, { payout }]) => payout)) / 1000;
  return `One partner has ${dueDeals.toLocaleString('en')} deals that expire, and ${largeDeals} deals with 200 payments and 1,000 reports each, which end and
are refunded. Another partner of the same process creates a deal and reads it, over HTTP, with 10 ms between. The table has the
p99 of its requests in milliseconds, its longest payout, and the deals of the first partner that expire in a second.

${table(['', 'idle', 'deals expire', 'large deals end', 'payout, s', 'expired/s'], rows)}

- The other partner's p99 against idle, at most: ${worst.toFixed(2)}x (target: 2; ${verdict(worst <= 2)}).
- Its payout, at most: ${slowest.toFixed(1)} s (target: 5; ${verdict(slowest <= 5)}).
- On PostgreSQL, commands of the clock in one process against the same by hand, 64 in flight: ${share.toFixed(2)}x (target: 0.8; ${verdict(share >= 0.8)}); three processes against one: ${others.toFixed(2)}x (target: 1.0; ${verdict(others >= 1)}).
`;
}

export const dueWork = { name: 'due', title: 'Work that is due', run };
