import type { FreelancerApi } from 'dealwright';
import { workFile } from './answers.js';
import { offerEventsPage, offerView } from './face-answers.js';
import { eventPageMembers, fileMembers, remarks, stageRemarks } from './members.js';
import { commandRow, listErrors, type Members, type Row, routesOf } from './route.js';

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
export const offerRoutes = routesOf<keyof FreelancerApi>('freelancer', rows);
