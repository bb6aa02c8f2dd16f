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

/** What a text is. The client reads any text as it is; the document says more of each kind. */
export type TextKind =
  | 'text'
  | 'email'
  | 'money'
  | 'time'
  | 'ulid'
  | 'sha256'
  | 'version'
  | 'copyright transfer'
  | 'freelancer language'
  | 'deal status'
  | 'freelancer status'
  | 'stage status'
  | 'file status'
  | 'employer payment status'
  | 'contractor payment status'
  | 'payment token'
  | 'older cursor'
  | 'newer cursor';

/** What an integer is; `bytes` is a size, and only a deal of version 1.0 shows its `deal id`. */
export const integerKinds = ['integer', 'id', 'deal id', 'bytes'] as const;

export type IntegerKind = (typeof integerKinds)[number];

type Kind =
  | TextKind
  | IntegerKind
  /** A member that is always there. */
  | `${TextKind} or null`
  | `${IntegerKind} or null`
  /** One that may be left out. */
  | `${IntegerKind} or nothing`;

/**
 * The shape of an answer as data: each member by its name. The compiler compares it with the type of
 * the answer, so that a member that is added to one is read and documented too, and a record shows
 * nothing that is not listed here.
 */
export type Shape<T> = [T] extends [readonly (infer Each)[]]
  ? readonly [Shape<Each>]
  : [T] extends [string]
    ? TextKind
    : [T] extends [number]
      ? IntegerKind
      : [T] extends [string | null]
        ? `${TextKind} or null`
        : [T] extends [number | null]
          ? `${IntegerKind} or null`
          : {
              readonly [K in keyof T]-?: undefined extends T[K]
                ? `${IntegerKind} or nothing`
                : Shape<T[K]>;
            };

export type AnyShape = Kind | readonly [AnyShape] | { readonly [name: string]: AnyShape };

/** Says whether a shape is that of a list, which holds the shape of each item. */
export function isList(shape: AnyShape): shape is readonly [AnyShape] {
  return Array.isArray(shape);
}

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
};
