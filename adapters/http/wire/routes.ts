import type { PartnerApi } from 'dealwright';
import { answers, dealDetails, dealTerms, dealV2Terms } from './answers.js';
import {
  contractorMembers,
  dealListMembers,
  deliveryListMembers,
  eventListMembers,
  eventPageMembers,
  fileMembers,
  remarks,
  stageRemarks,
  webhookMembers,
} from './members.js';
import { commandRow, listErrors, type Members, type Row, routesOf } from './route.js';
import type { AnyShape } from './shape.js';

const ofDeal = '/api/2.0/deal/{partner_id}/';
const byPartnerId = { by: 'partner_id' } as const;

/** A command of a partner. */
const command = (name: string, members: Members) =>
  ({ ...byPartnerId, ...commandRow(ofDeal, name, members, dealDetails) }) as const;

const ofWebhooks = '/api/2.0/webhook/';
const ofWebhook = `${ofWebhooks}{webhook_id}/`;

/** Not every host has webhooks. */
const ofHosts = ['not_found'] as const;

/** What a partner has done with an endpoint; it says nothing besides. */
const ofEndpoint = (name: string, answer: AnyShape) =>
  ({ path: `${ofWebhook}${name}/`, method: 'POST', input: 'nothing', answer }) as const;

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
    errors: listErrors,
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
  listEvents: {
    path: '/api/2.0/event/',
    input: 'query',
    answer: answers.listEvents,
    members: eventListMembers,
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
  createWebhook: {
    path: ofWebhooks,
    input: 'body',
    answer: answers.createWebhook,
    members: webhookMembers,
    keyed: false,
    errors: ofHosts,
  },
  listWebhooks: {
    path: ofWebhooks,
    input: 'nothing',
    answer: answers.listWebhooks,
    errors: ofHosts,
  },
  retrieveWebhook: { path: ofWebhook, input: 'nothing', answer: answers.retrieveWebhook },
  deleteWebhook: {
    path: ofWebhook,
    method: 'DELETE',
    input: 'nothing',
    answer: answers.deleteWebhook,
  },
  rotateWebhook: ofEndpoint('rotate', answers.rotateWebhook),
  enableWebhook: ofEndpoint('enable', answers.enableWebhook),
  testWebhook: ofEndpoint('test', answers.testWebhook),
  listDeliveries: {
    path: `${ofWebhook}delivery/`,
    input: 'query',
    answer: answers.listDeliveries,
    members: deliveryListMembers,
    errors: listErrors,
  },
  redeliver: ofEndpoint('delivery/{delivery_id}/redeliver', answers.redeliver),
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
