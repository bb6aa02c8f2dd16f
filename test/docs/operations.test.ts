import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import {
  commonErrors,
  type DealName,
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

/** The table of operations, row by row from the table of routes. */
function operationTable(): string {
  const rows = allRoutes().map(
    (route: Route) =>
      `| \`${route.name}\` | \`${route.method} ${route.path}\` | ${taken(route)} | ${route.status} | ${codes(route.errors)} |`,
  );
  return [
    '| Operation | Method and path | Takes | Success | Errors of its own |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

describe('docs/reference/http.md', () => {
  it('lists the operations of the table, and no others', () => {
    const [, rest = ''] = page.split('<!-- operations -->\n');
    expect(rest.split('\n<!-- /operations -->')[0]).toBe(operationTable());
  });

  it('names the errors that every operation can answer', () => {
    expect(page).toContain(`Every operation can answer besides: ${codes(commonErrors)}.`);
  });
});
