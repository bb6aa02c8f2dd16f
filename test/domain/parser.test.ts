import { defaultValueSets } from 'dealwright';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contractorEntries } from '../../src/domain/deals/contractor.js';
import { dealEntries } from '../../src/domain/deals/deal.js';
import { dealV2Entries } from '../../src/domain/deals/deal-v2.js';
import { createParser, type ObjectSchema } from '../../src/domain/input/parser.js';
import { rule } from '../../src/domain/values/rule.js';
import { contractorTable, dealTable, dealV2Table, type Row } from './field-tables.js';

/** The verdict of valibot itself, in the terms of the library. */
function judgeByValibot(schema: ObjectSchema, input: unknown): object {
  const judged = v.safeParse(schema, input, { abortPipeEarly: true });
  if (judged.success) return { output: judged.output };
  return {
    problems: judged.issues.map((issue) => ({
      path: (issue.path ?? []).map(({ key }) => key),
      code: issue.kind === 'validation' ? issue.message : codeOfType(issue.input),
    })),
  };
}

function codeOfType(input: unknown): string {
  if (input === undefined) return 'required';
  return input === null ? 'null_not_allowed' : 'wrong_type';
}

function judgeByParser(parse: ReturnType<typeof createParser>, input: unknown): object {
  return parse(input).match<object>(
    (output) => ({ output }),
    (findings) => ({ problems: findings.map(({ path, code }) => ({ path, code })) }),
  );
}

/** JSON objects near a table: each member valid, invalid, of any type, or absent; also others. */
function nearly(table: readonly Row[]): fc.Arbitrary<unknown> {
  const member = ({ values }: Row) =>
    fc.oneof(
      { weight: 6, arbitrary: values.taken.map(({ value }) => value) },
      { weight: 1, arbitrary: values.refused.map(({ value }) => value) },
      { weight: 1, arbitrary: fc.constantFrom(...values.takenEdges.map(({ value }) => value)) },
      { weight: 1, arbitrary: fc.constantFrom(...values.refusedEdges.map(({ value }) => value)) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
  const model = Object.fromEntries(table.map((row) => [row.name, member(row)]));
  return fc
    .tuple(
      fc.record(model, { requiredKeys: [] }),
      fc.record(model),
      fc.boolean(),
      fc.dictionary(fc.string(), fc.jsonValue()),
    )
    .map(([some, all, isWhole, others]) => ({ ...others, ...(isWhole ? all : some) }));
}

const schemas = [
  { name: 'Contractor', schema: v.object(contractorEntries()), table: contractorTable },
  { name: 'Deal 1.0', schema: v.object(dealEntries()), table: dealTable },
  { name: 'Deal 2.0', schema: v.object(dealV2Entries(defaultValueSets)), table: dealV2Table },
] as const;

describe.each(schemas)('the parser made from the schema of $name', ({ schema, table }) => {
  const parse = createParser(schema);

  it('agrees with valibot on JSON: acceptance, output, and every problem', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 10, arbitrary: nearly(table) },
          { weight: 1, arbitrary: fc.jsonValue() },
        ),
        (input) => {
          // valibot takes an array for an object; in JSON they differ
          fc.pre(!Array.isArray(input));
          expect(judgeByParser(parse, input)).toStrictEqual(judgeByValibot(schema, input));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('agrees with valibot on each edge of each field', () => {
    const valid = Object.fromEntries(
      table.map(({ name, values }) => [name, values.takenEdges[0]?.value]),
    );
    for (const { name, values } of table) {
      for (const { value } of [...values.takenEdges, ...values.refusedEdges]) {
        const input = { ...valid, [name]: value };
        expect(judgeByParser(parse, input)).toStrictEqual(judgeByValibot(schema, input));
      }
    }
  });
});

describe('a parser', () => {
  const parse = createParser(
    v.object({
      text: v.string(),
      number: v.exactOptional(v.number()),
      size: v.exactOptional(
        v.pipe(
          v.string(),
          v.title('of a shirt'),
          v.transform((value) => value.length),
          rule('out_of_range', (value: number) => value < 3, { min: 0, max: 2 }),
          v.transform((value) => value * 10),
        ),
        'xs',
      ),
    }),
  );

  it('takes schemas without rules, and a pipe with something else than rules', () => {
    expect(parse({ text: '' })._unsafeUnwrap()).toStrictEqual({ text: '', size: 'xs' });
    expect(parse({ text: 'a', number: 0.5 })._unsafeUnwrap()).toStrictEqual({
      text: 'a',
      number: 0.5,
      size: 'xs',
    });
  });

  it('walks a pipe step by step: each sees what the one before made', () => {
    expect(parse({ text: 'a', size: 'xl' })._unsafeUnwrap()).toStrictEqual({ text: 'a', size: 20 });
    expect(parse({ text: 'a', size: 'xxl' })._unsafeUnwrapErr()).toEqual([
      { path: ['size'], code: 'out_of_range', params: { min: 0, max: 2 } },
    ]);
  });

  it('takes a step that turns a text into a value without any rule', () => {
    const entry = v.pipe(
      v.string(),
      v.transform((value) => value.length),
    );
    const measure = createParser(v.object({ length: entry }));
    expect(measure({ length: 'abc' })._unsafeUnwrap()).toStrictEqual({ length: 3 });
  });

  it('drops members that are undefined and those it does not know', () => {
    const input = { text: 'a', number: undefined, size: undefined, other: 1 };
    expect(parse(input)._unsafeUnwrap()).toStrictEqual({ text: 'a', size: 'xs' });
  });

  it('takes own members only: what a prototype holds is not in the body', () => {
    const inherited = Object.create({ text: 'inherited' }) as object;
    expect(parse(inherited)._unsafeUnwrapErr()).toEqual([
      { path: ['text'], code: 'required', params: {} },
    ]);
  });

  it('refuses NaN, and says that it wanted an integer', () => {
    expect(parse({ text: 'a', number: Number.NaN })._unsafeUnwrapErr()).toEqual([
      { path: ['number'], code: 'wrong_type', params: { expected: 'integer' } },
    ]);
  });
});
