import { beforeAll, describe, expect, it } from 'vitest';
import { checkDependencies, problemsOf } from '../../scripts/checks/dependency-rules.mjs';
import { withPlanted } from './plant.js';

const value = 'export const value = 1;\n';
const type = 'export interface Value { readonly n: number }\n';

/** Correct files that the planted ones import. */
const ground = {
  'package.json': JSON.stringify({
    name: 'planted',
    type: 'module',
    dependencies: { neverthrow: '*', valibot: '*' },
    devDependencies: { 'fast-check': '*', vitest: '*' },
  }),
  'tsconfig.json': '{ "compilerOptions": { "module": "NodeNext" } }',
  'src/api/partner-api.ts': type,
  'src/domain/values/rule.ts': `import { ok } from 'neverthrow';\nimport * as v from 'valibot';\nexport const rule = [ok, v];\n`,
  'src/ports/port.ts':
    "import type { rule } from '../domain/values/rule.js';\nexport type Port = typeof rule;\n",
  'src/usecases/use.ts':
    "import type { Port } from '../ports/port.js';\nimport type { Value } from '../api/partner-api.js';\nexport type Use = Port | Value;\n",
  'spec/kit.ts': "import fc from 'fast-check';\nexport const kit = fc;\n",
  'src/marketplace.ts': "export { value } from './domain/value.js';\n",
  'src/domain/value.ts': value,
  'src/domain/n.ts': "import { value } from './m.js';\nexport const n = value;\n",
  'src/domain/q.ts': "import type { P } from './p.js';\nexport type Q = P | number;\n",
  'src/domain/deals/deal.ts': 'export interface Deal { readonly n: number }\n',
  'adapters/sql/tables.ts': 'export const tables = 1;\n',
  'adapters/shared/timer.ts': 'export const within = 1;\n',
  'adapters/tokens/remote.ts':
    "import { within } from '../shared/timer.js';\nexport const remote = within;\n",
  'adapters/postgres/postgres-store.ts': value,
  'adapters/postgres/write/commit.ts': 'export const commit = 1;\n',
  'adapters/memory/store.ts':
    "import type { Port } from 'dealwright/ports';\nexport type Store = Port;\n",
};

/** A violation of each rule: the file, and the import in it. */
const planted = [
  [
    'domain-imports-domain-only',
    'src/domain/a.ts',
    "import type { Port } from '../ports/port.js';",
  ],
  ['domain-imports-domain-only', 'src/domain/b.ts', "import { Use } from '../usecases/use.js';"],
  ['ports-import-domain-only', 'src/ports/a.ts', "import type { Use } from '../usecases/use.js';"],
  [
    'ports-import-domain-only',
    'src/ports/b.ts',
    "import type { Value } from '../api/partner-api.js';",
  ],
  [
    'usecases-import-domain-and-ports',
    'src/usecases/a.ts',
    "import { value } from '../marketplace.js';",
  ],
  ['relay-imports-use-cases', 'src/relay/a.ts', "import { value } from '../marketplace.js';"],
  [
    'api-is-types-for-usecases',
    'src/usecases/b.ts',
    "import { Value } from '../api/partner-api.js';",
  ],
  [
    'strict-imports-domain-only',
    'src/strict/a.ts',
    "import type { Port } from '../ports/port.js';",
  ],
  ['fields-import-domain-only', 'src/fields/a.ts', "import type { Port } from '../ports/port.js';"],
  [
    'core-imports-no-adapter',
    'src/c.ts',
    "import type { Store } from '../adapters/memory/store.js';",
  ],
  ['core-imports-no-adapter', 'src/d.ts', "import { createMemoryStore } from 'dealwright/memory';"],
  ['core-packages', 'src/domain/e.ts', "import * as all from 'jose';"],
  ['core-packages', 'src/usecases/f.ts', "import * as all from 'node:fs';"],
  ['core-packages', 'src/ports/f.ts', "import type { Ulid } from 'ulid';"],
  ['strict-packages', 'src/strict/b.ts', "import * as all from 'jose';"],
  ['spec-packages', 'spec/b.ts', "import * as all from 'vitest';"],
  ['production-never-imports-the-spec', 'src/g.ts', "import { kit } from '../spec/kit.js';"],
  [
    'production-never-imports-the-spec',
    'adapters/x/g.ts',
    "import { storeContract } from 'dealwright/spec';",
  ],
  [
    'adapters-import-the-core-by-name',
    'adapters/x/h.ts',
    "import type { Port } from '../../src/ports/port.js';",
  ],
  [
    'adapters-import-no-other-adapter',
    'adapters/x/i.ts',
    "import type { Store } from '../memory/store.js';",
  ],
  ['sql-is-for-databases', 'adapters/memory/i.ts', "import { tables } from '../sql/tables.js';"],
  [
    'shared-code-imports-no-adapter',
    'adapters/shared/i.ts',
    "import { tables } from '../sql/tables.js';",
  ],
  [
    'shared-code-imports-no-adapter',
    'adapters/sql/i.ts',
    "import { remote } from '../tokens/remote.js';",
  ],
  [
    'adapters-name-no-other-adapter',
    'adapters/x/j.ts',
    "import { createMemoryStore } from 'dealwright/memory';",
  ],
  [
    'http-names-its-own-entry-points-only',
    'adapters/http/j.ts',
    "import { createMemoryStore } from 'dealwright/memory';",
  ],
  [
    'pages-use-public-clients',
    'adapters/pages/app/a.tsx',
    "import { createMemoryStore } from 'dealwright/memory';",
  ],
  ['no-development-package', 'adapters/x/k.ts', "import * as all from 'fast-check';"],
  ['no-development-package', 'adapters/x/l.ts', "import * as all from 'esbuild';"],
  [
    'postgres-rooms-import-downwards',
    'adapters/postgres/read/m.ts',
    "import { commit } from '../write/commit.js';",
  ],
  [
    'postgres-rooms-import-downwards',
    'adapters/postgres/write/m.ts',
    "import { value as store } from '../postgres-store.js';",
  ],
  [
    'domain-rooms-import-downwards',
    'src/domain/values/m.ts',
    "import type { Deal } from '../deals/deal.js';",
  ],
  ['no-cycle', 'src/domain/p.ts', "import type { Q } from './q.js';\nexport type P = Q;"],
  ['no-cycle', 'src/domain/m.ts', "import { n } from './n.js';"],
  ['no-unresolvable', 'src/domain/o.ts', "import { value } from './nowhere.js';"],
] as const;

describe('a planted import', () => {
  let found: ReturnType<typeof checkDependencies>;
  beforeAll(async () => {
    const files = Object.fromEntries(planted.map(([, file, code]) => [file, `${code}\n${value}`]));
    found = await withPlanted({ ...ground, ...files }, checkDependencies);
  });

  it.each(planted)('against %s in %s is found', (rule, file) => {
    expect(
      found.filter((each) => each.file === file).map(({ message }) => message.split(':')[0]),
    ).toContain(rule);
  });

  it('is found nowhere else', () => {
    const guilty = new Set<string>(planted.map(([, file]) => file));
    expect(found.filter(({ file }) => !guilty.has(file))).toEqual([]);
  });
});

it('a check that sees no module fails', () => {
  const report = { modules: [{ source: 'src/a.ts' }], summary: { violations: [] } };
  expect(problemsOf(report, ['src/a.ts'])).toEqual([]);
  expect(problemsOf(report, ['src/a.ts', 'src/b.ts'])).toEqual([
    { file: 'src/b.ts', line: 1, message: 'the dependency rules did not see this file' },
  ]);
});

it('a check that does not run says so', async () => {
  expect(await withPlanted({}, checkDependencies)).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^did not run/) }),
  ]);
});
