import type { OperatorApi, OperatorDeals } from 'dealwright';
import { answers, operatorView } from './answers.js';
import { runReport } from './face-answers.js';
import { reportMembers, resolutionMembers, retryMembers } from './face-members.js';
import { dealListMembers, remarks } from './members.js';
import { commandRow, type Members, type Row, routesOf } from './route.js';

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
    errors: ['validation_failed', 'invalid_cursor'],
  },
  invite: command('invite', remarks),
  cancel: command('cancel', remarks),
  resolve: command('resolve', resolutionMembers),
  requestPayment: command('request-payment', remarks),
  retryPayout: command('retry-payout', retryMembers),
  recordEmployerPayment: command('record-employer-payment', reportMembers),
  recordContractorPayment: command('record-contractor-payment', reportMembers),
  runTimers: run('run-timers'),
  runEffects: run('run-effects'),
} as const satisfies { readonly [K in OperatorOperation]: Row };

/** What the staff of the host can do. */
export const operatorRoutes = routesOf<OperatorOperation>('operator', rows);
