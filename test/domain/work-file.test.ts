import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerField, textField } from '../../spec/arbitraries-values.js';
import { createDealQueryParser } from '../../src/domain/deals/deal-list.js';
import { createWorkFileParser } from '../../src/domain/deals/work-file.js';

const parseFile = createWorkFileParser();
const parseQuery = createDealQueryParser();
const name = textField(1, 255);
const stage = integerField(true);

const token = () =>
  fc.string({ unit: fc.constantFrom(..."!#$%&'*+.^_`|~09azAZ-"), minLength: 1, maxLength: 20 });
const quoted = () =>
  fc
    .array(fc.oneof(fc.constantFrom(...'\t !#[]~;=/,a'), fc.constantFrom('\\"', '\\\\', '\\a')), {
      maxLength: 10,
    })
    .map((parts) => `"${parts.join('')}"`);
const mediaType = () =>
  fc
    .tuple(
      token(),
      token(),
      fc.array(fc.tuple(fc.constantFrom(';', '; ', ' ;\t'), token(), fc.oneof(token(), quoted())), {
        maxLength: 3,
      }),
    )
    .map(
      ([type, sub, parameters]) =>
        `${type}/${sub}${parameters.map(([mark, key, value]) => `${mark}${key}=${value}`).join('')}`,
    )
    .filter((text) => text.length <= 255);

const codesOf = (parse: (input: unknown) => ReturnType<typeof parseFile>, input: unknown) => {
  const parsed = parse(input);
  return parsed.isErr() ? parsed.error.map(({ path, code }) => [...path, code].join(' ')) : [];
};

describe('what is said of a file', () => {
  it('is taken as it is given', () => {
    fc.assert(
      fc.property(
        fc.record(
          { name: name.valid, stage_id: stage.valid, content_type: mediaType() },
          { requiredKeys: ['name'], noNullPrototype: true },
        ),
        (input) => {
          expect(parseFile(input)._unsafeUnwrap()).toEqual(input);
          expect(parseFile({ ...input, more: 1 })._unsafeUnwrap()).toEqual(input);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is refused if it is one step outside, and named', () => {
    fc.assert(
      fc.property(name.outside, stage.outside, ({ value, code }, second) => {
        expect(codesOf(parseFile, { name: value, stage_id: second.value })).toEqual([
          `stage_id ${second.code}`,
          `name ${code}`,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('has a media type without a fault', () => {
    const fault = fc.constantFrom('\n', '\r', '(', ')', '<', '@', ',', '\\', 'ż', '\u007f');
    fc.assert(
      fc.property(mediaType(), fault, fc.nat(), (type, inserted, n) => {
        const essence = type.split(';', 1)[0] ?? '';
        const at = n % (essence.trim().length + 1);
        const broken = essence.slice(0, at) + inserted + essence.slice(at);
        fc.pre(broken.length <= 255);
        expect(codesOf(parseFile, { name: 'x', content_type: broken })).toEqual([
          'content_type invalid_media_type',
        ]);
      }),
    );
    for (const broken of [
      'a',
      'a/',
      '/b',
      'a/b;',
      'a/b;c',
      'a/b;c=',
      'a/b;=d',
      'a/b; c="d',
      'a/b/c',
    ]) {
      expect(codesOf(parseFile, { name: 'x', content_type: broken })).toEqual([
        'content_type invalid_media_type',
      ]);
    }
  });

  it('is judged in a time that grows with its length', () => {
    const content_type = `a/b${';a="\\a'.repeat(40)}`.slice(0, 255);
    const { user: before } = process.cpuUsage();
    for (let run = 0; run < 20_000; run += 1) codesOf(parseFile, { name: 'x', content_type });
    // it takes some hundredths of a second: a pattern that backtracks takes a thousand times as long
    expect(process.cpuUsage().user - before).toBeLessThan(20_000_000);
  });
});

describe('what is asked of a list', () => {
  it('has a page size of 20 unless it says so, and filters nothing', () => {
    expect(parseQuery({})._unsafeUnwrap()).toEqual({
      page_size: 20,
      cursor: undefined,
      filter: {},
    });
  });

  it('has a page size of 1 to 100', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (page_size) => {
        expect(parseQuery({ page_size })._unsafeUnwrap().page_size).toBe(page_size);
      }),
    );
    const refused = [
      ...[0, -1, 101, 1000].map((value) => [value, 'out_of_range']),
      [1.5, 'not_an_integer'],
      ...['20', '', true, {}, [20], Number.NaN].map((value) => [value, 'wrong_type']),
      [null, 'null_not_allowed'],
    ];
    for (const [page_size, code] of refused) {
      const found = parseQuery({ page_size })._unsafeUnwrapErr();
      expect(found.map((each) => each.code)).toEqual([code]);
    }
  });

  it('has addresses in one case and times in one notation', () => {
    const query = {
      cursor: 'c',
      partner_id: ' Id ',
      status: 'created',
      freelancer_status: 'new',
      email_freelancer: 'User@Example.COM',
      created_from: '2026-01-01t02:00:00.0001+02:00',
      created_to: '2026-01-01T00:00:60Z',
    };
    expect(parseQuery(query)._unsafeUnwrap()).toEqual({
      page_size: 20,
      cursor: 'c',
      filter: {
        partner_id: ' Id ',
        status: 'created',
        freelancer_status: 'new',
        email_key: 'user@example.com',
        created_from: '2026-01-01T00:00:00.001Z',
        created_to: '2026-01-01T00:01:00.000Z',
      },
    });
  });
});
