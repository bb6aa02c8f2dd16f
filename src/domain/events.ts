import type { Contractor } from './contractor.js';
import type { Deal, DealTerms } from './deal.js';
import type { DealV2Terms } from './deal-v2.js';
import { emailKey } from './email.js';
import { formatMoney } from './money.js';
import type { Environment, Tenant } from './tenant.js';
import type { WorkFile } from './work-file.js';

/**
 * What each kind of event tells. No payment token, bank account or tax number is ever among it.
 */
export interface EventData {
  readonly 'contractor.registered': {
    readonly contractor_email: string;
    readonly country_code: string;
    readonly language: string;
  };
  readonly 'deal.created':
    | {
        readonly api_version: '1.0';
        readonly partner_id: string;
        readonly contractor_email: string;
        readonly name: string;
        readonly budget: string;
        readonly currency: string;
        readonly work_days: number;
        readonly sub_category_id: number;
      }
    | {
        readonly api_version: '2.0';
        readonly partner_id: string;
        readonly email_freelancer: string;
        readonly title: string;
        readonly amount: string;
        readonly currency: string;
        readonly subcategory_id: number;
      };
  readonly 'work_file.stored': {
    readonly partner_id: string;
    readonly stage_id: number;
    readonly work_file_id: string;
    readonly name: string;
    readonly size: number;
    readonly sha256: string;
    readonly content_type: string;
  };
}

/**
 * The kinds of events.
 */
export type EventType = keyof EventData;

/**
 * A change of state that happened: stored in the same atomic write as the change itself
 * (decision 7).
 */
export type DomainEvent = {
  readonly [T in EventType]: {
    /** ULID; the first event of a write identifies the attempt that made it. */
    readonly id: string;
    readonly type: T;
    readonly environment: Environment;
    readonly partner: string;
    /** `deal:<partner_id>` or `contractor:<lower-cased e-mail>`. */
    readonly subject: string;
    /** Per subject, from 1, without gaps. */
    readonly sequence: number;
    /** RFC 3339, UTC, milliseconds. */
    readonly at: string;
    readonly data: EventData[T];
  };
}[EventType];

/** What makes an event this one: who, when, and under which id. */
export interface EventOrigin {
  readonly tenant: Tenant;
  readonly id: string;
  readonly at: string;
}

/** The event of a new contractor, which belongs to the partner that registered it. */
export function contractorRegistered(origin: EventOrigin, contractor: Contractor): DomainEvent {
  const { email, country_code, language } = contractor;
  return {
    id: origin.id,
    type: 'contractor.registered',
    environment: origin.tenant.environment,
    partner: origin.tenant.partner,
    subject: `contractor:${emailKey(email)}`,
    sequence: 1,
    at: origin.at,
    data: { contractor_email: email, country_code, language },
  };
}

/** The event of a new deal of version 1.0. */
export function dealCreated(origin: EventOrigin, deal: DealTerms): DomainEvent {
  return firstOfDeal(origin, {
    api_version: '1.0',
    partner_id: deal.partner_id,
    contractor_email: deal.contractor_email,
    name: deal.name,
    budget: formatMoney(deal.budget),
    currency: deal.currency,
    work_days: deal.work_days,
    sub_category_id: deal.sub_category_id,
  });
}

/** The event of a new deal of version 2.0. */
export function dealV2Created(origin: EventOrigin, deal: DealV2Terms): DomainEvent {
  return firstOfDeal(origin, {
    api_version: '2.0',
    partner_id: deal.partner_id,
    email_freelancer: deal.email_freelancer,
    title: deal.title,
    amount: formatMoney(deal.amount),
    currency: deal.currency,
    subcategory_id: deal.subcategory_id,
  });
}

/** The event of a file that was uploaded for a stage of a deal; `sequence` is its place among the deal's. */
export function workFileStored(
  origin: EventOrigin,
  { partner_id }: Deal,
  { id, stage_id, name, size, sha256, content_type }: WorkFile,
  sequence: number,
): DomainEvent {
  return {
    id: origin.id,
    type: 'work_file.stored',
    environment: origin.tenant.environment,
    partner: origin.tenant.partner,
    subject: `deal:${partner_id}`,
    sequence,
    at: origin.at,
    data: { partner_id, stage_id, work_file_id: id, name, size, sha256, content_type },
  };
}

function firstOfDeal(origin: EventOrigin, data: EventData['deal.created']): DomainEvent {
  return {
    id: origin.id,
    type: 'deal.created',
    environment: origin.tenant.environment,
    partner: origin.tenant.partner,
    subject: `deal:${data.partner_id}`,
    sequence: 1,
    at: origin.at,
    data,
  };
}
