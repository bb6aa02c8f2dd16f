import { defaultValueSets } from 'dealwright';
import { describeFields, type FieldDescription } from 'dealwright/fields';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import {
  dealListMembers,
  dealTerms,
  dealV2Terms,
  fileMembers,
} from '../../adapters/http/wire/deals.js';
import { contractorMembers } from '../../adapters/http/wire/partner.js';
import { contractorTable, dealTable, dealV2Table, type Row } from '../domain/field-tables.js';

const fields = describeFields(defaultValueSets);
const tables: readonly (readonly [string, readonly FieldDescription[], readonly Row[]])[] = [
  ['contractor', fields.contractor, contractorTable],
  ['deal', fields.deal, dealTable],
  ['deal_v2', fields.deal_v2, dealV2Table],
];
const rows = tables.flatMap(([name, described, table]) =>
  table.map((row) => [`${name}.${row.name}`, described, row] as const),
);

/** The codes that come before all rules: the value is missing, or of another type. */
const beforeRules = ['required', 'null_not_allowed', 'wrong_type'];

describe.each(tables)('the description of %s', (_, described, table) => {
  it('has the fields of the interface, in their order', () => {
    expect(
      described.map(({ name, required, type, default: fallback }) => ({
        name,
        required,
        type,
        fallback,
      })),
    ).toEqual(
      table.map(({ name, required, values: { expected }, fallback }) => ({
        name,
        required,
        type: expected,
        fallback,
      })),
    );
  });
});

describe.each(rows)('the rules of %s', (_, described, { name, values }) => {
  const rules = described.find((field) => field.name === name)?.rules ?? [];

  it('name every issue that a value is refused with, figures included', () => {
    const isTold = ({ code, params }: { readonly code: string; readonly params: object }) => {
      if (!beforeRules.includes(code)) expect(rules).toContainEqual({ code, params });
    };
    for (const each of values.refusedEdges) isTold(each);
    fc.assert(fc.property(values.refused, isTold), { numRuns: 200 });
  });

  it('name no issue that nothing is refused with', () => {
    const met = new Set(values.refusedEdges.map(({ code }) => code));
    fc.assert(
      fc.property(values.refused, ({ code }) => {
        met.add(code);
      }),
      { numRuns: 500 },
    );
    expect(rules.map(({ code }) => code).filter((code) => !met.has(code))).toEqual([]);
  });
});

describe('describeFields', () => {
  it('describes what the handler reads of bodies and queries', () => {
    const names = (described: readonly FieldDescription[]) => described.map(({ name }) => name);
    expect(names(fields.contractor).sort()).toEqual(Object.keys(contractorMembers).sort());
    expect(names(fields.deal).sort()).toEqual(Object.keys(dealTerms).sort());
    expect(names(fields.deal_v2).sort()).toEqual(Object.keys(dealV2Terms).sort());
    expect(names(fields.deal_list).sort()).toEqual(Object.keys(dealListMembers).sort());
    expect([...names(fields.work_file), 'content'].sort()).toEqual(Object.keys(fileMembers).sort());
  });

  it('describes the commands of each actor as the handler reads them', () => {
    for (const { face, command, members } of allRoutes()) {
      if (command === undefined || face === 'sandbox') continue;
      const described = fields.commands[face][command] ?? [];
      expect([face, command, described.map(({ name }) => name).sort()]).toEqual([
        face,
        command,
        Object.keys(members).sort(),
      ]);
    }
    const needs = (list: readonly FieldDescription[] = []) =>
      list.filter(({ required }) => required).map(({ name }) => name);
    expect(needs(fields.commands.partner['cancel'])).toEqual([]);
    expect(needs(fields.commands.operator['cancel'])).toEqual(['reason']);
    expect(Object.keys(fields.commands.payments)).toEqual([
      'record-employer-payment',
      'record-contractor-payment',
    ]);
  });

  it("describes the commands of a host's own life cycle", () => {
    const archive = { command: 'archive', by: ['operator'], from: ['created'] } as const;
    const { commands } = describeFields(defaultValueSets, [
      { ...archive, requires: ['reason'], to: 'archived' },
    ]);
    expect(commands.partner).toEqual({});
    expect(commands.operator['archive']).toMatchObject([
      { name: 'reason', required: true },
      { name: 'message', required: false },
    ]);
  });

  it("holds the host's own sets", () => {
    const { deal_v2 } = describeFields({
      copyright_transfer: ['all'],
      freelancer_language: ['de'],
    });
    const allowed = deal_v2.flatMap(({ name, rules }) =>
      rules.flatMap((rule) =>
        rule.code === 'not_allowed' ? [[name, rule.params.allowed] as const] : [],
      ),
    );
    expect(allowed).toEqual([
      ['copyright_transfer', ['all']],
      ['freelancer_language', ['de']],
    ]);
  });

  it('gives out values that cannot be changed', () => {
    const { deal } = fields;
    const { commands } = fields;
    const parts = [commands, commands.operator, commands.operator['cancel']];
    for (const part of [fields, deal, deal[0], deal[0]?.rules, deal[0]?.rules[0], ...parts]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
