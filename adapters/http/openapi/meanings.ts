import type { DealListQuery } from 'dealwright';
import type { RouteName } from '../wire/routes.js';
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
  copyright_transfer: 'The kind of copyright transfer.',
  freelancer_language: 'The language for the freelancer.',
  stage_id: 'The stage that the file is for; may be left out where the deal has one stage.',
  content_type: 'What the content shows itself to be counts before it.',
} as const satisfies Meanings;

/** What the parameters of a list mean. */
export const listMeanings: Partial<Record<keyof DealListQuery, string>> & Meanings = {
  page_size: 'How many deals a page has at most.',
  cursor: '`next` or `previous` of an earlier page of the same filter.',
  partner_id: 'Finds the one deal with this identifier.',
  email_freelancer: 'In any case of its letters.',
  created_from: 'Deals from this moment on (RFC 3339).',
  created_to: 'Deals before this moment (RFC 3339).',
};

/** What each row of the table is for. */
export const purposes: Readonly<
  Record<RouteName, { readonly summary: string; readonly description: string }>
> = {
  registerContractor: {
    summary: 'Register a contractor',
    description: 'Registers a freelancer, who is known by the e-mail address from then on.',
  },
  createDeal: {
    summary: 'Create a deal',
    description: 'Registers a deal for a registered contractor and creates its stages.',
  },
  listCategories: {
    summary: 'List the categories',
    description: 'The main categories with their subcategories, named in the language of the call.',
  },
  retrieveDeal: {
    summary: 'Retrieve a deal',
    description: 'A deal of version 1.0 with its stages, their work files and its billing.',
  },
  uploadFile: {
    summary: 'Upload a work file',
    description:
      'Adds a file to a stage of a deal: as JSON with the content in base64, or as a form, which is streamed and may be larger.',
  },
  createDealV2: {
    summary: 'Create a deal',
    description:
      'Creates a deal for a freelancer, who need not be registered. The answer holds the payment token of the deal.',
  },
  listCategoryTree: {
    summary: 'List the category tree',
    description: 'The main categories with their subcategories, named in the language of the call.',
  },
  retrieveDealDetails: {
    summary: 'Retrieve the details of a deal',
    description:
      "A deal of either version by the partner's own identifier, percent-encoded. What version 1.0 has no field for is `null`.",
  },
  retrieveDealDetailsByParameter: {
    summary: 'Retrieve the details of a deal, its identifier as a parameter',
    description:
      'The same for any identifier: some (`.`, `..`, with a slash) do not survive every proxy in a path.',
  },
  listEmployerDeals: {
    summary: "List the partner's deals",
    description:
      'Deals of both versions, newest first, page by page. Every deal that was there at the first page appears exactly once while others arrive.',
  },
};
