import type { Result } from 'neverthrow';
import type {
  DealRetrieved,
  FreelancerView,
  OperatorDetails,
  OperatorView,
} from '../api/answers.js';
import { dealTermsOf } from '../domain/deals/deal.js';
import { type WorkFile, workFileOf } from '../domain/deals/work-file.js';
import type { RetrieveDealError, WithoutMessage } from '../domain/input/errors.js';
import { offerEnd } from '../domain/life/deadlines.js';
import {
  type DealDetails,
  dealDetails,
  type Outlook,
  type Shown,
  shownParts,
  shownStages,
} from '../domain/life/details.js';
import {
  billingOf,
  contractorPayment,
  netOf,
  operatorBilling,
  waitingEffects,
} from '../domain/payments/billing.js';
import { createBooks } from '../domain/payments/books.js';
import { offeredProposal, openProposal } from '../domain/terms/proposal.js';
import { termsHash, versionOf } from '../domain/terms/terms.js';
import { worthOf } from '../domain/terms/versions.js';
import { formatMoney } from '../domain/values/money.js';
import type { Actor } from '../domain/values/tenant.js';
import { valueIn } from '../ports/answer.js';
import type { Call, Context } from './context.js';
import { byId, byPartnerId, type Finder } from './find-deal.js';

type NotRetrieved = WithoutMessage<RetrieveDealError>;

/** The partner of a deal. */
type Whose = Pick<Call, 'tenant'>;

/** What views ask besides the records of a deal. */
type Known = Pick<Context, 'legal' | 'nameOf'>;

/** A deal of version 1.0 by its id (interface, Retrieve a specific deal). */
export async function retrieveDeal(
  context: Context,
  call: Call,
  id: unknown,
): Promise<Result<DealRetrieved, NotRetrieved>> {
  const found = await byId(context, call, id).find(shownParts);
  return found.map((state) => {
    const retrieved = {
      id: state.deal.id,
      ...dealTermsOf(state.deal),
      status: state.deal.status,
      agreed_amount: state.deal.agreed_amount,
      stages: shownStages(state),
      billing: billingOf(state),
      created_at: state.deal.created_at,
    };
    return Object.assign(retrieved, outlook(context, call, state, 'partner'));
  });
}

/** A deal of either version by its `partner_id` (interface, Retrieve deal details). */
export async function retrieveDealDetails(
  context: Context,
  call: Call,
  partner_id: unknown,
): Promise<Result<DealDetails, NotRetrieved>> {
  return viewDeal(byPartnerId(context, call, partner_id), partnerView(context, call));
}

/** What a view tells of a deal besides its records. */
function outlook(
  { legal, nameOf }: Known,
  { tenant }: Whose,
  state: Shown,
  viewer: Actor,
): Outlook {
  return {
    ...legal(state, viewer),
    expires_at: offerEnd(state.deal),
    partner_name: nameOf(tenant),
  };
}

/** Shows a deal as its partner sees it. */
export const partnerView =
  (known: Known, whose: Whose) =>
  (state: Shown): DealDetails =>
    Object.assign(dealDetails(state), outlook(known, whose, state, 'partner'));

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

/** Shows a deal as its freelancer sees it (decision 6.5). */
export const freelancerView =
  (context: Context, whose: Whose) =>
  (state: Shown): FreelancerView => {
    const { deal, contractor_payment, posting } = state;
    const { ports, fileLimit } = context;
    const open = openProposal(deal);
    const books = createBooks(posting);
    // what a settlement or a resolved dispute has left lies in the stages
    const gross = deal.agreed_amount === null ? deal.amount : formatMoney(worthOf(state));
    return {
      title: deal.title,
      description: deal.description,
      amount: netOf({ ...deal, amount: gross }),
      currency: deal.currency,
      copyright_transfer: deal.copyright_transfer,
      freelancer_language: deal.freelancer_language,
      status: deal.status,
      freelancer_status: deal.freelancer_status,
      agreed_amount: deal.agreed_amount,
      gross,
      contractor_fee: deal.contractor_fee,
      terms_version: versionOf(deal),
      terms_sha256: termsHash(state, { digest: (text) => valueIn(ports.digest(text)) }),
      proposal: open ? offeredProposal(open) : null,
      stages: shownStages(state),
      contractor_payments: contractor_payment.map((each) => contractorPayment(deal, each, books)),
      created_at: deal.created_at,
      max_file_size: fileLimit,
      ...outlook(context, whose, state, 'freelancer'),
    };
  };

/** Shows a deal as the operator sees it: without the token, which is the freelancer's. */
export const operatorView =
  (known: Known, whose: Whose) =>
  (state: Shown): OperatorView => {
    const { payment_token: _, billing, ...view } = dealDetails(state);
    return Object.assign(
      view,
      { billing: operatorBilling(billing, state) },
      outlook(known, whose, state, 'operator'),
    );
  };

/** A deal of either version by its `partner_id`, as the operator sees it. */
export async function retrieveOperatorDeal(
  context: Context,
  call: Call,
  partner_id: unknown,
): Promise<Result<OperatorDetails, NotRetrieved>> {
  const found = await byPartnerId(context, call, partner_id).find([...shownParts, 'intent']);
  const show = operatorView(context, call);
  return found.map((state) => Object.assign(show(state), { effects: waitingEffects(state) }));
}

/** The files that were uploaded for a deal, in the order of their uploads. */
export async function listWorkFiles<R>({
  find,
}: Finder<R>): Promise<Result<readonly WorkFile[], R>> {
  return (await find(['work_file'])).map(({ work_file }) => work_file.map(workFileOf));
}
