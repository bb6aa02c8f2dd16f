import type { ContractorPayment, EmployerPayment, Issue, PartnerApi } from 'dealwright';
import type { OperationName } from '../wire/all-routes.js';
import { operatorView } from '../wire/answers.js';
import { offerView } from '../wire/face-answers.js';
import {
  type Change,
  changed,
  type Deals,
  emptyReason,
  noReason,
  requestOf,
} from './command-examples.js';
import type { EventPages } from './event-examples.js';
import type { Example } from './example.js';

type OtherFaces = Exclude<OperationName, keyof PartnerApi>;

interface Shown extends Omit<Deals, 'first'> {
  /** What every upload has. */
  readonly upload: Example;
  /** What every list has. */
  readonly list: Example;
  readonly events: EventPages;
}

const created = { deal_status: 'created', freelancer_status: 'new' } as const;
const declined = { deal_status: 'cancelled', freelancer_status: 'declined' } as const;
const offered = { ...created, legal: ['accept', 'decline', 'deliver'] };
const retries = ['retry-payout', 'retry-refund'];
const reports = ['record-employer-payment', 'record-contractor-payment'];
const ofStaff = {
  ...created,
  legal: ['invite', 'cancel', ...retries, ...reports],
};
const over = { ...declined, legal: [] };
const overForStaff = {
  ...declined,
  legal: [...retries, ...reports],
};
const disputed = {
  deal_status: 'disputed',
  freelancer_status: 'accepted',
  legal: ['cancel', 'resolve', ...reports],
} as const;

const missing = (field: string): Issue => ({ ...noReason, path: [field] });

const tooDeep: Issue = {
  path: [],
  code: 'too_deep',
  message: 'must not nest objects and arrays deeper than 64 levels',
  params: { max: 64 },
};

const accepted = { status: 'accepted', freelancer_status: 'accepted' } as const;
const approved = {
  ...accepted,
  status: 'approved',
  stage: 'approved',
  file: 'accepted',
} as const;

/** What those do who are not the partner, all with the second deal. */
export function faceExamples({
  second,
  file,
  upload,
  list,
  events,
}: Shown): Record<OtherFaces, Example> {
  const { partner_id, amount } = second;
  const ofDeal = { partner: 'acme', partner_id };
  const after = (change: Change) => changed(second, change, file);
  type More = Pick<Example, 'reason' | 'known'> & Partial<Pick<Example, 'body' | 'issue'>>;
  const common: Pick<Example, 'body' | 'issue'> = { body: {}, issue: emptyReason };
  const offer = (change: Change, more: More): Example => ({
    ...common,
    ...more,
    data: pick(offerView, { ...after(change), contractor_payments: [] }),
  });
  const operated = (change: Change, more: More): Example => ({
    ...common,
    parameters: ofDeal,
    ...more,
    data: pick(operatorView, after(change)),
  });
  const asked = requestOf(second);
  const paid: EmployerPayment = { ...asked, status: 'paid', reference: 'transfer-1' };
  const payout: ContractorPayment = {
    ...asked,
    id: '01KDVE0000000000000000000E',
    status: 'scheduled',
    stage_ids: second.stages.map(({ id }) => id),
  };
  const held = { paid: amount, held: amount, outstanding: '0.00', employer_payments: [paid] };
  const run: Example = { data: { done: 0, failed: 0, failures: [] }, issue: tooDeep };
  return {
    offerView: { data: pick(offerView, { ...second, contractor_payments: [] }) },
    offerListEvents: { ...events.timeLine, data: events.offered },
    offerAccept: offer(accepted, { known: over }),
    offerDecline: offer(
      { status: 'cancelled', freelancer_status: 'declined', stage: 'cancelled' },
      {
        body: { reason: 'No time before May.' },
        reason: 'work_delivered',
        known: { deal_status: 'delivered', freelancer_status: 'accepted', legal: ['dispute'] },
      },
    ),
    offerDeliver: offer(
      { ...accepted, status: 'delivered', stage: 'submitted', file: 'stored' },
      { body: { message: 'The first draft.' }, reason: 'no_files', known: over },
    ),
    offerDispute: offer(
      { ...accepted, status: 'disputed', stage: 'submitted', file: 'stored' },
      {
        body: { reason: 'Nobody answers.' },
        issue: noReason,
        reason: 'not_paid',
        known: offered,
      },
    ),
    offerUploadFile: upload,
    offerListFiles: { data: [file] },
    offerDownloadFile: { parameters: { file_id: file.id }, data: {} },
    operatorRetrieveDeal: { parameters: ofDeal, data: pick(operatorView, second) },
    operatorListDeals: { ...list, parameters: { partner: 'acme', ...list.parameters } },
    operatorListEvents: {
      ...events.feed,
      parameters: { partner: 'acme', ...events.feed.parameters },
    },
    operatorListDealEvents: {
      ...events.timeLine,
      parameters: { ...ofDeal, ...events.timeLine.parameters },
    },
    operatorInvite: operated({ freelancer_status: 'invited' }, { known: overForStaff }),
    operatorCancel: operated(
      {
        status: 'cancelled',
        freelancer_status: 'removed',
        stage: 'cancelled',
        billing: { outstanding: '0.00' },
      },
      {
        body: { reason: 'The employer is gone.' },
        issue: noReason,
        reason: 'payout_processing',
        known: overForStaff,
      },
    ),
    operatorResolve: operated(
      {
        ...approved,
        agreed_amount: '300.00',
        billing: {
          outstanding: '300.00',
          employer_payments: [{ ...asked, amount: '300.00' }],
        },
      },
      {
        body: { agreed_amount: '300.00', reason: 'Half of the work is done.' },
        issue: missing('agreed_amount'),
        reason: 'amount_out_of_bounds',
        known: ofStaff,
      },
    ),
    operatorRequestPayment: operated(
      {
        ...approved,
        billing: {
          employer_payments: [
            { ...asked, status: 'failed', reference: 'transfer-1' },
            { ...asked, id: '01KDVE0000000000000000000D' },
          ],
        },
      },
      { reason: 'nothing_outstanding', known: ofStaff },
    ),
    operatorRetryPayout: operated(
      {
        ...approved,
        billing: { ...held, contractor_payments: [{ ...payout, reference: 'payout-0' }] },
      },
      { reason: 'nothing_to_retry', known: disputed },
    ),
    operatorRetryRefund: operated(
      { billing: { ...held, employer_payments: [{ ...paid, reference: 'refund-1' }] } },
      { reason: 'nothing_to_retry', known: disputed },
    ),
    operatorRecordEmployerPayment: operated(
      { billing: held },
      {
        body: { status: 'paid', amount, reference: 'transfer-1' },
        issue: missing('status'),
        reason: 'amount_out_of_bounds',
      },
    ),
    operatorRecordContractorPayment: operated(
      {
        ...approved,
        status: 'completed',
        freelancer_status: 'finished',
        stage: 'paid',
        billing: {
          ...held,
          held: '0.00',
          released: amount,
          contractor_payments: [{ ...payout, status: 'paid', reference: 'payout-1' }],
        },
      },
      {
        body: { payment_id: payout.id, status: 'paid', amount, reference: 'payout-1' },
        issue: missing('payment_id'),
        reason: 'amount_out_of_bounds',
      },
    ),
    operatorRunTimers: run,
    operatorRunEffects: run,
    sandboxCommand: {
      ...common,
      parameters: { partner_id, actor: 'freelancer', command: 'accept' },
      known: over,
      data: after(accepted),
    },
    sandboxAdvanceClock: {
      body: { advance_seconds: 86_400 },
      data: { now: '2026-01-02T01:00:00.000Z', due_left: false },
      issue: missing('advance_seconds'),
    },
  };
}

/** What a view shows of a deal. */
function pick(shape: object, deal: object): object {
  return Object.fromEntries(Object.entries(deal).filter(([name]) => name in shape));
}
