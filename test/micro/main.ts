import { readFileSync } from 'node:fs';
import { Client, Pool } from 'pg';
import { valuesOfEach } from '../../adapters/postgres/commit-values.js';
import { dealOf } from '../adapters/postgres/new-deals.js';
import { registration } from '../../spec/store/writes.js';
import { createPlace, tenantsOn, registerContractor } from '../distributed/run/place.js';
import { nodesOf } from '../distributed/run/nodes.js';

const cpu = (pid: number) => {
  const f = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
  return (Number(f[11]) + Number(f[12])) * 10_000;
};
const url = process.env['DEALWRIGHT_CLUSTER_URL']!;
const plainUrl = 'postgres://postgres@127.0.0.1:55449/deals';
const per = Number(process.argv[2] ?? 16);
const many = Number(process.argv[3] ?? 4);
async function runOn(target: string, schema: string, tenants: any[], label: string, pre: string[]) {
  const c = new Client(target);
  await c.connect();
  for (const p of pre) await c.query(p);
  const { rows } = await c.query('select pg_backend_pid() as pid');
  const pid = rows[0].pid;
  let n = 0;
  const batch = async () => {
    const writes = Array.from({ length: per }, (_, at) => ({ tenant: tenants[Math.floor(at / (per / many))], set: dealOf(`${label}-${process.pid}-${n++}`) }));
    const v = valuesOfEach(writes);
    const r = await c.query({ name: 'x', text: `select "${schema}".commit_each_1($1::text,$2::text,$3::text,$4::text,$5::text) as answer`, values: v });
    if (r.rows[0].answer !== '[]') throw new Error(r.rows[0].answer);
  };
  for (let i = 0; i < 30; i++) await batch();
  const b = cpu(pid);
  const N = 300;
  for (let i = 0; i < N; i++) await batch();
  console.log(label, ((cpu(pid) - b) / N / per).toFixed(0), 'us/create');
  await c.end();
}
const cluster = await createPlace(url, true);
const plain = await createPlace(plainUrl, false);
try {
  const nodes = (await nodesOf(cluster.pool, url)).filter((n) => !n.isCoordinator);
  const w = nodes[0]!;
  const tenants = (await tenantsOn(cluster, [w.group], many)).get(w.group)! as any[];
  for (const p of [cluster, plain]) {
    const r = await p.store({ gather: false }).commit(tenants[0], registration());
    if (r.isErr()) throw r.error;
  }
  await runOn(plainUrl, plain.schema, tenants, 'plain', []);
  const q = `"${cluster.schema}"`;
  await runOn(w.url, cluster.schema, tenants, 'custom', []);
  if (process.argv[4]) await runOn(w.url, cluster.schema, tenants, 'custom, no local fast path', ['set citus.enable_local_fast_path_query_optimization = off']);
  const alter = async (set: string) => {
    const c = new Client(w.url); await c.connect();
    await c.query('set citus.enable_ddl_propagation = off');
    await c.query(`alter function ${q}.commit_one_1(text,text,bigint,text) ${set}`);
    await c.query(`alter function ${q}.commit_each_1(text,text,text,text,text) ${set}`);
    await c.end();
  };
  if (process.argv[4]) await alter('reset plan_cache_mode');
  if (process.argv[4]) await runOn(w.url, cluster.schema, tenants, 'auto (leaks)', []);
  if (process.argv[4]) await alter('set plan_cache_mode = force_generic_plan');
  if (process.argv[4]) await runOn(w.url, cluster.schema, tenants, 'generic (leaks)', []);
} finally {
  await cluster.close(); await plain.close();
}
process.exit(0);
