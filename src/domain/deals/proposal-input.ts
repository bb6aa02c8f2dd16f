import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';
import { copyMembers, createParser, type Parser } from '../input/parser.js';
import type { Finding } from '../values/issues.js';
import { formatMoney, type Money, moneyText } from '../values/money.js';
import type { ProposalKind } from '../values/proposal-status.js';
import { boundedText, integer, oneOf, rule, textOfLength } from '../values/rule.js';
import type { CopyrightTransfer, ValueSets } from '../values/value-sets.js';
import { defaultDescriptionLimit } from './deal-v2.js';

/** A stage that an amendment keeps, changes or adds. */
export type StageInput =
  | {
      readonly id: number;
      readonly name?: string;
      readonly budget?: string;
      readonly work_days?: number;
    }
  | { readonly name: string; readonly budget: string; readonly work_days?: number };

/** The changes of an amendment as a caller sends them; an absent member stays as it is. */
export interface AmendmentInput {
  readonly title?: string;
  readonly description?: string;
  /** Decimal string: the sum of the stages that are not cancelled. */
  readonly amount?: string;
  readonly work_days?: number;
  readonly copyright_transfer?: CopyrightTransfer;
  /** Every stage that is to remain: one that is left out is cancelled. */
  readonly stages?: readonly StageInput[];
}

/** The changes of a settlement: what is paid for the rest of the deal, and no more. */
export interface SettlementInput {
  /** Decimal string. */
  readonly agreed_amount: string;
}

/** A proposal as a caller sends it (decision 9.4). `message` has 1 to 2,000 characters. */
export type ProposalInput =
  | { readonly kind: 'amendment'; readonly changes: AmendmentInput; readonly message?: string }
  | { readonly kind: 'settlement'; readonly changes: SettlementInput; readonly message?: string };

/** A stage in the changes of an amendment, parsed. */
export interface StageChange {
  readonly id?: number;
  readonly name?: string;
  readonly budget?: Money;
  readonly work_days?: number;
}

/** The changes of an amendment, parsed. */
export interface Amendment extends Omit<AmendmentInput, 'amount' | 'stages'> {
  readonly amount?: Money;
  readonly stages?: readonly StageChange[];
}

/** A proposal, parsed. */
export type ProposalTerms =
  | { readonly kind: 'amendment'; readonly changes: Amendment; readonly message?: string }
  | {
      readonly kind: 'settlement';
      readonly changes: { readonly agreed_amount: Money };
      readonly message?: string;
    };

/** The most stages of a deal that are not cancelled (decision 9.15). */
export const mostStages = 100;

/** The most stages of a deal, cancelled ones too: reading a deal reads all of them. */
export const mostStagesInAll = 1_000;

/**
 * The rules of the members of an amendment.
 *
 * @internal
 */
export interface AmendmentRules {
  readonly changes: v.ObjectEntries;
  /** Of a stage that is kept. */
  readonly kept: v.ObjectEntries;
  /** Of a stage that is added. */
  readonly added: v.ObjectEntries;
}

/**
 * The rules of each field that an amendment may have.
 *
 * @internal
 */
export interface AmendmentFields {
  /** Of the title, and of the name of a stage. */
  readonly title: v.GenericSchema<string, string>;
  readonly description: v.GenericSchema<string, string>;
  readonly amount: v.GenericSchema<string, Money>;
  readonly work_days: v.GenericSchema<number, number>;
  readonly copyright_transfer: v.GenericSchema<string, string>;
}

/**
 * The rules that each field has in a new deal (decision 9.4).
 *
 * @internal
 */
export function amendmentFields(
  sets: ValueSets,
  descriptionLimit = defaultDescriptionLimit,
): AmendmentFields {
  return {
    title: boundedText(1, 200),
    description: boundedText(1, descriptionLimit),
    amount: moneyText(),
    work_days: integer(),
    copyright_transfer: oneOf(sets.copyright_transfer),
  };
}

/**
 * The rules of the members of an amendment.
 *
 * @internal
 */
export function amendmentRules(fields: AmendmentFields): AmendmentRules {
  const { title: name, amount: budget, work_days } = fields;
  const optional = (entries: v.ObjectEntries): v.ObjectEntries =>
    Object.fromEntries(
      Object.entries(entries).map(([key, each]) => [key, v.exactOptional(each as typeof name)]),
    );
  const days = optional({ work_days });
  return {
    changes: optional({ ...fields }),
    kept: { id: integer(), ...optional({ name, budget }), ...days },
    added: { name, budget, ...days },
  };
}

/**
 * The members of a rejection or a withdrawal.
 *
 * @internal
 */
export const remarkEntries = () => ({ message: v.exactOptional(boundedText(1, 2000)) });

/**
 * The members of an acceptance.
 *
 * @internal
 */
export const acceptanceEntries = () => ({ terms_sha256: textOfLength(64), ...remarkEntries() });

/**
 * The members of the changes of a settlement.
 *
 * @internal
 */
export const settlementEntries = () => ({
  agreed_amount: v.pipe(
    moneyText(),
    rule('not_negative', (amount: Money) => amount >= 0n, {}),
  ),
});

/**
 * The members of a proposal besides its changes.
 *
 * @internal
 */
export const proposalEntries = () => ({
  kind: oneOf(['amendment', 'settlement'] satisfies ProposalKind[]),
  ...remarkEntries(),
});

/** Unknown members that an error names, and the characters of each. */
const [mostNamed, longestName] = [10, 64];

type Members = Record<string, unknown>;

/**
 * Makes the parser of proposals: every problem at once, with its path from the root of the body.
 *
 * @internal
 */
export function createProposalParser(fields: AmendmentFields): Parser<ProposalTerms> {
  const rules = amendmentRules(fields);
  const parseWords = createParser(v.object(proposalEntries()));
  const parseChanges = createStrictParser(rules.changes, ['stages']);
  const parseSettlement = createStrictParser(settlementEntries());
  const parseKept = createStrictParser(rules.kept);
  const parseAdded = createStrictParser(rules.added);

  const parseStage = (stage: unknown): Result<StageChange, readonly Finding[]> => {
    const members = copyMembers(stage);
    if (members === undefined) return err([wrongType(stage, 'object')]);
    return (members['id'] === undefined ? parseAdded : parseKept)(members);
  };
  const parseAmendment = (members: Members): Result<Amendment, readonly Finding[]> => {
    const { stages: given, ...others } = members;
    const findings: Finding[] = [];
    const parsed = parseChanges(others);
    if (parsed.isErr()) findings.push(...parsed.error);
    const stages = given === undefined ? undefined : listOf(given);
    if (stages !== undefined && 'problem' in stages) {
      findings.push(under('stages', stages.problem));
    } else if (stages !== undefined) {
      if (others['work_days'] !== undefined) findings.push(unknownMember('work_days', ['stages']));
      const read = stages.items.map(parseStage);
      for (const [at, each] of read.entries()) {
        if (each.isErr())
          findings.push(...each.error.map((one) => under('stages', under(`${at}`, one))));
      }
      findings.push(...repeatedIds(stages.items).map((one) => under('stages', one)));
      if (findings.length === 0 && parsed.isOk()) {
        return ok({
          ...parsed.value,
          stages: read.flatMap((each) => each.unwrapOr([])),
        } as Amendment);
      }
    }
    if (findings.length > 0) return err(findings);
    return Object.keys(others).some((name) => others[name] !== undefined)
      ? (parsed as Result<object, readonly Finding[]> as Result<Amendment, readonly Finding[]>)
      : err([{ path: [], code: 'empty', params: {} }]);
  };

  return (input) => {
    const members = copyMembers(input);
    if (members === undefined) return err([wrongType(input, 'object')]);
    const words = parseWords(members);
    const given = copyMembers(members['changes']);
    const findings: Finding[] = words.isErr() ? [...words.error] : [];
    const kind = members['kind'];
    if (given === undefined)
      findings.push(under('changes', wrongType(members['changes'], 'object')));
    else if (kind === 'amendment' || kind === 'settlement') {
      const changes: Result<object, readonly Finding[]> =
        kind === 'amendment' ? parseAmendment(given) : parseSettlement(given);
      if (changes.isErr()) findings.push(...changes.error.map((each) => under('changes', each)));
      else if (words.isOk()) return ok({ ...words.value, changes: changes.value } as ProposalTerms);
    }
    return err(findings);
  };
}

/** A parser that refuses members without a rule: what two sides agree on has no silent part. */
function createStrictParser(entries: v.ObjectEntries, others: readonly string[] = []) {
  const parse = createParser(v.object(entries));
  const names = [...Object.keys(entries), ...others];
  return (members: Members): Result<Members, readonly Finding[]> => {
    const parsed = parse(members) as Result<Members, readonly Finding[]>;
    const unknown = Object.keys(members).filter(
      (name) => members[name] !== undefined && !names.includes(name),
    );
    if (unknown.length === 0) return parsed;
    const findings = unknown.slice(0, mostNamed).map((name) => unknownMember(name, names));
    return err([...(parsed.isErr() ? parsed.error : []), ...findings]);
  };
}

function unknownMember(name: string, allowed: readonly string[]): Finding {
  // half a character cannot be written as JSON in UTF-8
  const path = [name.slice(0, longestName).toWellFormed()];
  return { path, code: 'unknown_parameter', params: { allowed } };
}

function wrongType(value: unknown, expected: 'object' | 'list'): Finding {
  if (value === undefined) return { path: [], code: 'required', params: {} };
  if (value === null) return { path: [], code: 'null_not_allowed', params: {} };
  return { path: [], code: 'wrong_type', params: { expected } };
}

function under(name: string, finding: Finding): Finding {
  return { ...finding, path: [name, ...finding.path] };
}

/** The items of a list, each read once, or what is wrong with it as a whole. */
function listOf(
  value: unknown,
): { readonly items: readonly unknown[] } | { readonly problem: Finding } {
  try {
    if (!Array.isArray(value)) return { problem: wrongType(value, 'list') };
    const { length } = value;
    if (length === 0) return { problem: { path: [], code: 'empty', params: {} } };
    if (!(length <= mostStages)) {
      return { problem: { path: [], code: 'too_many_stages', params: { max: mostStages } } };
    }
    // not by its iterator, which need not end
    const given: unknown[] = Array.from({ length }, (_, at) => value[at]);
    return { items: given.map((each) => copyMembers(each) ?? each) };
  } catch {
    return { problem: { path: [], code: 'wrong_type', params: { expected: 'list' } } };
  }
}

function repeatedIds(stages: readonly unknown[]): readonly Finding[] {
  const seen = new Set<unknown>();
  return stages.flatMap((stage, at) => {
    const id = copyMembers(stage)?.['id'];
    // of another value it is said that it is no id
    if (!Number.isSafeInteger(id) || !seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: [`${at}`, 'id'], code: 'repeated', params: {} } as const];
  });
}

/** The changes of a proposal as JSON in their one form: money has two decimals. */
export function shownChanges({ kind, changes }: ProposalTerms): AmendmentInput | SettlementInput {
  if (kind === 'settlement') return { agreed_amount: formatMoney(changes.agreed_amount) };
  const { title, description, amount, work_days, copyright_transfer, stages } = changes;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(amount !== undefined && { amount: formatMoney(amount) }),
    ...(work_days !== undefined && { work_days }),
    ...(copyright_transfer !== undefined && { copyright_transfer }),
    ...(stages !== undefined && { stages: stages.map(shownStage) }),
  };
}

function shownStage({ id, name, budget, work_days }: StageChange): StageInput {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(budget !== undefined && { budget: formatMoney(budget) }),
    ...(work_days !== undefined && { work_days }),
  } as StageInput;
}
