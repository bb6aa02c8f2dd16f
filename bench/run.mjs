import { parseArgs } from 'node:util';
import { compare } from './against.mjs';
import { bundleSize } from './bundle-size.mjs';
import { coldImport } from './cold-import.mjs';
import { commandsOnDeals } from './commands/index.mjs';
import { storeCosts } from './costs/index.mjs';
import { createInProcess } from './create/index.mjs';
import { dueWork } from './due/index.mjs';
import { eventsOut } from './events/index.mjs';
import { httpCreate } from './http/index.mjs';
import { listAtDepth } from './list/index.mjs';
import { migration } from './migration/index.mjs';
import { operatorLists } from './operator/index.mjs';
import { bulkIntoPostgres } from './postgres/bulk.mjs';
import { createOnPostgres } from './postgres/create.mjs';
import { httpOnPostgres } from './postgres/http.mjs';
import { listOnPostgres } from './postgres/list.mjs';
import { worstReaders } from './readers/index.mjs';
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
  operatorLists,
  worstReaders,
  migration,
  storeCosts,
  coldImport,
  bundleSize,
];
const names = benchmarks.map(({ name }) => name);
const sectionsInOrder = ['against', ...names];
const usage = `npm run bench -- [--against <commit>] [benchmark ...]: ${names.join(', ')}`;
const comparable = benchmarks.filter(({ side }) => side !== undefined).map(({ name }) => name);
const { values, positionals } = readArguments();
const { against } = values;
const known = against === undefined ? names : comparable;
const unknown = positionals.filter((name) => !known.includes(name));
const wanted = benchmarks.filter(({ name }) =>
  positionals.length === 0 ? known.includes(name) : positionals.includes(name),
);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { against: { type: 'string' }, help: { type: 'boolean' } },
    });
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(1);
  }
}

if (values.help) {
  console.log(usage);
} else if (unknown.length > 0) {
  console.error(`no benchmark: ${unknown.join(', ')}; the benchmarks are: ${known.join(', ')}`);
  process.exitCode = 1;
} else if (against !== undefined) {
  const load = currentLoad();
  const body = await compare(against, wanted);
  console.log(body);
  // the page has the whole comparison, as it is made for a release
  if (positionals.length === 0) {
    const title = 'Against the release before';
    writePage(
      sectionsInOrder,
      new Map([['against', section({ name: 'against', title, body, load })]]),
    );
  }
} else {
  const load = currentLoad();
  const sections = new Map();
  for (const { name, title, run } of wanted) {
    console.error(`running ${name} ...`);
    const text = section({ name, title, body: await run(), load });
    console.log(`${text}\n`);
    sections.set(name, text);
    writePage(sectionsInOrder, sections);
  }
}
