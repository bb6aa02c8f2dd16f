import { expect, it } from 'vitest';
import { functionsVersion as version } from '../../../adapters/postgres/schema.js';
import { generatedFunctions } from './generated-functions.js';

const names: Readonly<Record<string, string>> = {
  '': 'commitOne',
  '-many': 'commitMany',
  '-node': 'commitNode',
  '-writing': 'writing',
};

it.each(Object.entries(generatedFunctions(version)))(
  '%s has what is made of the table of fields',
  async (name, sql) => {
    const exported = names[name.replace(/^functions-\d+/, '')];
    const text = `/**
 * Functions of the store as migration ${version} makes them, generated from the table of fields:
 * frozen once they are released. \`npx vitest run test/adapters/postgres/functions.test.ts -u\`
 * writes those that are not.
 */
export const ${exported} = \`${sql}\`;
`;
    await expect(text).toMatchFileSnapshot(`../../../adapters/postgres/${name}.ts`);
  },
);
