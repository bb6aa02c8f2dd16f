import { readFileSync } from 'node:fs';
import type { ErrorCode } from 'dealwright';
import { describe, expect, test } from 'vitest';
import { type WireErrorCode, statuses as wireStatuses } from '../../adapters/http/wire/problem.js';
import { errorTable, issueTable, resourceTable } from './catalogue-rows.js';

const catalogue = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8');

/** The text of a document between `<!-- name -->` and `<!-- /name -->`. */
function marked(text: string, name: string): string {
  const [, rest = ''] = text.split(`<!-- ${name} -->\n`);
  const [content = '', end] = rest.split(`\n<!-- /${name} -->`);
  expect(end, `the mark ${name} is opened and closed`).toBeDefined();
  return content;
}

/** All codes by status; codes that no service sends come last. */
const statuses: Readonly<Record<ErrorCode | WireErrorCode, number | undefined>> = {
  ...wireStatuses,
  unexpected_response: undefined,
  aborted: undefined,
};

describe('the catalogue of errors', () => {
  test('lists every error code with its status and both messages', () => {
    expect(marked(catalogue, 'errors')).toBe(errorTable(statuses));
  });

  test('lists every resource with both sentences', () => {
    expect(marked(catalogue, 'resources')).toBe(resourceTable());
  });

  test('lists every issue code with its figures and both messages', () => {
    expect(marked(catalogue, 'issues')).toBe(issueTable());
  });
});
