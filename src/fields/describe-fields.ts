import { contractorEntries } from '../domain/contractor.js';
import { dealEntries } from '../domain/deal.js';
import { dealQueryEntries } from '../domain/deal-list.js';
import { dealV2Entries, type ValueSets } from '../domain/deal-v2.js';
import type { IssueCode, IssueParams } from '../domain/issues.js';
import { commandEntries } from '../domain/life/command-input.js';
import { lifecycle } from '../domain/life/lifecycle.js';
import { isOf } from '../domain/life/rules.js';
import { isRule, type ObjectSchema, readEntry } from '../domain/parser.js';
import { workFileEntries } from '../domain/work-file.js';

/**
 * One rule of a field: the code of the issue that breaking it gives, with the figures that the issue
 * names. Rules without figures (`unknown_country`, `invalid_email`) say all by their code.
 */
export type FieldRule = {
  readonly [C in IssueCode]: { readonly code: C; readonly params: IssueParams[C] };
}[IssueCode];

/** One field of what is sent to the service. */
export interface FieldDescription {
  readonly name: string;
  /** The type in JSON; `null` is not one of its values (decision 1.7). */
  readonly type: 'string' | 'integer';
  readonly required: boolean;
  /** The value of an optional field that is absent. */
  readonly default?: string | number;
  /** In the order in which they are judged. */
  readonly rules: readonly FieldRule[];
}

/** The fields of everything that is sent to the service. */
export interface FieldDescriptions {
  /** Interface, Contractor 1.0. */
  readonly contractor: readonly FieldDescription[];
  /** Interface, Deal 1.0. */
  readonly deal: readonly FieldDescription[];
  /** Interface, Deal 2.0; decision 3. */
  readonly deal_v2: readonly FieldDescription[];
  /** The parameters of a list of deals (decision 4). */
  readonly deal_list: readonly FieldDescription[];
  /** The members of a file besides its content (decision 4). */
  readonly work_file: readonly FieldDescription[];
  /** What a partner's command may say, by its name in a path (decision 6.7). */
  readonly commands: Readonly<Record<string, readonly FieldDescription[]>>;
}

/**
 * Describes every field as plain data: what a form, a document or a schema of one's own is made
 * from. It is read off the very rules that judge input under `interfaceProfile`, so that it cannot
 * say anything else; the strict profile asks for more. `valueSets` are the host's own, or
 * `defaultValueSets`.
 *
 * @example
 * ```ts
 * import { defaultValueSets } from 'dealwright';
 * import { describeFields } from 'dealwright/fields';
 *
 * const { deal } = describeFields(defaultValueSets);
 * deal.find((field) => field.name === 'work_days')?.default; // 30
 * ```
 */
export function describeFields(valueSets: ValueSets): FieldDescriptions {
  return Object.freeze({
    contractor: describe(contractorEntries()),
    deal: describe(dealEntries()),
    deal_v2: describe(dealV2Entries(valueSets)),
    deal_list: describe(dealQueryEntries()),
    work_file: describe(workFileEntries()),
    commands: describeCommands(),
  });
}

function describeCommands(): FieldDescriptions['commands'] {
  const own = lifecycle.filter((rule) => isOf(rule, 'partner'));
  return Object.freeze(
    Object.fromEntries(own.map((rule) => [rule.command, describe(commandEntries(rule))])),
  );
}

function describe(entries: ObjectSchema['entries']): readonly FieldDescription[] {
  return Object.freeze(
    Object.entries(entries).map(([name, entry]) => {
      const { expected: type, actions, optional, fallback } = readEntry(entry);
      // a rule pairs its code with its own params, which the list cannot see
      const rules = actions
        .filter(isRule)
        .map(({ message: code, params }) => Object.freeze({ code, params }) as FieldRule);
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
