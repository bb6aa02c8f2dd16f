import type { DealDetails } from 'dealwright';
import type { ComponentChildren } from 'preact';
import { decimalOf } from '../base/amounts.js';
import { Ask, TextField, textOf } from '../base/ask.js';
import { Dialog, Facts, Field } from '../base/components.js';
import { Copy } from '../base/copy.js';
import { draft } from '../base/drafts.js';
import { failureOf } from '../base/failure.js';
import { moment, money } from '../base/format.js';
import { inLanguage } from '../base/language.js';
import { hostName } from '../base/shell.js';
import { isOpen, livingStages, worthOf, worthOfAll } from '../base/terms.js';
import { areSending } from '../base/uploads.js';
import { keyOf } from '../base/view.js';
import { api } from './api.js';
import { notAskedFor } from './next.js';
import { isAmount } from './parts.js';
import { type CommandName, type Decision, type DialogProps, formOf } from './view.js';
import { words } from './words.js';

type Rows = readonly (readonly [string, ComponentChildren])[];

interface Command {
  readonly method:
    | 'accept'
    | 'addBonus'
    | 'approve'
    | 'cancel'
    | 'decline'
    | 'deliver'
    | 'dispute'
    | 'invite'
    | 'requestChanges'
    | 'requestPayment';
  readonly kind?: 'main' | 'quiet';
  readonly texts?: readonly ('amount' | 'message' | 'reason')[];
  /** It consents to the terms. */
  readonly isConsent?: boolean;
  /** Which money it moves, and to whom. */
  readonly effect?: (about: DialogProps, amount: string) => Rows;
}

const paid = ({ deal }: DialogProps, amount: string, name = words().amount): Rows => [
  [name, isAmount(amount) ? money(amount, deal.currency) : '…'],
  [words().payee, <bdi key="payee">{deal.email_freelancer}</bdi>],
];

const refunded = ({ deal }: DialogProps): Rows => [
  [words().refunded, money(deal.billing.held, deal.currency)],
  [words().payee, deal.partner_name ?? words().who.partner],
];

/** The commands of a partner by their names in `legal`, in the order of their buttons. */
export const commands: Readonly<Record<CommandName, Command>> = {
  approve: {
    ...{ method: 'approve', kind: 'main', texts: ['message'] },
    effect: (about) => {
      const { deal, stage } = about;
      const stages = deal.stages.filter(({ status }) => status === 'submitted');
      return paid(about, stage === undefined ? worthOfAll(stages) : worthOf(stage));
    },
  },
  'request-changes': { method: 'requestChanges', texts: ['reason'] },
  invite: { method: 'invite' },
  accept: { method: 'accept', kind: 'main', isConsent: true },
  'request-payment': {
    method: 'requestPayment',
    effect: ({ deal }) => {
      const { amount, money: of, payee } = words();
      // until all is approved, only a part of it may be due
      const isWhole = livingStages(deal).every(({ status }) =>
        ['approved', 'paid'].includes(status),
      );
      return [
        [isWhole ? amount : of.atMost, money(notAskedFor(deal), deal.currency)],
        [payee, hostName()],
      ];
    },
  },
  deliver: {
    ...{ method: 'deliver', texts: ['message'], isConsent: true },
    kind: 'quiet',
  },
  'add-bonus': {
    ...{ method: 'addBonus', texts: ['amount', 'message'] },
    effect: (about, amount) => paid(about, amount),
  },
  dispute: { method: 'dispute', kind: 'quiet', texts: ['reason'] },
  decline: { method: 'decline', kind: 'quiet', texts: ['reason'], effect: refunded },
  cancel: { method: 'cancel', kind: 'quiet', texts: ['reason'], effect: refunded },
};

export const commandNames = Object.keys(commands) as CommandName[];

/** The others need a reason. */
const freeReasons = ['cancel', 'decline'];

/** A command of the deal, or of one of its stages. */
export function CommandDialog(props: DialogProps & { readonly name: CommandName }) {
  const { name, deal, view, close, stage } = props;
  const of = words();
  const { method, texts = [], isConsent, effect } = commands[name];
  const say = of.commands[name];
  const form = formOf(deal, stage === undefined ? name : `${name}.${stage.id}`);
  const amount = decimalOf(draft(`${form}.amount`).value);
  const stages = stage === undefined ? deal.stages.filter(isOpen) : [stage];
  const send = async () => {
    if (name === 'deliver' && areSending(stages)) {
      return failureOf({ code: 'precondition_failed', reason: 'files_left' });
    }
    const input = {
      ...(stage !== undefined && { stage_id: stage.id }),
      ...(isConsent && deal.terms_sha256 !== null && { terms_sha256: deal.terms_sha256 }),
      ...(texts.includes('amount') && { amount }),
      ...textOf('reason', form),
      ...textOf('message', form),
    };
    const options = { ...inLanguage(), idempotencyKey: keyOf(form, input) };
    // the service says what is missing
    return view.give(form, say.done, () => api()[method](deal.partner_id, input as never, options));
  };
  return (
    <Ask
      {...{ title: say.open, help: say.help, action: say.open, send, onClose: close }}
      above={stage !== undefined && <bdi class="strong">{stage.name}</bdi>}
      fields={(errors) => (
        <>
          {texts.map((each) =>
            each === 'amount' ? (
              <AmountField key={each} form={form} deal={deal} error={errors[each]} />
            ) : (
              <TextField
                key={each}
                {...{ name: each, label: of[each], form, errors }}
                isRequired={each === 'reason' && !freeReasons.includes(name)}
              />
            ),
          )}
          {effect !== undefined && <Facts of={effect(props, amount)} />}
        </>
      )}
    />
  );
}

function AmountField(props: {
  readonly form: string;
  readonly deal: DealDetails;
  readonly error: string | undefined;
}) {
  const { form, deal, error } = props;
  return (
    <Field
      label={`${words().amount} (${deal.currency})`}
      text={draft(`${form}.amount`)}
      error={error}
      inputMode="decimal"
    />
  );
}

/** An agreement that ends the deal. */
export function Settle(props: DialogProps) {
  const { deal, view, close } = props;
  const of = words();
  const say = of.commands.settle;
  const form = formOf(deal, 'settle');
  const agreed_amount = decimalOf(draft(`${form}.amount`).value);
  const send = () => {
    const input = {
      kind: 'settlement',
      changes: { agreed_amount },
      ...textOf('message', form),
    } as const;
    const options = { ...inLanguage(), idempotencyKey: keyOf(form, input) };
    return view.give(form, say.done, () => api().propose(deal.partner_id, input, options));
  };
  return (
    <Ask
      {...{ title: say.open, help: say.help, action: of.sendProposal, send, onClose: close }}
      fields={(errors) => (
        <>
          <AmountField form={form} deal={deal} error={errors['changes.agreed_amount']} />
          <TextField name="message" label={of.message} form={form} errors={errors} />
          <Facts of={paid(props, agreed_amount)} />
        </>
      )}
    />
  );
}

/** What a deal would be worth with its open proposal. */
export function grossOf({ proposal, stages }: DealDetails): string {
  const { agreed_amount } = proposal?.terms ?? {};
  if (agreed_amount === undefined) return proposal?.terms.amount ?? '0.00';
  const done = livingStages({ stages }).filter(({ status }) => status === 'paid');
  return worthOfAll([...done, { budget: agreed_amount, agreed_amount: null }]);
}

/** A decision about the open proposal. */
export function Decide(props: DialogProps & { readonly name: Decision }) {
  const { deal, view, close, name } = props;
  const { proposal, partner_id } = deal;
  const of = words();
  const say = of.decisions[name];
  // it was decided meanwhile
  if (proposal === null) return null;
  const { id, terms_sha256, expires_at } = proposal;
  const { agreed_amount } = proposal.terms;
  const agreed =
    agreed_amount === undefined
      ? paid(props, grossOf(deal), of.changes.fields.gross)
      : // what is paid already is not paid again
        paid(props, agreed_amount);
  const form = formOf(deal, `${name}.${id}`);
  const send = () => {
    const input = { terms_sha256, ...textOf('message', form) };
    const options = { ...inLanguage(), idempotencyKey: keyOf(form, input) };
    return view.give(form, say.done, () => api()[name](partner_id, id, input, options));
  };
  return (
    <Ask
      {...{ title: say.open, help: of.until(moment(expires_at)), action: say.open, send }}
      onClose={close}
      above={name === 'acceptProposal' && <Facts of={agreed} />}
      fields={(errors) => (
        <TextField name="message" label={of.message} form={form} errors={errors} />
      )}
    />
  );
}

/** The link of the offer, for the freelancer alone. */
export function Link({ deal, close }: DialogProps) {
  const of = words();
  return (
    <Dialog title={of.link.open} onClose={close}>
      <p>{of.link.help}</p>
      <Copy label={of.link.label} text={linkOf(deal)} />
    </Dialog>
  );
}

/** The pages lie beside each other. */
const linkOf = ({ payment_token }: DealDetails) =>
  new URL(`../offer/#${payment_token ?? ''}`, location.href).href;
