import type {
  Billing,
  CategoryListEntry,
  ContractorInput,
  DealDetails,
  DealInput,
  DealListItem,
  DealV2Input,
  Issue,
  PartnerApi,
  ValueSets,
  WorkFile,
} from 'dealwright';
import { baseNameOf, type OperationName } from '../wire/all-routes.js';
import type { AnswerOf } from '../wire/answers.js';
import type { Face, Route } from '../wire/route.js';
import { type CommandExamples, commandExamples } from './command-examples.js';
import { eventExamples, eventPages } from './event-examples.js';
import type { Example } from './example.js';
import { faceExamples } from './face-examples.js';

const contractor = {
  email: 'user@example.com',
  name: 'Name',
  surname: 'Surname',
  country_code: 'AT',
  street: 'Street',
  house_no: '50',
  apartment_no: '5',
  postal_code: '5020',
  city: 'City',
  language: 'en',
  bank_account_currency: 'EUR',
  bank_account_iban: 'AT611904300234573201',
  bank_account_bic: 'SANTATWWXXX',
  tax_id: '22-345/6781',
} satisfies ContractorInput;

const deal = {
  partner_id: 'unique-ID-of-deal',
  contractor_email: 'user@example.com',
  name: 'Deal name',
  description: 'Deal description',
  budget: '1000.00',
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
} satisfies DealInput;

const partner_id = 'unique-ID-of-deal-2';
const statuses = { freelancer_status: 'new', status: 'created' } as const;
const payment_token = 'Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG';
const created_at = '2026-01-01T00:00:00.000Z';
const created_later = '2026-01-01T01:00:00.000Z';

/** The example of each row; its answer is one of the operation. */
type Examples = CommandExamples &
  Readonly<Record<Exclude<OperationName, keyof CommandExamples>, Example>> & {
    readonly [K in Exclude<keyof PartnerApi, keyof CommandExamples | 'downloadWorkFile'>]: {
      readonly data: AnswerOf<K>;
    };
  };

/** The examples of the document; the first values of the sets are those that the host has. */
export function examplesFor(sets: ValueSets): Examples {
  const dealV2 = {
    partner_id,
    email_freelancer: 'freelancer@example.com',
    title: 'Deal title',
    description: 'Deal description',
    subcategory_id: 75,
    amount: '500.00',
    currency: 'PLN',
    copyright_transfer: sets.copyright_transfer[0] ?? '',
    freelancer_language: sets.freelancer_language[0] ?? '',
  } satisfies DealV2Input;
  const details: DealDetails = {
    ...dealV2,
    ...statuses,
    api_version: '2.0',
    payment_token,
    agreed_amount: null,
    stages: [
      {
        id: 4,
        name: dealV2.title,
        budget: dealV2.amount,
        work_days: null,
        status: 'pending',
        agreed_amount: null,
        work_files: [],
      },
    ],
    billing: unpaid(dealV2.currency, dealV2.amount),
    attention: [],
    created_at: created_later,
  };
  const stage = {
    id: 2,
    name: deal.name,
    budget: deal.budget,
    work_days: deal.work_days,
    status: 'pending',
    agreed_amount: null,
    work_files: [],
  } as const;
  const { contractor_email: _, ...ofDeal } = deal;
  const detailsV1: DealDetails = {
    ...listed,
    description: deal.description,
    subcategory_id: deal.sub_category_id,
    copyright_transfer: null,
    freelancer_language: null,
    payment_token: null,
    agreed_amount: null,
    stages: [stage],
    billing: unpaid(deal.currency, deal.budget),
    attention: [],
  };
  const list = {
    parameters: { page_size: 2, status: 'created' },
    data: { results: [listedV2(dealV2), listed], next: null, previous: null },
    issue: {
      path: ['page_size'],
      code: 'out_of_range',
      message: 'must be between 1 and 100',
      params: { min: 1, max: 100 },
    } as const,
  };
  const events = eventPages({ deal, dealV2, created_at, created_later, issue: list.issue });
  return {
    registerContractor: {
      body: contractor,
      data: { contractor_email: contractor.email },
      issue: required('email'),
    },
    createDeal: {
      body: deal,
      data: { id: 1, stage_ids: [2] },
      issue: required('partner_id'),
    },
    listCategories: { data: categories },
    retrieveDeal: {
      parameters: { id: 1 },
      data: {
        id: 1,
        contractor_email: contractor.email,
        ...ofDeal,
        status: 'created',
        agreed_amount: null,
        stages: [stage],
        billing: unpaid(deal.currency, deal.budget),
        created_at,
      },
    },
    uploadFile: {
      parameters: { id: 1 },
      body: { stage_id: 2, name, content_type, content },
      form: { stage_id: 2, file: 'Once upon a time' },
      data: workFile,
      issue: required('name'),
      reason: 'stage_closed',
    },
    createDealV2: {
      body: dealV2,
      data: { payment_token, ...statuses },
      issue: required('partner_id'),
    },
    listCategoryTree: { data: categories },
    retrieveDealDetails: { parameters: { partner_id }, data: details },
    listEmployerDeals: list,
    uploadWorkFile: { parameters: { partner_id }, ...upload },
    listWorkFiles: { parameters: { partner_id }, data: [workFileV2] },
    downloadWorkFile: { parameters: { partner_id, file_id: workFile.id }, data: {} },
    ...eventExamples(partner_id, events, required('url')),
    ...commandExamples({ first: detailsV1, second: details, file: workFileV2 }),
    ...faceExamples({
      second: details,
      file: workFileV2,
      upload: uploadOfFreelancer,
      list,
      events,
    }),
  };
}

/** What the commands of a host's own life cycle are shown like. */
const places: Readonly<Record<Face, Exclude<OperationName, keyof CommandExamples>>> = {
  partner: 'retrieveDealDetails',
  freelancer: 'offerView',
  operator: 'operatorRetrieveDeal',
  sandbox: 'sandboxCommand',
};

/** The example of a route. */
export function exampleFor(route: Route, examples: Examples): Example {
  const { [baseNameOf(route) as OperationName]: example } = examples as Partial<Examples>;
  return example ?? { ...examples[places[route.face]], body: { reason: 'So it is.' } };
}

const [name, content_type, content] = ['draft.txt', 'text/plain', 'T25jZSB1cG9uIGEgdGltZQ=='];
const workFile: WorkFile = {
  id: '01KDVE0000000000000000000B',
  stage_id: 2,
  name,
  size: 16,
  sha256: 'e286222c229ec73b1bc520d88583191572ae0cbbaa66ea68053994a5e50ac87a',
  content_type,
  uploaded_at: created_at,
  by: 'partner',
  status: 'stored',
};
const workFileV2: WorkFile = { ...workFile, stage_id: 4, uploaded_at: created_later };

const upload = {
  body: { name, content_type, content },
  form: { file: 'Once upon a time' },
  data: workFileV2,
  issue: required('name'),
  reason: 'stage_closed',
} as const;
const uploadOfFreelancer = { ...upload, data: { ...workFileV2, by: 'freelancer' } } as const;

const categories: readonly CategoryListEntry[] = [
  { id: 7, name: 'Texts', subcategories: [{ id: 75, name: 'Copywriting' }] },
];

const listed: DealListItem = {
  partner_id: deal.partner_id,
  api_version: '1.0',
  id: 1,
  title: deal.name,
  email_freelancer: deal.contractor_email,
  amount: deal.budget,
  currency: deal.currency,
  ...statuses,
  created_at,
};

function listedV2({ title, email_freelancer, amount, currency }: DealV2Input): DealListItem {
  return {
    partner_id,
    api_version: '2.0',
    title,
    email_freelancer,
    amount,
    currency,
    ...statuses,
    created_at: created_later,
  };
}

function required(field: string): Issue {
  return { path: [field], code: 'required', message: 'is required', params: {} };
}

function unpaid(currency: string, amount: string): Billing {
  return {
    currency,
    amount,
    paid: '0.00',
    refunded: '0.00',
    released: '0.00',
    outstanding: amount,
    held: '0.00',
    fees: '0.00',
    charged_back: '0.00',
    loss: '0.00',
    employer_payments: [],
    contractor_payments: [],
  };
}
