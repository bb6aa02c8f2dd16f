import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureTools } from '../../kit/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const packages = await ensureTools('openapi');
const page = readFileSync(join(root, 'docs/how-to/generate-a-client.md'), 'utf8');
/** The generators by their command lines: some types need packages that they do not install. */
const commands = {
  'openapi-typescript': ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'api.ts'],
  'Hey API': ['@hey-api/openapi-ts/bin/run.js'],
  orval: ['orval/dist/bin/orval.js', '--config', 'orval.config.cjs'],
} as const;

export type Generator = keyof typeof commands;
export const generators = Object.keys(commands) as readonly Generator[];

/** The program of a generator in the page, by the name of its file. */
export const programOf = (generator: Generator) => `program-${generators.indexOf(generator)}`;

/** The service that a program of the page calls, and its token. */
export interface Called {
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Runs the generators over the `openapi.json` of a folder as the page says, each with its own
 * configuration, and writes the programs of the page beside their output.
 */
export async function generate(
  folder: string,
  services: Readonly<Record<Generator, Called>>,
): Promise<void> {
  // some generators choose the endings of their imports by it
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext" } }');
  await Promise.all(
    generators.map(async (generator) => {
      const { baseUrl, token } = services[generator];
      const section = page
        .slice(page.indexOf(`\n## ${generator}\n`) + 1)
        .replace(/\n## .*/s, '')
        .replaceAll('http://127.0.0.1:8787', baseUrl)
        .replaceAll('sandbox-token', token);
      const [, program = ''] = /^```mts\n(.*?)^```$/ms.exec(section) ?? [];
      writeFileSync(join(folder, `${programOf(generator)}.ts`), program);
      const [, name, config = ''] = /^```js\n\/\/ (\S+)\n(.*?)^```$/ms.exec(section) ?? [];
      if (name !== undefined) writeFileSync(join(folder, name), config);
      const [file, ...args] = commands[generator];
      const env = { ...process.env, CI: 'true', NO_COLOR: '1' };
      const command = [join(packages, file), ...args];
      await run(process.execPath, command, { cwd: folder, env });
    }),
  );
}
