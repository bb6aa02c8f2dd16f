import type { Proposal } from 'dealwright';
import { Changes } from './changes.js';
import { Said } from './components.js';
import { moment } from './format.js';
import { wordOf } from './language.js';
import { words } from './screen-words.js';
import { type Deal, differences, grossWith, livingStages, worthOfAll } from './terms.js';

/** A proposal: the terms of now beside the proposed ones, and until when it is open. */
export function Proposed(props: {
  readonly deal: Deal & { readonly currency: string };
  readonly proposal: Proposal;
  /** The words for each kind of copyright transfer. */
  readonly rights: object;
}) {
  const { deal, proposal, rights } = props;
  const of = words();
  return (
    <>
      {proposal.kind === 'settlement' && <p class="strong">{of.settlement}</p>}
      {proposal.message !== null && <Said text={proposal.message} />}
      <Changes
        of={differences(
          { ...deal, gross: worthOfAll(livingStages(deal)) },
          { ...proposal, gross: grossWith(deal, proposal) },
        )}
        currency={deal.currency}
        rightsOf={(value) => wordOf(rights, value)}
      />
      <p class="muted">{of.until(moment(proposal.expires_at))}</p>
    </>
  );
}
