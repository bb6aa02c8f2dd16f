import type { DealListQuery } from 'dealwright';
import { baseNameOf, type OperationName } from '../wire/all-routes.js';
import type { Route } from '../wire/route.js';
import type { Meanings } from './schema.js';

interface Purpose {
  readonly summary: string;
  readonly description: string;
}

/** What a route is for; the commands of a host's own life cycle say no more than their names. */
export function purposeOf(route: Route): Purpose {
  const { [baseNameOf(route) as OperationName]: purpose = ownPurpose(route) } = purposes;
  if (route.by !== 'partner_id_parameter') return purpose;
  const { summary, description } = purpose;
  return {
    summary: `${summary}, by its identifier as a parameter`,
    description: `${description} For any identifier: some (\`.\`, \`..\`, with a slash) do not survive every proxy in a path.`,
  };
}

const ownPurpose = ({ command }: Route): Purpose => ({
  summary: `Give the command ${command}`,
  description: 'A command that this service adds to the life cycle of deals.',
});

const download =
  'The content as it was uploaded. Ranges of bytes and `If-None-Match` are answered as HTTP says.';

const purposes: Readonly<Record<OperationName, Purpose>> = {
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
  listDeals: {
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
  downloadWorkFile: { summary: 'Download a work file', description: download },
  listEvents: {
    summary: 'Read the feed of events',
    description:
      'What has happened to all deals, contractors and webhooks, the oldest event first. `next` is always a cursor to go on from; with a filter a page may be short, or empty, while `next` moves on.',
  },
  listDealEvents: {
    summary: 'Read the time line of a deal',
    description: 'What has happened to a deal of either version, the oldest event first.',
  },
  createWebhook: {
    summary: 'Add a webhook',
    description:
      'Events are posted to its URL from now on, signed by the Standard Webhooks specification. The answer shows the signing secret, once. A service without webhooks answers 404.',
  },
  listWebhooks: { summary: 'List the webhooks', description: 'The oldest first.' },
  retrieveWebhook: {
    summary: 'Retrieve a webhook',
    description: 'Without its signing secret, which is shown once.',
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description: 'Nothing is posted to it any more. The answer is the webhook as it was.',
  },
  rotateWebhook: {
    summary: 'Give a webhook another signing secret',
    description: 'The answer shows it, once. The one before is good for 24 hours.',
  },
  enableWebhook: {
    summary: 'Enable a webhook again',
    description: 'After it was disabled: what happened meanwhile is posted, too.',
  },
  testWebhook: {
    summary: 'Send a test to a webhook',
    description: 'Posts `webhook.test` now, once. The answer says what came of it.',
  },
  listDeliveries: {
    summary: 'List the deliveries of a webhook',
    description: 'The newest first, each with its attempts.',
  },
  redeliver: {
    summary: 'Deliver an event again',
    description: 'From the first attempt on. A test cannot be delivered again.',
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
  freelancerView: {
    summary: 'See the offer',
    description:
      "The deal as its freelancer sees it: the amount less the contractor's fee, the stages, the files and the freelancer's own payments.",
  },
  freelancerListEvents: {
    summary: 'Read the time line of the offer',
    description:
      "What has happened to the deal, the oldest event first, without the employer's money. A page may have fewer events than there are to go on from.",
  },
  freelancerAccept: { summary: 'Accept the offer', description: 'The freelancer takes the deal.' },
  freelancerDecline: {
    summary: 'Decline the offer',
    description: 'While nothing is paid and no work was delivered.',
  },
  freelancerDeliver: {
    summary: 'Deliver the work',
    description: 'Submits stages that have a file; an offer that is still open counts as accepted.',
  },
  freelancerDispute: {
    summary: 'Open a dispute',
    description: 'Stops everything until an operator resolves it.',
  },
  freelancerUploadFile: {
    summary: 'Upload a work file',
    description:
      'Adds a file to a stage of the deal: as JSON with the content in base64, or as a form, which is streamed and may be larger.',
  },
  freelancerListFiles: {
    summary: 'List the work files',
    description: 'All files that were uploaded for the deal.',
  },
  freelancerDownloadFile: { summary: 'Download a work file', description: download },
  operatorRetrieveDeal: {
    summary: 'Retrieve a deal of a partner',
    description: 'A deal of either version, without its payment token.',
  },
  operatorListDeals: {
    summary: 'List the deals of a partner',
    description: 'Deals of both versions, newest first, page by page.',
  },
  operatorListEvents: {
    summary: 'Read the feed of a partner',
    description: 'What has happened to all that the partner has, the oldest event first.',
  },
  operatorListDealEvents: {
    summary: 'Read the time line of a deal of a partner',
    description: 'What has happened to a deal of either version, the oldest event first.',
  },
  operatorInvite: {
    summary: 'Invite the freelancer',
    description: 'Says that the freelancer was told of the deal.',
  },
  operatorCancel: {
    summary: 'Cancel a deal',
    description: 'Ends a deal that has not ended; what is held is refunded.',
  },
  operatorResolve: {
    summary: 'Resolve a dispute',
    description: 'Approves open stages, in order, up to the agreed amount, and cancels the rest.',
  },
  operatorRequestPayment: {
    summary: 'Request the payment again',
    description: 'Asks for what is due, after an earlier request has failed or expired.',
  },
  operatorRetryPayout: {
    summary: 'Retry payouts',
    description: 'Sends payouts again that have failed or came back: one, or all of them.',
  },
  operatorRetryRefund: {
    summary: 'Retry refunds',
    description: 'Asks anew for refunds that have failed: those of one payment, or all of them.',
  },
  operatorRecordEmployerPayment: {
    summary: 'Record a payment of the employer',
    description:
      'Says what became of a payment. `paid` without `payment_id` makes a payment of its own.',
  },
  operatorRecordContractorPayment: {
    summary: 'Record a payment to the contractor',
    description: 'Says what became of a payout.',
  },
  operatorRunTimers: {
    summary: 'Give the commands of the clock',
    description: 'Gives every deal the commands that are due by now.',
  },
  operatorRunEffects: {
    summary: 'Execute what is due outside',
    description: 'Asks for payments, pays out and refunds, as far as that is due.',
  },
  sandboxCommand: {
    summary: 'Give the command of any actor',
    description: 'The state of the deal and the guards of the command count as ever.',
  },
  sandboxAdvanceClock: {
    summary: 'Move the time forward',
    description:
      'Moves the time of this partner alone, and gives the commands of the clock that are due then.',
  },
};

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
  webhook_id: 'The id that the creation of the webhook was answered with.',
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
