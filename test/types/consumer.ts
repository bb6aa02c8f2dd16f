import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { findSnippets } from '../../scripts/checks/snippets.mjs';
import { run } from '../kit/children.js';
import { output } from '../kit/processes.js';
import { installOnce } from '../kit/tools.js';

/** What a user may have set, besides the strictest checks. */
export interface Settings {
  readonly resolution: 'node16' | 'nodenext' | 'bundler';
  /** Whether declarations are believed; the default of the compiler is that they are not. */
  readonly skipLibCheck: boolean;
  /** The entry points without the DOM, or also the snippets of the documents and the examples. */
  readonly of: 'entry points' | 'everything';
}

/** A project that has the packed package, and the packages of this repository beside it. */
export interface Consumer {
  /** The errors that a version of the compiler finds in the project and in the package. */
  errors(version: string, settings: Settings): Promise<readonly string[]>;
  remove(): void;
}

/** The versions that are tried, from the least one on: 5.7, ... */
export const versions = readVersions();

function readVersions(): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync('test/tools/typescript/package.json', 'utf8'));
  return Object.keys(dependencies)
    .flatMap((name) => /^typescript-(.*)$/.exec(name)?.[1] ?? [])
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Programs that hand real drivers over, as the documents say. */
const drivers = `import { createSqliteArchive, createSqliteStore, migrateSqlite } from 'dealwright/sqlite';
import BetterSqlite from 'better-sqlite3';
import Libsql from 'libsql';
for (const db of [new BetterSqlite('deals.db'), new Libsql('deals.db')]) {
  migrateSqlite(db);
  createSqliteStore(db).within(db);
  createSqliteArchive(db);
}
`;

/** A compiler that checks nothing finds no error either: it has to find this one. */
const wrong = "import { createNothing } from 'dealwright';\n";
const onlyError = /^wrong\.ts\(1,10\): error TS2305: .*'createNothing'/;

export async function createConsumer(): Promise<Consumer> {
  const root = resolve('.');
  // a path of this folder would be another one in the program that is made of this module
  const tools = await installOnce(join(root, 'test/tools/typescript'));
  mkdirSync('reports', { recursive: true });
  // within the repository, so that its packages are found
  const folder = mkdtempSync(join(root, 'reports/consumer-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const installed = join(folder, 'node_modules/dealwright');
  mkdirSync(installed, { recursive: true });
  const pack = ['pack', root, '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(await output('npm', pack)) as [{ filename: string }];
  await output('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  const types = '@types/better-sqlite3';
  cpSync(join(tools, types), join(folder, 'node_modules', types), { recursive: true });
  cpSync('examples', join(folder, 'examples'), { recursive: true });
  /** By the name of its file in the project: where a snippet comes from. */
  const places = new Map<string, { readonly file: string; readonly line: number }>();
  for (const [at, { file, line, code, folder = 'snippets' }] of findSnippets(root).entries()) {
    const name = `${folder}/snippet-${at}.ts`;
    places.set(name, { file, line });
    write(name, code);
  }
  const { exports: entryPoints } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const modules = Object.keys(entryPoints).filter((name) => typeof entryPoints[name] !== 'string');
  write('package.json', '{ "name": "consumer", "type": "module" }');
  write('wrong.ts', wrong);
  write('drivers.ts', drivers);
  write(
    'entry-points.ts',
    modules.map((name, at) => `export * as e${at} from 'dealwright${name.slice(1)}';\n`).join(''),
  );

  return {
    async errors(version, { resolution, skipLibCheck, of }) {
      const all = of === 'everything';
      const config = {
        compilerOptions: {
          target: 'es2022',
          module: resolution === 'bundler' ? 'esnext' : resolution,
          moduleResolution: resolution,
          moduleDetection: 'force',
          lib: all ? ['es2023', 'dom', 'dom.iterable'] : ['es2022'],
          types: ['node'],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          noEmit: true,
          skipLibCheck,
        },
        include: all ? ['*.ts', 'snippets', 'examples'] : ['*.ts'],
      };
      const project = `tsconfig.${[version, resolution, skipLibCheck, all].join('-')}.json`;
      write(project, JSON.stringify(config));
      const compiler = join(tools, `typescript-${version}/lib/tsc.js`);
      const args = [compiler, '--project', join(folder, project), '--pretty', 'false'];
      const { stdout, stderr } = await run(process.execPath, args);
      const found = (stdout.match(/^\S.*error TS\d+: .*$(?:\n +.*$)*/gm) ?? [])
        // declarations of other packages are theirs to mend
        .filter((each) => !each.startsWith('node_modules/'))
        .map((each) => each.replace(`${relative(root, folder)}/`, ''));
      if (!found.some((each) => onlyError.test(each))) {
        throw new Error(`TypeScript ${version} has checked nothing: ${stdout}${stderr}`);
      }
      return found
        .filter((each) => !onlyError.test(each))
        .map((each) => {
          const place = places.get(each.slice(0, each.indexOf('(')));
          return place === undefined ? each : `${place.file}:${place.line} ${each}`;
        });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
