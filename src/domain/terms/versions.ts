import type { DealState, Draft } from '../payments/draft.js';
import type { Fees } from '../payments/fees.js';
import { minorUnits, sum } from '../payments/ledger.js';
import { remainingStages, unplannedFee } from '../payments/owed.js';
import { isWaiting } from '../payments/payouts.js';
import type { Row } from '../records/records.js';
import { formatMoney, fromMinorUnits, type Money } from '../values/money.js';
import { canonicalJson, firstTerms, hashOf, type Terms, termsKey, versionOf } from './terms.js';

/** The amount of a stage in the terms: a stage may have been agreed in part. */
export const amountOf = ({ agreed_amount, budget }: Row<'stage'>): Money =>
  minorUnits(agreed_amount ?? budget);

/** What a deal is worth: the stages that are not cancelled. */
export const worthOf = (state: Pick<DealState, 'stage'>): Money =>
  sum(remainingStages(state), amountOf);

/** What a version of the terms says, besides its number. */
export interface NewVersion
  extends Pick<Row<'terms'>, 'kind' | 'proposal_id' | 'proposed_by' | 'accepted_by'> {
  readonly terms: Terms;
  readonly fees: Fees;
}

/** Adds a version of the terms: what it changes has been changed already. */
export function addVersion(draft: Draft, { terms, fees, ...others }: NewVersion): void {
  const { before, state, now: at } = draft;
  const { partner_id } = state.deal;
  const add = (version: Omit<Row<'terms'>, 'terms_key' | 'partner_id' | 'terms_sha256'>) => {
    const terms_sha256 = hashOf(version.terms, draft);
    const terms_key = termsKey(partner_id, version.terms_version);
    draft.note('terms', { ...version, terms_key, terms_sha256 });
    return terms_sha256;
  };
  if (before.deal.terms_version === null) {
    const { employer_fee, contractor_fee, created_at } = before.deal;
    add({
      ...{ terms_version: 1, kind: 'creation', terms: canonicalJson(firstTerms(before)) },
      ...{ employer_fee, contractor_fee, proposal_id: null },
      ...{ proposed_by: 'partner', accepted_by: null, at: created_at },
    });
  }
  const terms_version = versionOf(before.deal) + 1;
  const terms_sha256 = add({ ...others, ...fees, terms_version, terms: canonicalJson(terms), at });
  const basis = others.kind === 'settlement' ? plannedAnew(state) : state;
  const planned = atLeastPlanned({ state: basis, books: draft.books }, fees);
  draft.change('deal', state.deal, { ...planned, terms_version, terms_sha256 });
}

/** A settlement cancels the payouts that wait, and plans others (decision 9.8). */
const plannedAnew = (state: DealState): DealState => ({
  ...state,
  contractor_payment: state.contractor_payment.map((each) =>
    isWaiting(each) ? { ...each, status: 'cancelled' } : each,
  ),
});

/** Asks for the fees of the deal as it is now, however that came about (decision 9.7). */
export function feesNow(draft: Draft): Fees {
  const { deal } = draft.state;
  const { employer_fee, contractor_fee, partner_id, email_freelancer } = deal;
  const worth = worthOf(draft.state);
  if (draft.feesOf === undefined) return { employer_fee, contractor_fee };
  // nothing is owed for nothing
  if (worth <= 0n) return { employer_fee: '0.00', contractor_fee: '0.00' };
  const { subcategory_id, currency } = deal;
  const amount = formatMoney(worth);
  return draft.feesOf({ partner_id, email_freelancer, subcategory_id, amount, currency });
}

/** Fees, but never less than payouts have been planned with. */
export function atLeastPlanned({ state, books }: Pick<Draft, 'state' | 'books'>, fees: Fees): Fees {
  const raised = (name: keyof Fees): string => {
    const planned = minorUnits(state.deal[name]) - unplannedFee(state, books, name);
    return formatMoney(greater(minorUnits(fees[name]), planned));
  };
  return { employer_fee: raised('employer_fee'), contractor_fee: raised('contractor_fee') };
}

const greater = (a: bigint, b: bigint): Money => fromMinorUnits(a > b ? a : b);
