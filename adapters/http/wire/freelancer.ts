import type { FreelancerApi, OfferEvent, OfferEventsPage, OfferView } from 'dealwright';
import {
  contractorPayment,
  dealStatuses,
  fileMembers,
  remarks,
  stage,
  stageRemarks,
  workFile,
} from './deals.js';
import { eventPageMembers } from './events.js';
import { commandRow, listErrors, type Members, type Row, routesOf } from './route.js';
import type { Shape } from './shape.js';

export const offerView: Shape<OfferView> = {
  title: 'text',
  description: 'text',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'copyright transfer or null',
  ...dealStatuses,
  agreed_amount: 'money or null',
  created_at: 'time',
  stages: [stage],
  contractor_payments: [contractorPayment],
};

export const offerEvent: Shape<OfferEvent> = {
  id: 'ulid',
  type: 'event type',
  at: 'time',
  actor: 'actor',
  data: 'event data',
};

export const offerEventsPage: Shape<OfferEventsPage> = { results: [offerEvent], next: 'cursor' };

const offer = '/api/2.0/offer/';

const command = (name: string, members: Members) => commandRow(offer, name, members, offerView);

const rows = {
  view: { path: offer, input: 'nothing', answer: offerView },
  listEvents: {
    path: `${offer}event/`,
    input: 'query',
    answer: offerEventsPage,
    members: eventPageMembers,
    errors: listErrors,
  },
  accept: command('accept', remarks),
  decline: command('decline', remarks),
  deliver: command('deliver', stageRemarks),
  dispute: command('dispute', remarks),
  uploadFile: {
    path: `${offer}file/`,
    input: 'file',
    answer: workFile,
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  listFiles: { path: `${offer}file/`, input: 'nothing', answer: [workFile] },
  downloadFile: {
    path: `${offer}file/{file_id}/`,
    input: 'nothing',
    answer: 'file',
    errors: ['range_not_satisfiable'],
  },
} as const satisfies { readonly [K in keyof FreelancerApi]: Row };

/** What the bearer of a payment token can do. */
export const freelancerRoutes = /* @__PURE__ */ routesOf<keyof FreelancerApi>('freelancer', rows);
