import { randomBytes } from 'node:crypto';
import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { startPostgres } from './cluster.mjs';
import { pgbenchOfLoneCreate } from './lone-create.mjs';

const rounds = 9;
const seconds = 2;
const connections = 32;
const target = 1.1;

async function run() {
  const token = randomBytes(24).toString('base64url');
  const postgres = await startPostgres();
  const stops = [() => postgres.stop()];
  const figures = { http: [], pgbench: [] };
  try {
    const pgbench = await pgbenchOfLoneCreate(postgres);
    stops.unshift(pgbench.remove);
    const start = (file, args) => {
      const each = startContender(new URL(file, import.meta.url), args);
      stops.unshift(each.stop);
      return each;
    };
    const server = start('./http-server.mjs', [postgres.socketUrl, token]);
    const load = start('../http/load.mjs', [token]);
    const { port } = await server.ask({});
    // round 0 warms up
    for (let round = 0; round <= rounds; round += 1) {
      // asleep between answers: the database needs the core
      const question = { port, connections, milliseconds: seconds * 1000, isAwake: false };
      const answer = await load.ask(question);
      if (answer.error !== undefined) throw new Error(answer.error);
      const perSecond = await pgbench.run(connections, seconds);
      if (round > 0) {
        figures.http.push(answer.perSecond);
        figures.pgbench.push(perSecond);
      }
      await postgres.psql('checkpoint');
    }
  } finally {
    for (const stop of stops) await stop();
  }
  const ratio = medianRatio(figures.http, figures.pgbench);
  const row = (title, values) => [title, Math.round(median(values)).toLocaleString('en')];
  return `POST \`/api/1.0/deal/\` over ${connections} connections through the Node shell into PostgreSQL with fsync on, against
pgbench with ${connections} clients and no HTTP, running the statement of a lone create; ${rounds} rounds of ${seconds} s each, in
turns. The load, the service and PostgreSQL share the machine.

${table(
  ['', 'deals/s'],
  [
    row('dealwright over HTTP', figures.http),
    row('pgbench, without HTTP and validation', figures.pgbench),
  ],
)}

- ${ratio.toFixed(2)}x of pgbench (target: ${target}; ${verdict(ratio >= target)}).
`;
}

export const httpOnPostgres = {
  name: 'postgres-http',
  title: 'The whole HTTP create into PostgreSQL',
  run,
};
