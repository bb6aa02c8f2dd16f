import { randomBytes } from 'node:crypto';
import { startContender } from '../contender.mjs';
import { startPostgres } from '../postgres/cluster.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';

const rounds = 9;
const warmUps = 2;
const created = 6_400;
const inFlight = 64;
// with the one that never answers as many as a partner may have with one host name
const healthy = 99;
const relays = 4;

const worker = new URL('./worker.mjs', import.meta.url);
const program = new URL('./receiver.mjs', import.meta.url);

/** The figures of the rounds, without those that warm up. */
async function repeat(round) {
  const figures = [];
  for (let number = 1 - warmUps; number <= rounds; number += 1) {
    const answer = await round();
    if (number > 0) figures.push(answer);
  }
  return figures;
}

/** Gathered creates, and then a handler that catches up with their events. */
function catchUp(service) {
  return repeat(async () => {
    const from = await service.ask({ what: 'end' });
    const create = await service.ask({ what: 'create', count: created, inFlight });
    const relay = await service.ask({ what: 'relay', from, count: created });
    return { create, relay };
  });
}

/** Milliseconds from the answer of a create to the handler, in the process itself or in another one. */
async function delays(service, other) {
  const from = await service.ask({ what: 'end' });
  await other.ask({ what: 'subscribe', name: `delays-${other === service}`, from });
  await settle();
  const answered = new Map(await service.ask({ what: 'createSlowly', count: 200 }));
  await settle();
  const handled = await other.ask({ what: 'stop' });
  if (handled.length !== answered.size) throw new Error(`${handled.length} of 200 were handled`);
  return handled.map(([id, at]) => at - answered.get(id));
}

/**
 * Events that come twice if several processes share a handler and the webhooks, and none is killed.
 */
async function duplicates(services, receiver) {
  const { port } = await receiver.ask({});
  const [first] = services;
  const partners = Array.from({ length: 12 }, (_, at) => `partner-${at}`);
  for (const partner of partners) {
    await first.ask({ what: 'webhooks', urls: [`http://127.0.0.1:${port}/${partner}`], partner });
  }
  const from = await first.ask({ what: 'end' });
  const count = 3_000;
  for (const service of services.slice(0, relays)) {
    await service.ask({ what: 'subscribe', name: 'shared', from });
  }
  for (const service of services.slice(relays)) await service.ask({ what: 'relayWebhooks' });
  await first.ask({ what: 'createFor', partners, count: count / partners.length });
  await settle(8_000);
  const answers = [];
  for (const service of services) answers.push(await service.ask({ what: 'stop' }));
  const ids = answers.flat().map(([id]) => id);
  const { received, again } = await receiver.ask({});
  const missed = [count - new Set(ids).size, count - (received - again)];
  if (missed.some((number) => number !== 0)) throw new Error(`not handed over: ${missed}`);
  return {
    handled: ids.length - count,
    posted: again,
    sharing: answers.filter((all) => all.length).length,
  };
}

const settle = (milliseconds = 2_000) => new Promise((done) => setTimeout(done, milliseconds));

/** Deliveries of one process to one webhook, and the figures of bare fetch. */
async function deliveries(service, receiver) {
  const { port } = await receiver.ask({});
  const target = `http://127.0.0.1:${port}/hook`;
  await service.ask({ what: 'webhooks', urls: [target] });
  return repeat(async () => {
    await receiver.ask({});
    const bare = await service.ask({ what: 'fetch', target, count: created, inFlight });
    const bareReceiver = await receiver.ask({});
    const signed = await service.ask({ what: 'deliver', events: created, webhooks: 1 });
    const signedReceiver = await receiver.ask({});
    const share = ({ cpu, received }) => cpu / received;
    return {
      bare,
      signed,
      bareReceiver: share(bareReceiver),
      signedReceiver: share(signedReceiver),
    };
  });
}

/** Many webhooks that answer, alone and beside one that does not. */
async function beside(service, receiver) {
  const { port } = await receiver.ask({});
  const base = `http://127.0.0.1:${port}`;
  const urls = Array.from({ length: healthy }, (_, at) => `${base}/${at}`);
  const question = { what: 'deliver', events: 100, webhooks: healthy };
  const figures = [];
  for (let round = 0; round < 5; round += 1) {
    await service.ask({ what: 'webhooks', urls });
    const alone = await service.ask(question);
    await service.ask({ what: 'webhooks', urls: [`${base}/hang`, ...urls] });
    const together = await service.ask(question);
    figures.push({ alone: alone.microseconds, together: together.microseconds });
  }
  return figures;
}

async function run() {
  const postgres = await startPostgres({ settings: { max_connections: '200' } });
  const key = randomBytes(32).toString('base64url');
  const args = [postgres.socketUrl, key];
  const contenders = [];
  const start = (...given) => {
    const contender = startContender(...given);
    contenders.push(contender);
    return contender;
  };
  try {
    const receiver = start(program);
    const service = start(worker, args);
    const database = await catchUp(service);
    const same = await delays(service, service);
    const other = start(worker, args);
    const listening = await delays(service, other);
    const sharing = [
      service,
      other,
      ...Array.from({ length: 2 * relays - 2 }, () => start(worker, args)),
    ];
    const twice = await duplicates(sharing, receiver);
    for (const each of sharing) each.stop();
    const onPostgres = await deliveries(start(worker, args), receiver);
    const inMemory = await deliveries(start(worker), receiver);
    const hanging = await beside(start(worker), receiver);
    return report({ database, same, listening, twice, onPostgres, inMemory, hanging });
  } finally {
    for (const each of contenders) each.stop();
    await postgres.stop();
  }
}

const of = (all, name, figure) => all.map((each) => (figure ? each[name][figure] : each[name]));
const rows = (title, all, ...columns) => [
  title,
  ...columns.map(([name, figure]) => median(of(all, name, figure)).toFixed(1)),
];

function report({ database, same, listening, twice, onPostgres, inMemory, hanging }) {
  const relayed = medianRatio(
    of(database, 'create', 'microseconds'),
    of(database, 'relay', 'microseconds'),
  );
  const delivered = (all) =>
    medianRatio(of(all, 'bare', 'microseconds'), of(all, 'signed', 'microseconds'));
  const kept = medianRatio(of(hanging, 'alone'), of(hanging, 'together'));
  const ratio = (value, least) =>
    `${value.toFixed(2)}x (target: ${least}; ${verdict(value >= least)})`;
  const within = (all, most) =>
    `${median(all).toFixed(1)} ms (target: less than ${most}; ${verdict(median(all) < most)})`;
  const none = (count) => `${count} (target: 0; ${verdict(count === 0)})`;
  return `Events go from a store to a handler in process, and to webhooks. ${rounds} rounds of ${created} deals, each with
one event. Microseconds for each. The receiver is another process.

${table(
  ['PostgreSQL', 'time', 'CPU'],
  [
    rows('gathered creates, 64 in flight', database, ['create', 'microseconds'], ['create', 'cpu']),
    rows('their events to a handler', database, ['relay', 'microseconds'], ['relay', 'cpu']),
  ],
)}

- Events handled in a second against gathered creates: ${ratio(relayed, 1)}.
- From the answer of a create to a handler in the same process: ${within(same, 5)}.
- To a handler in another process, by LISTEN: ${within(listening, 50)}.
- Of 3000 events of 12 partners, twice to a handler that ${relays} processes share: ${none(twice.handled)}; twice to a webhook
  for which ${relays} processes relay: ${none(twice.posted)}. ${twice.sharing} of the processes handled events.

${table(
  ['64 in flight, one process', 'time', 'CPU', 'CPU of the receiver'],
  [
    rows('bare `fetch`', inMemory, ['bare', 'microseconds'], ['bare', 'cpu'], ['bareReceiver']),
    rows(
      'signed deliveries, in memory',
      inMemory,
      ['signed', 'microseconds'],
      ['signed', 'cpu'],
      ['signedReceiver'],
    ),
    rows(
      'signed deliveries, PostgreSQL',
      onPostgres,
      ['signed', 'microseconds'],
      ['signed', 'cpu'],
      ['signedReceiver'],
    ),
  ],
)}

- In memory, deliveries in a second against bare \`fetch\`: ${ratio(delivered(inMemory), 0.5)}.
- In PostgreSQL: ${ratio(delivered(onPostgres), 0.5)}.
- ${healthy} webhooks beside one that never answers, against without it: ${ratio(kept, 0.9)}.
`;
}

export const eventsOut = { name: 'events', title: 'Events to handlers and webhooks', run };
