import type { LocalMarketplace } from 'dealwright';
import { vi } from 'vitest';
import type { OperationName } from '../../../adapters/http/wire/all-routes.js';
import { acme, first, paymentToken, second } from './example-names.js';

/**
 * What must have happened before an example; it answers the ids in the places of those of the
 * example: that of a delivery last.
 */
type Preparation = (
  marketplace: LocalMarketplace,
) => Promise<string | readonly string[] | undefined>;

const file = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: 'T25jZSB1cG9uIGEgdGltZQ==',
};

const partnerOf = (marketplace: LocalMarketplace) => marketplace.partner(acme);
const staffOf = (marketplace: LocalMarketplace) =>
  marketplace.operator(acme.environment).partner(acme.partner);
const freelancerOf = (marketplace: LocalMarketplace) =>
  marketplace.freelancer(acme.environment, paymentToken);

const nothing: Preparation = async () => undefined;

const stored: Preparation = async (marketplace) =>
  (await partnerOf(marketplace).uploadWorkFile(second, file))._unsafeUnwrap().id;

/** The freelancer of the second deal has delivered it. */
const delivered: Preparation = async (marketplace) => {
  const freelancer = freelancerOf(marketplace);
  (await freelancer.uploadFile(file))._unsafeUnwrap();
  (await freelancer.deliver())._unsafeUnwrap();
  return undefined;
};

const declined: Preparation = async (marketplace) => {
  (await freelancerOf(marketplace).decline())._unsafeUnwrap();
  return undefined;
};

const disputed: Preparation = async (marketplace) => {
  await delivered(marketplace);
  (await partnerOf(marketplace).dispute(second, { reason: 'r' }))._unsafeUnwrap();
  return undefined;
};

/** The payment for the approved work has failed. */
const unpaid: Preparation = async (marketplace) => {
  await delivered(marketplace);
  const { billing } = (await partnerOf(marketplace).approve(second))._unsafeUnwrap();
  const payment_id = billing.employer_payments[0]?.id ?? '';
  const report = { payment_id, status: 'failed', reference: 'transfer-1' } as const;
  (await staffOf(marketplace).recordEmployerPayment(second, report))._unsafeUnwrap();
  return undefined;
};

/** The employer has paid for the approved work, whose payout is scheduled. */
const paid = async (marketplace: LocalMarketplace): Promise<string> => {
  await delivered(marketplace);
  const { billing } = (await partnerOf(marketplace).approve(second))._unsafeUnwrap();
  const payment_id = billing.employer_payments[0]?.id ?? '';
  const report = { payment_id, status: 'paid', reference: 'transfer-1' } as const;
  const after = (await staffOf(marketplace).recordEmployerPayment(second, report))._unsafeUnwrap();
  return after.billing.contractor_payments[0]?.id ?? '';
};

/** The partner has an endpoint. */
async function withWebhook(marketplace: LocalMarketplace): Promise<string> {
  const url = 'https://example.com/deals';
  const types = ['deal.accepted', 'deal.completed'];
  const input = { url, types, ordered: true };
  return (await partnerOf(marketplace).createWebhook(input))._unsafeUnwrap().id;
}

/** An event was posted to the endpoint. */
async function withDelivery(marketplace: LocalMarketplace): Promise<readonly string[]> {
  const id = await withWebhook(marketplace);
  const relay = marketplace.relayWebhooks();
  (await freelancerOf(marketplace).accept())._unsafeUnwrap();
  const { results } = await vi.waitFor(async () => {
    const page = (await partnerOf(marketplace).listDeliveries(id))._unsafeUnwrap();
    if (page.results[0]?.status !== 'delivered') throw new Error('it is not delivered yet');
    return page;
  });
  await relay.stop();
  return [id, ...results.map((each) => each.id)];
}

/** What must have happened to a deal before the example of an operation. */
export const preparations: Partial<Readonly<Record<OperationName, Preparation>>> = {
  listWorkFiles: stored,
  downloadWorkFile: stored,
  listEvents: nothing,
  listDealEvents: nothing,
  createWebhook: nothing,
  listWebhooks: withWebhook,
  retrieveWebhook: withWebhook,
  deleteWebhook: withWebhook,
  rotateWebhook: withWebhook,
  enableWebhook: withWebhook,
  testWebhook: withWebhook,
  listDeliveries: withDelivery,
  redeliver: withDelivery,
  offerListEvents: nothing,
  operatorListEvents: nothing,
  operatorListDealEvents: nothing,
  invite: nothing,
  accept: nothing,
  decline: nothing,
  cancel: nothing,
  async deliver(marketplace) {
    const api = partnerOf(marketplace);
    (await api.accept(first))._unsafeUnwrap();
    (await api.uploadWorkFile(first, file))._unsafeUnwrap();
    return undefined;
  },
  requestChanges: delivered,
  approve: delivered,
  dispute: delivered,
  requestPayment: unpaid,
  offerView: nothing,
  offerAccept: nothing,
  offerDecline: nothing,
  async offerDeliver(marketplace) {
    (await freelancerOf(marketplace).uploadFile(file))._unsafeUnwrap();
    return undefined;
  },
  offerDispute: delivered,
  offerUploadFile: nothing,
  offerListFiles: stored,
  offerDownloadFile: stored,
  operatorRetrieveDeal: nothing,
  operatorInvite: nothing,
  operatorCancel: nothing,
  operatorResolve: disputed,
  operatorRequestPayment: unpaid,
  async operatorRetryPayout(marketplace) {
    const payment_id = await paid(marketplace);
    const report = { payment_id, status: 'failed', reference: 'payout-0' } as const;
    (await staffOf(marketplace).recordContractorPayment(second, report))._unsafeUnwrap();
    return payment_id;
  },
  async operatorRetryRefund(marketplace) {
    const staff = staffOf(marketplace);
    const came = { status: 'paid', amount: '500.00', reference: 'transfer-1' } as const;
    const { billing } = (await staff.recordEmployerPayment(second, came))._unsafeUnwrap();
    const payment_id = billing.employer_payments[0]?.id ?? '';
    for (const status of ['refunded', 'refund_failed'] as const) {
      const report = { payment_id, status, reference: 'refund-1' };
      (await staff.recordEmployerPayment(second, report))._unsafeUnwrap();
    }
    return payment_id;
  },
  operatorRecordEmployerPayment: nothing,
  operatorRecordContractorPayment: paid,
  sandboxCommand: nothing,
  sandboxAdvanceClock: nothing,
};

/** What must have happened to a deal for it to be in a state. */
export const states: Readonly<Record<string, Preparation>> = {
  created: nothing,
  delivered,
  cancelled: declined,
  disputed,
};
