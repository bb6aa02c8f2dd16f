import { contractorEntries } from '../domain/deals/contractor.js';
import { dealEntries } from '../domain/deals/deal.js';
import { dealQueryEntries } from '../domain/deals/deal-list.js';
import { dealV2Entries } from '../domain/deals/deal-v2.js';
import { operatorQueryEntries, searchEntries } from '../domain/deals/operator-query.js';
import {
  acceptanceEntries,
  amendmentFields,
  amendmentRules,
  mostStages,
  proposalEntries,
  remarkEntries,
  settlementEntries,
} from '../domain/deals/proposal-input.js';
import { advanceEntries } from '../domain/deals/sandbox.js';
import { workFileEntries } from '../domain/deals/work-file.js';
import {
  eventQueryEntries,
  pageQueryEntries,
  redeliveryEntries,
} from '../domain/events/event-query.js';
import { eventTypeEntries, mostTypes, webhookEntries } from '../domain/events/webhook-input.js';
import { type ObjectSchema, readEntry } from '../domain/input/parser.js';
import { partnerEntries } from '../domain/input/partner-filter.js';
import { commandEntries } from '../domain/life/command-input.js';
import { lifecycle as ours } from '../domain/life/lifecycle.js';
import { isOf, type Lifecycle } from '../domain/life/rules.js';
import type { IssueCode, IssueParams } from '../domain/values/issues.js';
import type { Actor } from '../domain/values/tenant.js';
import type { ValueSets } from '../domain/values/value-sets.js';

/**
 * One rule of a field: the code of the issue that breaking it gives, with the figures that the issue
 * names. Rules without figures (`unknown_country`, `invalid_email`) are complete with their code.
 */
export type FieldRule = {
  readonly [C in IssueCode]: { readonly code: C; readonly params: IssueParams[C] };
}[IssueCode];

/** One field of an input. */
export interface FieldDescription {
  readonly name: string;
  /** The type in JSON; `null` is not one of its values (decision 1.7). */
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  /** The items of an array. */
  readonly items?: FieldDescription;
  readonly required: boolean;
  /** The value of an optional field that is absent. */
  readonly default?: string | number | boolean;
  /** In the order in which they are judged. */
  readonly rules: readonly FieldRule[];
}

/** The actors that give commands with an input; those of the clock have none. */
export type CommandActor = Exclude<Actor, 'clock'>;

/** The fields of commands, by their names in a path. */
export type CommandDescriptions = Readonly<Record<string, readonly FieldDescription[]>>;

/** The fields of every input of the service. */
export interface FieldDescriptions {
  /** Interface, Contractor 1.0. */
  readonly contractor: readonly FieldDescription[];
  /** Interface, Deal 1.0. */
  readonly deal: readonly FieldDescription[];
  /** Interface, Deal 2.0; decision 3. */
  readonly deal_v2: readonly FieldDescription[];
  /** The parameters of a list of deals (decision 4). */
  readonly deal_list: readonly FieldDescription[];
  /** The parameters of a list of the operator. */
  readonly operator_list: readonly FieldDescription[];
  /** The parameters of a search of the operator. */
  readonly search: readonly FieldDescription[];
  /** The fields of a redelivery. */
  readonly redelivery: readonly FieldDescription[];
  /** The parameters of a feed, and of a time line except for `type` (decision 7.1). */
  readonly event_list: readonly FieldDescription[];
  /** The fields of a webhook (decision 7.2). */
  readonly webhook: readonly FieldDescription[];
  /** The parameters of a page of any other list: deliveries, proposals, terms (7.8, 9.11). */
  readonly page: readonly FieldDescription[];
  /** The members of a file except its content (decision 4). */
  readonly work_file: readonly FieldDescription[];
  /** The name of a partner, for the operator (decision 6.5). */
  readonly partner: readonly FieldDescription[];
  /** How far the time of a partner of the sandbox moves (decision 6.6). */
  readonly clock: readonly FieldDescription[];
  /** The inputs about proposals. */
  readonly proposals: ProposalDescriptions;
  /** The input of the commands of each actor, by their names in a path (decision 6.7). */
  readonly commands: Readonly<Record<CommandActor, CommandDescriptions>>;
}

/** The fields of proposals and of decisions about them (decisions 9.4 and 9.11). */
export interface ProposalDescriptions {
  /** The members of a proposal besides its changes. */
  readonly proposal: readonly FieldDescription[];
  /** The changes of an amendment; each of its stages is one that is kept, or one that is added. */
  readonly amendment: readonly FieldDescription[];
  readonly kept_stage: readonly FieldDescription[];
  readonly added_stage: readonly FieldDescription[];
  /** The changes of a settlement. */
  readonly settlement: readonly FieldDescription[];
  readonly acceptance: readonly FieldDescription[];
  /** What goes with a rejection or a withdrawal. */
  readonly remark: readonly FieldDescription[];
}

/**
 * Describes every field as plain data, from which to make a form, a document or a schema. It is
 * read from the rules that judge input under `interfaceProfile`, so it always agrees with them; the
 * strict profile demands more. `valueSets` are the host's own, or `defaultValueSets`; `lifecycle`
 * and `descriptionLimit` are the host's own, if it has them.
 *
 * @example
 * ```ts
 * import { defaultValueSets } from 'dealwright';
 * import { describeFields } from 'dealwright/fields';
 *
 * const { deal, commands } = describeFields(defaultValueSets);
 * deal.find((field) => field.name === 'work_days')?.default; // 30
 * commands.operator['cancel']?.find((field) => field.name === 'reason')?.required; // true
 * ```
 */
export function describeFields(
  valueSets: ValueSets,
  lifecycle: Lifecycle = ours,
  descriptionLimit?: number,
): FieldDescriptions {
  const commandsOf = (actor: CommandActor): CommandDescriptions => {
    const own = lifecycle.filter((rule) => rule.about === undefined && isOf(rule, actor));
    return Object.freeze(
      Object.fromEntries(own.map((rule) => [rule.command, describe(commandEntries(rule))])),
    );
  };
  return Object.freeze({
    contractor: describe(contractorEntries()),
    deal: describe(dealEntries()),
    deal_v2: describe(dealV2Entries(valueSets, descriptionLimit)),
    deal_list: describe(dealQueryEntries()),
    operator_list: describe(operatorQueryEntries()),
    search: describe(searchEntries()),
    redelivery: describe(redeliveryEntries()),
    event_list: describe(eventQueryEntries()),
    webhook: describeWebhook(),
    page: describe(pageQueryEntries()),
    work_file: describe(workFileEntries()),
    partner: describe(partnerEntries()),
    clock: describe(advanceEntries()),
    proposals: describeProposals(valueSets, descriptionLimit),
    commands: Object.freeze({
      partner: commandsOf('partner'),
      freelancer: commandsOf('freelancer'),
      operator: commandsOf('operator'),
      payments: commandsOf('payments'),
    }),
  });
}

/** The URL by the rules of its parser, and the two members that are not text. */
function describeWebhook(): readonly FieldDescription[] {
  const tooMany: FieldRule = { code: 'too_many_types', params: { max: mostTypes } };
  const [each] = describe(eventTypeEntries());
  const types: FieldDescription = {
    name: 'types',
    type: 'array',
    ...(each !== undefined && { items: each }),
    required: false,
    rules: Object.freeze([Object.freeze(tooMany)]),
  };
  const ordered: FieldDescription = {
    name: 'ordered',
    type: 'boolean',
    required: false,
    default: false,
    rules: Object.freeze([]),
  };
  const others = [types, ordered].map((field) => Object.freeze(field));
  return Object.freeze([...describe(webhookEntries()), ...others]);
}

function describeProposals(
  valueSets: ValueSets,
  descriptionLimit: number | undefined,
): ProposalDescriptions {
  const { changes, kept, added } = amendmentRules(amendmentFields(valueSets, descriptionLimit));
  const rules: readonly FieldRule[] = [
    { code: 'empty', params: {} },
    { code: 'too_many_stages', params: { max: mostStages } },
  ];
  const stages: FieldDescription = { name: 'stages', type: 'array', required: false, rules };
  return Object.freeze({
    proposal: describe(proposalEntries()),
    amendment: Object.freeze([...describe(changes), stages]),
    kept_stage: describe(kept),
    added_stage: describe(added),
    settlement: describe(settlementEntries()),
    acceptance: describe(acceptanceEntries()),
    remark: describe(remarkEntries()),
  });
}

function describe(entries: ObjectSchema['entries']): readonly FieldDescription[] {
  return Object.freeze(
    Object.entries(entries).map(([name, entry]) => {
      const { expected: type, actions, optional, fallback } = readEntry(entry);
      // a rule pairs its code with its own params, which the list cannot see
      const rules = actions
        .flatMap(({ params = {} }) => Object.entries(params))
        .map(([code, figures]) => {
          return Object.freeze({ code, params: Object.freeze(figures) }) as FieldRule;
        });
      return Object.freeze({
        name,
        type,
        required: !optional,
        ...(typeof fallback === 'string' || typeof fallback === 'number'
          ? { default: fallback }
          : {}),
        rules: Object.freeze(rules),
      });
    }),
  );
}
