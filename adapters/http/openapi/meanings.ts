import type { DealListQuery } from 'dealwright';
import type { Meanings } from './schema.js';

/** Descriptions of the fields of the interface whose names are not enough. */
export const meanings = {
  partner_id: "The deal's identifier in the partner's own system, unique across both versions.",
  contractor_email: 'The e-mail address of a registered contractor.',
  email_freelancer: 'The freelancer to whom the deal is addressed; need not be registered.',
  country_code: 'ISO 3166-1 alpha-2, or XK.',
  language: 'The language of the contractor.',
  bank_account_currency: 'An ISO 4217 code in use.',
  bank_account_iban: 'ISO 13616.',
  bank_account_bic: 'ISO 9362.',
  pesel: 'Polish tax number of a person.',
  nip: 'Polish tax number of a company.',
  budget: 'The invoice amount.',
  amount: 'The amount of the deal.',
  currency: 'The currency of the deal.',
  work_days: 'The number of days of work.',
  sub_category_id: 'The id of a subcategory of the category tree.',
  subcategory_id: 'The id of a subcategory of the category tree.',
  stage_id:
    'The stage that the file is for; may be left out if the deal has only one, besides cancelled stages and bonuses.',
  content_type: 'A type that the content itself shows takes precedence.',
} as const satisfies Meanings;

export const listMeanings: Partial<Record<keyof DealListQuery, string>> & Meanings = {
  partner: 'The partner of the deals; without it, those of all partners.',
  alert: 'Deals that need the operator now for this reason.',
  stuck_since: 'Deals that have had their status since before this moment (RFC 3339).',
  page_size: 'How many deals a page has at most.',
  cursor: '`next` or `previous` of an earlier page with the same filter.',
  partner_id: 'Finds the one deal with this identifier.',
  email_freelancer: 'The e-mail address of the freelancer, in any letter case.',
  created_from: 'Deals from this moment on (RFC 3339).',
  created_to: 'Deals before this moment (RFC 3339).',
};

export const eventMeanings: Meanings = {
  partner: 'The partner of the events.',
  after:
    '`next` of an earlier page; without it, from the first event on. `end` means the end of the feed.',
  page_size: 'How many events a page has at most.',
  type: 'Types of events, separated by commas; without it, every type.',
};

export const pageMeanings: Meanings = {
  page_size: 'The most entries of a page.',
  cursor: 'The cursor of another page, which an earlier page gave.',
};

export const searchMeanings: Meanings = {
  text: 'The text to search for.',
  page_size: 'The most deals of the answer.',
};

export const redeliveryMeanings: Meanings = {
  since: 'Deliveries that were made from this moment on (RFC 3339).',
  which: 'Those that have failed, or also those that arrived.',
  cursor: '`next` of an earlier call with the same members.',
};

export const webhookMeanings: Meanings = {
  url: 'The URL that events are posted to: `https`, or in the sandbox also `http`.',
  types: 'The types of events that are sent; every type without it, or if it is empty.',
  ordered: 'Whether later events of a subject wait for the earlier ones.',
};

export const proposalMeanings: Meanings = {
  message: 'Goes into the event.',
  amount: 'The sum of the stages that are not cancelled.',
  stages: 'Every stage that is to remain: one that is left out is cancelled.',
  id: 'The stage that is kept.',
  agreed_amount: 'The amount for the freelancer, from zero up to the cost of the open stages.',
  terms_sha256: 'That of the proposal: every acceptance is of exactly its terms.',
};

/** Descriptions of the parts of paths. */
export const pathMeanings: Meanings = {
  id: 'The id from the answer to the creation of the deal.',
  partner_id: meanings.partner_id,
  file_id: 'The id from the answer to the upload of the file.',
  proposal_id: 'The id from the answer to the proposal.',
  webhook_id: 'The id from the answer to the creation of the webhook.',
  delivery_id: 'The id of the delivery in the list of deliveries.',
  report_id: 'The id of the report in the list of those that match no payment.',
  partner: 'The partner of the deal, of the webhooks, or of the report.',
  actor: 'The actor of the command.',
  command: 'One of the commands of the actor.',
  decision: 'What the actor does with the proposal.',
};

export const commandMeanings: Meanings = {
  stage_id: 'The stage; without it, every stage for which the command is legal.',
  reason: 'Goes into the event of the command.',
  message: 'Goes into the event of the command.',
  agreed_amount: 'The amount for the freelancer, from zero up to the cost of the open stages.',
  payment_id: 'The id of the payment.',
  terms_sha256: 'The hash of the terms that are accepted; required once they were changed.',
  status: 'The outcome of the payment.',
  amount: 'The amount of the bonus; of a report, by default the requested amount.',
  reference: "The provider's own reference of the report: each is recorded once.",
  advance_seconds: 'The seconds by which the time moves.',
};
