import type { ProposalInput, SandboxApi, Tenant } from 'dealwright';
import type { DealState } from 'dealwright/life';
import type { Store } from 'dealwright/ports';
import { settle } from '../kit/stored.js';
import { type Kept, proposalsOf, wholeRows } from './kept-rows.js';
import type { Wish } from './model-rules.js';
import type { Model } from './model-state.js';
import { addVersion, nameStages } from './model-terms.js';
import { refundsOf } from './run.js';
import { largest, money } from './states.js';

/** The closed proposals and the versions of a deal in a store. */
export async function keptOf(store: Store, tenant: Tenant, under: string): Promise<Kept> {
  const range = { under, direction: 'ascending', limit: 1000 } as const;
  const [proposal, terms] = [
    await settle(store.records.list(tenant, 'proposal', range)),
    await settle(store.records.list(tenant, 'terms', range)),
  ];
  const state = await settle(store.deals.byPartnerId(tenant, under, ['stage']));
  return state === undefined ? { proposal, terms } : wholeRows(state, { proposal, terms });
}

/** Gives the model of a new deal the words of the deal. */
export function describe(model: Model, { deal, stage }: DealState, now: number): void {
  model.title = deal.title;
  model.description = deal.description;
  model.copyright = deal.copyright_transfer;
  for (const [at, each] of model.stages.entries()) {
    each.name = stage[at]?.name ?? '';
    each.workDays = stage[at]?.work_days ?? null;
  }
  model.versions.length = 0;
  const of = { kind: 'creation', by: 'partner', proposal: null, acceptedBy: null };
  addVersion(model, of, now);
}

/** What only the stored deal knows: the ids of new stages, and the refunds of each payment. */
export function catchUp(model: Model, state: DealState): void {
  nameStages(
    model,
    state.stage.map(({ id }) => id),
  );
  model.refunds = refundsOf(state, model, 'pending');
  model.failed = refundsOf(state, model, 'failed');
}

/** The bank checks what is refunded of each payment: the sum of refunds to come is not compared. */
export const withoutRefunds = (seen: object): object =>
  Object.fromEntries(Object.entries(seen).filter(([name]) => name !== 'toRefund'));

/** Whether a wish has a form that a caller can send. */
export function isSendable(wish: Wish): boolean {
  const { name, actor, changes, bonus } = wish;
  if ((bonus ?? wish.amount ?? 0n) > largest) return false;
  if (!/propos/.test(name)) return true;
  if (actor !== 'partner' && actor !== 'freelancer') return false;
  if (changes === undefined || typeof changes === 'bigint') return true;
  const { amount = 0n, stages = [] } = changes;
  const isMoney = (each: bigint) => each <= largest && each >= -largest;
  return isMoney(amount) && stages.every(({ budget = 0n }) => isMoney(budget));
}

function inputOf(changes: Wish['changes'] = {}): ProposalInput {
  if (typeof changes === 'bigint') {
    return { kind: 'settlement', changes: { agreed_amount: money(changes) } };
  }
  const { amount, stages, ...rest } = changes;
  const all: object = {
    ...rest,
    ...(amount !== undefined && { amount: money(amount) }),
    ...(stages !== undefined && {
      stages: stages.map(({ budget, ...each }) => ({
        ...each,
        ...(budget !== undefined && { budget: money(budget) }),
      })),
    }),
  };
  return { kind: 'amendment', changes: all };
}

/** Sends a command about a proposal. */
export function sendProposal(
  sandbox: SandboxApi<never>,
  { deal, ...state }: DealState,
  kept: Kept,
  wish: Wish,
) {
  const actor = wish.actor === 'partner' ? 'partner' : 'freelancer';
  const { partner_id } = deal;
  if (wish.name === 'propose') return sandbox.propose(partner_id, actor, inputOf(wish.changes));
  const row = proposalsOf({ deal, ...state }, kept)[wish.proposal ?? -1];
  const id = row?.id ?? '0'.repeat(26);
  const right = row?.terms_sha256 ?? '0'.repeat(64);
  const terms_sha256 = wish.hash === 'right' ? right : '0'.repeat(64);
  return wish.name === 'accept-proposal'
    ? sandbox.decideProposal(partner_id, actor, id, 'accept', { terms_sha256 })
    : sandbox.decideProposal(
        partner_id,
        actor,
        id,
        wish.name === 'reject-proposal' ? 'reject' : 'withdraw',
      );
}
