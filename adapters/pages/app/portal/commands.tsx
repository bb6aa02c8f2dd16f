import type { DealDetails } from 'dealwright';
import {
  amountEntry,
  askedOf,
  CommandDialog as Dialog,
  type Effect,
  paidTo,
  remarkEntry,
} from '../base/command.js';
import { Dialog as Plain } from '../base/components.js';
import { Copy } from '../base/copy.js';
import { failureOf } from '../base/failure.js';
import { Propose as Terms } from '../base/propose.js';
import { Decide as Decision, type Decision as DecisionName } from '../base/proposed.js';
import { hostName } from '../base/shell.js';
import { grossWith, isOpen, worthOf, worthOfAll } from '../base/terms.js';
import { areSending } from '../base/uploads.js';
import { api } from './api.js';
import { type CommandName, type DialogProps, formOfDeal } from './view.js';
import { words } from './words.js';

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
  readonly isConsent?: boolean;
  /** Which money it moves, and to whom. */
  readonly effect?: (about: DialogProps, amount?: string) => Effect;
}

const paid = ({ deal }: DialogProps, amount?: string, name?: string): Effect =>
  paidTo(amount, deal.currency, deal.email_freelancer, name);

const refunded = ({ deal: { billing, currency, partner_name } }: DialogProps): Effect =>
  paidTo(billing.held, currency, partner_name ?? words().who.partner, words().refunded);

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
    effect: ({ deal }) => askedOf(deal, hostName()),
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
  const stages = stage === undefined ? deal.stages.filter(isOpen) : [stage];
  return (
    <Dialog
      {...{ view, close, say: of.commands[name] }}
      form={formOfDeal(deal, name, ...(stage === undefined ? [] : [stage.id]))}
      refuse={() =>
        name === 'deliver' && areSending(stages)
          ? failureOf({ code: 'precondition_failed', reason: 'files_left' })
          : undefined
      }
      entries={texts.map((each) =>
        each === 'amount'
          ? amountEntry(deal.currency)
          : remarkEntry(each, of[each], each === 'message' || freeReasons.includes(name)),
      )}
      input={(given) => ({
        ...(stage !== undefined && { stage_id: stage.id }),
        ...(isConsent && deal.terms_sha256 !== null && { terms_sha256: deal.terms_sha256 }),
        ...given,
      })}
      call={(input, options) => api()[method](deal.partner_id, input as never, options)}
      above={stage !== undefined && <bdi class="strong">{stage.name}</bdi>}
      effect={effect && (({ amount }) => effect(props, amount))}
    />
  );
}

/** An agreement that ends the deal. */
export function Settle(props: DialogProps) {
  const { deal, view, close } = props;
  const of = words();
  return (
    <Dialog
      {...{ view, close, action: of.proposal.send }}
      say={{ ...of.commands.settle, done: of.proposal.done }}
      form={formOfDeal(deal, 'settle')}
      entries={[
        amountEntry(deal.currency, { path: 'changes.agreed_amount' }),
        remarkEntry('message', of.message),
      ]}
      input={({ amount = '', ...message }) => ({
        ...{ kind: 'settlement' as const, changes: { agreed_amount: amount } },
        ...message,
      })}
      call={(input, options) => api().propose(deal.partner_id, input, options)}
      effect={({ amount }) => paid(props, amount)}
    />
  );
}

/** Other terms: before anybody has accepted the offer, they take effect at once. */
export function Propose({ deal, view, close }: DialogProps) {
  const of = words();
  const isNow = deal.status === 'created';
  const { open, help, done } = of.commands.propose;
  return (
    <Terms
      {...{ deal, view, close, form: formOfDeal(deal), other: 'freelancer', rights: of.rights }}
      say={isNow ? { open, help: of.proposeNow, done: of.changed } : { open, help, done }}
      {...(isNow && { action: of.changeNow })}
      message={of.message}
      call={(input, options) => api().propose(deal.partner_id, input, options)}
    />
  );
}

export function Decide(props: DialogProps & { readonly name: DecisionName }) {
  const { deal, view, close, name } = props;
  const { partner_id, proposal } = deal;
  const of = words();
  return (
    <Decision
      {...{ view, close, name, proposal, form: formOfDeal(deal), message: of.message }}
      effect={(about) =>
        about.terms.agreed_amount === undefined
          ? paid(props, grossWith(deal, about), of.changes.fields.gross)
          : // what is paid already is not paid again
            paid(props, about.terms.agreed_amount)
      }
      call={(id, input, options) => api()[name](partner_id, id, input, options)}
    />
  );
}

/** The link of the offer, for the freelancer alone. */
export function Link({ deal, close }: DialogProps) {
  const of = words();
  return (
    <Plain title={of.link.open} onClose={close}>
      <p>{of.link.help}</p>
      <Copy label={of.link.label} text={linkOf(deal)} />
    </Plain>
  );
}

/** The pages lie beside each other. */
const linkOf = ({ payment_token }: DealDetails) =>
  new URL(`../offer/#${payment_token ?? ''}`, location.href).href;
