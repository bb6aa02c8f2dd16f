import { openProposal } from '../terms/proposal.js';
import type { Actor } from '../values/tenant.js';
import { isFor, isLegal, legalCommands, type Standing } from './decide.js';
import { isOfSide } from './proposals.js';
import type { Lifecycle } from './rules.js';

/** What an actor could do with a deal now, by its state and its open proposal alone. */
export interface Legal {
  /** The commands, named as in a path: `illegal_transition` lists the same ones. */
  readonly legal: readonly string[];
  /**
   * What can be done about other terms: `propose-amendment` and `propose-settlement`, and with the
   * open proposal `accept-proposal`, `reject-proposal` or `withdraw-proposal`.
   */
  readonly legal_proposals: readonly string[];
}

/** Says what is legal. */
export type LegalTable = (state: Standing, actor: Actor) => Legal;

/** Says what is legal from a table: each situation is judged once. */
export function createLegal(lifecycle: Lifecycle): LegalTable {
  const asked = [...new Set(lifecycle.flatMap(({ stage }) => stage?.from ?? []))];
  const known = new Map<string, Legal>();
  return (state, actor) => {
    const { api_version, status, freelancer_status } = state.deal;
    const open = openProposal(state.deal);
    let key = `${actor} ${api_version} ${status} ${freelancer_status}`;
    for (const each of asked) {
      if (state.stage.some((stage) => stage.status === each)) key += ` ${each}`;
    }
    if (open !== undefined) key += ` ${open.kind} ${open.proposed_by}`;
    const found = known.get(key) ?? {
      legal: Object.freeze(legalCommands(lifecycle, state, actor)),
      legal_proposals: Object.freeze(legalProposals(lifecycle, state, actor)),
    };
    known.set(key, found);
    return found;
  };
}

/** The commands about proposals that an actor could give (decisions 9.2 and 9.3). */
function legalProposals(lifecycle: Lifecycle, state: Standing, actor: Actor): readonly string[] {
  const open = openProposal(state.deal);
  const legal = lifecycle.flatMap((rule) => {
    const { command, about = [] } = rule;
    if (!isFor(rule, state, actor) || !isLegal(rule, state)) return [];
    if (command === 'propose') return about.map((kind) => `propose-${kind}`);
    const isOpen = open !== undefined && about.includes(open.kind);
    return isOpen && isOfSide(command, open, state, actor) ? [command] : [];
  });
  return [...new Set(legal)];
}
