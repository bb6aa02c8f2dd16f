import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../../src/domain/values/timestamp.js';

const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const moment = () => fc.integer({ min: first, max: last });
const two = (value: number) => String(value).padStart(2, '0');

describe('a timestamp', () => {
  it('is what toISOString writes, for a year of four digits', () => {
    fc.assert(
      fc.property(moment(), (time) => {
        const text = new Date(time).toISOString();
        expect(parseTimestamp(text)).toBe(time);
        expect(formatTimestamp(time)).toBe(text);
        expect(parseTimestamp(text.toLowerCase())).toBe(time);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read to the millisecond, every one of a second', () => {
    for (let millisecond = 0; millisecond < 1000; millisecond += 1) {
      const fraction = String(millisecond).padStart(3, '0');
      expect(parseTimestamp(`1970-01-01T00:00:00.${fraction}Z`)).toBe(millisecond);
      expect(parseTimestamp(`1970-01-01T00:00:00.${fraction}000Z`)).toBe(millisecond);
      expect(parseTimestamp(`1970-01-01T00:00:00.${fraction}0001Z`)).toBe(millisecond + 1);
    }
    expect(parseTimestamp('1970-01-01T00:00:00.5Z')).toBe(500);
    expect(parseTimestamp(`1970-01-01T00:00:00.${'0'.repeat(400)}1Z`)).toBe(1);
  });

  it('may be of any zone', () => {
    const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
    fc.assert(
      fc.property(fc.integer({ min: first + 1e9, max: last - 1e9 }), offset, (time, minutes) => {
        const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(parseTimestamp(local + zone)).toBe(time);
      }),
    );
    expect(parseTimestamp('1970-01-01T00:00:00-00:00')).toBe(0);
  });

  it('takes a leap second for the first of the next minute', () => {
    expect(parseTimestamp('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0, 1));
    expect(parseTimestamp('2017-01-01T01:59:60+02:00')).toBe(Date.UTC(2017, 0, 1));
  });

  it('has the days that its month has', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        (y, month) => {
          const year = String(y).padStart(4, '0');
          const isLeap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
          const days =
            [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
          for (const day of [1, 28, days]) {
            expect(parseTimestamp(`${year}-${two(month)}-${two(day)}T12:00:00Z`)).toBeDefined();
          }
          for (const day of [0, days + 1, 32, 99]) {
            expect(parseTimestamp(`${year}-${two(month)}-${two(day)}T12:00:00Z`)).toBeUndefined();
          }
        },
      ),
    );
  });

  it.each([
    ...['', '2026', '2026-01-01', '2026-01-01T00:00Z', '2026-01-01T00:00:00', '20260101T000000Z'],
    ...['2026-00-01T00:00:00Z', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z'],
    ...['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:61Z'],
    ...['2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+00:60', '2026-01-01T00:00:00+0000'],
    ...['2026-01-01T00:00:00+1:00', '2026-01-01T00:00:00.Z', '2026-01-01T00:00:00,5Z'],
    ...[
      '2026-01-01 00:00:00Z',
      ' 2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z ',
      '2026-01-01T00:00:00Z\n',
    ],
    ...[
      '+002026-01-01T00:00:00Z',
      '-2026-01-01T00:00:00Z',
      '26-01-01T00:00:00Z',
      '2026-1-1T0:0:0Z',
    ],
    ...[
      '2026-01-01T00:00:00ZZ',
      '2026-01-01T00:00:00 +00:00',
      '２０２６-01-01T00:00:00Z',
      '1767225600000',
    ],
  ])('is not %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('is written within the years that have four digits', () => {
    expect(formatTimestamp(first - 1)).toBe('0000-01-01T00:00:00.000Z');
    expect(formatTimestamp(last + 1)).toBe('9999-12-31T23:59:59.999Z');
    expect(formatTimestamp(Infinity)).toBe('9999-12-31T23:59:59.999Z');
  });
});
