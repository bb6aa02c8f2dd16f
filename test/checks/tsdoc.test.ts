import { expect, it } from 'vitest';
import { checkTsdoc, entryPointsOf } from '../../scripts/checks/tsdoc.mjs';
import { root, withPlanted } from './plant.js';

const entryPoint = (file: string) => ({
  types: `./dist/${file}.d.ts`,
  default: `./dist/${file}.js`,
});

const documented = `/**
 * Is one.
 *
 * @example
 * \`\`\`ts
 * import { documented } from 'planted';
 * \`\`\`
 */
export const documented = 1;
`;

it('finds every export that no TSDoc comment with an example stands in front of', async () => {
  const files = {
    'package.json': JSON.stringify({
      name: 'planted',
      type: 'module',
      exports: {
        '.': entryPoint('src/index'),
        './empty': entryPoint('src/empty'),
        './package.json': './x',
      },
    }),
    'tsconfig.json': '{ "compilerOptions": { "module": "NodeNext", "types": [] } }',
    'src/empty.ts': 'console.log(1);\n',
    'src/index.ts': `export { documented, documented as alias } from './documented.js';
export { bare, Shape, without } from './planted.js';
/**
 * A type under another name.
 *
 * @example
 * \`\`\`ts
 * import type { Renamed } from 'planted';
 * \`\`\`
 */
export type { Hidden as Renamed } from './planted.js';
`,
    'src/documented.ts': documented,
    'src/planted.ts': `export const bare = 1;
/** Has no example. */
export function without(): void {}
/**
 * Has an example that nobody can compile.
 *
 * @example Shape
 */
export const Shape = 1;
export interface Hidden {}
`,
  };
  const found = await withPlanted(files, checkTsdoc);
  expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`).sort()).toEqual([
    'src/empty.ts:1 the entry point ./empty gives nothing out',
    'src/planted.ts:1 bare (entry point .) has no TSDoc comment',
    'src/planted.ts:3 without (entry point .) has no @example with a ```ts block in its TSDoc comment',
    'src/planted.ts:9 Shape (entry point .) has no @example with a ```ts block in its TSDoc comment',
  ]);
});

it('looks at all that an entry point exports', () => {
  expect(entryPointsOf(root)).toContainEqual({
    entryPoint: './client',
    file: 'adapters/http/client/index.ts',
  });
  expect(entryPointsOf(root).length).toBeGreaterThanOrEqual(12);
});
