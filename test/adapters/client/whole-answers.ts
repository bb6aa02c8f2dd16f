import type { PartnerApi } from 'dealwright';
import { commands, proposing } from './service.js';

const at = '2026-01-01T00:00:00.000Z';
const payment = {
  id: 'p',
  amount: '1.00',
  currency: 'EUR',
  reference: null,
  requested_at: at,
  updated_at: at,
};
const billing = {
  currency: 'EUR',
  amount: '1.00',
  paid: '0.00',
  refunded: '0.00',
  released: '0.00',
  outstanding: '1.00',
  held: '0.00',
  fees: '0.00',
  employer_fee: '0.00',
  total: '1.00',
  charged_back: '0.00',
  loss: '0.00',
  employer_payments: [{ ...payment, status: 'requested' }],
  contractor_payments: [{ ...payment, status: 'scheduled', stage_ids: [2] }],
};
const outlook = { legal: ['c'], legal_proposals: ['p'], expires_at: at, partner_name: null };
const item = {
  partner_id: 'p',
  api_version: '2.0',
  title: 't',
  email_freelancer: 'a@b',
  amount: '1.00',
  currency: 'EUR',
  status: 'unheard_of',
  freelancer_status: 'toString',
  created_at: '2026-01-01T00:00:00.000Z',
};
const file = {
  id: 'f',
  stage_id: 2,
  name: 'n',
  size: 0,
  sha256: 's',
  content_type: 'a/b',
  uploaded_at: '2026-01-01T00:00:00.000Z',
  status: 's',
  by: null,
};
const stage = {
  id: 2,
  name: 'n',
  budget: '1.00',
  work_days: null,
  status: 's',
  agreed_amount: null,
  due_on: '2026-01-31',
  review_ends_at: at,
  work_files: [file],
};
const terms = {
  version: 2,
  title: 't',
  description: 'd',
  amount: '1.00',
  currency: 'EUR',
  copyright_transfer: null,
  stages: [{ id: null, name: 'n', budget: '1.00', work_days: null }],
  agreed_amount: '1.00',
};
const proposal = {
  id: 'p',
  kind: 'unheard_of',
  by: 'partner',
  status: 's',
  // the changes of any kind
  changes: {},
  terms,
  terms_sha256: 's',
  message: null,
  supersedes: null,
  created_at: at,
  expires_at: at,
  decided_at: null,
};
const version = {
  terms_version: 2,
  terms,
  terms_sha256: 's',
  kind: 'unheard_of',
  proposal_id: null,
  proposed_by: 'partner',
  accepted_by: null,
  at,
};
const tree = [{ id: 1, name: 'n', subcategories: [{ id: 2, name: 'm' }] }];
const details = {
  ...item,
  ...outlook,
  id: 7,
  description: 'd',
  subcategory_id: 75,
  copyright_transfer: null,
  freelancer_language: 'pl',
  payment_token: null,
  agreed_amount: null,
  terms_version: 2,
  terms_sha256: null,
  proposal,
  stages: [stage],
  billing,
  attention: ['a'],
};
const event = {
  id: 'e',
  type: 'unheard.of',
  environment: 'sandbox',
  partner: 'p',
  subject: 'deal:p',
  sequence: 1,
  at,
  actor: 'partner',
  cause: null,
  // the data of any type
  data: {},
};
const feed = { results: [event], next: '1' };
const webhook = {
  id: 'w',
  url: 'https://a.example',
  types: ['unheard.of'],
  ordered: true,
  status: 'enabled',
  disabled_reason: null,
  created_at: at,
};
const delivery = {
  id: 'd',
  event_id: 'e',
  type: 'unheard.of',
  status: 'pending',
  attempts: [{ at, status_code: null, error: 'timeout', response: null }],
  next_attempt_at: at,
};
/** The full answer of each operation. */
export const answers: Readonly<
  Record<Exclude<keyof PartnerApi | 'uploadWorkFile', 'downloadWorkFile'>, object>
> = {
  registerContractor: { contractor_email: 'a@b' },
  createDeal: { id: 1, stage_ids: [2] },
  createDealV2: { payment_token: 'p', status: 'created', freelancer_status: 'new' },
  listCategories: tree,
  retrieveDeal: {
    id: 1,
    partner_id: 'p',
    contractor_email: 'a@b',
    name: 'n',
    description: 'd',
    budget: '1.00',
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
    status: 's',
    agreed_amount: null,
    stages: [stage],
    billing,
    created_at: '2026-01-01T00:00:00.000Z',
    ...outlook,
  },
  uploadFile: file,
  retrieveDealDetails: details,
  uploadWorkFile: file,
  listWorkFiles: [file],
  ...(Object.fromEntries(commands.map((name) => [name, details])) as Record<
    (typeof commands)[number],
    object
  >),
  ...(Object.fromEntries(
    [...proposing, 'retrieveProposal'].map((name) => [name, proposal]),
  ) as Record<(typeof proposing)[number] | 'retrieveProposal', object>),
  listProposals: { results: [proposal], next: null, previous: 'n' },
  listTerms: { results: [version], next: 'n', previous: null },
  listEvents: feed,
  listDealEvents: feed,
  createWebhook: { ...webhook, secret: 's' },
  listWebhooks: [webhook],
  retrieveWebhook: webhook,
  deleteWebhook: webhook,
  rotateWebhook: { ...webhook, secret: 's' },
  enableWebhook: webhook,
  testWebhook: delivery,
  listDeliveries: { results: [delivery], next: null },
  redeliver: delivery,
  redeliverAll: { count: 3, next: null },
  listFailedDeliveries: { results: [{ ...delivery, webhook_id: 'w' }], next: 'n' },
  listDealDeliveries: { results: [{ ...delivery, webhook_id: 'w' }], next: 'n' },
  listTokens: [{ name: 'n', start: 'dw_5f0c9', created_at: 'c', last_used_at: 'l' }],
  listDeals: { results: [item, { ...item, id: 7 }], next: 'n', previous: null },
};
