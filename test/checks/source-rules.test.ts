import { describe, expect, it } from 'vitest';
import { checkSource, checkSources } from '../../scripts/checks/source-rules.mjs';
import { withPlanted } from './plant.js';

/** The complaints of the check about a file, without line numbers. */
function complaints(file: string, code: string): readonly string[] {
  return checkSource(file, code).map(({ message }) => message);
}

describe('the core', () => {
  it.each([
    ['export const now = () => Date.now();', /Date\.now is ambient/],
    ['export const now = () => new Date();', /new Date\(\) reads the clock/],
    ['export const now = () => Date();', /Date\(\) reads the clock/],
    ['export const dice = () => Math.random();', /Math\.random is ambient/],
    ['export const t = () => performance.now();', /performance is ambient/],
    ['export const id = () => crypto.randomUUID();', /crypto is ambient/],
    ['export const all = () => globalThis;', /globalThis is ambient/],
    ["export const run = () => eval('1');", /eval is ambient/],
    ["export const make = () => new Function('');", /Function is ambient/],
    ['export const f = new Intl.NumberFormat();', /Intl is ambient/],
    ['export const low = (t: string) => t.toLocaleLowerCase();', /depends on the locale/],
    ['export const sort = (a: string, b: string) => a.localeCompare(b);', /depends on the locale/],
    ['export const here = () => import.meta;', /import\.meta is the surroundings/],
    ['let count = 0;\nexport const next = () => (count += 1);', /no variable that changes/],
    ['export var count = 0;', /no variable that changes/],
    ['const seen = new Map<string, string>();\nexport { seen };', /starts empty to be filled/],
    ["const seen = new Set(['a']);\nexport const add = () => seen.add('b');", /is changed here/],
    ['const list = [1];\nexport const grow = () => list.push(2);', /is changed here/],
    ['const box = { n: 0 };\nexport const grow = () => { box.n += 1; };', /is changed here/],
    ['const box = { n: 0 };\nexport const grow = () => box.n++;', /is changed here/],
    [
      "const box: Record<string, 1> = {};\nexport const drop = () => delete box['a'];",
      /is changed here/,
    ],
  ])('refuses %s', (code, message) => {
    expect(complaints('src/planted.ts', code)).toContainEqual(expect.stringMatching(message));
    expect(complaints('adapters/system/planted.ts', code)).toEqual([]);
  });

  it.each([
    'export const at = (ms: number) => new Date(ms).toISOString();',
    "const known: ReadonlySet<string> = new Set(['a']);\nexport const has = (t: string) => known.has(t);",
    'export const grow = () => { const list = [1]; list.push(2); return list; };',
    'export interface Ports { readonly crypto: string; performance(): void }',
    'export const count = (n: number) => { let sum = 0; sum += n; return sum; };',
  ])('takes %s', (code) => {
    expect(complaints('src/planted.ts', code)).toEqual([]);
  });
});

describe('every file', () => {
  it.each([
    ['export const f = (x: any) => x;', /`any`/],
    ['export const f = (x: unknown) => x as unknown as string;', /`as unknown as`/],
    ['export const f = (x: unknown) => (x as unknown) as string;', /`as unknown as`/],
    ['// @ts-ignore\nexport const x: string = 1;', /@ts-ignore silences/],
    ['// @ts-nocheck\nexport const x: string = 1;', /@ts-nocheck silences/],
    ["it.skip('x', () => {});", /it\.skip leaves tests out/],
    ["test.only('x', () => {});", /test\.only leaves tests out/],
    ["describe.skip('x', () => {});", /describe\.skip leaves tests out/],
    ["it.each([1]).skip;\nit.todo('x');", /it\.todo leaves tests out/],
    ["it.concurrent.skip('x', () => {});", /it\.concurrent\.skip leaves tests out/],
    ["it.skipIf(true)('x', () => {});", /it\.skipIf leaves tests out/],
    ["xit('x', () => {});", /xit skips a test/],
  ])('refuses %s', (code, message) => {
    for (const file of ['src/planted.ts', 'adapters/x/planted.ts', 'test/planted.test.ts']) {
      expect(complaints(file, code)).toContainEqual(expect.stringMatching(message));
    }
  });

  it('may expect an error in a test of types, and nowhere else', () => {
    const code = '// @ts-expect-error\nexport const x: string = 1;';
    expect(complaints('test/planted.test.ts', code)).toEqual([]);
    expect(complaints('src/planted.ts', code)).toEqual([expect.stringMatching(/silences/)]);
  });

  it('may speak of all that in a text', () => {
    const code = "export const rules = ['any', '// @ts-ignore', `as unknown as`, 'it.skip()'];";
    expect(complaints('src/planted.ts', code)).toEqual([]);
  });

  it('has at most 450 lines', () => {
    const lines = (count: number) => '// a line\n'.repeat(count);
    for (const file of ['src/planted.ts', 'adapters/x/planted.ts', 'test/planted.test.ts']) {
      expect(complaints(file, lines(450))).toEqual([]);
      expect(complaints(file, lines(451))).toEqual([expect.stringMatching(/^451 lines/)]);
    }
  });
});

it('names the file and the line, in every folder', async () => {
  const bad = '\n\nexport type Planted = any;\n';
  const names = ['src/domain/a.ts', 'adapters/x/y/b.ts', 'test/c.test.ts', 'bench/d.mts'];
  const found = await withPlanted(
    Object.fromEntries(names.map((name) => [name, bad])),
    checkSources,
  );
  expect(found.map(({ file, line }) => `${file}:${line}`).sort()).toEqual(
    [...names].sort().map((name) => `${name}:3`),
  );
});
