// @ts-check
// The operations that have cases: what their input is, what is done before, and what only they have.
import { defaultValueSets } from 'dealwright';
import { describeFields } from 'dealwright/fields';
import { exampleContractor, exampleDeal, exampleDealV2 } from 'dealwright/testing';
import { bodyCases, memberCase, nestedCases, notJson, queryCases } from './bodies.mjs';
import { repeated } from './compact.mjs';
import { probes } from './texts.mjs';

/** @typedef {import('dealwright/fields').FieldDescription} Field */
/** @typedef {import('./bodies.mjs').Asked} Asked */
/** @typedef {import('./bodies.mjs').Members} Members */
/** @typedef {{ readonly method: string, readonly path: string, readonly body?: unknown }} Step */
/** @typedef {{ readonly path: readonly string[], readonly fields: readonly Field[], readonly named?: string }} Place */

/**
 * An operation with its cases. `shown` returns the members of a valid body as the service shows them
 * afterwards.
 *
 * @typedef {object} OperationCases
 * @property {string} operation
 * @property {Readonly<Record<string, string>>} [parameters] of the path
 * @property {readonly Field[]} fields
 * @property {readonly Step[]} [before]
 * @property {readonly Asked[]} cases
 * @property {readonly Place[]} [places] objects within the body
 * @property {true} [needsRecord] what is right is 404 without a record that no file can name
 * @property {true} [needsState] what is right is 409 if the deal does not allow it
 * @property {(data: any, read: (path: string) => Promise<any>, sent: any) => unknown} [shown]
 */

const fields = describeFields(defaultValueSets);
/** The members of a command. @param {'partner' | 'operator'} actor @param {string} command */
const inputOf = (actor, command) => fields.commands[actor][command] ?? [];

const partner = 'acme';
const partner_id = 'order-1';
const parameters = { partner_id };
const deal = { ...exampleDeal, partner_id };
const dealV2 = { ...exampleDealV2, partner_id };
const registered = { method: 'POST', path: '/api/1.0/contractor/', body: exampleContractor };
/** @param {Members} [terms] */
const created = (terms = {}) => ({
  method: 'POST',
  path: '/api/2.0/deal/',
  body: { ...dealV2, ...terms },
});
const file = { name: 'draft.txt', content: 'T25jZSB1cG9uIGEgdGltZQ==' };
/** The freelancer has delivered the deal. @param {Members} [terms] @returns {readonly Step[]} */
const delivered = (terms) => [
  created(terms),
  { method: 'POST', path: `/api/2.0/deal/${partner_id}/file/`, body: file },
  { method: 'POST', path: `/api/2.0/sandbox/deal/${partner_id}/freelancer/deliver/`, body: {} },
];
/** @param {Members} [terms] @returns {readonly Step[]} */
const disputed = (terms) => [
  ...delivered(terms),
  {
    method: 'POST',
    path: `/api/2.0/deal/${partner_id}/dispute/`,
    body: { reason: 'The work is not what was agreed.' },
  },
];

/**
 * @param {string} name
 * @param {Members} plain
 * @param {readonly (readonly [id: string, what: string, value: unknown])[]} rows
 */
const more = (name, plain, rows) => probes(rows).map((probe) => memberCase(name, probe, plain));

/** @param {readonly Field[]} described @param {Members} example @returns {Members} */
const requiredOf = (described, example) =>
  Object.fromEntries(
    described.filter((field) => field.required).map(({ name }) => [name, example[name]]),
  );

const contractor = requiredOf(fields.contractor, exampleContractor);
const everyNumber = { ...exampleContractor, pesel: '44051401359', nip: '5260250274' };
const remarks = { reason: 'The plan has changed.', message: 'Thank you all the same.' };
const reason = { reason: 'The title is missing.' };
const webhook = { url: 'https://example.com/deals', types: ['deal.created'], ordered: true };
const resolved = { agreed_amount: '100.00' };
const arrived = { status: 'paid', amount: '100.00', reference: 'transfer-1' };
const paidOut = { payment_id: '01KDVHF0800000000000000000', status: 'paid', reference: 'payout-1' };

const proposals = fields.proposals;
/** The partner has accepted a deal of version 1.0. @param {string} budget @returns {readonly Step[]} */
const accepted = (budget) => [
  registered,
  { method: 'POST', path: '/api/1.0/deal/', body: { ...deal, budget, work_days: 45 } },
  { method: 'POST', path: `/api/2.0/deal/${partner_id}/accept/`, body: {} },
];
const amended = { title: 'Another title', description: 'Another description' };
/** @param {unknown} changes */
const amendment = (changes) => ({ kind: 'amendment', changes });
/** @param {unknown} changes */
const settlement = (changes) => ({ kind: 'settlement', changes });
/** @param {unknown} stage */
const withStage = (stage) => amendment({ stages: [stage] });
const inChanges = ['changes'];
const inStage = ['changes', 'stages', '0'];
const terms_sha256 = repeated('0', 64);

/** Where a webhook may be (decisions 7.4 and 7.9). @type {readonly (readonly [id: string, what: string, value: unknown])[]} */
const urls = [
  ['longest-url', 'A URL of 2,048 characters.', repeated('x', 2048 - 20, 'https://example.com/')],
  ['port-443', 'The port of HTTPS.', 'https://example.com:443/deals?a=b#c'],
  ['http', 'HTTP, which the sandbox allows.', 'http://example.com/'],
  ['port-80', 'The port of HTTP, which the sandbox allows.', 'https://example.com:80/'],
  ['other-port', 'Another port.', 'https://example.com:8443/'],
  ['relative', 'A path.', '/deals'],
  ['no-scheme', 'A host without a scheme.', 'example.com'],
  ['ftp', 'Another scheme.', 'ftp://example.com/'],
  ['javascript', 'A script.', 'javascript:alert(1)'],
  ['no-host', 'A scheme without a host.', 'https://'],
  ['user', 'A user before the host.', 'https://user@example.com/'],
  ['password', 'A password before the host.', 'https://:secret@example.com/'],
  ['localhost', 'The machine itself, by its name.', 'https://localhost/'],
  ['loopback', 'The machine itself.', 'https://127.0.0.1/'],
  ['loopback-as-a-number', 'The machine itself, by one number.', 'https://2130706433/'],
  ['loopback-octal', 'The machine itself, by an octal number.', 'https://0177.0.0.1/'],
  ['loopback-of-ipv6', 'The machine itself, by IPv6.', 'https://[::1]/'],
  ['mapped', 'An address of IPv4 within one of IPv6.', 'https://[::ffff:10.0.0.1]/'],
  ['private', 'A private network.', 'https://10.0.0.1/'],
  ['unique-local', 'A private network of IPv6.', 'https://[fd00::1]/'],
  ['link-local', 'The address of metadata of a cloud.', 'https://169.254.169.254/'],
  ['any-address', 'No address at all.', 'https://0.0.0.0/'],
];

/** @type {Field} */
const content = {
  name: 'content',
  type: 'string',
  required: true,
  rules: [{ code: 'invalid_base64', params: {} }],
};
const workFile = [...fields.work_file, content];

/** @type {readonly OperationCases[]} */
export const operations = [
  {
    operation: 'registerContractor',
    fields: fields.contractor,
    cases: [...bodyCases(fields.contractor, contractor, everyNumber), ...notJson],
  },
  {
    operation: 'createDeal',
    fields: fields.deal,
    before: [registered],
    cases: [
      ...bodyCases(fields.deal, deal),
      ...more('contractor_email', deal, [
        ['in-capitals', 'The address of the contractor in capitals.', 'USER@EXAMPLE.COM'],
      ]),
      {
        id: 'contractor_email/unknown-beside-others',
        what: 'A contractor is looked for once all members keep their rules.',
        body: { ...deal, contractor_email: 'other@example.com', name: '' },
      },
      {
        id: 'sub_category_id/unknown-beside-others',
        what: 'A subcategory is looked for even if other members break their rules.',
        body: { ...deal, sub_category_id: -1, name: '' },
      },
    ],
    shown: ({ id }, read) => read(`/api/1.0/deal/${id}/`),
  },
  {
    operation: 'createDealV2',
    fields: fields.deal_v2,
    cases: [
      ...bodyCases(fields.deal_v2, dealV2),
      {
        id: 'subcategory_id/unknown-beside-others',
        what: 'A subcategory is looked for even if other members break their rules.',
        body: { ...dealV2, subcategory_id: -1, title: '' },
      },
    ],
    shown: (_, read, { partner_id: id }) =>
      read(`/api/2.0/deal/by-id/?partner_id=${encodeURIComponent(id)}`),
  },
  {
    operation: 'cancel',
    parameters,
    fields: inputOf('partner', 'cancel'),
    before: [created()],
    cases: bodyCases(inputOf('partner', 'cancel'), {}, remarks),
  },
  {
    operation: 'accept',
    parameters,
    fields: inputOf('partner', 'accept'),
    // again: a repeat is a success with every hash
    before: accepted('1000.00'),
    cases: bodyCases(inputOf('partner', 'accept'), {}, { terms_sha256, message: remarks.message }),
  },
  {
    operation: 'propose',
    parameters,
    fields: proposals.proposal,
    places: [
      { path: inChanges, fields: proposals.amendment },
      { path: inChanges, fields: proposals.settlement },
      { path: inStage, fields: proposals.added_stage },
      // without its id it is a stage that is added
      { path: inStage, fields: proposals.kept_stage, named: 'id' },
    ],
    // amounts below zero are of the right form, and no stage can have one
    needsState: true,
    // so that every amount above is within what the deal is worth
    before: accepted('999999999999999999.99'),
    cases: [
      ...bodyCases(proposals.proposal, amendment(amended)),
      ...nestedCases('changes', proposals.amendment, amended, amendment),
      ...nestedCases('changes', proposals.settlement, { agreed_amount: '100.00' }, settlement),
      ...nestedCases(
        'changes/stages/added',
        proposals.added_stage,
        { name: 'One more', budget: '10.00' },
        withStage,
      ),
      ...nestedCases(
        'changes/stages/kept',
        proposals.kept_stage,
        // no stage: nobody knows the id of one that is there
        { id: 2 ** 40 },
        withStage,
      ),
    ],
  },
  {
    operation: 'acceptProposal',
    parameters: { partner_id, proposal_id: '01KDVE0000000000000000000B' },
    fields: proposals.acceptance,
    needsRecord: true,
    before: accepted('1000.00'),
    cases: bodyCases(proposals.acceptance, { terms_sha256 }),
  },
  {
    operation: 'addBonus',
    parameters,
    fields: inputOf('partner', 'add-bonus'),
    // so that every amount can be added to it
    before: accepted('-1.00'),
    cases: bodyCases(
      inputOf('partner', 'add-bonus'),
      { amount: '10.00' },
      {
        amount: '10.00',
        message: remarks.message,
      },
    ),
  },
  {
    operation: 'requestChanges',
    parameters,
    fields: inputOf('partner', 'request-changes'),
    before: delivered(),
    cases: bodyCases(inputOf('partner', 'request-changes'), reason, remarks),
  },
  {
    operation: 'dispute',
    parameters,
    fields: inputOf('partner', 'dispute'),
    before: delivered(),
    cases: bodyCases(inputOf('partner', 'dispute'), reason, remarks),
  },
  {
    operation: 'uploadWorkFile',
    parameters,
    fields: workFile,
    before: [created()],
    cases: bodyCases(workFile, file, { ...file, content_type: 'text/plain' }),
  },
  {
    operation: 'createWebhook',
    fields: fields.webhook,
    cases: [...bodyCases(fields.webhook, webhook), ...more('url', webhook, urls)],
    shown: (data) => data,
  },
  { operation: 'listDeals', fields: fields.deal_list, cases: queryCases(fields.deal_list) },
  {
    operation: 'listEvents',
    fields: fields.event_list,
    cases: [
      ...queryCases(fields.event_list),
      { id: 'after/end', what: 'The end of the feed.', query: { after: 'end' } },
      {
        id: 'type/two',
        what: 'Two types.',
        query: { type: 'deal.created,deal.accepted' },
      },
    ],
  },
  {
    operation: 'operatorListDeals',
    fields: fields.operator_list,
    cases: queryCases(fields.operator_list),
  },
  {
    operation: 'operatorSearchDeals',
    fields: fields.search,
    cases: queryCases(fields.search, { text: 'Deal' }),
  },
  {
    operation: 'operatorListEvents',
    fields: fields.partner,
    cases: [
      ...queryCases(fields.partner, { partner }),
      {
        id: 'partner/missing-beside-others',
        what: 'No partner, and a page that is too small.',
        query: { page_size: '0' },
      },
    ],
  },
  {
    operation: 'redeliverAll',
    parameters: { webhook_id: '01KDVHF0800000000000000000' },
    fields: fields.redelivery,
    needsRecord: true,
    cases: bodyCases(fields.redelivery, { since: '2026-01-01T00:00:00Z' }),
  },
  {
    operation: 'operatorResolve',
    parameters: { partner, partner_id },
    fields: inputOf('operator', 'resolve'),
    // so that every amount is within what the deal is worth
    before: disputed({ amount: '999999999999999999.99' }),
    cases: bodyCases(inputOf('operator', 'resolve'), resolved, { ...resolved, ...remarks }),
    shown: (data) => data,
  },
  {
    operation: 'operatorRecordEmployerPayment',
    parameters: { partner, partner_id },
    fields: inputOf('operator', 'record-employer-payment'),
    before: [created()],
    cases: bodyCases(inputOf('operator', 'record-employer-payment'), arrived),
    shown: ({ billing }) => ({ amount: billing.employer_payments.at(-1)?.amount }),
  },
  {
    operation: 'operatorRecordContractorPayment',
    parameters: { partner, partner_id },
    fields: inputOf('operator', 'record-contractor-payment'),
    before: [created()],
    cases: bodyCases(inputOf('operator', 'record-contractor-payment'), paidOut, {
      ...paidOut,
      amount: '1.00',
    }),
  },
  {
    operation: 'sandboxAdvanceClock',
    fields: fields.clock,
    cases: bodyCases(fields.clock, { advance_seconds: 60 }),
  },
];
