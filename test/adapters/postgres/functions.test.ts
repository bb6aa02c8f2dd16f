import { expect, it } from 'vitest';
import { functionsVersion as version } from '../../../adapters/postgres/schema.js';
import { generatedFunctions } from './generated-functions.js';

it('the functions of the last migration are those of the table of fields', async () => {
  const text = `/**
 * The functions of the store as migration ${version} makes them, generated from the table of fields:
 * frozen once they are released. \`npx vitest run test/adapters/postgres/functions.test.ts -u\`
 * writes those that are not.
 */
export const functions = \`${generatedFunctions(version).replaceAll('$schema', '\\$schema')}\`;
`.replaceAll('\\$schema', '$schema');
  await expect(text).toMatchFileSnapshot(`../../../adapters/postgres/functions-${version}.ts`);
});
