import { bundleSize } from './bundle-size.mjs';
import { coldImport } from './cold-import.mjs';
import { commandsOnDeals } from './commands/index.mjs';
import { storeCosts } from './costs/index.mjs';
import { createInProcess } from './create/index.mjs';
import { dueWork } from './due/index.mjs';
import { eventsOut } from './events/index.mjs';
import { httpCreate } from './http/index.mjs';
import { listAtDepth } from './list/index.mjs';
import { bulkIntoPostgres } from './postgres/bulk.mjs';
import { createOnPostgres } from './postgres/create.mjs';
import { httpOnPostgres } from './postgres/http.mjs';
import { listOnPostgres } from './postgres/list.mjs';
import { currentLoad, section, writePage } from './report.mjs';
import { createOnSqlite } from './sqlite/index.mjs';
import { upload } from './upload/index.mjs';
import { validation } from './validation/index.mjs';

const benchmarks = [
  validation,
  createInProcess,
  commandsOnDeals,
  dueWork,
  eventsOut,
  listAtDepth,
  httpCreate,
  upload,
  createOnSqlite,
  createOnPostgres,
  httpOnPostgres,
  bulkIntoPostgres,
  listOnPostgres,
  storeCosts,
  coldImport,
  bundleSize,
];
const names = benchmarks.map(({ name }) => name);
const wanted = process.argv.slice(2);
const load = currentLoad();
const unknown = wanted.filter((name) => !names.includes(name));

if (unknown.length > 0) {
  console.error(`no benchmark: ${unknown.join(', ')}; the benchmarks are: ${names.join(', ')}`);
  process.exitCode = 1;
} else {
  const sections = new Map();
  for (const { name, title, run } of benchmarks) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`running ${name} ...`);
    const text = section({ name, title, body: await run(), load });
    console.log(`${text}\n`);
    sections.set(name, text);
    writePage(names, sections);
  }
}
