import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  commonErrors,
  type Route,
  type RouteInput,
  routes,
} from '../../adapters/http/wire/routes.js';

const page = readFileSync(new URL('../../docs/reference/http.md', import.meta.url), 'utf8');

/** What a route reads, in the words of the page. */
const inputs: Readonly<Record<RouteInput, string>> = {
  nothing: '-',
  body: 'a body of JSON',
  id: 'the `id` of the deal',
  partner_id: 'your `partner_id`, percent-encoded',
  partner_id_parameter: 'the parameter `partner_id`',
  query: 'the parameters of the list',
  file: 'a file, as JSON or as a form',
};

const codes = (list: readonly string[]): string =>
  list.map((code) => `\`${code}\``).join(', ') || '-';

/** The table of operations, row by row from the table of routes. */
function operationTable(): string {
  const rows = Object.values(routes).map(
    ({ name, method, path, input, status, errors }: Route) =>
      `| \`${name}\` | \`${method} ${path}\` | ${inputs[input]} | ${status} | ${codes(errors)} |`,
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
