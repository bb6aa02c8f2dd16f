import type {
  Alert,
  Attention,
  ContractorPaymentStatus,
  DealMatch,
  EmployerPaymentStatus,
  Issue,
  Proposal,
  ProposalKind,
  ProposalStatus,
  ShownReason,
  StageStatus,
  SummaryLine,
  TermsKind,
  UnmatchedReason,
  UnmatchedReport,
  WaitingEffect,
  WorkFileStatus,
} from 'dealwright';
import {
  billing,
  category,
  contractorPayment,
  dealDetails,
  dealListItem,
  dealListPage,
  employerPayment,
  operatorBilling,
  operatorDetails,
  operatorView,
  stage,
  subcategory,
  waitingEffect,
  workFile,
} from '../wire/deals.js';
import { event, eventsPage } from '../wire/events.js';
import { freelancerEvent, freelancerEventsPage, freelancerView } from '../wire/freelancer.js';
import {
  dealFound,
  dealsFound,
  failingConsumer,
  failingPage,
  operatorDealItem,
  operatorDealPage,
  partnerItem,
  partnersPage,
  runReport,
  summary,
  summaryLine,
  unmatchedPage,
  unmatchedReport,
} from '../wire/operator.js';
import {
  answers,
  apiToken,
  dealDeliveriesPage,
  deliveriesPage,
  delivery,
  deliveryAttempt,
  failedDeliveriesPage,
  redelivered,
  webhook,
  webhookCreated,
  webhookDelivery,
} from '../wire/partner.js';
import { promisesRow } from '../wire/promises.js';
import { sandboxTime } from '../wire/sandbox.js';
import {
  type AnyShape,
  alternatives,
  type IntegerKind,
  isList,
  type MemberShape,
  type OtherKind,
  type TextKind,
} from '../wire/shape.js';
import {
  freelancerProposal,
  freelancerProposalsPage,
  proposal,
  proposalsPage,
  terms,
  termsPage,
  termsStage,
  termsVersion,
} from '../wire/terms.js';
import { enumOf, enumOfKind } from './enums.js';
import { objectOf, refTo, type Schema } from './schema.js';

/** The answers and their parts under the names that the document gives them. */
const named: Readonly<Record<string, { readonly [name: string]: MemberShape }>> = {
  ContractorRegistered: answers.registerContractor,
  DealCreated: answers.createDeal,
  DealV2Created: answers.createDealV2,
  Subcategory: subcategory,
  Category: category,
  EmployerPayment: employerPayment,
  ContractorPayment: contractorPayment,
  Billing: billing,
  OperatorBilling: operatorBilling,
  WorkFile: workFile,
  Stage: stage,
  TermsStage: termsStage,
  Terms: terms,
  TermsVersion: termsVersion,
  TermsPage: termsPage,
  Proposal: proposal,
  ProposalsPage: proposalsPage,
  FreelancerProposal: freelancerProposal,
  FreelancerProposalsPage: freelancerProposalsPage,
  DealRetrieved: answers.retrieveDeal,
  DealDetails: dealDetails,
  FreelancerView: freelancerView,
  OperatorView: operatorView,
  WaitingEffect: waitingEffect,
  OperatorDetails: operatorDetails,
  RunFailure: runReport.failures[0],
  RunReport: runReport,
  SandboxTime: sandboxTime,
  DealListItem: dealListItem,
  DealListPage: dealListPage,
  Event: event,
  EventsPage: eventsPage,
  FreelancerEvent: freelancerEvent,
  FreelancerEventsPage: freelancerEventsPage,
  Webhook: webhook,
  WebhookCreated: webhookCreated,
  DeliveryAttempt: deliveryAttempt,
  Delivery: delivery,
  DeliveriesPage: deliveriesPage,
  WebhookDelivery: webhookDelivery,
  FailedDeliveriesPage: failedDeliveriesPage,
  DealDeliveriesPage: dealDeliveriesPage,
  Redelivered: redelivered,
  ApiToken: apiToken,
  ServicePromises: promisesRow.answer,
  OperatorDealItem: operatorDealItem,
  OperatorDealPage: operatorDealPage,
  DealFound: dealFound,
  DealsFound: dealsFound,
  SummaryLine: summaryLine,
  Summary: summary,
  FailingConsumer: failingConsumer,
  FailingConsumersPage: failingPage,
  UnmatchedReport: unmatchedReport,
  UnmatchedReportsPage: unmatchedPage,
  PartnerItem: partnerItem,
  PartnersPage: partnersPage,
};

/** A schema of all statuses of one kind; the compiler checks that none is missing. */
const all = <S extends string>(statuses: Readonly<Record<S, true>>): Schema => ({
  type: 'string',
  enum: Object.keys(statuses),
});

const alerts: Readonly<Record<Alert, true>> = {
  disputed: true,
  paid_twice: true,
  effect_in_doubt: true,
  payout_failed: true,
  refund_failed: true,
  effect_failing: true,
  overdue: true,
  payment_overdue: true,
  overpaid: true,
  payout_waits: true,
  payout_late: true,
  refund_late: true,
};

const shownReasons: Readonly<Record<ShownReason, true>> = {
  payee_missing: true,
  payee_disabled: true,
  closed_account: true,
  unavailable: true,
  other: true,
};

const employerStatuses: Readonly<Record<EmployerPaymentStatus, true>> = {
  requested: true,
  processing: true,
  paid: true,
  failed: true,
  expired: true,
  partially_refunded: true,
  refunded: true,
  charged_back: true,
};

const contractorStatuses: Readonly<Record<ContractorPaymentStatus, true>> = {
  scheduled: true,
  processing: true,
  paid: true,
  failed: true,
  returned: true,
  cancelled: true,
};

export const statusKinds = {
  'stage status': all<StageStatus>({
    pending: true,
    submitted: true,
    changes_requested: true,
    approved: true,
    paid: true,
    cancelled: true,
  }),
  'file status': all<WorkFileStatus>({ stored: true, accepted: true, superseded: true }),
  attention: all<Attention>({ payout_returned: true, refund_failed: true, paid_twice: true }),
  alert: all<Alert>(alerts),
  'deal match': all<DealMatch>({
    partner_id: true,
    payment: true,
    work_file: true,
    reference: true,
    email: true,
    title: true,
  }),
  'summary reason': all<SummaryLine['reason']>({
    ...alerts,
    webhook_failing: true,
    report_unmatched: true,
  }),
  'effect kind': all<WaitingEffect['kind']>({ request_payment: true, pay_out: true, refund: true }),
  'effect outcome': all<NonNullable<WaitingEffect['outcome']>>({
    none: true,
    taken: true,
    unknown: true,
  }),
  'shown reason': all<ShownReason>(shownReasons),
  'wait reason': all<NonNullable<WaitingEffect['waits_for']>>({
    ...shownReasons,
    balance: true,
    amount: true,
    currency: true,
    window: true,
    disputed: true,
    declined: true,
  }),
  'effect status': all<WaitingEffect['status']>({ pending: true, failed: true }),
  side: all<Proposal['by']>({ partner: true, freelancer: true }),
  'proposal kind': all<ProposalKind>({ amendment: true, settlement: true }),
  'proposal status': all<ProposalStatus>({
    open: true,
    accepted: true,
    rejected: true,
    withdrawn: true,
    superseded: true,
    expired: true,
  }),
  'terms kind': all<TermsKind>({
    creation: true,
    amendment: true,
    settlement: true,
    bonus: true,
  }),
  'employer payment status': all<EmployerPaymentStatus>(employerStatuses),
  'contractor payment status': all<ContractorPaymentStatus>(contractorStatuses),
  'report status': all<UnmatchedReport['status']>({
    ...employerStatuses,
    ...contractorStatuses,
    refund_failed: true,
    charge_back_reversed: true,
    voided: true,
  }),
  'payment kind': all<UnmatchedReport['kind']>({
    employer_payment: true,
    contractor_payment: true,
  }),
  'unmatched reason': all<UnmatchedReason>({
    unknown_deal: true,
    unknown_payment: true,
    currency_mismatch: true,
  }),
};

const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const kinds: Readonly<Record<TextKind | IntegerKind | OtherKind, Schema>> = {
  text: { type: 'string' },
  email: { type: 'string', format: 'email' },
  // the one canonical form (decision 1.4)
  money: { type: 'string', pattern: '^-?(?:0|[1-9]\\d*)\\.\\d{2}$' },
  time: { type: 'string', format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' },
  ulid: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
  sha256: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the content, in hexadecimal.',
  },
  digest: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the canonical JSON (RFC 8785) of the terms, in hexadecimal.',
  },
  date: { type: 'string', format: 'date', description: 'RFC 3339, UTC.' },
  version: { type: 'string', enum: ['1.0', '2.0'] },
  'copyright transfer': enumOf('copyright_transfer'),
  'freelancer language': enumOf('freelancer_language'),
  'deal status': enumOf('status'),
  'freelancer status': enumOf('freelancer_status'),
  ...statusKinds,
  environment: enumOfKind('environment'),
  'payment mode': enumOfKind('payment mode'),
  'contractor scope': enumOfKind('contractor scope'),
  actor: enumOfKind('actor'),
  'webhook status': enumOfKind('webhook status'),
  'disabled reason': enumOfKind('disabled reason'),
  'delivery status': enumOfKind('delivery status'),
  'event type': {
    type: 'string',
    description: 'One of the types of the section `webhooks`, or one that this service adds.',
  },
  'event data': {
    type: 'object',
    additionalProperties: true,
    description: 'What its type says; see the section `webhooks`.',
  },
  changes: { anyOf: [refTo('Amendment'), refTo('Settlement')] },
  // decision 3
  'payment token': {
    type: 'string',
    pattern: '^[A-Za-z0-9._~-]+$',
    minLength: 22,
    maxLength: 2048,
    description: 'A secret: it lets its bearer act on the deal.',
  },
  'signing secret': {
    type: 'string',
    pattern: '^whsec_[A-Za-z0-9+/=]+$',
    description: 'A secret, which is shown once: messages to the webhook are signed with it.',
  },
  cursor: { type: 'string', description: 'The cursor to go on from: `after` of the next call.' },
  'older delivery': { type: 'string', description: 'The cursor of older deliveries.' },
  'page cursor': { type: 'string', description: 'The cursor of another page.' },
  'older cursor': { type: 'string', description: 'The cursor of older deals.' },
  'newer cursor': { type: 'string', description: 'The cursor of newer deals.' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  sequence: {
    type: 'integer',
    minimum: 0,
    description: 'Of the subject, from 1 and without gaps; 0 of a test.',
  },
  id,
  'deal id': { ...id, description: 'Of a deal of version 1.0 only.' },
  bytes: { type: 'integer', minimum: 0, description: 'Bytes.' },
};

export function dataOf(member: MemberShape): Schema {
  const [shape, orElse] = alternatives(member);
  const schema = schemaOf(shape);
  if (orElse !== 'null') return schema;
  return 'type' in schema && !('enum' in schema)
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function schemaOf(shape: AnyShape): Schema {
  if (typeof shape === 'string') return kinds[shape as keyof typeof kinds];
  if (isList(shape)) return { type: 'array', items: dataOf(shape[0]) };
  return refTo(Object.keys(named).find((name) => named[name] === shape) ?? '');
}

export function answerSchemas(): Readonly<Record<string, Schema>> {
  const schemas = Object.entries(named).map(([name, shape]) => {
    const members = Object.entries(shape);
    const optional = members.filter(([, each]) => alternatives(each)[1] === 'nothing');
    return [
      name,
      objectOf(
        Object.fromEntries(members.map(([member, each]) => [member, dataOf(each)])),
        optional.map(([member]) => member),
      ),
    ];
  });
  return { ...Object.fromEntries(schemas), Issue: issue };
}

const issue: Schema = {
  ...objectOf<Record<keyof Issue, Schema>>({
    path: { type: 'array', items: { type: 'string' } },
    code: { type: 'string', pattern: '^[a-z0-9_]+$' },
    message: { type: 'string' },
    params: { type: 'object' },
  }),
  description:
    'One failing field: where, which rule, in words, and what was allowed. It never repeats the submitted value.',
};
