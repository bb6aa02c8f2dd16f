import { Button, Card } from '../base/components.js';
import { Proposed } from '../base/proposed.js';
import type { DialogName, Seen, View } from './view.js';
import { words } from './words.js';

/** The open proposal: the terms of now beside the proposed ones, and what can be answered. */
export function Proposal({ deal, view }: Seen & { readonly view: View }) {
  const of = words();
  const { proposal, legal_proposals } = deal;
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
      <Proposed {...{ deal, proposal }} rights={of.rights} />
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
