import { check, equal, show } from '../../expectations.js';
import { dealIn, type LivingDeal, type State } from '../life/deal.js';
import { type Viewer, viewOf } from '../life/views.js';
import { group } from '../server.js';
import { otherSide, proposed, retitled, sides } from './terms.js';

const [amend, settle] = ['propose-amendment', 'propose-settlement'] as const;

/** What both sides can propose in a state. */
const proposable: readonly (readonly [State, readonly string[]])[] = [
  ['created', [amend]],
  ['accepted', [amend, settle]],
  ['delivered', [amend, settle]],
  ['changes_requested', [amend, settle]],
  ['approved', [amend, settle]],
  ['disputed', [settle]],
  ['cancelled', []],
];

/** What a viewer can do about other terms, sorted. */
async function proposalsIn(deal: LivingDeal, by: Viewer): Promise<readonly string[]> {
  const { legal_proposals } = await viewOf(deal, by);
  check(Array.isArray(legal_proposals), `an array\n  actual: ${show(legal_proposals)}`);
  return [...legal_proposals].sort();
}

/** Decision 6.5: what a view of a deal tells of other terms. */
export const legalProposals = group(
  'what a view tells of proposals',
  {
    must: {
      '6.5/views/legal-proposals':
        'A view of a deal has `legal_proposals`: what its viewer can propose, and nothing of the operator.',
      '6.5/views/legal-decisions':
        '`legal_proposals` has what a side can do with the open proposal: the proposer withdraws it, the other side accepts or rejects it.',
    },
  },
  (define) => {
    for (const [state, names] of proposable) {
      define(
        '6.5/views/legal-proposals',
        async (server) => {
          const deal = await dealIn(state, server);
          for (const by of sides) equal(await proposalsIn(deal, by), names, `of the ${by}`);
          equal(await proposalsIn(deal, 'operator'), [], 'of the operator');
        },
        state,
      );
    }

    for (const by of sides) {
      define(
        '6.5/views/legal-decisions',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await proposed(deal, by, retitled());
          const own = [amend, settle, 'withdraw-proposal'];
          equal(await proposalsIn(deal, by), own, `of the ${by}`);
          const others = ['accept-proposal', amend, settle, 'reject-proposal'];
          equal(await proposalsIn(deal, otherSide[by]), others, `of the ${otherSide[by]}`);
          equal(await proposalsIn(deal, 'operator'), [], 'of the operator');
        },
        `by the ${by}`,
      );
    }
  },
);
