import { defaultValueSets } from 'dealwright';
import { strictProfile } from 'dealwright/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amendmentFields, createProposalParser } from '../../src/domain/deals/proposal-input.js';

const { parseProposal: given } = strictProfile(defaultValueSets, 50);
if (given === undefined) throw new Error('the profile has no rules of proposals');
const parseProposal = given;
const parseUsual = createProposalParser(amendmentFields(defaultValueSets, 50));
const amendment = (changes: object) => ({ kind: 'amendment', changes });
const issuesOf = (input: unknown) =>
  parseProposal(input).match(
    () => [],
    (findings) => findings.map(({ path, code }) => `${path.join('.')}:${code}`),
  );

describe('the strict profile of proposals', () => {
  it.each<[object, ...string[]]>([
    [{ title: ' \u2003' }, 'title:blank'],
    [{ title: '' }, 'title:too_short'],
    [{ description: '\n' }, 'description:blank'],
    [{ description: 'x'.repeat(51) }, 'description:too_long'],
    [{ amount: '0' }, 'amount:not_positive'],
    [{ amount: '-1' }, 'amount:not_positive'],
    [{ amount: 'x' }, 'amount:invalid_decimal'],
    [{ work_days: 0 }, 'work_days:out_of_range'],
    [{ work_days: -1 }, 'work_days:out_of_range'],
    [{ stages: [{ id: 1, name: '\t' }] }, 'stages.0.name:blank'],
    [{ stages: [{ id: 1, budget: '0' }] }, 'stages.0.budget:not_positive'],
    [{ stages: [{ id: 1, work_days: 0 }] }, 'stages.0.work_days:out_of_range'],
    [
      { stages: [{ name: ' ', budget: '-1', work_days: 0 }] },
      ...['stages.0.name:blank', 'stages.0.budget:not_positive', 'stages.0.work_days:out_of_range'],
    ],
    [{ title: 'x', description: 'x'.repeat(50), amount: '0.01', work_days: 1 }],
    [{ stages: [{ id: 1, name: 'x', budget: '0.01', work_days: 1 }] }],
  ])('%j', (changes, ...issues) => {
    expect(issuesOf(amendment(changes))).toEqual(issues.map((each) => `changes.${each}`));
  });

  it('leaves a settlement as it is', () => {
    expect(issuesOf({ kind: 'settlement', changes: { agreed_amount: '0' } })).toEqual([]);
  });

  it('takes nothing that the usual rules refuse', () => {
    const text = fc.constantFrom('', ' ', 'x', 'x'.repeat(51), '\ud800');
    const sum = fc.constantFrom('0', '1', '-1', '.', '1.001');
    const days = fc.constantFrom(0, 1, -1, 1.5, 2 ** 53);
    const stage = fc.record(
      { id: fc.nat(2), name: text, budget: sum, work_days: days, x: fc.constant(1) },
      { requiredKeys: [] },
    );
    const changes = fc.record(
      { title: text, description: text, amount: sum, work_days: days, stages: fc.array(stage) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, (drawn) => {
        const [strict, usual] = [parseProposal(amendment(drawn)), parseUsual(amendment(drawn))];
        if (strict.isOk()) expect(strict.value).toStrictEqual(usual._unsafeUnwrap());
      }),
      { numRuns: 500 },
    );
  });
});
