import type { OperatorApi, OperatorDeals } from 'dealwright';
import { answers, operatorView } from './answers.js';
import { runReport } from './face-answers.js';
import { reportMembers, resolutionMembers, retryMembers } from './face-members.js';
import { dealListMembers, eventListMembers, eventPageMembers, remarks } from './members.js';
import { commandRow, listErrors, type Members, type Row, routesOf } from './route.js';

const ofDeal = '/operator/{partner}/deal/{partner_id}/';
const byPartnerId = { by: 'partner_id' } as const;

const command = (name: string, members: Members) =>
  ({ ...byPartnerId, ...commandRow(ofDeal, name, members, operatorView) }) as const;
const run = (name: string) =>
  ({ path: `/operator/${name}/`, input: 'command', answer: runReport, keyed: false }) as const;

/** What the staff can do, by the names of the routes. */
export type OperatorOperation = keyof OperatorDeals | Exclude<keyof OperatorApi, 'partner'>;

const rows = {
  retrieveDeal: { ...byPartnerId, path: ofDeal, input: 'nothing', answer: operatorView },
  listDeals: {
    path: '/operator/deal/',
    input: 'query',
    answer: answers.listEmployerDeals,
    members: { partner: true, ...dealListMembers },
    errors: listErrors,
  },
  listEvents: {
    path: '/operator/event/',
    input: 'query',
    answer: answers.listEvents,
    members: { partner: true, ...eventListMembers },
    errors: listErrors,
  },
  listDealEvents: {
    ...byPartnerId,
    path: `${ofDeal}event/`,
    input: 'query',
    answer: answers.listDealEvents,
    members: eventPageMembers,
    errors: listErrors,
  },
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

/** What the staff of the host can do. */
export const operatorRoutes = routesOf<OperatorOperation>('operator', rows);
