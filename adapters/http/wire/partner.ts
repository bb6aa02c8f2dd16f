import type {
  ApiToken,
  ContractorInput,
  DealDeliveriesPage,
  DealDetails,
  DeliveriesPage,
  Delivery,
  DeliveryListQuery,
  FailedDeliveriesPage,
  PartnerApi,
  PartnerCommands,
  PartnerTerms,
  Redelivered,
  RedeliveryInput,
  Webhook,
  WebhookCreated,
  WebhookDelivery,
  WebhookInput,
} from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import {
  acceptance,
  billing,
  category,
  dealDetails,
  dealListMembers,
  dealListPage,
  dealStatuses,
  dealTerms,
  dealV2Terms,
  fileMembers,
  outlook,
  remarks,
  stage,
  stageRemarks,
  workFile,
} from './deals.js';
import { eventListMembers, eventPageMembers, eventsPage } from './events.js';
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
import type { AnyShape, Shape } from './shape.js';
import { bonusMembers, proposal, proposalRows, proposalsPage, termsReads } from './terms.js';

export const contractorMembers: MembersOf<ContractorInput> = {
  email: true,
  name: true,
  surname: true,
  country_code: true,
  street: true,
  house_no: true,
  apartment_no: true,
  postal_code: true,
  city: true,
  language: true,
  bank_account_currency: true,
  bank_account_iban: true,
  bank_account_bic: true,
  pesel: true,
  nip: true,
  tax_id: true,
};

export const deliveryListMembers: MembersOf<DeliveryListQuery> = { page_size: true, cursor: true };

export const webhookMembers: MembersOf<WebhookInput> = { url: true, types: true, ordered: true };

export const webhook: Shape<Webhook> = {
  id: 'ulid',
  url: 'text',
  types: ['event type'],
  ordered: 'boolean',
  status: 'webhook status',
  disabled_reason: 'disabled reason or null',
  created_at: 'time',
};

export const webhookCreated: Shape<WebhookCreated> = { ...webhook, secret: 'signing secret' };

export const deliveryAttempt: Shape<Delivery['attempts'][number]> = {
  at: 'time',
  status_code: 'integer or null',
  error: 'text or null',
  response: 'text or null',
};

export const delivery: Shape<Delivery> = {
  id: 'ulid',
  event_id: 'ulid',
  type: 'event type',
  status: 'delivery status',
  attempts: [deliveryAttempt],
  next_attempt_at: 'time or null',
};

export const deliveriesPage: Shape<DeliveriesPage> = {
  results: [delivery],
  next: 'older delivery or null',
};

export const webhookDelivery: Shape<WebhookDelivery> = { webhook_id: 'ulid', ...delivery };

export const failedDeliveriesPage: Shape<FailedDeliveriesPage> = {
  results: [webhookDelivery],
  next: 'page cursor or null',
};

export const dealDeliveriesPage: Shape<DealDeliveriesPage> = {
  results: [webhookDelivery],
  next: 'older delivery or null',
};

export const redelivered: Shape<Redelivered> = { count: 'integer', next: 'older delivery or null' };

export const redeliveryMembers: MembersOf<RedeliveryInput> = {
  since: true,
  which: true,
  cursor: true,
};

export const apiToken: Shape<ApiToken> = {
  name: 'text',
  start: 'text or null',
  created_at: 'time or null',
  last_used_at: 'time or null',
};

type Commands = PartnerCommands<DealDetails, never>;

type AnswerOf<K extends keyof PartnerApi> =
  ReturnType<PartnerApi[K]> extends ResultAsync<infer T, unknown> ? T : never;

/** The shape of `data` in a success, for each operation of a partner with an answer of its own. */
export const answers: {
  readonly [K in Exclude<
    keyof PartnerApi,
    keyof Commands | keyof PartnerTerms<never> | 'downloadWorkFile'
  >]: Shape<AnswerOf<K>>;
} = {
  registerContractor: { contractor_email: 'email' },
  createDeal: { id: 'id', stage_ids: ['id'] },
  createDealV2: { payment_token: 'payment token', ...dealStatuses },
  listCategories: [category],
  retrieveDeal: {
    id: 'id',
    ...dealTerms,
    status: 'deal status',
    agreed_amount: 'money or null',
    stages: [stage],
    billing,
    created_at: 'time',
    ...outlook,
  },
  uploadFile: workFile,
  retrieveDealDetails: dealDetails,
  listDeals: dealListPage,
  listWorkFiles: [workFile],
  listEvents: eventsPage,
  listDealEvents: eventsPage,
  createWebhook: webhookCreated,
  listWebhooks: [webhook],
  retrieveWebhook: webhook,
  deleteWebhook: webhook,
  rotateWebhook: webhookCreated,
  enableWebhook: webhook,
  testWebhook: delivery,
  listDeliveries: deliveriesPage,
  redeliver: delivery,
  redeliverAll: redelivered,
  listFailedDeliveries: failedDeliveriesPage,
  listDealDeliveries: dealDeliveriesPage,
  listTokens: [apiToken],
  retrievePromises: promisesRow.answer,
};

const ofDeal = '/api/2.0/deal/{partner_id}/';

/** A command of a partner. */
const command = (name: string, members: Members) => commandRow(ofDeal, name, members, dealDetails);

const ofWebhooks = '/api/2.0/webhook/';
const ofWebhook = `${ofWebhooks}{webhook_id}/`;

/** Not every host has webhooks, or lists tokens. */
const ofHosts = ['not_found'] as const;

/** An action on a webhook below a place, without a body. */
const onWebhook = (place: string, name: string, answer: AnyShape) =>
  ({ path: `${place}${name}/`, method: 'POST', input: 'nothing', answer }) as const;

/** The routes for webhooks and API tokens of a partner and of its operator, below a place. */
export function integrationRows(place: string) {
  const all = `${place}webhook/`;
  const one = `${all}{webhook_id}/`;
  return {
    listTokens: {
      path: `${place}token/`,
      input: 'nothing',
      answer: answers.listTokens,
      errors: ofHosts,
    },
    listWebhooks: {
      path: all,
      input: 'nothing',
      answer: answers.listWebhooks,
      errors: ofHosts,
    },
    enableWebhook: onWebhook(one, 'enable', answers.enableWebhook),
    listDeliveries: {
      path: `${one}delivery/`,
      input: 'query',
      answer: answers.listDeliveries,
      members: deliveryListMembers,
      errors: listErrors,
    },
    redeliver: onWebhook(one, 'delivery/{delivery_id}/redeliver', answers.redeliver),
    redeliverAll: {
      path: `${one}redeliver/`,
      input: 'command',
      answer: answers.redeliverAll,
      members: redeliveryMembers,
      keyed: false,
      errors: ['invalid_cursor'],
    },
    listFailedDeliveries: {
      path: `${place}failed-delivery/`,
      input: 'query',
      answer: answers.listFailedDeliveries,
      members: deliveryListMembers,
      errors: [...listErrors, ...ofHosts],
    },
    listDealDeliveries: {
      path: `${place}deal/{partner_id}/delivery/`,
      input: 'query',
      answer: answers.listDealDeliveries,
      members: deliveryListMembers,
      errors: listErrors,
    },
  } as const;
}

/** The routes of a partner: an upload and the categories have one in each version. */
export type PartnerRoute = keyof PartnerApi | 'uploadWorkFile' | 'listCategoryTree';

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
    input: 'nothing',
    answer: answers.retrieveDeal,
  },
  uploadFile: {
    path: '/api/1.0/deal/{id}/file/',
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
    operation: 'listCategories',
    isOfEither: true,
    path: '/api/2.0/category/',
    input: 'nothing',
    answer: answers.listCategories,
  },
  retrievePromises: promisesRow,
  retrieveDealDetails: { path: ofDeal, input: 'nothing', answer: dealDetails },
  listDeals: {
    path: '/api/2.0/deal/',
    input: 'query',
    answer: answers.listDeals,
    members: dealListMembers,
    errors: listErrors,
  },
  uploadWorkFile: {
    operation: 'uploadFile',
    path: `${ofDeal}file/`,
    input: 'file',
    answer: answers.uploadFile,
    members: fileMembers,
    errors: ['precondition_failed'],
  },
  listWorkFiles: {
    path: `${ofDeal}file/`,
    input: 'nothing',
    answer: answers.listWorkFiles,
  },
  downloadWorkFile: downloadRow(ofDeal),
  listEvents: {
    path: '/api/2.0/event/',
    input: 'query',
    answer: answers.listEvents,
    members: eventListMembers,
    errors: listErrors,
  },
  listDealEvents: {
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
  retrieveWebhook: { path: ofWebhook, input: 'nothing', answer: answers.retrieveWebhook },
  deleteWebhook: {
    path: ofWebhook,
    method: 'DELETE',
    input: 'nothing',
    answer: answers.deleteWebhook,
  },
  rotateWebhook: onWebhook(ofWebhook, 'rotate', answers.rotateWebhook),
  testWebhook: onWebhook(ofWebhook, 'test', answers.testWebhook),
  ...integrationRows('/api/2.0/'),
  invite: command('invite', remarks),
  accept: command('accept', acceptance),
  decline: command('decline', remarks),
  cancel: command('cancel', remarks),
  deliver: command('deliver', { ...stageRemarks, ...acceptance }),
  requestChanges: command('request-changes', stageRemarks),
  approve: command('approve', stageRemarks),
  dispute: command('dispute', remarks),
  requestPayment: command('request-payment', remarks),
  addBonus: command('add-bonus', bonusMembers),
  ...proposalRows(ofDeal, proposal),
  ...termsReads(ofDeal, proposal, proposalsPage),
} as const satisfies { readonly [K in PartnerRoute]: Row };

/** The routes of a partner: router, OpenAPI document, client and tests are made from them. */
export const partnerRoutes = /* @__PURE__ */ routesOf<PartnerRoute>('partner', rows);
