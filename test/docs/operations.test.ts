import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import { commonErrors, type Face, type Route } from '../../adapters/http/wire/route.js';
import { filled } from './filled.js';

const path = new URL('../../docs/reference/http.md', import.meta.url).pathname;
const faces: readonly Face[] = ['partner', 'freelancer', 'operator', 'sandbox'];
const routes = allRoutes();

/** The input of a route besides its path, in the words of the page. */
function taken({ input, keyed, members }: Route): string {
  if (input === 'nothing') return '';
  if (input === 'query') return 'parameters';
  if (input !== 'command') return `a ${input}`;
  if (Object.keys(members).length === 0) return 'an empty body, or none';
  return keyed ? 'a command' : 'a body, or none';
}

const codes = (list: readonly string[]): string => list.map((code) => `\`${code}\``).join(', ');
const keyless = routes.filter(({ method, keyed }) => method === 'POST' && !keyed);

/** The groups of routes with common errors, in the words of the page. */
const kinds: readonly (readonly [words: string, has: (route: Route) => boolean])[] = [
  ['a body, a command or a file', (route) => /body|command|file/.test(taken(route))],
  [
    `an \`Idempotency-Key\`: every \`POST\`, but for ${codes(keyless.map(({ name }) => name))}`,
    ({ keyed }) => keyed,
  ],
  ['a command', (route) => taken(route) === 'a command'],
  ['parameters', (route) => taken(route) === 'parameters'],
];

interface Group {
  readonly words: string;
  readonly has: (route: Route) => boolean;
  readonly errors: readonly string[];
}

/** The errors of each group: those of all its routes, and of no group before it. */
const groups: Group[] = [{ words: 'every operation', has: () => true, errors: commonErrors }];
for (const [words, has] of kinds) {
  const all = routes.filter(has);
  const known = groups.filter((group) => all.every(group.has)).flatMap(({ errors }) => errors);
  const errors = (all[0]?.errors ?? []).filter(
    (code) => !known.includes(code) && all.every((route) => route.errors.includes(code)),
  );
  groups.push({ words, has, errors });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const isTwin = ({ by }: Route) => by === 'partner_id_parameter';

/** The commands of a face share one row: the path of each names its operation. */
function placeOf({ command, method, operation, path }: Route): string {
  if (command === undefined || command === '{command}') return `\`${method} ${path}\``;
  const ending = `/${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}/`;
  expect(path.slice(-ending.length)).toBe(ending);
  return `\`${method} ${path.slice(0, -ending.length)}/{command}/\``;
}

/** The table of the operations of a face, from the table of routes. */
function operationTable(face: Face): string {
  const names = new Map<string, readonly string[]>();
  for (const route of routes.filter((each) => each.face === face && !isTwin(each))) {
    const shared = groups.filter(({ has }) => has(route)).flatMap(({ errors }) => errors);
    const own = codes(route.errors.filter((code) => !shared.includes(code)));
    const row = [placeOf(route), taken(route), String(route.status), own].join(' | ');
    names.set(row, [...(names.get(row) ?? []), route.name]);
  }
  return table(
    ['Operation', 'Method and path', 'Takes', 'Success', 'Errors besides'],
    [...names].map(([row, all]) => [codes(all), row]),
  );
}

describe('docs/reference/http.md', () => {
  // npx vitest run test/docs/operations.test.ts -u writes the tables into the page again
  it('lists the operations of each face, and their errors, and no others', async () => {
    const parts = faces.map((face) => [`operations of ${face}`, operationTable(face)] as const);
    const errors = groups.map((group) => [group.words, codes(group.errors)]);
    expect(groups.filter(({ errors }) => errors.length === 0)).toEqual([]);
    await expect(
      filled(path, {
        ...Object.fromEntries(parts),
        'errors of operations': table(['Operations with', 'Errors'], errors),
      }),
    ).toMatchFileSnapshot(path);
  });

  it('leaves out the twins by parameter alone, which are as it says', () => {
    const twins = routes
      .filter(({ by }) => by === 'partner_id')
      .map((route) => ({
        ...route,
        name: `${route.name}ByParameter`,
        path: route.path.replace('{partner_id}', 'by-id'),
        by: 'partner_id_parameter',
      }));
    expect(twins.length).toBeGreaterThan(20);
    expect(routes.filter(isTwin)).toEqual(twins);
  });
});
