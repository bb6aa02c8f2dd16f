import type {
  ContractorPaymentReport,
  DealSearch,
  DealsFound,
  EmployerPaymentReport,
  FailingConsumer,
  FailingConsumersPage,
  OperatorApi,
  OperatorDealItem,
  OperatorDealPage,
  OperatorDealQuery,
  OperatorDeals,
  PartnerItem,
  PartnersPage,
  PayoutRetry,
  RefundRetry,
  Resolution,
  RunFailure,
  RunReport,
  Summary,
  SummaryLine,
  UnmatchedReport,
  UnmatchedReportsPage,
  WriteOff,
} from 'dealwright';
import { dealListItem, dealListMembers, operatorDetails, operatorView, remarks } from './deals.js';
import { eventListMembers, eventPageMembers, eventsPage } from './events.js';
import { deliveryListMembers, integrationRows, webhook } from './partner.js';
import { promisesRow } from './promises.js';
import {
  commandRow,
  downloadRow,
  listErrors,
  type Members,
  type MembersOf,
  type Row,
  routesOf,
} from './route.js';
import type { Shape } from './shape.js';
import { proposal, proposalsPage, termsReads } from './terms.js';

/** The cause stays in the process. */
const runFailure: Shape<Omit<RunFailure, 'cause'>> = {
  partner: 'text',
  partner_id: 'text',
  reason: 'text',
};

export const runReport: Shape<
  Omit<RunReport, 'failures'> & { failures: readonly Omit<RunFailure, 'cause'>[] }
> = { done: 'integer', failed: 'integer', failures: [runFailure] };

export const resolutionMembers: MembersOf<Resolution> = { agreed_amount: true, ...remarks };

export const retryMembers: MembersOf<PayoutRetry | RefundRetry> = { payment_id: true, ...remarks };

export const writeOffMembers: MembersOf<WriteOff> = { amount: true, ...remarks };

export const reportMembers: MembersOf<EmployerPaymentReport | ContractorPaymentReport> = {
  payment_id: true,
  status: true,
  amount: true,
  currency: true,
  reference: true,
};

export const operatorDealItem: Shape<OperatorDealItem> = {
  partner: 'text',
  ...dealListItem,
  status_since: 'time or null',
  alert: 'alert or null',
  alert_at: 'time or null',
};

export const operatorDealPage: Shape<OperatorDealPage> = {
  results: [operatorDealItem],
  next: 'older cursor or null',
  previous: 'newer cursor or null',
};

const operatorListMembers: MembersOf<OperatorDealQuery> = {
  partner: true,
  ...dealListMembers,
  alert: true,
  stuck_since: true,
};

export const dealFound: Shape<DealsFound['results'][number]> = {
  ...operatorDealItem,
  match: 'deal match',
};

export const dealsFound: Shape<DealsFound> = {
  results: [dealFound],
  is_more: 'boolean',
};

const searchMembers: MembersOf<DealSearch> = { text: true, page_size: true };

export const summaryLine: Shape<SummaryLine> = {
  reason: 'summary reason',
  count: 'integer',
  is_more: 'boolean',
  since: 'time or null',
};

export const summary: Shape<Summary> = { results: [summaryLine] };

export const failingConsumer: Shape<FailingConsumer> = {
  partner: 'text',
  name: 'text',
  failing_since: 'time',
  webhook: [webhook, 'or null'],
};

export const failingPage: Shape<FailingConsumersPage> = {
  results: [failingConsumer],
  next: 'page cursor or null',
};

export const unmatchedReport: Shape<UnmatchedReport> = {
  partner: 'text',
  id: 'text',
  partner_id: 'text',
  kind: 'payment kind',
  payment_id: 'text or null',
  status: 'report status',
  amount: 'money or null',
  currency: 'text or null',
  reference: 'text',
  reason: 'unmatched reason',
  received_at: 'time',
  is_dismissed: 'boolean',
};

export const unmatchedPage: Shape<UnmatchedReportsPage> = {
  results: [unmatchedReport],
  next: 'page cursor or null',
};

export const partnerItem: Shape<PartnerItem> = { partner: 'text', partner_name: 'text or null' };

export const partnersPage: Shape<PartnersPage> = {
  results: [partnerItem],
  next: 'page cursor or null',
};

const ofDeal = '/operator/{partner}/deal/{partner_id}/';

const command = (name: string, members: Members) => commandRow(ofDeal, name, members, operatorView);
const run = (name: string) =>
  ({ path: `/operator/${name}/`, input: 'command', answer: runReport, keyed: false }) as const;

/** The operations of an operator, by the names of the routes. */
export type OperatorOperation = keyof OperatorDeals | Exclude<keyof OperatorApi, 'partner'>;

const rows = {
  retrieveDeal: { path: ofDeal, input: 'nothing', answer: operatorDetails },
  listDeals: {
    path: '/operator/deal/',
    input: 'query',
    answer: operatorDealPage,
    members: operatorListMembers,
    errors: listErrors,
  },
  searchDeals: {
    path: '/operator/search/',
    input: 'query',
    answer: dealsFound,
    members: searchMembers,
    errors: ['validation_failed'],
  },
  summarize: { path: '/operator/summary/', input: 'nothing', answer: summary },
  listFailing: {
    path: '/operator/failing/',
    input: 'query',
    answer: failingPage,
    members: deliveryListMembers,
    errors: listErrors,
  },
  listUnmatchedReports: {
    path: '/operator/report/',
    input: 'query',
    answer: unmatchedPage,
    members: deliveryListMembers,
    errors: listErrors,
  },
  listPartners: {
    path: '/operator/partner/',
    input: 'query',
    answer: partnersPage,
    members: deliveryListMembers,
    errors: listErrors,
  },
  listEvents: {
    path: '/operator/event/',
    input: 'query',
    answer: eventsPage,
    members: { partner: true, ...eventListMembers },
    errors: listErrors,
  },
  listDealEvents: {
    path: `${ofDeal}event/`,
    input: 'query',
    answer: eventsPage,
    members: eventPageMembers,
    errors: listErrors,
  },
  dismissReport: {
    path: '/operator/{partner}/report/{report_id}/dismiss/',
    method: 'POST',
    input: 'nothing',
    answer: unmatchedReport,
  },
  downloadWorkFile: downloadRow(ofDeal),
  ...termsReads(ofDeal, proposal, proposalsPage),
  ...integrationRows('/operator/{partner}/'),
  invite: command('invite', remarks),
  cancel: command('cancel', remarks),
  resolve: command('resolve', resolutionMembers),
  requestPayment: command('request-payment', remarks),
  retryPayout: command('retry-payout', retryMembers),
  retryRefund: command('retry-refund', retryMembers),
  writeOff: command('write-off', writeOffMembers),
  refundSurplus: command('refund-surplus', remarks),
  recordEmployerPayment: command('record-employer-payment', reportMembers),
  recordContractorPayment: command('record-contractor-payment', reportMembers),
  retrievePromises: promisesRow,
  runTimers: run('run-timers'),
  runEffects: run('run-effects'),
} as const satisfies { readonly [K in OperatorOperation]: Row };

/** The routes of an operator. */
export const operatorRoutes = /* @__PURE__ */ routesOf<OperatorOperation>('operator', rows);
