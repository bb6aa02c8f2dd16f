import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import {
  commonErrors,
  type DealName,
  type Face,
  type Route,
  type RouteInput,
} from '../../adapters/http/wire/route.js';

const page = readFileSync(new URL('../../docs/reference/http.md', import.meta.url), 'utf8');

/** What names a deal, in the words of the page. */
const deals: Readonly<Record<DealName, string>> = {
  id: 'the `id` of the deal',
  partner_id: 'your `partner_id`, percent-encoded',
  partner_id_parameter: 'the parameter `partner_id`',
};

/** What a route reads besides. */
const inputs: Readonly<Record<RouteInput, string | undefined>> = {
  nothing: undefined,
  body: 'a body of JSON',
  command: 'a body of JSON, or none',
  query: 'the parameters of the list',
  file: 'a file, as JSON or as a form',
};

const taken = ({ by, input, members }: Route): string =>
  [by && deals[by], Object.keys(members).length === 0 ? undefined : inputs[input]]
    .filter((each) => each !== undefined)
    .join('; ') || '-';

const codes = (list: readonly string[]): string =>
  list.map((code) => `\`${code}\``).join(', ') || '-';

/** The table of the operations of a face, row by row from the table of routes. */
function operationTable(face: Face): string {
  const rows = allRoutes()
    .filter((route) => route.face === face)
    .map(
      (route) =>
        `| \`${route.name}\` | \`${route.method} ${route.path}\` | ${taken(route)} | ${route.status} | ${codes(route.errors)} |`,
    );
  return [
    '| Operation | Method and path | Takes | Success | Errors of its own |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

describe('docs/reference/http.md', () => {
  it.each<Face>(['partner', 'freelancer', 'operator', 'sandbox'])(
    'lists the operations of the face %s, and no others',
    (face) => {
      const [, rest = ''] = page.split(`<!-- operations of ${face} -->\n`);
      expect(rest.split('\n<!-- /operations -->')[0]).toBe(operationTable(face));
    },
  );

  it('names the errors that every operation can answer', () => {
    expect(page).toContain(`Every operation can answer besides: ${codes(commonErrors)}.`);
  });

  it('names the operations that take no key of idempotency', () => {
    const keyless = allRoutes().filter(({ method, keyed }) => method === 'POST' && !keyed);
    expect(page).toContain(`but for ${codes(keyless.map(({ name }) => name))}.`);
  });
});
