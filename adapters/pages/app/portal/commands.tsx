import type { DealDetails } from 'dealwright';
import {
  amountEntry,
  CommandDialog as Dialog,
  type Effect,
  paidTo,
  remarkEntry,
} from '../base/command.js';
import { Facts, Dialog as Plain } from '../base/components.js';
import { Copy } from '../base/copy.js';
import { moment, money } from '../base/format.js';
import { hostName } from '../base/shell.js';
import { grossWith, worthOf, worthOfAll } from '../base/terms.js';
import { api } from './api.js';
import type { CommandName, Decision, DialogProps } from './view.js';
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
  /** It consents to the terms. */
  readonly isConsent?: boolean;
  /** Which money it moves, and to whom. */
  readonly effect?: (about: DialogProps, amount?: string) => Effect;
}

const paid = ({ deal }: DialogProps, amount?: string): Effect =>
  paidTo(amount, deal.currency, deal.email_freelancer);

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
    effect: ({ deal }) => [
      [words().amount, money(deal.billing.outstanding, deal.currency)],
      [words().payee, hostName()],
    ],
  },
  deliver: {
    ...{ method: 'deliver', texts: ['message'], isConsent: true },
    kind: 'quiet',
  },
  'add-bonus': { method: 'addBonus', texts: ['amount', 'message'], effect: paid },
  dispute: { method: 'dispute', kind: 'quiet', texts: ['reason'] },
  decline: { method: 'decline', kind: 'quiet', texts: ['reason'] },
  cancel: {
    ...{ method: 'cancel', kind: 'quiet', texts: ['reason'] },
    effect: ({ deal }) => [
      [words().refunded, money(deal.billing.held, deal.currency)],
      [words().payee, deal.partner_name ?? words().who.partner],
    ],
  },
};

export const commandNames = Object.keys(commands) as CommandName[];

/** The others need a reason. */
const freeReasons = ['cancel', 'decline'];

/** A command of the deal, or of one of its stages. */
export function CommandDialog(props: DialogProps & { readonly name: CommandName }) {
  const { name, deal, view, close, stage } = props;
  const of = words();
  const { method, texts = [], isConsent, effect } = commands[name];
  return (
    <Dialog
      {...{ view, close, say: of.commands[name] }}
      form={`${deal.partner_id}.${name}${stage === undefined ? '' : `.${stage.id}`}`}
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
      {...{ view, close, say: of.commands.settle, action: of.sendProposal }}
      form={`${deal.partner_id}.settle`}
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

/** A decision about the open proposal. */
export function Decide(props: DialogProps & { readonly name: Decision }) {
  const { deal, view, close, name } = props;
  const { proposal, partner_id } = deal;
  const of = words();
  // it was decided meanwhile
  if (proposal === null) return null;
  const { id, terms_sha256, expires_at } = proposal;
  return (
    <Dialog
      {...{ view, close }}
      say={{ ...of.decisions[name], help: of.until(moment(expires_at)) }}
      form={`${partner_id}.${name}.${id}`}
      entries={[remarkEntry('message', of.message)]}
      input={(message) => ({ terms_sha256, ...message })}
      call={(input, options) => api()[name](partner_id, id, input, options)}
      above={name === 'acceptProposal' && <Facts of={paid(props, grossWith(deal, proposal))} />}
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
