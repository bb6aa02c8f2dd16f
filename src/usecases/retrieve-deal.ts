import type { Result } from 'neverthrow';
import type { DealRetrieved, FreelancerView, OperatorView } from '../api/answers.js';
import { dealTermsOf } from '../domain/deals/deal.js';
import { type WorkFile, workFileOf } from '../domain/deals/work-file.js';
import type { RetrieveDealError, WithoutMessage } from '../domain/input/errors.js';
import {
  type DealDetails,
  dealDetails,
  type Shown,
  shownParts,
  shownStages,
} from '../domain/life/details.js';
import { billingOf, contractorPayment } from '../domain/payments/billing.js';
import { minorUnits } from '../domain/payments/ledger.js';
import { offeredProposal, openProposal } from '../domain/terms/proposal.js';
import { termsHash, versionOf } from '../domain/terms/terms.js';
import { formatMoney, fromMinorUnits } from '../domain/values/money.js';
import { valueIn } from '../ports/answer.js';
import type { Call, Context } from './context.js';
import { byId, byPartnerId, type Finder } from './find-deal.js';

type NotRetrieved = WithoutMessage<RetrieveDealError>;

/** A deal of version 1.0 by its id (interface, Retrieve a specific deal). */
export async function retrieveDeal(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<DealRetrieved, NotRetrieved>> {
  const found = await byId(context, call, id).find(shownParts);
  return found.map((state) => ({
    id: state.deal.id,
    ...dealTermsOf(state.deal),
    status: state.deal.status,
    agreed_amount: state.deal.agreed_amount,
    stages: shownStages(state),
    billing: billingOf(state),
    created_at: state.deal.created_at,
  }));
}

/** A deal of either version by its `partner_id` (interface, Retrieve deal details). */
export async function retrieveDealDetails(
  context: Context,
  call: Call,
  partner_id: unknown,
): Promise<Result<DealDetails, NotRetrieved>> {
  return viewDeal(byPartnerId(context, call, partner_id), dealDetails);
}

/** A deal as a face shows it. */
export async function viewDeal<T, R>(
  { find }: Finder<R>,
  show: (state: Shown) => T,
): Promise<Result<T, R>> {
  const found = await find(shownParts);
  const isAttended = found.isOk() && found.value.deal.attention !== null;
  const whole = isAttended ? await find([...shownParts, 'intent']) : found;
  return whole.map(show);
}

/** A deal as its freelancer sees it (decision 6.5). */
export function freelancerView({ ports }: Context, state: Shown): FreelancerView {
  const { deal, contractor_payment } = state;
  const open = openProposal(deal);
  const amount = minorUnits(deal.amount) - minorUnits(deal.contractor_fee);
  return {
    title: deal.title,
    description: deal.description,
    amount: formatMoney(fromMinorUnits(amount)),
    currency: deal.currency,
    copyright_transfer: deal.copyright_transfer,
    status: deal.status,
    freelancer_status: deal.freelancer_status,
    agreed_amount: deal.agreed_amount,
    contractor_fee: deal.contractor_fee,
    terms_version: versionOf(deal),
    terms_sha256: termsHash(state, { digest: (text) => valueIn(ports.digest(text)) }),
    proposal: open ? offeredProposal(open) : null,
    stages: shownStages(state),
    contractor_payments: contractor_payment.map((each) => contractorPayment(deal, each)),
    created_at: deal.created_at,
  };
}

/** A deal as the operator sees it: without the token, which is the freelancer's. */
export function operatorView(state: Shown): OperatorView {
  const { payment_token: _, billing, ...view } = dealDetails(state);
  return { ...view, billing: { ...billing, contractor_fee: state.deal.contractor_fee } };
}

/** The files that were uploaded for a deal, in the order of their uploads. */
export async function listWorkFiles<R>({
  find,
}: Finder<R>): Promise<Result<readonly WorkFile[], R>> {
  return (await find(['work_file'])).map(({ work_file }) => work_file.map(workFileOf));
}
