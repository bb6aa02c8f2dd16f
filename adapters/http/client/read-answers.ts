import type {
  CategoryListEntry,
  ContractorRegistered,
  DealCreated,
  DealDetails,
  DealListPage,
  DealRetrieved,
  DealV2Created,
  WorkFile,
} from 'dealwright';

/**
 * The shape of an answer as data: each member by its name. It is held to the type that it stands
 * for, so that a member that is added to an answer is read too, or nothing compiles.
 */
export type Shape<T> = T extends readonly (infer Each)[]
  ? readonly [Shape<Each>]
  : [T] extends [string]
    ? 'text'
    : [T] extends [number]
      ? 'integer'
      : [T] extends [string | null]
        ? 'text or null'
        : {
            readonly [K in keyof T]-?: undefined extends T[K] ? 'integer or nothing' : Shape<T[K]>;
          };

type AnyShape = string | readonly unknown[] | object;

/**
 * What an answer says of a shape, or nothing where it is of another. Members that the interface
 * does not know are dropped. Statuses are any text: what a later version adds is passed on, so that
 * one deal in a state unheard of does not hide a whole list.
 */
export function readAs<T>(shape: Shape<T>, value: unknown): T | undefined {
  return read(shape as AnyShape, value) as T | undefined;
}

function read(shape: AnyShape, value: unknown): unknown {
  if (shape === 'integer') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof shape === 'string') return typeof value === 'string' ? value : undefined;
  if (Array.isArray(shape)) {
    const items = Array.isArray(value) ? value.map((each) => read(shape[0], each)) : [undefined];
    return items.includes(undefined) ? undefined : items;
  }
  const members = asMembers(value);
  const found: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(shape as Readonly<Record<string, AnyShape>>)) {
    const [kind, orElse] = typeof each === 'string' ? each.split(' or ') : [each];
    const given = members?.[name] ?? undefined;
    if (given === undefined && orElse !== undefined) {
      if (orElse === 'null') found[name] = null;
      continue;
    }
    found[name] = read(kind as AnyShape, given);
    if (found[name] === undefined) return undefined;
  }
  return members && found;
}

/** The members of a JSON object, or nothing where it is not one. */
export function asMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

const text = 'text';
const integer = 'integer';
const textOrNull = 'text or null';

const statuses = { status: text, freelancer_status: text } as const;
const payment = { id: text, amount: text, status: text } as const;
const billing = {
  currency: text,
  amount: text,
  paid: text,
  refunded: text,
  released: text,
  outstanding: text,
  employer_payments: [payment],
  contractor_payments: [payment],
} as const;

export const contractorRegistered: Shape<ContractorRegistered> = { contractor_email: text };

export const dealCreated: Shape<DealCreated> = { id: integer, stage_ids: [integer] };

export const dealV2Created: Shape<DealV2Created> = { payment_token: text, ...statuses };

const category = { id: integer, name: text } as const;

export const categories: Shape<readonly CategoryListEntry[]> = [
  { ...category, subcategories: [category] },
];

export const workFile: Shape<WorkFile> = {
  id: text,
  stage_id: integer,
  name: text,
  size: integer,
  sha256: text,
  content_type: text,
  uploaded_at: text,
};

export const dealRetrieved: Shape<DealRetrieved> = {
  id: integer,
  partner_id: text,
  contractor_email: text,
  name: text,
  description: text,
  budget: text,
  currency: text,
  work_days: integer,
  sub_category_id: integer,
  status: text,
  stages: [
    {
      id: integer,
      name: text,
      budget: text,
      work_days: integer,
      status: text,
      work_files: [workFile],
    },
  ],
  billing,
  created_at: text,
};

const item = {
  partner_id: text,
  api_version: text,
  id: 'integer or nothing',
  email_freelancer: text,
  title: text,
  amount: text,
  currency: text,
  ...statuses,
  created_at: text,
} as const;

export const dealDetails: Shape<DealDetails> = {
  ...item,
  description: text,
  subcategory_id: integer,
  copyright_transfer: textOrNull,
  freelancer_language: textOrNull,
  payment_token: textOrNull,
  billing,
};

export const dealListPage: Shape<DealListPage> = {
  results: [item],
  next: textOrNull,
  previous: textOrNull,
};
