import { Changes } from '../base/changes.js';
import { Button, Card, Said } from '../base/components.js';
import { moment } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { differences, livingStages, worthOfAll } from '../base/terms.js';
import { grossOf } from './commands.js';
import type { DialogName, Seen, View } from './view.js';
import { words } from './words.js';

/** The open proposal: the terms of now beside the proposed ones, and what can be answered. */
export function Proposal({ deal, view }: Seen & { readonly view: View }) {
  const of = words();
  const { proposal, currency, legal_proposals } = deal;
  if (proposal === null) return null;
  const isOwn = proposal.by === 'partner';
  const may = (name: string) => legal_proposals.includes(name);
  const isAgreement = proposal.kind === 'settlement';
  const button = (name: DialogName, text: string, kind?: 'main') => (
    <Button
      kind={kind ?? 'plain'}
      onClick={() => {
        view.opened.value = { name };
      }}
    >
      {text}
    </Button>
  );
  const { decisions } = of;
  return (
    <Card title={isOwn ? of.proposal.own : of.proposal.theirs} tone="accent">
      {isAgreement && <p class="strong">{of.proposal.settlement}</p>}
      {proposal.message !== null && <Said text={proposal.message} />}
      <Changes
        of={differences(
          { ...deal, gross: worthOfAll(livingStages(deal)) },
          { ...proposal, gross: grossOf(deal) },
        )}
        currency={currency}
        rightsOf={(value) => wordOf(of.rights, value)}
      />
      <p class="muted">{of.until(moment(proposal.expires_at))}</p>
      <div class="actions">
        {may('accept-proposal') && button('acceptProposal', decisions.acceptProposal.open, 'main')}
        {may('reject-proposal') && button('rejectProposal', decisions.rejectProposal.open)}
        {!isOwn &&
          may(`propose-${proposal.kind}`) &&
          button(isAgreement ? 'settle' : 'propose', of.proposal.counter)}
        {may('withdraw-proposal') && button('withdrawProposal', decisions.withdrawProposal.open)}
      </div>
    </Card>
  );
}
