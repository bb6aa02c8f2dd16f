import { table } from '../report.mjs';
import { median } from '../statistics.mjs';
import { postgresCosts } from './postgres.mjs';
import { sqliteCosts } from './sqlite.mjs';
import { created, rounds } from './work.mjs';

const us = (values) => `${median(values).toFixed(0)} us`;
const bytes = (value) => `${Math.round(value).toLocaleString('en')} B`;

async function run() {
  const sqlite = await sqliteCosts();
  const postgres = await postgresCosts();
  const rows = Object.entries(postgres.work).map(([name, { server, client }]) => [
    name,
    us(server),
    us(client),
    us(sqlite.work[name]),
  ]);
  return `The CPU time that a store uses, in user mode and in the kernel, all threads. For PostgreSQL, the
server and our process are measured apart. ${rounds} rounds each. A deal has one stage and one event.
HTTP (above) and waiting for the disk are not included.

${table(['', 'PostgreSQL: the server', 'PostgreSQL: our process', 'SQLite'], rows)}

${table(
  [`of ${created.toLocaleString('en')} deals, each`, 'PostgreSQL', 'SQLite'],
  [
    ['on the disk, with all indexes', bytes(postgres.stored), bytes(sqlite.stored)],
    ['in the log of PostgreSQL (WAL), gathered', bytes(postgres.written), ''],
  ],
)}
`;
}

export const storeCosts = { name: 'store-costs', title: 'What a store costs', run };
