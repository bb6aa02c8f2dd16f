import type {
  FreelancerApi,
  FreelancerEvent,
  FreelancerEventsPage,
  FreelancerView,
} from 'dealwright';
import {
  acceptance,
  contractorPayment,
  dealStatuses,
  fileMembers,
  outlook,
  remarks,
  stage,
  stageRemarks,
  workFile,
} from './deals.js';
import { eventPageMembers } from './events.js';
import { promisesRow } from './promises.js';
import { commandRow, downloadRow, listErrors, type Members, type Row, routesOf } from './route.js';
import type { Shape } from './shape.js';
import { freelancerProposal, freelancerProposalsPage, proposalRows, termsReads } from './terms.js';

export const freelancerView: Shape<FreelancerView> = {
  title: 'text',
  description: 'text',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'copyright transfer or null',
  freelancer_language: 'freelancer language or null',
  ...dealStatuses,
  ...outlook,
  agreed_amount: 'money or null',
  created_at: 'time',
  gross: 'money',
  contractor_fee: 'money',
  terms_version: 'integer',
  terms_sha256: 'digest',
  proposal: [freelancerProposal, 'or null'],
  stages: [stage],
  contractor_payments: [contractorPayment],
  max_file_size: 'bytes',
};

export const freelancerEvent: Shape<FreelancerEvent> = {
  id: 'ulid',
  type: 'event type',
  at: 'time',
  actor: 'actor',
  data: 'event data',
};

export const freelancerEventsPage: Shape<FreelancerEventsPage> = {
  results: [freelancerEvent],
  next: 'cursor',
};

const offer = '/api/2.0/offer/';

const command = (name: string, members: Members) =>
  commandRow(offer, name, members, freelancerView);

const rows = {
  view: { path: offer, input: 'nothing', answer: freelancerView },
  listEvents: {
    path: `${offer}event/`,
    input: 'query',
    answer: freelancerEventsPage,
    members: eventPageMembers,
    errors: listErrors,
  },
  accept: command('accept', acceptance),
  decline: command('decline', remarks),
  deliver: command('deliver', { ...stageRemarks, ...acceptance }),
  dispute: command('dispute', remarks),
  ...proposalRows(offer, freelancerProposal),
  ...termsReads(offer, freelancerProposal, freelancerProposalsPage),
  uploadFile: {
    path: `${offer}file/`,
    input: 'file',
    answer: workFile,
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  listFiles: { path: `${offer}file/`, input: 'nothing', answer: [workFile] },
  downloadFile: downloadRow(offer),
  retrievePromises: promisesRow,
} as const satisfies { readonly [K in keyof FreelancerApi]: Row };

/** The routes of the bearer of a payment token. */
export const freelancerRoutes = /* @__PURE__ */ routesOf<keyof FreelancerApi>('freelancer', rows);
