import { randomBytes } from 'node:crypto';
import { startContender } from '../contender.mjs';
import { runWrk } from '../http/wrk.mjs';
import { ensureWrk } from '../kit.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { startPostgres } from './cluster.mjs';
import { pgbenchOfLoneCreate } from './lone-create.mjs';

const rounds = 9;
const seconds = 2;
const connections = 32;
const target = 1.1;

async function run() {
  await ensureWrk();
  const token = randomBytes(24).toString('base64url');
  const postgres = await startPostgres();
  const stops = [() => postgres.stop()];
  const figures = { http: [], busy: [], pgbench: [] };
  try {
    const pgbench = await pgbenchOfLoneCreate(postgres);
    stops.unshift(pgbench.remove);
    const args = [postgres.socketUrl, token];
    const server = startContender(new URL('./http-server.mjs', import.meta.url), args);
    stops.unshift(server.stop);
    const { port } = await server.ask({});
    // round 0 warms up
    for (let round = 0; round <= rounds; round += 1) {
      const { perSecond, busy } = await runWrk({ port, token, connections, seconds });
      const perSecondOfPgbench = await pgbench.run(connections, seconds);
      if (round > 0) {
        figures.http.push(perSecond);
        figures.busy.push(busy);
        figures.pgbench.push(perSecondOfPgbench);
      }
      await postgres.psql('checkpoint');
    }
  } finally {
    for (const stop of stops) await stop();
  }
  const ratio = medianRatio(figures.http, figures.pgbench);
  const row = (title, values) => [title, Math.round(median(values)).toLocaleString('en')];
  return `wrk sends POST \`/api/1.0/deal/\` over ${connections} connections to the Node listener, which stores the deals in
PostgreSQL with fsync on. pgbench runs the statement of a single create with ${connections} clients, without HTTP.
${rounds} rounds of ${seconds} s each, in turns. wrk, the service and PostgreSQL share the machine; wrk used
${(median(figures.busy) * 100).toFixed(0)} % of one core.

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
