import {
  type ClockAdvance,
  type ContractorInput,
  type DealInput,
  type DealListQuery,
  type DealV2Input,
  defaultValueSets,
  type EmployerPaymentReport,
  type Language,
  type OfferAcceptance,
  type OfStage,
  type OperatorDealQuery,
  type Resolution,
} from 'dealwright';
import { type CommandActor, describeFields, type FieldRule } from 'dealwright/fields';
import { err, ok, type Result } from 'neverthrow';
import type { StoreKind } from './init/templates.js';

export interface Field {
  readonly help: string;
  readonly integer?: true;
  /** The name of its value in the help, if it is not a text or a number. */
  readonly takes?: string;
  readonly choices?: readonly string[];
}

/** The fields of a body by their names in the interface. */
export type Fields = Readonly<Record<string, Field>>;

export const contractorFields = {
  email: { help: 'e-mail address' },
  name: { help: 'first name' },
  surname: { help: 'surname' },
  country_code: { help: 'ISO 3166-1 alpha-2 code' },
  street: { help: 'street' },
  house_no: { help: 'house number' },
  apartment_no: { help: 'apartment number' },
  postal_code: { help: 'postal code, 1 to 6 characters' },
  city: { help: 'city' },
  language: { help: 'pl or en' },
  bank_account_currency: { help: 'ISO 4217 code' },
  bank_account_iban: { help: 'IBAN' },
  bank_account_bic: { help: 'BIC' },
  pesel: { help: 'Polish tax ID of a person' },
  nip: { help: 'Polish tax ID of a company' },
  tax_id: { help: 'tax ID elsewhere' },
} satisfies Record<keyof ContractorInput, Field>;

export const dealFields = {
  partner_id: { help: 'your own id of the deal, 1 to 40 characters' },
  contractor_email: { help: '1.0: e-mail address of a registered contractor' },
  name: { help: '1.0: name of the deal' },
  description: { help: 'description' },
  budget: { help: '1.0: amount, such as 1000.00' },
  currency: { help: '3 characters' },
  work_days: { help: '1.0: days of work (default 30)', integer: true },
  sub_category_id: { help: '1.0: id of a subcategory', integer: true },
} satisfies Record<keyof DealInput, Field>;

export const dealV2Fields = {
  partner_id: dealFields.partner_id,
  email_freelancer: { help: '2.0: e-mail address of the freelancer' },
  title: { help: '2.0: title of the deal' },
  description: dealFields.description,
  subcategory_id: { help: '2.0: id of a subcategory', integer: true },
  amount: { help: '2.0: amount above zero, such as 500.00' },
  currency: dealFields.currency,
  copyright_transfer: { help: '2.0: full_transfer, license or none' },
  freelancer_language: { help: '2.0: pl or en' },
} satisfies Record<keyof DealV2Input, Field>;

const { deal_list, operator_list, commands } = describeFields(defaultValueSets);

/** The values that rules allow, if they list them. */
function choicesOf(rules: readonly FieldRule[]): readonly string[] {
  return rules.flatMap((rule) => (rule.code === 'not_allowed' ? rule.params.allowed : []));
}

/** The statuses that a list can be filtered by. */
function allowedOf(parameter: keyof DealListQuery): readonly string[] {
  return choicesOf(deal_list.find(({ name }) => name === parameter)?.rules ?? []);
}

/** The filters of a list of deals. */
export const dealListFields = {
  cursor: { help: 'where a page goes on, as the one before says' },
  partner_id: { help: 'the deal with this partner_id' },
  status: { help: 'status of the deal', takes: 'status', choices: allowedOf('status') },
  freelancer_status: {
    help: 'status of the freelancer',
    takes: 'status',
    choices: allowedOf('freelancer_status'),
  },
  attention: {
    help: 'true: only deals whose money an operator has to see to',
    takes: 'true',
    choices: allowedOf('attention'),
  },
  email_freelancer: { help: 'e-mail address of the freelancer' },
  created_from: { help: 'RFC 3339, inclusive', takes: 'time' },
  created_to: { help: 'RFC 3339, exclusive', takes: 'time' },
} satisfies Record<Exclude<keyof DealListQuery, 'page_size'>, Field>;

/** The filters of a list of the operator. */
export const operatorListFields = {
  partner: { help: 'the partner; without it all partners' },
  ...dealListFields,
  alert: {
    help: 'deals that need the operator now for this reason',
    takes: 'reason',
    choices: choicesOf(operator_list.find(({ name }) => name === 'alert')?.rules ?? []),
  },
  stuck_since: { help: 'RFC 3339: the status is older than this', takes: 'time' },
} satisfies Record<Exclude<keyof OperatorDealQuery, 'page_size'>, Field>;

/** The fields of the commands of a deal. */
export const commandFields: Fields = {
  stage_id: { help: 'one stage; without it every stage that the command fits', integer: true },
  agreed_amount: { help: 'what the freelancer gets, such as 250.00' },
  payment_id: { help: 'one payment, as the deal shows it' },
  status: { help: 'what became of the payment', takes: 'status' },
  amount: { help: 'amount, such as 500.00; of a payment by default what was asked for' },
  currency: { help: 'of the amount, such as PLN: another one than that of the deal is refused' },
  terms_sha256: { help: 'the hash of the terms, once they were changed' },
  reference: { help: "the provider's own name for what happened: each is recorded once" },
  reason: { help: 'why, 1 to 2,000 characters' },
  message: { help: 'a message, 1 to 2,000 characters' },
} satisfies Record<
  keyof OfStage<OfferAcceptance> | keyof Resolution | keyof EmployerPaymentReport,
  Field
>;

/** The fields of each command, by its actor and its name in a path. */
export const fieldsOfCommands: Readonly<Record<CommandActor, Readonly<Record<string, Fields>>>> =
  mapped(commands, (own) =>
    mapped(own, (described) =>
      Object.fromEntries(
        described.map(({ name, required, rules }) => {
          const { help = name, ...field } = commandFields[name] ?? {};
          const choices = choicesOf(rules);
          return [
            name,
            {
              ...field,
              help: required ? `${help} (required)` : help,
              ...(choices.length > 0 && { choices }),
            },
          ];
        }),
      ),
    ),
  );

function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (value: From) => To,
): Readonly<Record<Name, To>> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

/** How far the clock of the sandbox moves. */
export const clockFields = {
  advance_seconds: { help: 'how far, up to ten years (required)', integer: true },
} satisfies Record<keyof ClockAdvance, Field>;

/** The fields of each kind of body. */
export const fieldsOf = {
  contractor: contractorFields,
  deal: dealFields,
  deal_v2: dealV2Fields,
} satisfies Record<string, Fields>;

/** The kinds of bodies. */
export type BodyKind = keyof typeof fieldsOf;

/** The values of flags, by the names that commander gives them. */
type Given = Readonly<Record<string, unknown>>;

/** The flag of a field: `--postal-code` of `postal_code`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The members from flags, or the problem of one. */
export function membersOf(
  fields: Fields,
  flags: Given,
): Result<Readonly<Record<string, unknown>>, string> {
  const members: Record<string, unknown> = {};
  for (const [name, { integer = false }] of Object.entries(fields)) {
    const value = flags[attributeOf(name)];
    if (value === undefined) continue;
    if (integer && !/^[+-]?\d{1,20}$/.test(String(value))) {
      return err(`${flagOf(name)} takes a whole number`);
    }
    members[name] = integer ? Number(value) : value;
  }
  return ok(members);
}

/** Flags for fields of `others` that `fields` does not have. */
export function strayFlags(fields: Fields, others: Fields, flags: Given): readonly string[] {
  return Object.keys(others)
    .filter((name) => !Object.hasOwn(fields, name) && flags[attributeOf(name)] !== undefined)
    .map(flagOf);
}

/** The name that commander gives the flag of a field. */
function attributeOf(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Texts<Name extends string> = { readonly [Each in Name]?: string };
type Switches<Name extends string> = { readonly [Each in Name]?: true };

/** The values of flags that are not fields, by the names that commander gives them. */
export type Flags = Texts<'url' | 'tokenFile' | 'timeout' | 'attempts'> &
  Texts<
    | 'file'
    | 'idempotencyKey'
    | 'id'
    | 'pageSize'
    | 'cursor'
    | 'stageId'
    | 'name'
    | 'contentType'
    | 'proposalId'
  > &
  Texts<'after' | 'type' | 'types' | 'deal' | 'forwardTo' | 'since' | 'which'> &
  Texts<'concurrency' | 'report' | 'host' | 'port' | 'out' | 'minAge' | 'package' | 'html'> &
  Switches<'json' | 'quiet' | 'all' | 'skipExisting' | 'memory' | 'byPartnerId'> &
  Switches<'follow' | 'ordered'> &
  Switches<'print' | 'distribute' | 'prune' | 'withoutFiles' | 'diagram' | 'restore' | 'empty'> & {
    readonly lang?: Language;
    readonly store?: StoreKind;
    readonly apiVersion?: '1.0' | '2.0';
    readonly migrate?: boolean;
  };
