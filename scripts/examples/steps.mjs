// @ts-check
// The steps of the story of the deals.
import { createRelay } from 'dealwright/relay';
import { exampleDeal, exampleDealV2 } from 'dealwright/testing';

/** @typedef {import('../examples.mjs').Service} Service */
/** @typedef {(service: Service) => Promise<Readonly<Record<string, unknown>> | void>} Step it returns ids that the call names */

export const first = exampleDeal.partner_id;
export const second = exampleDealV2.partner_id;
export const file = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: 'T25jZSB1cG9uIGEgdGltZQ==',
};
export const webhook = {
  url: 'https://example.com/deals',
  types: ['deal.accepted', 'deal.completed'],
  ordered: true,
};

/** @type {Step} */
export const stored = async ({ partner }) => {
  const { id } = (await partner.uploadFile({ partner_id: second }, file))._unsafeUnwrap();
  return { file_id: id };
};
/** The freelancer of the second deal has delivered it. @type {Step} */
export const delivered = async ({ freelancer }) => {
  (await freelancer.uploadFile(file))._unsafeUnwrap();
  (await freelancer.deliver({ message: 'The first draft.' }))._unsafeUnwrap();
};
/** @type {Step} */
export const declined = async ({ freelancer }) => {
  (await freelancer.decline({ reason: 'No time before May.' }))._unsafeUnwrap();
};
/** @type {Step} */
export const accepted = async ({ freelancer }) => {
  (await freelancer.accept())._unsafeUnwrap();
};
export const amendment = /** @type {const} */ ({
  kind: 'amendment',
  changes: { amount: '600.00' },
  message: 'Two more pages.',
});
export const settlement = /** @type {const} */ ({
  kind: 'settlement',
  changes: { agreed_amount: '300.00' },
  message: 'For what is done.',
});
/** The freelancer has proposed other terms, and nobody has answered yet. @param {Service} service */
export const proposed = async (service) => {
  await accepted(service);
  const { id, terms_sha256 } = (await service.freelancer.propose(amendment))._unsafeUnwrap();
  return { proposal_id: id, terms_sha256 };
};
/** The partner has. @param {Service} service */
export const proposedToFreelancer = async (service) => {
  await accepted(service);
  const made = await service.partner.propose(second, settlement);
  const { id, terms_sha256 } = made._unsafeUnwrap();
  return { proposal_id: id, terms_sha256 };
};
/** @type {Step} */
export const rejected = async (service) => {
  const { proposal_id } = await proposed(service);
  (await service.partner.rejectProposal(second, proposal_id))._unsafeUnwrap();
};
/** @type {Step} */
export const rejectedByFreelancer = async (service) => {
  const { proposal_id } = await proposedToFreelancer(service);
  (await service.freelancer.rejectProposal(proposal_id))._unsafeUnwrap();
};
/** @type {Step} */
export const amended = async (service) => {
  const { proposal_id, terms_sha256 } = await proposed(service);
  (await service.partner.acceptProposal(second, proposal_id, { terms_sha256 }))._unsafeUnwrap();
};
/** @type {Step} */
export const settled = async (service) => {
  const { proposal_id, terms_sha256 } = await proposedToFreelancer(service);
  (await service.freelancer.acceptProposal(proposal_id, { terms_sha256 }))._unsafeUnwrap();
};
/** @type {Step} */
export const disputed = async (service) => {
  await delivered(service);
  const reason = 'The work is not what was agreed.';
  (await service.partner.dispute(second, { reason }))._unsafeUnwrap();
};
/** The payment for the approved work was asked for. @param {Service} service */
export const approved = async (service) => {
  await delivered(service);
  const { billing } = (await service.partner.approve(second))._unsafeUnwrap();
  return { payment_id: billing.employer_payments[0]?.id ?? '' };
};
/**
 * The payment provider reports a payment, `paid` before the work too.
 *
 * @param {Service} service
 * @param {'employer' | 'contractor'} side
 * @param {object} report
 * @param {string} [partner_id]
 */
export const report = async ({ sandbox }, side, report, partner_id = second) => {
  const command = `record-${side}-payment`;
  const reported = await sandbox.command(partner_id, 'payments', command, report);
  const { billing } = reported._unsafeUnwrap();
  return {
    asked: billing.employer_payments[0]?.id,
    payout: billing.contractor_payments[0]?.id,
  };
};
export const arrived = { status: 'paid', reference: 'transfer-1' };
export const whole = { ...arrived, amount: exampleDealV2.amount };
/** @type {Step} */
export const unpaid = async (service) => {
  const failed = { ...arrived, status: 'failed' };
  await report(service, 'employer', { ...(await approved(service)), ...failed });
};
/** The employer has paid; the answer names the payout. @param {Service} service */
export const paid = async (service) => {
  const { payout } = await report(service, 'employer', {
    ...(await approved(service)),
    ...arrived,
  });
  return { payment_id: payout };
};
/** The outcome of the payout. @param {string} status @param {string} [reference] @returns {Step} */
export const paidOut =
  (status, reference = 'payout-1') =>
  async (service) => {
    await report(service, 'contractor', { ...(await paid(service)), status, reference });
  };
/** The outcome of a payment before the work. @param {readonly object[]} reports @returns {Step} */
export const prepaid =
  (...reports) =>
  async (service) => {
    const { asked } = await report(service, 'employer', whole);
    for (const each of reports) await report(service, 'employer', { payment_id: asked, ...each });
  };
/** The employer of a cancelled deal did not get its money back. @type {Step} */
export const refundFailed = async (service) => {
  const { asked } = await report(service, 'employer', whole);
  const reason = 'The employer is gone.';
  (await service.operator.cancel(second, { reason }))._unsafeUnwrap();
  for (const status of ['refunded', 'refund_failed']) {
    await report(service, 'employer', { payment_id: asked, status, reference: 'refund-1' });
  }
};
/** More has come than is owed. @type {Step} */
export const overpaid = (service) => report(service, 'employer', { ...whole, amount: '600.00' });
/** One of two stages of the first deal is delivered. @type {Step} */
export const halfDelivered = async ({ partner }) => {
  (await partner.accept(first))._unsafeUnwrap();
  const { stages } = (await partner.retrieveDealDetails(first))._unsafeUnwrap();
  const stage_id = stages[0]?.id ?? 0;
  (await partner.uploadFile({ partner_id: first }, { ...file, stage_id }))._unsafeUnwrap();
  (await partner.deliver(first, { stage_id }))._unsafeUnwrap();
  return { open_stage_id: stages[1]?.id };
};

/** Money came for a deal that does not exist. @type {Step} */
export const withUnmatchedReport = async ({ marketplace, operator }) => {
  const { amount } = exampleDealV2;
  const reported = /** @type {const} */ ({ status: 'paid', amount, reference: 'transfer-9' });
  await operator.recordEmployerPayment('unknown', reported);
  const found = (await marketplace.operator('sandbox').listUnmatchedReports())._unsafeUnwrap();
  return { report_id: found.results[0]?.id ?? '' };
};
/** @type {Step} */
export const withWebhook = async ({ partner }) => {
  const { id } = (await partner.createWebhook(webhook))._unsafeUnwrap();
  return { webhook_id: id };
};
/** An event was posted to the webhook. @type {Step} */
export const withDelivery = async (service) => {
  const { marketplace, freelancer, partner } = service;
  const { id: webhook_id } = (await partner.createWebhook(webhook))._unsafeUnwrap();
  const relay = createRelay(marketplace).relayWebhooks();
  (await freelancer.accept())._unsafeUnwrap();
  for (;;) {
    const { results } = (await partner.listDeliveries(webhook_id))._unsafeUnwrap();
    const [delivery] = results;
    if (delivery !== undefined && delivery.attempts.length > 0) {
      await relay.stop();
      return { webhook_id, delivery_id: delivery.id };
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
