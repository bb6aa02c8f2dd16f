import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import type { ValueSets } from '../values/value-sets.js';
import { type Contractor, contractorEntries } from './contractor.js';
import { type DealTerms, dealEntries } from './deal.js';
import { type DealV2Terms, dealV2Entries } from './deal-v2.js';
import { amendmentFields, createProposalParser, type ProposalTerms } from './proposal-input.js';

/** The rules of input, one parser for each kind of input. */
export interface Rules {
  /** The name by which a service tells which rules it has (decision 11.5); default `own`. */
  readonly name?: string;
  /** The currencies that deals may have; without it any that the parsers take. */
  readonly currencies?: readonly string[];
  /**
   * Whether a deal is given no money that is finer than its currency's unit (decision 10.13): not in
   * commands, reports, proposals and the stages of a planner. A deal that has such money already goes
   * on as it is. Default false; `parseDeal` and `parseDealV2` judge new deals themselves.
   */
  readonly wholeUnits?: boolean;
  readonly parseContractor: Parser<Contractor>;
  readonly parseDeal: Parser<DealTerms>;
  readonly parseDealV2: Parser<DealV2Terms>;
  /** Without it, proposals are judged as `interfaceProfile` does. */
  readonly parseProposal?: Parser<ProposalTerms>;
}

/**
 * A set of rules to choose from: the interface's own (`interfaceProfile`, the default) or those
 * that real payouts need (`strictProfile` of `dealwright/strict`). `descriptionLimit` is the
 * longest description of a deal of version 2.0 in characters; default 20,000.
 */
export type Profile = (sets: ValueSets, descriptionLimit?: number) => Rules;

/**
 * Exactly the field tables of the interface, and decisions 1 and 3 for the rest.
 *
 * @example
 * ```ts
 * import { defaultValueSets, interfaceProfile } from 'dealwright';
 *
 * const { parseDeal } = interfaceProfile(defaultValueSets);
 * parseDeal({ partner_id: '' }).isErr(); // true
 * ```
 */
export const interfaceProfile: Profile = (sets, descriptionLimit) => ({
  name: 'interface',
  parseContractor: createParser(v.object(contractorEntries())),
  parseDeal: createParser(v.object(dealEntries())),
  parseDealV2: createParser(v.object(dealV2Entries(sets, descriptionLimit))),
});

/** The parser of proposals under these rules. */
export function proposalParser(
  { parseProposal }: Rules,
  sets: ValueSets,
  descriptionLimit: number,
): Parser<ProposalTerms> {
  return parseProposal ?? createProposalParser(amendmentFields(sets, descriptionLimit));
}
