import type { DealListQuery, PartnerApi } from 'dealwright';
import type { Route } from '../wire/route.js';
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

export const listMeanings: Partial<Record<keyof DealListQuery, string>> & Meanings = {
  page_size: 'How many deals a page has at most.',
  cursor: '`next` or `previous` of an earlier page of the same filter.',
  partner_id: 'Finds the one deal with this identifier.',
  email_freelancer: 'In any case of its letters.',
  created_from: 'Deals from this moment on (RFC 3339).',
  created_to: 'Deals before this moment (RFC 3339).',
};

export const commandMeanings: Meanings = {
  stage_id: 'Without it, every stage that the command is legal for.',
  reason: 'Goes into the event of the command.',
  message: 'Goes into the event of the command.',
};

interface Purpose {
  readonly summary: string;
  readonly description: string;
}

/** What a route is for. */
export function purposeOf({ operation, by }: Route): Purpose {
  const { summary, description } = purposes[operation as keyof PartnerApi];
  if (by !== 'partner_id_parameter') return { summary, description };
  return {
    summary: `${summary}, by its identifier as a parameter`,
    description: `${description} For any identifier: some (\`.\`, \`..\`, with a slash) do not survive every proxy in a path.`,
  };
}

const purposes: Readonly<Record<keyof PartnerApi, Purpose>> = {
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
  listEmployerDeals: {
    summary: "List the partner's deals",
    description:
      'Deals of both versions, newest first, page by page. Every deal that was there at the first page appears exactly once while others arrive.',
  },
  uploadWorkFile: {
    summary: 'Upload a work file',
    description:
      'Adds a file to a stage of a deal of either version: as JSON with the content in base64, or as a form, which is streamed and may be larger.',
  },
  listWorkFiles: {
    summary: 'List the work files',
    description: 'All files that were uploaded for a deal of either version.',
  },
  downloadWorkFile: {
    summary: 'Download a work file',
    description:
      'The content as it was uploaded. Ranges of bytes and `If-None-Match` are answered as HTTP says.',
  },
  invite: {
    summary: 'Invite the freelancer',
    description: 'Says that the freelancer was told of the deal.',
  },
  accept: {
    summary: 'Accept for the freelancer',
    description: 'For a deal of version 1.0, whose freelancer has no payment token.',
  },
  decline: {
    summary: 'Decline for the freelancer',
    description: 'For a deal of version 1.0, while nothing is paid and no work was delivered.',
  },
  cancel: {
    summary: 'Cancel a deal',
    description: 'While nothing is paid and no work was delivered.',
  },
  deliver: {
    summary: 'Deliver the work',
    description: 'Submits stages that have a file, for the freelancer.',
  },
  requestChanges: {
    summary: 'Request changes',
    description: 'Sends submitted stages back.',
  },
  approve: {
    summary: 'Approve the work',
    description: 'Approves submitted stages, which are then paid.',
  },
  dispute: {
    summary: 'Open a dispute',
    description: 'Stops everything until an operator resolves it.',
  },
  requestPayment: {
    summary: 'Request the payment again',
    description: 'Asks for what is due, after an earlier request has failed or expired.',
  },
};
