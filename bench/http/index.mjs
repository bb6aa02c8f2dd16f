import { randomBytes } from 'node:crypto';
import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio, spread } from '../statistics.mjs';
import { limit } from './limit.mjs';

const contenders = {
  raw: 'raw `node:http`: parse, stringify',
  'dealwright-node-keeping': `dealwright, Node shell, keeping up to ${limit.toLocaleString('en')}`,
  'dealwright-node-none': 'dealwright, Node shell, keeping none',
  'dealwright-web-none': 'dealwright, web-standard shell under @hono/node-server, keeping none',
  'fastify-zod': `Fastify + Zod, keeping up to ${limit.toLocaleString('en')}`,
  'express-zod': `Express + Zod, keeping up to ${limit.toLocaleString('en')}`,
};
const rounds = 19;
const connections = 64;
const milliseconds = 1000;
const warmUp = 3000;

async function run() {
  const names = (process.env.BENCH_HTTP ?? Object.keys(contenders).join()).split(',');
  const token = randomBytes(24).toString('base64url');
  const load = startContender(new URL('./load.mjs', import.meta.url), [token]);
  const servers = names.map((name) =>
    startContender(new URL('./server.mjs', import.meta.url), [name, token]),
  );
  const figures = new Map(names.map((name) => [name, []]));
  try {
    // round 0 warms up
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, name] of names.entries()) {
        const figure = await measure(load, servers[index], round > 0 ? milliseconds : warmUp);
        if (round > 0) figures.get(name).push(figure);
      }
    }
  } finally {
    for (const each of [load, ...servers]) each.stop();
  }
  return report(names, (name, what) => figures.get(name)?.map((figure) => figure[what]));
}

async function measure(load, server, milliseconds) {
  const { port } = await server.ask({});
  const { error, perSecond, busy } = await load.ask({ port, connections, milliseconds });
  if (error !== undefined) throw new Error(error);
  const { cpuMicroseconds } = await server.ask({});
  return { perSecond, busy, cpu: cpuMicroseconds / ((perSecond * milliseconds) / 1000) };
}

function report(names, of) {
  const rows = names.map((name) => [
    contenders[name],
    Math.round(median(of(name, 'perSecond'))).toLocaleString('en'),
    `${medianRatio(of(name, 'perSecond'), of('raw', 'perSecond')).toFixed(2)}x`,
    `${(spread(of(name, 'perSecond')) * 100).toFixed(0)} %`,
    `${median(of(name, 'cpu')).toFixed(1)} us`,
    `${medianRatio(of('raw', 'cpu'), of(name, 'cpu')).toFixed(2)}x`,
    `${(median(of(name, 'busy')) * 100).toFixed(0)} %`,
  ]);
  const target = (name, other, wanted) => {
    if (!names.includes(name) || !names.includes(other)) return '';
    const ratio = medianRatio(of(name, 'perSecond'), of(other, 'perSecond'));
    return `- ${contenders[name]}: ${ratio.toFixed(2)}x of ${contenders[other]} (target: ${wanted}; ${verdict(ratio >= wanted)}).\n`;
  };
  return `POST \`/api/1.0/deal/\` over ${connections} connections, each request a deal of its own, authenticated, answered 201.
Each server has a process, the load another; ${rounds} rounds of ${milliseconds / 1000} s. All but raw \`node:http\` do the same work:
who calls, request id, validation, category, contractor, unique \`partner_id\`, stage, event. Whoever
keeps deals starts over with none at ${limit.toLocaleString('en')}. "Spread" is that of the middle half of the rounds; "CPU a
request" counts all threads of the server.

${table(['', 'requests/s', 'against raw', 'spread', 'CPU a request', 'raw against it', 'load busy'], rows)}

${target('dealwright-node-keeping', 'raw', 0.6)}${target('dealwright-node-none', 'raw', 0.85)}${target('dealwright-web-none', 'raw', 0.7)}${target('dealwright-node-keeping', 'fastify-zod', 1)}`;
}

export const httpCreate = { name: 'http', title: 'The whole HTTP create', run };
