import { type Money, parseMoney } from 'dealwright';
import type {
  Contractor,
  Deal,
  DealListEntry,
  DealV2,
  DomainEvent,
  ListedDeal,
  Stage,
  StoredDeal,
  Versioned,
} from 'dealwright/ports';

/**
 * Databases answer each record as one JSON text, whose members are the columns by their own names:
 * numbers beyond 2^31, decimals and times then come out of every driver alike. Money is text.
 */
type Written<T> = {
  readonly [K in keyof T]: T[K] extends Money
    ? string
    : T[K] extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : T[K];
};

type WrittenDeal =
  | (Written<Deal> & { readonly api_version: '1.0'; readonly version: number })
  | (Written<DealV2> & { readonly api_version: '2.0'; readonly version: number });

/** A deal of either version, with its stages and their files. */
export function storedDealOf(text: string): StoredDeal {
  const written = JSON.parse(text) as WrittenDeal;
  return written.api_version === '1.0'
    ? { api_version: '1.0', value: dealOf(written), version: written.version }
    : { api_version: '2.0', value: dealV2Of(written), version: written.version };
}

function dealOf(written: Written<Deal>): Deal {
  return {
    id: written.id,
    partner_id: written.partner_id,
    contractor_email: written.contractor_email,
    name: written.name,
    description: written.description,
    budget: moneyOf(written.budget),
    currency: written.currency,
    work_days: written.work_days,
    sub_category_id: written.sub_category_id,
    status: written.status,
    freelancer_status: written.freelancer_status,
    created_at: written.created_at,
    stages: written.stages.map(stageOf),
  };
}

function stageOf(written: Written<Stage>): Stage {
  return {
    id: written.id,
    name: written.name,
    budget: moneyOf(written.budget),
    work_days: written.work_days,
    status: written.status,
    work_files: written.work_files,
  };
}

function dealV2Of(written: Written<DealV2>): DealV2 {
  return {
    partner_id: written.partner_id,
    email_freelancer: written.email_freelancer,
    title: written.title,
    description: written.description,
    subcategory_id: written.subcategory_id,
    amount: moneyOf(written.amount),
    currency: written.currency,
    copyright_transfer: written.copyright_transfer,
    freelancer_language: written.freelancer_language,
    payment_token: written.payment_token,
    status: written.status,
    freelancer_status: written.freelancer_status,
    created_at: written.created_at,
  };
}

/** A line of a list; `id` is null or absent where the deal is of version 2.0. */
export function listedDealOf(text: string): ListedDeal {
  const written = JSON.parse(text) as WrittenEntry;
  const { id, created_at } = written;
  // by name: a rest or a spread of it takes several times as long
  const entry = {
    partner_id: written.partner_id,
    api_version: written.api_version,
    title: written.title,
    email_freelancer: written.email_freelancer,
    amount: moneyOf(written.amount),
    currency: written.currency,
    status: written.status,
    freelancer_status: written.freelancer_status,
    created_at,
  };
  const position = { created_at, event_id: written.event_id };
  return { entry: typeof id === 'number' ? Object.assign(entry, { id }) : entry, position };
}

type WrittenEntry = Omit<Written<DealListEntry>, 'id'> & {
  readonly id?: number | null;
  readonly event_id: string;
};

/** A contractor; what is null is absent. */
export function contractorOf(text: string): Versioned<Contractor> {
  const { version, ...columns } = JSON.parse(text) as Contractor & { readonly version: number };
  const given = Object.entries(columns).filter(([, value]) => value !== null);
  return { value: Object.fromEntries(given) as typeof columns, version };
}

/** An event, whose columns have the names of its members. */
export function eventOf(text: string): DomainEvent {
  return JSON.parse(text) as DomainEvent;
}

function moneyOf(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error('the database holds an amount that is no decimal');
  return amount;
}
