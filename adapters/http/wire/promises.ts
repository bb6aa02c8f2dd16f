import type { ServicePromises } from 'dealwright';
import type { Route } from './route.js';
import type { Shape } from './shape.js';

const servicePromises: Shape<ServicePromises> = {
  versions: ['version'],
  environment: 'environment',
  mode: 'payment mode',
  profile: 'text',
  contractor_scope: 'contractor scope',
  copyright_transfer: ['copyright transfer'],
  freelancer_language: ['freelancer language'],
  currencies: [['text'], 'or nothing'],
  max_file_size: 'bytes',
  max_body_size: 'bytes',
  max_description: 'integer',
  takes_fees: 'boolean',
  splits_deals: 'boolean',
  expires_v1_deals: 'boolean',
  default_work_days: 'integer',
  proposal_days: 'integer',
  expiry_notice_days: 'integer',
  review_notice_days: 'integer',
  key_days: 'integer',
  accepts_bearer: 'boolean',
  allows_any_origin: 'boolean',
};

/** The row of what a service promises: every face has it at the same path (decision 11.5). */
export const promisesRow = {
  path: '/api/2.0/',
  isOfEither: true,
  input: 'nothing',
  answer: servicePromises,
  // an earlier service does not have it
  errors: ['not_found'],
} as const;

/** Says whether a route takes the credentials of every face. */
export const isForEveryFace = ({ path }: Pick<Route, 'path'>) => path === promisesRow.path;
