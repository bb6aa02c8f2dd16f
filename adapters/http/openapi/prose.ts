import { baseNameOf, type OperationName } from '../wire/all-routes.js';
import { type Face, type Route, routeName } from '../wire/route.js';

interface Purpose {
  readonly summary: string;
  readonly description: string;
}

/** The purpose of a route; for a command of a host's own life cycle, only its name is known. */
export function purposeOf(route: Route): Purpose {
  const { [baseNameOf(route) as OperationName]: purpose = ownPurpose(route) } = purposes;
  if (route.by !== 'partner_id_parameter') return purpose;
  const { summary, description } = purpose;
  return {
    summary: `${summary}, by its identifier as a parameter`,
    description: `${description} Takes any identifier: in a path, some (\`.\`, \`..\`, with a slash) do not survive every proxy.`,
  };
}

const ownPurpose = ({ command }: Route): Purpose => ({
  summary: `Give the command ${command}`,
  description: 'A command that this service adds to the life cycle of deals.',
});

const download =
  'The content as it was uploaded. Ranges of bytes and `If-None-Match` are supported as HTTP says.';

const proposalPurposes = {
  propose: {
    summary: 'Propose other terms',
    description:
      "Proposes an amendment of the terms, or a settlement. It replaces the open proposal, of either side. A partner's amendment of a deal that nobody has accepted takes effect at once.",
  },
  acceptProposal: {
    summary: 'Accept a proposal',
    description: 'Accepts exactly the terms with this hash, which take effect at once.',
  },
  rejectProposal: {
    summary: 'Reject a proposal',
    description: 'Rejects the proposal of the other side.',
  },
  withdrawProposal: {
    summary: 'Withdraw a proposal',
    description: "Withdraws one's own proposal.",
  },
};

const termsReads = {
  listProposals: {
    summary: 'List the proposals',
    description: 'The proposals of both sides, the newest first, page by page.',
  },
  retrieveProposal: {
    summary: 'Retrieve a proposal',
    description: 'A proposal with the terms as they would be, and their hash.',
  },
  listTerms: {
    summary: 'List the versions of the terms',
    description: 'Every version that was in force, the oldest first, page by page.',
  },
};

/** The same purposes under the names of another face. */
function ofFace<F extends Face, Name extends string>(
  face: F,
  own: Readonly<Record<Name, Purpose>>,
): Readonly<Record<`${F}${Capitalize<Name>}`, Purpose>> {
  const entries = Object.entries<Purpose>(own).map(([name, each]) => [routeName(face, name), each]);
  return Object.fromEntries(entries);
}

const webhookPurposes = {
  listWebhooks: { summary: 'List the webhooks', description: 'The oldest first.' },
  enableWebhook: {
    summary: 'Enable a webhook again',
    description: 'Enables a disabled webhook. Events that happened meanwhile are posted, too.',
  },
  listDeliveries: {
    summary: 'List the deliveries of a webhook',
    description: 'The newest first, each with its attempts.',
  },
  redeliver: {
    summary: 'Deliver an event again',
    description: 'Begins again with the first attempt. A test cannot be delivered again.',
  },
  redeliverAll: {
    summary: 'Deliver events again since a time',
    description:
      'Begins again with the first attempt of each delivery that has failed, or of every one, the oldest first. One call looks at 1,000 deliveries: repeat it with `next` as the cursor until that is `null`.',
  },
  listFailedDeliveries: {
    summary: 'List the failed deliveries',
    description:
      'Those of all webhooks that are not tried again, the last one to fail first. A page may be short while `next` still moves on.',
  },
  listDealDeliveries: {
    summary: 'List the deliveries of a deal',
    description:
      'Those of its events to all webhooks, the newest first. A page may be short while `next` still moves on.',
  },
};

const tokenPurposes = {
  listTokens: {
    summary: 'List the API tokens',
    description:
      'The valid API tokens of the partner by their names, with their first characters and their last use: never a token itself. A service that keeps no list of them answers 404.',
  },
};

const purposes: Readonly<Record<OperationName, Purpose>> = {
  registerContractor: {
    summary: 'Register a contractor',
    description: 'Registers a freelancer, who is identified by the e-mail address from then on.',
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
  retrievePromises: {
    summary: 'Retrieve what the service promises',
    description:
      'What holds in the environment of the token, which may be of any face: versions, mode, rules of input, limits. Each deal shows its own fees.',
  },
  listCategoryTree: {
    summary: 'List the category tree',
    description: 'The main categories with their subcategories, named in the language of the call.',
  },
  retrieveDealDetails: {
    summary: 'Retrieve the details of a deal',
    description:
      "A deal of either version by the partner's own identifier, percent-encoded. Fields that version 1.0 does not have are `null`.",
  },
  listDeals: {
    summary: "List the partner's deals",
    description:
      'Deals of both versions, newest first, page by page. Every deal that exists at the first page appears exactly once, even if others arrive meanwhile.',
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
      'What has happened to all deals, contractors and webhooks, the oldest event first. `next` is always a cursor to go on from. With a filter, a page may be short or empty while `next` still moves on.',
  },
  listDealEvents: {
    summary: 'Read the time line of a deal',
    description: 'What has happened to a deal of either version, the oldest event first.',
  },
  createWebhook: {
    summary: 'Add a webhook',
    description:
      'From now on, events are posted to its URL, signed by the Standard Webhooks specification. The answer shows the signing secret, only once. A service without webhooks answers 404.',
  },
  retrieveWebhook: {
    summary: 'Retrieve a webhook',
    description: 'Without its signing secret, which is shown only once.',
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description: 'No more events are posted to it. The answer is the webhook as it was.',
  },
  rotateWebhook: {
    summary: 'Give a webhook another signing secret',
    description:
      'The answer shows the new secret, only once. The old one stays valid for 24 hours.',
  },
  testWebhook: {
    summary: 'Send a test to a webhook',
    description: 'Posts `webhook.test` now, once. The answer shows the outcome.',
  },
  invite: {
    summary: 'Invite the freelancer',
    description: 'Records that the freelancer was told of the deal.',
  },
  accept: {
    summary: 'Accept for the freelancer',
    description: 'For a deal of version 1.0, whose freelancer has no payment token.',
  },
  decline: {
    summary: 'Decline for the freelancer',
    description: 'For a deal of version 1.0, while no work was delivered.',
  },
  cancel: {
    summary: 'Cancel a deal',
    description:
      'Possible while no work was delivered, and no money is paid or the work is overdue by seven days.',
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
    description: 'Stops everything until an operator resolves the dispute.',
  },
  requestPayment: {
    summary: 'Request the payment again',
    description:
      'Requests the payment that is due, after an earlier request has failed or expired.',
  },
  freelancerView: {
    summary: 'See the offer',
    description:
      "The deal as its freelancer sees it: the amount less the contractor's fee, the stages, the files and the freelancer's own payments.",
  },
  freelancerListEvents: {
    summary: 'Read the time line of the offer',
    description:
      "What has happened to the deal, the oldest event first, without the employer's money. A page may be short or empty while `next` still moves on.",
  },
  freelancerAccept: { summary: 'Accept the offer', description: 'The freelancer takes the deal.' },
  freelancerDecline: {
    summary: 'Decline the offer',
    description: 'Possible while no work was delivered.',
  },
  freelancerDeliver: {
    summary: 'Deliver the work',
    description: 'Submits stages that have a file; an offer that is still open counts as accepted.',
  },
  freelancerDispute: {
    summary: 'Open a dispute',
    description: 'Stops everything until an operator resolves the dispute.',
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
    description:
      'A deal of either version, without its payment token, and with what the payment gateway has still to do.',
  },
  operatorListDeals: {
    summary: 'List the deals of all partners',
    description:
      'Deals of both versions, newest first, page by page. With `alert`, and with `status` and `stuck_since`, those come first that have waited longest; with a `status` and no `partner`, those that got it last. A page may be short or empty while `next` still moves on.',
  },
  operatorSearchDeals: {
    summary: 'Search the deals of all partners',
    description:
      'By an e-mail address, a `partner_id`, the beginning of a title, the id or the reference of a payment, or the id of a work file.',
  },
  operatorSummarize: {
    summary: 'Summarize what needs the operator',
    description: 'A count for each reason, up to 100, and since when the oldest one waits.',
  },
  operatorListFailing: {
    summary: 'List the webhooks that fail',
    description:
      'Webhooks, and handlers of the host, for which every attempt has failed for an hour or more: the longest first.',
  },
  operatorListUnmatchedReports: {
    summary: 'List the reports that match no payment',
    description:
      'Reports that were refused as the partner has no such deal, or the deal no such payment, and that wait for the operator: the longest first.',
  },
  operatorDismissReport: {
    summary: 'Dismiss a report that matches no payment',
    description:
      'Takes it from the list of those that wait. A report that is dismissed already stays as it is.',
  },
  operatorListPartners: {
    summary: 'List the partners',
    description: 'Each partner that has written something, in an order of the store.',
  },
  operatorListEvents: {
    summary: 'Read the feed of a partner',
    description:
      'What has happened to all deals, contractors and webhooks of the partner, the oldest event first.',
  },
  operatorListDealEvents: {
    summary: 'Read the time line of a deal of a partner',
    description: 'What has happened to a deal of either version, the oldest event first.',
  },
  operatorDownloadWorkFile: { summary: 'Download a work file', description: download },
  operatorInvite: {
    summary: 'Invite the freelancer',
    description: 'Records that the freelancer was told of the deal.',
  },
  operatorCancel: {
    summary: 'Cancel a deal',
    description: 'Cancels a deal that has not ended; money that is held is refunded.',
  },
  operatorResolve: {
    summary: 'Resolve a dispute',
    description: 'Approves open stages, in order, up to the agreed amount, and cancels the rest.',
  },
  operatorRequestPayment: {
    summary: 'Request the payment again',
    description:
      'Requests the payment that is due, after an earlier request has failed or expired.',
  },
  operatorRetryPayout: {
    summary: 'Retry payouts',
    description: 'Sends payouts again that have failed or were returned: one, or all of them.',
  },
  operatorRetryRefund: {
    summary: 'Retry refunds',
    description: 'Requests failed refunds again: those of one payment, or all of them.',
  },
  operatorWriteOff: {
    summary: 'Write off what is outstanding',
    description:
      'Takes an amount out of what the employer owes: payouts may use as much beyond what came. An idempotency key keeps a repeat from writing off another one.',
  },
  operatorRefundSurplus: {
    summary: 'Refund what came too much',
    description:
      'Sends back at once what came beyond all that is owed, of the latest payments first.',
  },
  operatorRecordEmployerPayment: {
    summary: 'Record a payment of the employer',
    description:
      'Records the outcome of a payment. `paid` without `payment_id` creates a payment of its own.',
  },
  operatorRecordContractorPayment: {
    summary: 'Record a payment to the contractor',
    description: 'Records the outcome of a payout.',
  },
  operatorRunTimers: {
    summary: 'Give the commands of the clock',
    description: 'Gives every deal the commands that are due by now.',
  },
  operatorRunEffects: {
    summary: 'Execute due payments',
    description: 'Requests payments, pays out and refunds, as far as these are due.',
  },
  sandboxCommand: {
    summary: 'Give the command of any actor',
    description: 'The state of the deal and the guards of the command apply as usual.',
  },
  ...proposalPurposes,
  ...termsReads,
  ...ofFace('freelancer', proposalPurposes),
  ...ofFace('freelancer', termsReads),
  ...ofFace('operator', termsReads),
  ...webhookPurposes,
  ...ofFace('operator', webhookPurposes),
  ...tokenPurposes,
  ...ofFace('operator', tokenPurposes),
  addBonus: {
    summary: 'Add a bonus',
    description:
      'Adds a stage of this amount, which is approved at once. An idempotency key keeps a repeat from adding another one.',
  },
  sandboxPropose: {
    summary: 'Propose for either side',
    description: 'The partner or the freelancer proposes other terms, or to settle the deal.',
  },
  sandboxDecideProposal: {
    summary: 'Decide about a proposal for either side',
    description: 'The partner or the freelancer accepts, rejects or withdraws a proposal.',
  },
  sandboxAdvanceClock: {
    summary: 'Move the time forward',
    description:
      'Moves the time of this partner only, and gives the commands of the clock that are due then.',
  },
};
