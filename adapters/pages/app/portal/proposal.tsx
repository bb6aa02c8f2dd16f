import { OpenProposal } from '../base/proposed.js';
import { grossOf } from '../base/terms.js';
import type { Seen, View } from './view.js';
import { words } from './words.js';

export function Proposal({ deal, view }: Seen & { readonly view: View }) {
  const { rights, theirs } = words();
  const { proposal, legal_proposals: legal } = deal;
  return (
    proposal !== null && (
      <OpenProposal
        {...{ deal, proposal, rights, theirs, legal, side: 'partner' }}
        gross={grossOf(deal, proposal)}
        open={(name) => {
          view.opened.value = { name };
        }}
      />
    )
  );
}
