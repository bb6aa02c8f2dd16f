import type {
  ContractorPaymentReport,
  EmployerPaymentReport,
  OperatorApi,
  OperatorDeals,
  PayoutRetry,
  RefundRetry,
  Resolution,
  RunFailure,
  RunReport,
} from 'dealwright';
import { dealListMembers, dealListPage, operatorView, remarks } from './deals.js';
import { eventListMembers, eventPageMembers, eventsPage } from './events.js';
import {
  commandRow,
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

export const reportMembers: MembersOf<EmployerPaymentReport | ContractorPaymentReport> = {
  payment_id: true,
  status: true,
  amount: true,
  reference: true,
};

const ofDeal = '/operator/{partner}/deal/{partner_id}/';

const command = (name: string, members: Members) => commandRow(ofDeal, name, members, operatorView);
const run = (name: string) =>
  ({ path: `/operator/${name}/`, input: 'command', answer: runReport, keyed: false }) as const;

/** The operations of an operator, by the names of the routes. */
export type OperatorOperation = keyof OperatorDeals | Exclude<keyof OperatorApi, 'partner'>;

const rows = {
  retrieveDeal: { path: ofDeal, input: 'nothing', answer: operatorView },
  listDeals: {
    path: '/operator/deal/',
    input: 'query',
    answer: dealListPage,
    members: { partner: true, ...dealListMembers },
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
  ...termsReads(ofDeal, proposal, proposalsPage),
  invite: command('invite', remarks),
  cancel: command('cancel', remarks),
  resolve: command('resolve', resolutionMembers),
  requestPayment: command('request-payment', remarks),
  retryPayout: command('retry-payout', retryMembers),
  retryRefund: command('retry-refund', retryMembers),
  recordEmployerPayment: command('record-employer-payment', reportMembers),
  recordContractorPayment: command('record-contractor-payment', reportMembers),
  runTimers: run('run-timers'),
  runEffects: run('run-effects'),
} as const satisfies { readonly [K in OperatorOperation]: Row };

/** The routes of an operator. */
export const operatorRoutes = /* @__PURE__ */ routesOf<OperatorOperation>('operator', rows);
