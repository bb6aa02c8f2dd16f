// @ts-check
// The scenes of the story: for each operation the steps before it, and the call.
import { exampleContractor, exampleDeal, exampleDealV2 } from 'dealwright/testing';
import {
  accepted,
  approved,
  arrived,
  declined,
  delivered,
  disputed,
  file,
  first,
  halfDelivered,
  overpaid,
  paid,
  paidOut,
  prepaid,
  proposed,
  refundFailed,
  report,
  second,
  settlement,
  stored,
  unpaid,
  webhook,
  whole,
  withDelivery,
  withUnmatchedReport,
  withWebhook,
} from './steps.mjs';
import { termsScenes } from './terms-scenes.mjs';
import { emptyPage, emptyReason, tooDeep, without } from './wrong.mjs';

/** @typedef {import('../examples.mjs').Request} Request */
/** @typedef {import('./steps.mjs').Step} Step */

/**
 * A call that is refused.
 *
 * @typedef {object} Refused
 * @property {Step} [after] the steps before it
 * @property {number} [stages] of the deal of version 1.0
 * @property {object} [parameters]
 * @property {object | ((ids: Readonly<Record<string, unknown>>) => object)} [body]
 */

/**
 * @typedef {object} Scene
 * @property {number} [before] how many of the three creates are done; default: all
 * @property {Step} [after] the further steps before it
 * @property {Readonly<Record<string, unknown>>} [parameters]
 * @property {object | ((ids: Readonly<Record<string, unknown>>) => object)} [body]
 * @property {Readonly<Record<string, unknown>>} [form]
 * @property {(request: Request) => Request} [wrong] the same call with one field that is refused
 * @property {Refused} [refused] a call that the deal does not allow now: `precondition_failed`
 * @property {Refused} [illegal] a call that the deal does not have in its state
 */

const form = { file: 'Once upon a time' };
const byId = { partner_id: second };
const byFirst = { partner_id: first };
const byOperator = { partner: 'acme', ...byId };
const page = { parameters: { page_size: 2 }, wrong: emptyPage };
const upload = { body: file, form, wrong: without('name') };

const ofAcme = { partner: 'acme' };
/** @type {Scene} */
const redeliverAll = {
  body: { since: '2026-01-01T00:00:00Z', which: 'all' },
  after: withDelivery,
  wrong: without('since'),
};

/** @type {Readonly<Record<string, Scene>>} */
export const scenes = {
  registerContractor: { before: 0, body: exampleContractor, wrong: without('email') },
  createDeal: { before: 1, body: exampleDeal, wrong: without('partner_id') },
  createDealV2: { before: 2, body: exampleDealV2, wrong: without('partner_id') },
  listCategories: {},
  listCategoryTree: {},
  retrievePromises: {},
  retrieveDeal: { parameters: { id: 1 } },
  uploadFile: {
    parameters: { id: 1 },
    ...upload,
    body: { stage_id: 2, ...file },
    form: { stage_id: 2, ...form },
    refused: {
      async after({ partner }) {
        (await partner.cancel(first))._unsafeUnwrap();
      },
    },
  },
  retrieveDealDetails: { parameters: byId },
  listDeals: { parameters: { page_size: 2, status: 'created' }, wrong: emptyPage },
  uploadWorkFile: { parameters: byId, ...upload, refused: { after: declined } },
  listWorkFiles: { parameters: byId, after: stored },
  downloadWorkFile: { parameters: byId, after: stored },
  listEvents: { parameters: { page_size: 2, type: 'deal.created' }, wrong: emptyPage },
  listDealEvents: { ...page, parameters: { ...byId, page_size: 2 } },
  createWebhook: { body: webhook, wrong: without('url') },
  listWebhooks: { after: withWebhook },
  retrieveWebhook: { after: withWebhook },
  deleteWebhook: { after: withWebhook },
  rotateWebhook: { after: withWebhook },
  enableWebhook: { after: withWebhook },
  testWebhook: { after: withWebhook },
  listDeliveries: {
    ...page,
    after: withDelivery,
  },
  redeliver: { after: withDelivery },
  redeliverAll,
  listFailedDeliveries: page,
  listDealDeliveries: { ...page, parameters: { ...byId, page_size: 2 }, after: withDelivery },
  listTokens: {},
  invite: { parameters: byId, body: {}, wrong: emptyReason, illegal: { after: delivered } },
  accept: {
    parameters: byFirst,
    body: {},
    wrong: emptyReason,
    illegal: { parameters: byId },
  },
  decline: {
    parameters: byFirst,
    body: { reason: 'No time before May.' },
    wrong: emptyReason,
    illegal: { parameters: byId },
    refused: { stages: 2, after: halfDelivered },
  },
  cancel: {
    parameters: byId,
    body: { reason: 'The project was stopped.' },
    wrong: emptyReason,
    illegal: { after: delivered },
    refused: { stages: 2, after: halfDelivered, parameters: byFirst },
  },
  deliver: {
    parameters: byFirst,
    body: { message: 'The first draft.' },
    async after({ partner }) {
      (await partner.accept(first))._unsafeUnwrap();
      (await partner.uploadFile({ partner_id: first }, file))._unsafeUnwrap();
    },
    wrong: emptyReason,
    illegal: { parameters: byId },
    refused: {
      async after({ partner }) {
        (await partner.accept(first))._unsafeUnwrap();
      },
    },
  },
  requestChanges: {
    parameters: byId,
    after: delivered,
    body: { reason: 'The title is missing.' },
    wrong: without('reason'),
    illegal: {},
    refused: {
      stages: 2,
      after: halfDelivered,
      parameters: byFirst,
      body: ({ open_stage_id }) => ({ stage_id: open_stage_id, reason: 'The title is missing.' }),
    },
  },
  approve: {
    parameters: byId,
    after: delivered,
    body: {},
    wrong: emptyReason,
    illegal: {},
    refused: {
      stages: 2,
      after: halfDelivered,
      parameters: byFirst,
      body: ({ open_stage_id }) => ({ stage_id: open_stage_id }),
    },
  },
  dispute: {
    parameters: byId,
    after: delivered,
    body: { reason: 'The work is not what was agreed.' },
    wrong: without('reason'),
    illegal: {},
    refused: {
      async after({ freelancer }) {
        (await freelancer.accept())._unsafeUnwrap();
      },
    },
  },
  requestPayment: {
    parameters: byId,
    after: unpaid,
    body: {},
    wrong: emptyReason,
    illegal: {},
    refused: { after: delivered },
  },
  ...termsScenes,
  freelancerView: {},
  freelancerListEvents: page,
  freelancerAccept: { body: {}, wrong: emptyReason, illegal: { after: declined } },
  freelancerDecline: {
    body: { reason: 'No time before May.' },
    wrong: emptyReason,
    illegal: { after: delivered },
  },
  freelancerDeliver: {
    async after({ freelancer }) {
      (await freelancer.uploadFile(file))._unsafeUnwrap();
    },
    body: { message: 'The first draft.' },
    wrong: emptyReason,
    illegal: { after: declined },
    refused: {},
  },
  freelancerDispute: {
    after: delivered,
    body: { reason: 'Nobody answers.' },
    wrong: without('reason'),
    illegal: {},
    refused: {
      async after({ freelancer }) {
        (await freelancer.accept())._unsafeUnwrap();
      },
    },
  },
  freelancerUploadFile: { ...upload, refused: { after: declined } },
  freelancerListFiles: { after: stored },
  freelancerDownloadFile: { after: stored },
  operatorRetrieveDeal: { parameters: byOperator },
  operatorListDeals: { parameters: { page_size: 2, status: 'created' }, wrong: emptyPage },
  operatorSearchDeals: { parameters: { text: 'Deal', page_size: 2 }, wrong: emptyPage },
  operatorSummarize: { after: delivered },
  operatorListFailing: page,
  operatorListUnmatchedReports: { ...page, after: withUnmatchedReport },
  operatorDismissReport: { parameters: ofAcme, after: withUnmatchedReport },
  operatorListPartners: page,
  operatorListEvents: {
    parameters: { partner: 'acme', page_size: 2, type: 'deal.created' },
    wrong: emptyPage,
  },
  operatorListDealEvents: { parameters: { ...byOperator, page_size: 2 }, wrong: emptyPage },
  operatorDownloadWorkFile: { parameters: byOperator, after: stored },
  operatorListWebhooks: { parameters: ofAcme, after: withWebhook },
  operatorEnableWebhook: { parameters: ofAcme, after: withWebhook },
  operatorListDeliveries: {
    parameters: { ...ofAcme, page_size: 2 },
    after: withDelivery,
    wrong: emptyPage,
  },
  operatorRedeliver: { parameters: ofAcme, after: withDelivery },
  operatorRedeliverAll: { parameters: ofAcme, ...redeliverAll },
  operatorListFailedDeliveries: { parameters: { ...ofAcme, page_size: 2 }, wrong: emptyPage },
  operatorListDealDeliveries: {
    parameters: { ...byOperator, page_size: 2 },
    after: withDelivery,
    wrong: emptyPage,
  },
  operatorListTokens: { parameters: ofAcme },
  operatorInvite: {
    parameters: byOperator,
    body: {},
    wrong: emptyReason,
    illegal: { after: declined },
  },
  operatorCancel: {
    parameters: byOperator,
    body: { reason: 'The employer is gone.' },
    wrong: without('reason'),
    illegal: { after: declined },
    refused: {
      after: paidOut('processing'),
    },
  },
  operatorResolve: {
    parameters: byOperator,
    after: disputed,
    body: { agreed_amount: '300.00', reason: 'Half of the work is done.' },
    wrong: without('agreed_amount'),
    illegal: {},
    refused: { after: disputed, body: { agreed_amount: '500.01' } },
  },
  operatorRequestPayment: {
    parameters: byOperator,
    after: unpaid,
    body: {},
    wrong: emptyReason,
    illegal: {},
    refused: { after: delivered },
  },
  operatorRetryPayout: {
    parameters: byOperator,
    after: paidOut('failed', 'payout-0'),
    body: {},
    wrong: emptyReason,
    illegal: { after: disputed },
    refused: {},
  },
  operatorRetryRefund: {
    parameters: byOperator,
    after: refundFailed,
    body: {},
    wrong: emptyReason,
    illegal: { after: disputed },
    refused: {},
  },
  operatorWriteOff: {
    parameters: byOperator,
    after: unpaid,
    body: { amount: '0.01', reason: 'The client has paid a cent less.' },
    wrong: without('reason'),
    illegal: {},
    refused: { after: unpaid, body: { amount: '500.01', reason: 'The client is gone.' } },
  },
  operatorRefundSurplus: {
    parameters: byOperator,
    after: overpaid,
    body: {},
    wrong: emptyReason,
    illegal: { after: disputed },
    refused: {},
  },
  operatorRecordEmployerPayment: {
    parameters: byOperator,
    body: { status: 'paid', amount: '500.00', reference: 'transfer-1' },
    wrong: without('status'),
  },
  operatorRecordContractorPayment: {
    parameters: byOperator,
    after: paid,
    body: ({ payment_id }) => ({
      payment_id,
      status: 'paid',
      amount: '500.00',
      reference: 'payout-1',
    }),
    wrong: without('payment_id'),
  },
  operatorRunTimers: { wrong: tooDeep },
  operatorRunEffects: { wrong: tooDeep },
  sandboxCommand: {
    parameters: { ...byId, actor: 'freelancer', command: 'accept' },
    body: {},
    wrong: emptyReason,
    illegal: { after: declined },
  },
  sandboxAdvanceClock: { body: { advance_seconds: 86_400 }, wrong: without('advance_seconds') },
};

/** @param {number} days @returns {Step} */
const later =
  (days) =>
  async ({ sandbox }) => {
    (await sandbox.advanceClock({ advance_seconds: days * 86_400 }))._unsafeUnwrap();
  };

/**
 * Further steps, so that there is an event of each type.
 *
 * @type {readonly { readonly stages?: number, readonly after: Step }[]}
 */
export const moreEvents = [
  {
    async after(service) {
      const processing = { ...arrived, status: 'processing' };
      await report(service, 'employer', { ...(await approved(service)), ...processing });
    },
  },
  {
    async after(service) {
      await approved(service);
      await later(60)(service);
    },
  },
  {
    after: prepaid(
      { status: 'charged_back', reference: 'chargeback-1' },
      { status: 'charge_back_reversed', reference: 'chargeback-1' },
    ),
  },
  {
    async after(service) {
      const { asked: payment_id = '' } = await report(service, 'employer', whole);
      const { reference } = arrived;
      const wrong = { payment_id, status: /** @type {const} */ ('voided'), reference };
      (await service.operator.recordEmployerPayment(second, wrong))._unsafeUnwrap();
    },
  },
  {
    async after(service) {
      const { payment_id } = await paid(service);
      for (const status of ['paid', 'returned']) {
        await report(service, 'contractor', { payment_id, status, reference: 'payout-1' });
      }
    },
  },
  {
    async after(service) {
      service.gateway.isThere = true;
      await paid(service);
      (await service.runEffects())._unsafeUnwrap();
    },
  },
  {
    async after(service) {
      await paid(service);
      const reason = 'The employer is gone.';
      (await service.operator.cancel(second, { reason }))._unsafeUnwrap();
    },
  },
  { after: later(60) },
  {
    async after(service) {
      await proposed(service);
      (await service.freelancer.propose(settlement))._unsafeUnwrap();
      await later(20)(service);
    },
  },
  ...[accepted, delivered].map((step) => ({
    async after(/** @type {import('../examples.mjs').Service} */ service) {
      await step(service);
      await later(60)(service);
    },
  })),
  {
    stages: 2,
    async after(service) {
      await halfDelivered(service);
      const { billing } = (await service.partner.approve(first))._unsafeUnwrap();
      const payment_id = billing.employer_payments[0]?.id;
      const { payout } = await report(service, 'employer', { ...arrived, payment_id }, first);
      const sent = { payment_id: payout, status: 'paid', reference: 'payout-1' };
      await report(service, 'contractor', sent, first);
    },
  },
  {
    async after(service) {
      service.receiver.status_code = 410;
      const { webhook_id } = Object(await withDelivery(service));
      (await service.partner.enableWebhook(webhook_id))._unsafeUnwrap();
    },
  },
];
