import type { PartnerApi } from 'dealwright';
import { answers, dealDetails, dealTerms, dealV2Terms } from './answers.js';
import {
  contractorMembers,
  dealListMembers,
  fileMembers,
  remarks,
  stageRemarks,
} from './members.js';
import { commandRow, type Members, type Row, routesOf } from './route.js';

const ofDeal = '/api/2.0/deal/{partner_id}/';
const byPartnerId = { by: 'partner_id' } as const;

/** A command of a partner. */
const command = (name: string, members: Members) =>
  ({ ...byPartnerId, ...commandRow(ofDeal, name, members, dealDetails) }) as const;

const rows = {
  registerContractor: {
    path: '/api/1.0/contractor/',
    input: 'body',
    answer: answers.registerContractor,
    members: contractorMembers,
    errors: ['contractor_exists'],
  },
  createDeal: {
    path: '/api/1.0/deal/',
    input: 'body',
    answer: answers.createDeal,
    members: dealTerms,
    errors: ['deal_exists'],
  },
  listCategories: {
    path: '/api/1.0/category/',
    input: 'nothing',
    answer: answers.listCategories,
  },
  retrieveDeal: {
    path: '/api/1.0/deal/{id}/',
    by: 'id',
    input: 'nothing',
    answer: answers.retrieveDeal,
  },
  uploadFile: {
    path: '/api/1.0/deal/{id}/file/',
    by: 'id',
    input: 'file',
    answer: answers.uploadFile,
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  createDealV2: {
    path: '/api/2.0/deal/',
    input: 'body',
    answer: answers.createDealV2,
    members: dealV2Terms,
    errors: ['deal_exists'],
  },
  listCategoryTree: {
    path: '/api/2.0/category/',
    input: 'nothing',
    answer: answers.listCategoryTree,
  },
  retrieveDealDetails: { ...byPartnerId, path: ofDeal, input: 'nothing', answer: dealDetails },
  listEmployerDeals: {
    path: '/api/2.0/deal/',
    input: 'query',
    answer: answers.listEmployerDeals,
    members: dealListMembers,
    errors: ['validation_failed', 'invalid_cursor'],
  },
  uploadWorkFile: {
    ...byPartnerId,
    path: `${ofDeal}file/`,
    input: 'file',
    answer: answers.uploadWorkFile,
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  listWorkFiles: {
    ...byPartnerId,
    path: `${ofDeal}file/`,
    input: 'nothing',
    answer: answers.listWorkFiles,
  },
  downloadWorkFile: {
    ...byPartnerId,
    path: `${ofDeal}file/{file_id}/`,
    input: 'nothing',
    answer: 'file',
    errors: ['range_not_satisfiable'],
  },
  invite: command('invite', remarks),
  accept: command('accept', remarks),
  decline: command('decline', remarks),
  cancel: command('cancel', remarks),
  deliver: command('deliver', stageRemarks),
  requestChanges: command('request-changes', stageRemarks),
  approve: command('approve', stageRemarks),
  dispute: command('dispute', remarks),
  requestPayment: command('request-payment', remarks),
} as const satisfies { readonly [K in keyof PartnerApi]: Row };

/** What a partner can do: the router, the OpenAPI document, the client and the tests are made from it. */
export const routes = routesOf<keyof PartnerApi>('partner', rows);
