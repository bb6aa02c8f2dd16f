import type { DealListQuery } from 'dealwright';
import type { Meanings } from './schema.js';

/** What the fields of the interface mean, where their names leave a question. */
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
  stage_id: 'The stage that the file is for; may be left out where the deal has one stage.',
  content_type: 'What the content shows itself to be counts before it.',
} as const satisfies Meanings;

export const listMeanings: Partial<Record<keyof DealListQuery, string>> & Meanings = {
  partner: 'Whose deals they are.',
  page_size: 'How many deals a page has at most.',
  cursor: '`next` or `previous` of an earlier page of the same filter.',
  partner_id: 'Finds the one deal with this identifier.',
  email_freelancer: 'In any case of its letters.',
  created_from: 'Deals from this moment on (RFC 3339).',
  created_to: 'Deals before this moment (RFC 3339).',
};

export const eventMeanings: Meanings = {
  partner: 'Whose events they are.',
  after:
    '`next` of an earlier page; without it, from the first event on. `end` is the end of a feed.',
  page_size: 'How many events a page has at most.',
  type: 'Types of events, with commas between; every type without it.',
};

export const deliveryMeanings: Meanings = {
  page_size: 'How many deliveries a page has at most.',
  cursor: '`next` of an earlier page.',
};

export const webhookMeanings: Meanings = {
  url: 'Where events are posted to: `https`, or in the sandbox also `http`.',
  types: 'The types of events that are sent; every type without it, or where it is empty.',
  ordered: 'Whether later events of a subject wait for the earlier ones.',
};

/** What the parts of paths mean. */
export const pathMeanings: Meanings = {
  id: 'The id that the creation of the deal was answered with.',
  partner_id: meanings.partner_id,
  file_id: 'The id that the upload of the file was answered with.',
  webhook_id: 'The id that the creation of the endpoint was answered with.',
  delivery_id: 'The id of the delivery in the list of deliveries.',
  partner: 'Whose deal it is.',
  actor: 'Whose command it is.',
  command: 'One of the commands of the actor.',
};

export const commandMeanings: Meanings = {
  stage_id: 'Without it, every stage that the command is legal for.',
  reason: 'Goes into the event of the command.',
  message: 'Goes into the event of the command.',
  agreed_amount: 'What the freelancer gets, from zero up to the cost of the open stages.',
  payment_id: 'The payment that it is about.',
  status: 'What became of the payment.',
  amount: 'By default what was asked for.',
  reference: "The provider's own name for what happened: each is recorded once.",
  advance_seconds: 'How far the time moves.',
};
