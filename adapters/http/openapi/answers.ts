import type {
  Billing,
  BillingPayment,
  CategoryListEntry,
  ContractorRegistered,
  DealCreated,
  DealDetails,
  DealListItem,
  DealListPage,
  DealRetrieved,
  DealV2Created,
  Issue,
  StageRetrieved,
  StageStatus,
  WorkFile,
} from 'dealwright';
import type { FieldDescription, FieldDescriptions } from 'dealwright/fields';
import type { RouteName } from '../wire/routes.js';
import { answerMeanings } from './meanings.js';
import { objectOf, refTo, type Schema } from './schema.js';

/** Every member of an answer has its schema, or nothing compiles. */
type SchemasOf<T> = Record<keyof T, Schema>;

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const id: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const email: Schema = { type: 'string', format: 'email' };
const time: Schema = {
  type: 'string',
  format: 'date-time',
  description: answerMeanings.created_at,
};
/** The one canonical form (decision 1.4). */
const money: Schema = { type: 'string', pattern: '^-?(?:0|[1-9]\\d*)\\.\\d{2}$' };
const ulid: Schema = { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' };
const version: Schema = { type: 'string', enum: ['1.0', '2.0'] };
/** Decision 3. */
const paymentToken: Schema = {
  pattern: '^[A-Za-z0-9._~-]+$',
  minLength: 22,
  maxLength: 2048,
  description: answerMeanings.payment_token,
};

const listOf = (items: Schema): Schema => ({ type: 'array', items });

const stageStatuses: Readonly<Record<StageStatus, true>> = {
  pending: true,
  submitted: true,
  changes_requested: true,
  approved: true,
  paid: true,
  cancelled: true,
};

/** What `data` of a success is, route by route. */
export const dataOf: Readonly<Record<RouteName, Schema>> = {
  registerContractor: refTo('ContractorRegistered'),
  createDeal: refTo('DealCreated'),
  listCategories: listOf(refTo('Category')),
  retrieveDeal: refTo('DealRetrieved'),
  uploadFile: refTo('WorkFile'),
  createDealV2: refTo('DealV2Created'),
  listCategoryTree: listOf(refTo('Category')),
  retrieveDealDetails: refTo('DealDetails'),
  retrieveDealDetailsByParameter: refTo('DealDetails'),
  listEmployerDeals: refTo('DealListPage'),
};

/** The schemas of answers; the statuses are those that a list can be filtered by. */
export function answerSchemas({ deal_list }: FieldDescriptions): Readonly<Record<string, Schema>> {
  const statuses = {
    status: { type: 'string', enum: allowedOf(deal_list, 'status') },
    freelancer_status: { type: 'string', enum: allowedOf(deal_list, 'freelancer_status') },
  };
  const listed: SchemasOf<DealListItem> = {
    partner_id: text,
    api_version: version,
    id: { ...id, description: 'Of a deal of version 1.0 only.' },
    title: text,
    email_freelancer: email,
    amount: money,
    currency: text,
    ...statuses,
    created_at: time,
  };
  return {
    ContractorRegistered: objectOf<SchemasOf<ContractorRegistered>>({ contractor_email: email }),
    DealCreated: objectOf<SchemasOf<DealCreated>>({ id, stage_ids: listOf(id) }),
    DealV2Created: objectOf<SchemasOf<DealV2Created>>({
      payment_token: { type: 'string', ...paymentToken },
      ...statuses,
    }),
    Subcategory: objectOf<SchemasOf<CategoryListEntry['subcategories'][number]>>({
      id: integer,
      name: text,
    }),
    Category: objectOf<SchemasOf<CategoryListEntry>>({
      id: integer,
      name: text,
      subcategories: listOf(refTo('Subcategory')),
    }),
    BillingPayment: objectOf<SchemasOf<BillingPayment>>({ id: text, amount: money, status: text }),
    Billing: objectOf<SchemasOf<Billing>>({
      currency: text,
      amount: money,
      paid: money,
      refunded: money,
      released: money,
      outstanding: money,
      employer_payments: listOf(refTo('BillingPayment')),
      contractor_payments: listOf(refTo('BillingPayment')),
    }),
    WorkFile: objectOf<SchemasOf<WorkFile>>({
      id: ulid,
      stage_id: id,
      name: text,
      size: { type: 'integer', minimum: 0, description: answerMeanings.size },
      sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: answerMeanings.sha256 },
      content_type: text,
      uploaded_at: time,
    }),
    Stage: objectOf<SchemasOf<StageRetrieved>>({
      id,
      name: text,
      budget: money,
      work_days: integer,
      status: { type: 'string', enum: Object.keys(stageStatuses) },
      work_files: listOf(refTo('WorkFile')),
    }),
    DealRetrieved: objectOf<SchemasOf<DealRetrieved>>({
      id,
      partner_id: text,
      contractor_email: email,
      name: text,
      description: text,
      budget: money,
      currency: text,
      work_days: integer,
      sub_category_id: integer,
      status: statuses.status,
      stages: listOf(refTo('Stage')),
      billing: refTo('Billing'),
      created_at: time,
    }),
    DealDetails: objectOf<SchemasOf<DealDetails>>(
      {
        ...listed,
        description: text,
        subcategory_id: integer,
        copyright_transfer: { type: ['string', 'null'] },
        freelancer_language: { type: ['string', 'null'] },
        payment_token: { type: ['string', 'null'], ...paymentToken },
        billing: refTo('Billing'),
      },
      ['id'],
    ),
    DealListItem: objectOf(listed, ['id']),
    DealListPage: objectOf<SchemasOf<DealListPage>>({
      results: listOf(refTo('DealListItem')),
      next: { type: ['string', 'null'], description: 'The cursor of older deals.' },
      previous: { type: ['string', 'null'], description: 'The cursor of newer deals.' },
    }),
    Issue: {
      ...objectOf<SchemasOf<Issue>>({
        path: listOf(text),
        code: { type: 'string', pattern: '^[a-z0-9_]+$' },
        message: text,
        params: { type: 'object' },
      }),
      description:
        'One failing field: where, which rule, in words, and what was allowed. It never repeats the submitted value.',
    },
  };
}

function allowedOf(fields: readonly FieldDescription[], name: string): readonly string[] {
  const rules = fields.find((field) => field.name === name)?.rules ?? [];
  return rules.flatMap((rule) => (rule.code === 'not_allowed' ? rule.params.allowed : []));
}
