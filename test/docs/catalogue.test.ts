import { readFileSync } from 'node:fs';
import type { ErrorCode } from 'dealwright';
import { describe, expect, test } from 'vitest';
import { errorTable, issueTable } from './catalogue-rows.js';

const catalogue = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8');

/** What stands in a document between `<!-- name -->` and `<!-- /name -->`. */
function marked(text: string, name: string): string {
  const [, rest = ''] = text.split(`<!-- ${name} -->\n`);
  const [content = '', end] = rest.split(`\n<!-- /${name} -->`);
  expect(end, `the mark ${name} is opened and closed`).toBeDefined();
  return content;
}

const statuses: Readonly<Record<ErrorCode, number | undefined>> = {
  invalid_json: 400,
  validation_failed: 400,
  invalid_idempotency_key: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  contractor_exists: 409,
  deal_exists: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  unexpected_response: undefined,
};

describe('the catalogue of errors', () => {
  test('lists every error code with its status and both messages', () => {
    expect(marked(catalogue, 'errors')).toBe(errorTable(statuses));
  });

  test('lists every issue code with its figures and both messages', () => {
    expect(marked(catalogue, 'issues')).toBe(issueTable());
  });
});
