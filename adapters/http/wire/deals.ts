import type {
  Billing,
  CategoryListEntry,
  ContractorPayment,
  DealDetails,
  DealInput,
  DealListItem,
  DealListPage,
  DealListQuery,
  DealV2Input,
  EmployerPayment,
  FileUpload,
  OfferAcceptance,
  OfStage,
  OperatorBilling,
  OperatorDetails,
  OperatorView,
  Outlook,
  Remarks,
  ShownStage,
  WaitingEffect,
  WorkFile,
} from 'dealwright';
import type { MembersOf } from './route.js';
import { type AnyShape, isList, type Kind, type Shape } from './shape.js';
import { proposal } from './terms.js';

/** The terms of a 1.0 deal: the members of its body and of its answer. */
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

/** The terms of a 2.0 deal: the members of its body and of its details. */
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
  reason: 'wait reason or null',
};

export const contractorPayment: Shape<ContractorPayment> = {
  ...payment,
  status: 'contractor payment status',
  waits_for: 'wait reason or null',
  reason: 'wait reason or null',
  released: 'money',
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
  employer_fee: 'money',
  total: 'money',
  charged_back: 'money',
  loss: 'money',
  written_off: 'money',
  employer_payments: [employerPayment],
  contractor_payments: [contractorPayment],
};

export const operatorBilling: Shape<OperatorBilling> = {
  ...billing,
  contractor_fee: 'money',
  net: 'money',
};

export const subcategory: Shape<CategoryListEntry['subcategories'][number]> = {
  id: 'integer',
  name: 'text',
};

export const category: Shape<CategoryListEntry> = { ...subcategory, subcategories: [subcategory] };

/** Says whether an answer has texts in the language of the call. */
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
  by: 'side or null',
};

export const stage: Shape<ShownStage> = {
  id: 'id',
  name: 'text',
  budget: 'money',
  work_days: 'integer or null',
  status: 'stage status',
  agreed_amount: 'money or null',
  due_on: 'date or null',
  due_at: 'time or null',
  review_ends_at: 'time or null',
  work_files: [workFile],
};

/** What every view of a deal tells besides its records. */
export const outlook: Shape<Outlook> = {
  legal: ['text'],
  legal_proposals: ['text'],
  expires_at: 'time or null',
  partner_name: 'text or null',
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

export const operatorView: Shape<OperatorView> = {
  attention: ['attention'],
  ...dealListItem,
  ...dealV2Terms,
  ...outlook,
  agreed_amount: 'money or null',
  terms_version: 'integer',
  terms_sha256: 'digest or null',
  proposal: [proposal, 'or null'],
  stages: [stage],
  billing: operatorBilling,
};

export const dealDetails: Shape<DealDetails> = {
  ...operatorView,
  billing,
  payment_token: 'payment token or null',
};

export const waitingEffect: Shape<WaitingEffect> = {
  id: 'ulid',
  kind: 'effect kind',
  payment_id: 'ulid',
  amount: 'money',
  remaining: 'money',
  status: 'effect status',
  attempts: 'integer',
  outcome: 'effect outcome or null',
  waits_for: 'wait reason or null',
  next_attempt_at: 'time or null',
};

export const operatorDetails: Shape<OperatorDetails> = {
  ...operatorView,
  effects: [waitingEffect],
};

/** A page of the deals of a partner. */
export const dealListPage: Shape<DealListPage> = {
  results: [dealListItem],
  next: 'older cursor or null',
  previous: 'newer cursor or null',
};

export const dealListMembers: MembersOf<DealListQuery> = {
  page_size: true,
  cursor: true,
  partner_id: true,
  status: true,
  freelancer_status: true,
  attention: true,
  email_freelancer: true,
  created_from: true,
  created_to: true,
};

export const fileMembers: MembersOf<FileUpload> = {
  stage_id: true,
  name: true,
  content_type: true,
  content: true,
};

export const remarks: MembersOf<Remarks> = { reason: true, message: true };

export const stageRemarks: MembersOf<OfStage> = { stage_id: true, ...remarks };

export const acceptance: MembersOf<OfferAcceptance> = { terms_sha256: true, ...remarks };
