import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../adapters/shared/response.js';

const now = Date.UTC(2026, 0, 1);

it.each([
  ['0', 0],
  ['120', 120],
  ['999999999', 999_999_999],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
  // a date in the past asks for no pause
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
])('reads %s as %i s', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
  expect(parseRetryAfter(header, now - 0.5)).toBeGreaterThanOrEqual(seconds);
});

it.each([
  null,
  '',
  '-1',
  '1.5',
  '1e3',
  '9999999999',
  'soon',
  'soon GMT',
  // without a time zone, or in another one
  'Thu, 01 Jan 2026 00:00:30',
  '2026-01-01T00:00:30+01:00',
])('reads nothing from %j', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
});
