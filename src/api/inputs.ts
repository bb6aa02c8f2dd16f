import type { Language } from '../domain/input/messages.js';
import type { Alert } from '../domain/values/alert.js';
import type { DealStatus, FreelancerStatus } from '../domain/values/status.js';

/**
 * A contractor as a partner sends it (interface, Contractor 1.0).
 *
 * @example
 * ```ts
 * import type { ContractorInput } from 'dealwright';
 *
 * const input: ContractorInput = {
 *   email: 'user@example.com',
 *   name: 'Name',
 *   surname: 'Surname',
 *   country_code: 'AT',
 *   street: 'Street',
 *   postal_code: '5020',
 *   city: 'City',
 *   language: 'en',
 *   bank_account_currency: 'EUR',
 *   bank_account_iban: 'AT611904300234573201',
 * };
 * ```
 */
export type { Contractor as ContractorInput } from '../domain/deals/contractor.js';
export type { DealInput } from '../domain/deals/deal.js';
export type { DealV2Input } from '../domain/deals/deal-v2.js';
export type { EventPageQuery, EventQuery } from '../domain/events/event-query.js';
export type { WebhookInput } from '../domain/events/webhook-input.js';

/** A filter of deals, and the wanted page (decision 4). An absent member filters nothing. */
export interface DealListQuery {
  /** 1 to 100; default 20. */
  readonly page_size?: number;
  /** `next` or `previous` of an earlier page of the same filter. */
  readonly cursor?: string;
  readonly partner_id?: string;
  readonly status?: DealStatus;
  readonly freelancer_status?: FreelancerStatus;
  /** Only deals whose money needs the operator. */
  readonly attention?: 'true';
  /** In upper or lower case. */
  readonly email_freelancer?: string;
  /** RFC 3339, inclusive. */
  readonly created_from?: string;
  /** RFC 3339, exclusive. */
  readonly created_to?: string;
}

/**
 * A filter of the deals of all partners. They come newest first; but with `alert`, and with
 * `status` and `stuck_since`, those come first that have waited longest, and with a `status` and no
 * `partner`, those that got it last.
 */
export interface OperatorDealQuery extends DealListQuery {
  readonly partner?: string;
  /** Only deals that need the operator now for this reason. */
  readonly alert?: Alert;
  /** RFC 3339: only deals that have had their status (`status_since`) since before this. */
  readonly stuck_since?: string;
}

/** A search of the deals of all partners. */
export interface DealSearch {
  /**
   * 1 to 200 characters: an e-mail address, a `partner_id`, the beginning of a title, the id or the
   * reference of a payment, or the id of a work file.
   */
  readonly text: string;
  /** 1 to 100; default 20. */
  readonly page_size?: number;
}

/** Which deliveries of a webhook are sent again. */
export interface RedeliveryInput {
  /** RFC 3339: the deliveries that were made at this time or later. */
  readonly since: string;
  /** Only those that have failed for good, the default, or also those that arrived. */
  readonly which?: 'failed' | 'all';
  /** `next` of an earlier batch. */
  readonly cursor?: string;
}

/** The wanted page of a list. */
export interface DeliveryListQuery {
  /** 1 to 100; default 20. */
  readonly page_size?: number;
  /** `next` of an earlier page. */
  readonly cursor?: string;
}

/**
 * The content of a file: its bytes, or pieces of them in their order, or text in base64 (RFC 4648,
 * section 4, with padding).
 */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array> | string;

/** A deal by its id, which only deals of version 1.0 show, or by the partner's own identifier. */
export type DealReference = { readonly id: number } | { readonly partner_id: string };

/**
 * A file to be uploaded for a deal (interface, Upload a file for a deal; decision 4).
 */
export interface FileUpload {
  /**
   * Optional if the deal has one stage, besides cancelled stages and bonuses. A function is called
   * once the content was read: a form may name the stage after the file.
   */
  readonly stage_id?: number | (() => unknown);
  /** 1 to 255 characters. */
  readonly name: string;
  /** A media type; the type that the content itself shows takes precedence. */
  readonly content_type?: string;
  readonly content: FileContent;
}

/** The options of every call. */
export interface CallOptions {
  /**
   * 1 to 255 visible ASCII characters: the same key with the same input gets the first answer, so a
   * retry is safe (decision 2.7).
   */
  readonly idempotencyKey?: string;
  /** The language of messages; default English. */
  readonly language?: Language;
}

/** The options of a call that changes nothing. */
export type ReadOptions = Pick<CallOptions, 'language'>;
