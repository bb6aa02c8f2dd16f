import type { CallOptions } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { ComponentChildren } from 'preact';
import type { FieldErrors } from './action-form.js';
import { decimalOf, isAmount } from './amounts.js';
import { Ask } from './ask.js';
import { type Choice, Facts, Field } from './components.js';
import { draft } from './drafts.js';
import { type CallError, type Failure, words } from './failure.js';
import { money } from './format.js';
import { inLanguage } from './language.js';
import { type Billed, livingStages, notAskedFor } from './terms.js';
import { keyOf } from './view.js';

/** What a command does, as names and values: of money, how much goes to whom. */
export type Effect = readonly (readonly [string, ComponentChildren])[];

/** A text that somebody types for a command. */
export interface Entry {
  readonly name: string;
  readonly label: string;
  /** The path of its errors, if it is not the name. */
  readonly path?: string;
  readonly first?: string;
  readonly isOptional?: boolean;
  readonly lines?: number;
  readonly inputMode?: 'decimal';
  readonly choices?: readonly Choice[];
}

/** The texts that were typed, by their names; none is blank. */
export type Given = Readonly<Record<string, string>>;

const textOf = (form: string, { name, first }: Entry) => draft(`${form}.${name}`, first);

export const givenIn = (form: string, entries: readonly Entry[]): Given =>
  Object.fromEntries(
    entries
      .map((each) => [each.name, textOf(form, each).value.trim()] as const)
      .map(([name, text]) => [name, name === 'amount' ? decimalOf(text) : text])
      .filter(([, text]) => text !== ''),
  );

/** The fields of a form: what is typed is kept under its name. */
export function Entries(props: {
  readonly form: string;
  readonly of: readonly Entry[];
  readonly errors: FieldErrors;
}) {
  const { form, of, errors } = props;
  return of.map((each) => {
    const { name, path = name, first: _, ...field } = each;
    return <Field key={name} {...field} text={textOf(form, each)} error={errors[path]} />;
  });
}

export const amountEntry = (currency: string, own: Partial<Entry> = {}): Entry => ({
  name: 'amount',
  label: `${words().amount} (${currency})`,
  inputMode: 'decimal',
  ...own,
});

export const remarkEntry = (name: string, label: string, isOptional = true): Entry => ({
  ...{ name, label, isOptional, lines: 3 },
});

export const paidTo = (
  amount: string | undefined,
  currency: string,
  payee: string,
  name: string = words().amount,
): Effect => [
  [name, amount !== undefined && isAmount(amount) ? money(amount, currency) : '…'],
  [words().payee, <bdi key="payee">{payee}</bdi>],
];

/** What a new request would ask for: until all is approved, only a part of it may be due. */
export function askedOf(deal: Billed & { readonly currency: string }, payee: string): Effect {
  const { amount, atMost } = words();
  const isWhole = livingStages(deal).every(({ status }) => ['approved', 'paid'].includes(status));
  return paidTo(notAskedFor(deal), deal.currency, payee, isWhole ? amount : atMost);
}

export interface Commanded {
  readonly view: {
    readonly give: (
      form: string,
      done: string,
      call: () => ResultAsync<unknown, CallError>,
    ) => Promise<Failure | undefined>;
  };
  readonly close: () => void;
}

/** A dialog that gives a command: it says what the command does before it is confirmed. */
export function CommandDialog<I>(
  props: Commanded & {
    readonly form: string;
    readonly say: { readonly open: string; readonly help?: string; readonly done: string };
    readonly action?: string;
    readonly entries?: readonly Entry[];
    readonly refuse?: (input: I) => Failure | undefined;
    readonly input: (given: Given) => I;
    readonly call: (input: I, options: CallOptions) => ResultAsync<unknown, CallError>;
    readonly above?: ComponentChildren;
    readonly fields?: (errors: FieldErrors) => ComponentChildren;
    readonly effect?: ((given: Given) => Effect) | undefined;
  },
) {
  const { form, say, view, close, entries = [], refuse, input, call, above, fields } = props;
  const given = givenIn(form, entries);
  const send = async () => {
    const whole = input(given);
    const refused = refuse?.(whole);
    if (refused !== undefined) return refused;
    const options = { ...inLanguage(), idempotencyKey: keyOf(form, whole) };
    // the service says what is missing
    return view.give(form, say.done, () => call(whole, options));
  };
  return (
    <Ask
      {...{ title: say.open, help: say.help, action: props.action ?? say.open, send, above }}
      onClose={close}
      fields={(errors) => (
        <>
          {fields?.(errors)}
          <Entries of={entries} {...{ form, errors }} />
          {props.effect !== undefined && <Facts of={props.effect(given)} />}
        </>
      )}
    />
  );
}
