import { Changes } from '../base/changes.js';
import { Button, Card, Said } from '../base/components.js';
import { moment } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { differences } from '../base/terms.js';
import { opened } from './deal.js';
import type { Offer } from './offer.js';
import { words } from './words.js';

/** The open proposal: the terms of now beside the proposed ones, and what can be answered. */
export function Proposal({ offer }: { readonly offer: Offer }) {
  const { pay, proposal: of, rightsOf } = words();
  const { proposal } = offer;
  if (proposal === null) return null;
  const may = (name: string) => offer.legal_proposals.includes(name);
  const isTheirs = proposal.by === 'partner';
  const isAgreement = proposal.kind === 'settlement';
  const ask = (name: typeof opened.value) => () => {
    opened.value = name;
  };
  return (
    <Card
      title={isTheirs && !isAgreement ? of.theirs : isTheirs ? of.theirAgreement : of.yours}
      tone="accent"
    >
      {isAgreement && <p class="strong">{of.settlement}</p>}
      {proposal.message !== null && <Said text={proposal.message} />}
      <Changes
        of={[
          ...differences(offer, proposal),
          { id: 'net', field: 'net', before: offer.amount, after: proposal.net },
        ]}
        currency={offer.currency}
        net={pay.net}
        rightsOf={(value) => wordOf(rightsOf, value)}
      />
      <p class="muted">{of.until(moment(proposal.expires_at))}</p>
      <div class="actions">
        {may('accept-proposal') && (
          <Button kind="main" onClick={ask('acceptProposal')}>
            {of.open}
          </Button>
        )}
        {may('reject-proposal') && (
          <Button onClick={ask('rejectProposal')}>{of.reject.action}</Button>
        )}
        {isTheirs && may(`propose-${proposal.kind}`) && (
          <Button onClick={ask(isAgreement ? 'settle' : 'propose')}>{of.counter}</Button>
        )}
        {may('withdraw-proposal') && (
          <Button onClick={ask('withdrawProposal')}>{of.withdraw.action}</Button>
        )}
      </div>
    </Card>
  );
}
