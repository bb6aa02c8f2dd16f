import type { FreelancerView } from 'dealwright';
import { amountEntry, CommandDialog, remarkEntry } from '../base/command.js';
import { Facts } from '../base/components.js';
import { money } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { Propose } from '../base/propose.js';
import { Decide } from '../base/proposed.js';
import { hostName } from '../base/shell.js';
import { stageFacts } from './shown.js';
import type { Shown } from './view.js';
import { words } from './words.js';

export function OpenDialog({ deal, view }: Shown) {
  const of = words();
  const { opened, client } = view;
  if (opened.value === undefined) return null;
  const { name } = opened.value;
  const { terms_sha256, currency } = deal;
  const close = () => {
    opened.value = undefined;
  };
  const shared = { form: name, view, close };
  switch (name) {
    case 'accept':
      return (
        <CommandDialog
          {...{ ...shared, say: of.accept, action: of.accept.action }}
          input={() => ({ terms_sha256 })}
          call={client.accept}
          above={<Agreed deal={deal} />}
        />
      );
    case 'decline':
      return (
        <CommandDialog
          {...shared}
          say={{ ...of.decline, open: declineWord(deal) }}
          entries={[remarkEntry('reason', of.reason)]}
          input={(given) => given}
          call={client.decline}
        />
      );
    case 'dispute':
      return (
        <CommandDialog
          {...shared}
          say={{ ...of.dispute, help: of.dispute.help(hostName()) }}
          entries={[remarkEntry('reason', of.reason, false)]}
          // the service says that a reason is missing
          input={(given) => given as { reason: string }}
          call={client.dispute}
        />
      );
    case 'propose':
      return (
        <Propose
          {...{ ...shared, deal, other: 'partner', rights: of.rights }}
          say={{ ...of.propose, done: of.proposal.done }}
          {...{ amount: of.amountBefore, message: of.message }}
          call={client.propose}
        />
      );
    case 'settle':
      return (
        <CommandDialog
          {...{ ...shared, action: of.proposal.send }}
          say={{ ...of.settle, done: of.proposal.done }}
          entries={[
            amountEntry(currency, {
              label: `${of.amountBefore} (${currency})`,
              path: 'changes.agreed_amount',
            }),
            remarkEntry('message', of.message),
          ]}
          input={({ amount = '', ...message }) => ({
            ...{ kind: 'settlement' as const, changes: { agreed_amount: amount } },
            ...message,
          })}
          call={client.propose}
        />
      );
    default:
      return (
        <Decide
          {...{ ...shared, name, proposal: deal.proposal, message: of.message }}
          effect={() => [
            [of.pay.net, <strong key="net">{money(deal.proposal?.net ?? '', currency)}</strong>],
            [of.changes.before, money(deal.amount, currency)],
          ]}
          call={client[name]}
        />
      );
  }
}

/** A deal that was accepted is given back. */
export const declineWord = ({ status }: FreelancerView): string =>
  status === 'created' ? words().decline.open : words().decline.openLater;

function Agreed({ deal }: { readonly deal: FreelancerView }) {
  const { pay, changes, rights } = words();
  const { currency, title, copyright_transfer } = deal;
  return (
    <>
      <p class="said strong" dir="auto">
        {title}
      </p>
      <Facts
        of={[
          [pay.net, <strong key="net">{money(deal.amount, currency)}</strong>],
          [changes.fields.gross, money(deal.gross, currency)],
          [pay.fee, money(deal.contractor_fee, currency)],
          [changes.fields.rights, wordOf(rights, copyright_transfer ?? '')],
          ...stageFacts(deal),
        ]}
      />
    </>
  );
}
