import { randomBytes } from 'node:crypto';
import { startContender } from '../contender.mjs';
import { ensureWrk } from '../kit.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio, spread } from '../statistics.mjs';
import { limit } from './limit.mjs';
import { runWrk } from './wrk.mjs';

const kept = limit.toLocaleString('en');
const contenders = {
  raw: 'raw `node:http`',
  fastify: 'Fastify',
  'hono-node': '@hono/node-server',
  'dealwright-node-keeping': `dealwright, keeping ${kept}`,
  'dealwright-node-none': 'dealwright, keeping none',
  'dealwright-web-none': 'dealwright under @hono/node-server, keeping none',
  'fastify-zod': `Fastify + Zod, keeping ${kept}`,
  'express-zod': `Express + Zod, keeping ${kept}`,
};
const names = Object.keys(contenders);
const loads = [64, 1];
const cores = { server: 0, wrk: 1 };
const rounds = 11;
const warmUps = 20_000;
const seconds = 2;
/** From this share of its core on, wrk itself would be measured. */
const tooBusy = 0.9;

async function run() {
  await ensureWrk();
  const token = randomBytes(24).toString('base64url');
  const servers = names.map((name) =>
    startContender(new URL('./server.mjs', import.meta.url), [name, token], { core: cores.server }),
  );
  const figures = loads.map(() => names.map(() => []));
  const order = [...names.keys()];
  try {
    for (const server of servers) await warmUp(server, token);
    for (let round = 0; round < rounds; round += 1) {
      // so that a contender does not always follow the same one
      for (const index of round % 2 === 0 ? order : order.toReversed()) {
        for (const [at, connections] of loads.entries()) {
          figures[at][index].push(await measure(servers[index], token, connections));
        }
      }
    }
  } finally {
    for (const server of servers) server.stop();
  }
  return report((at, name, what) => figures[at][names.indexOf(name)].map((each) => each[what]));
}

/** Runs until the code is compiled; on a busy machine that takes requests, not seconds. */
async function warmUp(server, token) {
  for (let left = warmUps; left > 0; ) left -= (await measure(server, token, loads[0])).created;
}

async function measure(server, token, connections) {
  const { port } = await server.ask({});
  const load = { port, token, connections, seconds };
  const { created, perSecond, busy } = await runWrk(load, cores.wrk);
  const { cpuMicroseconds } = await server.ask({});
  return { created, perSecond, busy, cpu: cpuMicroseconds / created };
}

function report(of) {
  const row = (at, name) => {
    const busy = median(of(at, name, 'busy'));
    return [
      contenders[name],
      Math.round(median(of(at, name, 'perSecond'))).toLocaleString('en'),
      `${medianRatio(of(at, name, 'perSecond'), of(at, 'raw', 'perSecond')).toFixed(2)}x`,
      `${(spread(of(at, name, 'perSecond')) * 100).toFixed(0)} %`,
      `${median(of(at, name, 'cpu')).toFixed(1)} us`,
      `${medianRatio(of(at, 'raw', 'cpu'), of(at, name, 'cpu')).toFixed(2)}x`,
      `${(busy * 100).toFixed(0)} %${busy < tooBusy ? '' : ', bounded by the load'}`,
    ];
  };
  const tables = loads.map((connections, at) => {
    const title = connections === 1 ? '1 connection' : `${connections} connections`;
    const head = [title, 'requests/s', 'of raw', 'spread', 'CPU', 'CPU of raw / CPU', 'wrk busy'];
    return table(
      head,
      names.map((name) => row(at, name)),
    );
  });
  const target = (name, other, wanted) => {
    const ratio = medianRatio(of(0, name, 'perSecond'), of(0, other, 'perSecond'));
    return `- ${contenders[name]}: ${ratio.toFixed(2)}x of ${contenders[other]} (target: ${wanted}; ${verdict(ratio >= wanted)}).`;
  };
  return `POST \`/api/1.0/deal/\` with a body of some 600 bytes, authenticated. Each request creates another deal and
is answered with 201; any other answer fails the run. Each server is a process on one core, and wrk sends
the requests from another core; ${rounds} rounds of ${seconds} s, in turns.

- The first three only parse the body and stringify an answer. The others do the same work: authentication, request id,
  validation, category, contractor, unique \`partner_id\`, stage, event.
- dealwright is the Node listener; under @hono/node-server it is the web-standard adapter.
- A server that keeps ${kept} deals deletes all of them when it has so many.
- "CPU" is the CPU time of the server per request, all threads. "wrk busy" is the share of its core that wrk used:
  from ${tooBusy * 100} % on, wrk would limit the server.

${tables.join('\n\n')}

With ${loads[0]} connections:

${[
  target('dealwright-node-none', 'raw', 0.74),
  target('dealwright-node-none', 'fastify', 0.8),
  target('dealwright-web-none', 'raw', 0.57),
  target('dealwright-web-none', 'hono-node', 0.65),
  target('dealwright-node-keeping', 'fastify-zod', 1),
].join('\n')}
`;
}

/** The measurements that are compared with another commit, whose checkout is at `root`. */
async function side(root) {
  await ensureWrk();
  const token = randomBytes(24).toString('base64url');
  const own = names.filter((name) => name.startsWith('dealwright'));
  const servers = own.map((name) =>
    startContender(new URL('bench/http/server.mjs', root), [name, token], { core: cores.server }),
  );
  for (const server of servers) await warmUp(server, token);
  return {
    async measure() {
      const figures = {};
      for (const [index, name] of own.entries()) {
        const { perSecond, cpu } = await measure(servers[index], token, loads[0]);
        figures[`HTTP: ${contenders[name]}, us`] = 1e6 / perSecond;
        figures[`HTTP: ${contenders[name]}, CPU in us`] = cpu;
      }
      return figures;
    },
    async stop() {
      for (const server of servers) server.stop();
    },
  };
}

export const httpCreate = { name: 'http', title: 'The whole HTTP create', run, side };
