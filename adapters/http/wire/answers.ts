import type {
  Billing,
  CategoryListEntry,
  ContractorPayment,
  DealDetails,
  DealInput,
  DealListItem,
  DealV2Input,
  EmployerPayment,
  OperatorView,
  PartnerApi,
  PartnerCommands,
  ShownStage,
  WorkFile,
} from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { deliveriesPage, delivery, eventsPage, webhook, webhookCreated } from './event-answers.js';
import { type AnyShape, isList, type Kind, type Shape } from './shape.js';

/** The terms of a 1.0 deal: the members of its body, as it is answered with them. */
export const dealTerms = {
  partner_id: 'text',
  contractor_email: 'email',
  name: 'text',
  description: 'text',
  budget: 'money',
  currency: 'text',
  work_days: 'integer',
  sub_category_id: 'integer',
} as const satisfies Record<keyof DealInput, Kind>;

/** The terms of a 2.0 deal: the members of its body, as its details are answered with them. */
export const dealV2Terms = {
  partner_id: 'text',
  email_freelancer: 'email',
  title: 'text',
  description: 'text',
  subcategory_id: 'integer',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'copyright transfer or null',
  freelancer_language: 'freelancer language or null',
} as const satisfies Record<keyof DealV2Input, Kind>;

export const dealStatuses = {
  status: 'deal status',
  freelancer_status: 'freelancer status',
} as const;

const payment = {
  id: 'ulid',
  amount: 'money',
  currency: 'text',
  reference: 'text or null',
  requested_at: 'time',
  updated_at: 'time',
} as const;

export const employerPayment: Shape<EmployerPayment> = {
  ...payment,
  status: 'employer payment status',
};

export const contractorPayment: Shape<ContractorPayment> = {
  ...payment,
  status: 'contractor payment status',
  stage_ids: ['id'],
};

export const billing: Shape<Billing> = {
  currency: 'text',
  amount: 'money',
  paid: 'money',
  refunded: 'money',
  released: 'money',
  outstanding: 'money',
  held: 'money',
  fees: 'money',
  charged_back: 'money',
  loss: 'money',
  employer_payments: [employerPayment],
  contractor_payments: [contractorPayment],
};

export const subcategory: Shape<CategoryListEntry['subcategories'][number]> = {
  id: 'integer',
  name: 'text',
};

export const category: Shape<CategoryListEntry> = { ...subcategory, subcategories: [subcategory] };

/** Says whether an answer has words in the language of the call. */
export function isCategories(answer: AnyShape): boolean {
  return isList(answer) && answer[0] === category;
}

export const workFile: Shape<WorkFile> = {
  id: 'ulid',
  stage_id: 'id',
  name: 'text',
  size: 'bytes',
  sha256: 'sha256',
  content_type: 'text',
  uploaded_at: 'time',
  status: 'file status',
  by: 'file side or null',
};

export const stage: Shape<ShownStage> = {
  id: 'id',
  name: 'text',
  budget: 'money',
  work_days: 'integer or null',
  status: 'stage status',
  agreed_amount: 'money or null',
  work_files: [workFile],
};

export const dealListItem: Shape<DealListItem> = {
  partner_id: 'text',
  api_version: 'version',
  id: 'deal id or nothing',
  title: 'text',
  email_freelancer: 'email',
  amount: 'money',
  currency: 'text',
  ...dealStatuses,
  created_at: 'time',
};

type Commands = PartnerCommands<DealDetails, never>;

export type AnswerOf<K extends keyof PartnerApi> =
  ReturnType<PartnerApi[K]> extends ResultAsync<infer T, unknown> ? T : never;

export const operatorView: Shape<OperatorView> = {
  attention: ['attention'],
  ...dealListItem,
  ...dealV2Terms,
  agreed_amount: 'money or null',
  stages: [stage],
  billing,
};

export const dealDetails: Shape<DealDetails> = {
  ...operatorView,
  payment_token: 'payment token or null',
};

/** What `data` of a success is, of each operation of a partner that has an answer of its own. */
export const answers: {
  readonly [K in Exclude<keyof PartnerApi, keyof Commands | 'downloadWorkFile'>]: Shape<
    AnswerOf<K>
  >;
} = {
  registerContractor: { contractor_email: 'email' },
  createDeal: { id: 'id', stage_ids: ['id'] },
  createDealV2: { payment_token: 'payment token', ...dealStatuses },
  listCategories: [category],
  listCategoryTree: [category],
  retrieveDeal: {
    id: 'id',
    ...dealTerms,
    status: 'deal status',
    agreed_amount: 'money or null',
    stages: [stage],
    billing,
    created_at: 'time',
  },
  uploadFile: workFile,
  retrieveDealDetails: dealDetails,
  listEmployerDeals: {
    results: [dealListItem],
    next: 'older cursor or null',
    previous: 'newer cursor or null',
  },
  uploadWorkFile: workFile,
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
};
