import { answering, askedWith, asking, inErrors, pathOf, refusal, withMembers } from './changes.js';
import {
  bodyOf,
  inBodies,
  inData,
  inField,
  inStatus,
  isCreate,
  isRead,
  isVersion1,
  type Members,
  remembering,
} from './deals.js';
import type { Mutant } from './mutant.js';

const isDealV2 = (request: Request) => isCreate(request) && !isVersion1(request);
const isDealV1 = (request: Request) => isCreate(request) && pathOf(request) === '/api/1.0/deal/';

const texts = ['name', 'title', 'description'];
const money = ['budget', 'amount'];
const emails = ['email', 'contractor_email', 'email_freelancer'];

const answers = (law: string, name: string, fetch: Mutant['fetch']): Mutant => ({
  law,
  name,
  fetch,
});

/** A member of `data` with another value. */
const member = (
  law: string,
  name: string,
  fits: (request: Request) => boolean,
  change: (data: Members) => Members,
): Mutant =>
  answers(
    law,
    name,
    inData(fits, (data) => ({ ...data, ...change(data) })),
  );

/** A text that is changed before it is stored. */
const stores = (law: string, name: string, change: (text: string) => string, fields = texts) =>
  answers(law, name, inField(fields, change));

/** Money that is shown otherwise. */
const shows = (law: string, name: string, change: (text: string) => string): Mutant =>
  member(law, name, isRead, (data) =>
    Object.fromEntries(
      money.filter((each) => each in data).map((each) => [each, change(String(data[each]))]),
    ),
  );

const inStages = (change: (stage: Members) => Members) => (data: Members) => ({
  stages: (data['stages'] as Members[]).map((stage) => ({ ...stage, ...change(stage) })),
});

/** Tokens that are made from a counter. */
const counted = (token: (count: number) => string) =>
  remembering(
    () => ({ count: 0 }),
    async (state, request, forward) => {
      const response = await forward(request);
      if (!isDealV2(request) || !response.ok) return response;
      state.count += 1;
      const payment_token = token(state.count);
      return withMembers(response, ({ data }) => ({ data: { ...Object(data), payment_token } }));
    },
  );

export const mutants: readonly Mutant[] = [
  answers(
    'i/create/status',
    '200',
    inStatus((request, status) => isCreate(request) && status === 201, 200),
  ),
  member('i/create/members', 'more than the interface has', isCreate, () => ({ created: true })),
  answers(
    'i1.0/create/success',
    'a text',
    answering((response, request) =>
      isCreate(request) && response.ok
        ? withMembers(response, (members) => ({ ...members, success: 'true' }))
        : response,
    ),
  ),
  member('i1.0/create/contractor-email', 'in lower case', isCreate, (data) => ({
    contractor_email: String(data['contractor_email']).toLowerCase(),
  })),
  member('2.4/create/deal-id', 'a text', isDealV1, ({ id }) => ({ id: String(id) })),
  member('2.4/create/stage-ids', 'no stages', isDealV1, () => ({ stage_ids: [] })),
  member('2.4/create/deal-ids-differ', 'the last of all', isDealV1, () => ({ id: 1 })),
  member('2.4/create/stage-ids-differ', 'numbers within a deal', isDealV1, () => ({
    stage_ids: [1],
  })),
  member('i2.0/create/status-of-deal', 'new', isDealV2, () => ({ status: 'new' })),
  member('i2.0/create/status-of-freelancer', 'invited', isDealV2, () => ({
    freelancer_status: 'invited',
  })),
  answers(
    '3/create/any-freelancer',
    'a contractor is needed',
    asking((request) => (isDealV2(request) ? refusal(400, 'validation_failed') : request)),
  ),
  member('3/create/token-form', 'base64', isDealV2, (data) => ({
    payment_token: `${data['payment_token']}==`,
  })),
  answers(
    '3/create/tokens-differ',
    'one of all deals',
    counted(() => 'x'.repeat(40)),
  ),
  answers(
    '3/create/tokens-vary',
    'a counter',
    counted((count) => `${count}`.padStart(40, 'x')),
  ),
  member('3/create/token-kept', 'a digest is kept', isRead, () => ({
    payment_token: 'x'.repeat(43),
  })),
  answers(
    '3/create/token-in-no-error',
    'the path is repeated',
    inErrors((error, _, request) => ({ ...error, detail: `no ${pathOf(request)}` })),
  ),
  answers(
    '3/create/token-in-no-error',
    'a value is repeated',
    inErrors((error, { status }, request) =>
      status === 401 ? { ...error, detail: request.headers.get('authorization') } : error,
    ),
  ),
  answers(
    '3/create/token-in-no-error',
    'the first deal is shown',
    remembering(
      () => new Map<unknown, unknown>(),
      async (tokens, request, forward) => {
        const { partner_id } = await bodyOf(request);
        const response = await forward(request);
        const { data } = await bodyOf(response);
        if (isDealV2(request) && response.ok) tokens.set(partner_id, data);
        if (response.status !== 409) return response;
        return withMembers(response, (error) => ({ ...error, deal: tokens.get(partner_id) }));
      },
    ),
  ),
  answers(
    '3/create/token-grants-no-api',
    'any token that is known',
    asking((request) => {
      const isLong = (request.headers.get('authorization') ?? '').length > 40;
      return isLong ? askedWith(request, { authorization: 'Token sandbox-acme' }) : request;
    }),
  ),
  member('4/create/stored', 'the currency of the account', isRead, () => ({ currency: 'EUR' })),
  answers(
    '4/create/readable-at-once',
    'a replica lags',
    remembering(
      () => new Set<string>(),
      async (seen, request, forward) => {
        if (!isRead(request) || seen.has(request.url)) return forward(request);
        seen.add(request.url);
        return refusal(404, 'not_found');
      },
    ),
  ),
  stores('1.2/create/blanks-kept', 'trimmed', (text) => text.trim()),
  stores('1.2/create/blanks-kept', 'lines of one system', (text) => text.replaceAll('\r\n', '\n')),
  stores('1.2/create/normal-forms-kept', 'NFC', (text) => text.normalize('NFC')),
  stores('1.2/create/normal-forms-kept', 'NFKC', (text) => text.normalize('NFKC')),
  stores('1.2/create/case-kept', 'lower case', (text) => text.toLowerCase()),
  stores('1.2/create/markup-kept', 'escaped', (text) => text.replaceAll('<', '&lt;')),
  stores('1.2/create/markup-kept', 'without tags', (text) => text.replace(/<[^>]*>/g, '')),
  stores('1.2/create/astral-kept', 'UCS-2', (text) =>
    text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  stores('1.2/create/controls-kept', 'printable', (text) => text.replace(/\p{Cc}/gu, '')),
  stores('1.2/create/controls-kept', 'without marks', (text) =>
    text.replace(/[\u200b\ufeff]/g, ''),
  ),
  stores('1.2/create/long-text-kept', 'a column of 16 KiB', (text) => text.slice(0, 16_384)),
  stores('1.2/create/email-kept', 'lower case', (text) => text.toLowerCase(), emails),
  stores('1.5/create/currency-kept', 'upper case', (text) => text.toUpperCase(), ['currency']),
  shows('1.4/create/money-two-decimals', 'as a number', (text) => String(Number(text))),
  shows('1.4/create/money-zeros', 'without a zero', (text) => text.replace(/^0\./, '.')),
  stores('1.4/create/money-exact', 'a float', (text) => Number(text).toFixed(2), money),
  answers(
    '1.4/create/money-negative',
    'only positive',
    asking(async (request) =>
      String((await bodyOf(request))['budget']).startsWith('-')
        ? refusal(400, 'validation_failed')
        : request,
    ),
  ),
  shows('1.4/create/money-no-minus-zero', 'a minus', (text) => (text === '0.00' ? '-0.00' : text)),
  answers(
    '1.6/create/work-days',
    '32 bits',
    inBodies((body) => ({
      ...body,
      ...('work_days' in body && { work_days: Number(body['work_days']) | 0 }),
    })),
  ),
  answers(
    '1.6/create/integral-number',
    'a point makes a float',
    asking(async (request) =>
      /\d\.0[,}]/.test(request.body === null ? '' : await request.clone().text())
        ? refusal(400, 'validation_failed')
        : request,
    ),
  ),
  answers(
    '1.10/create/work-days-default',
    'a fortnight',
    inBodies((body) => ({ work_days: 14, ...body })),
  ),
  answers(
    '3/create/choices-kept',
    'the default counts',
    inBodies((body) => ({ ...body, copyright_transfer: 'full_transfer' })),
  ),
  answers(
    '3/create/choices-kept',
    'the language of the partner',
    inBodies((body) => ({ ...body, freelancer_language: 'pl' })),
  ),
  member(
    '2.6/create/stage-budgets',
    'whole units',
    isRead,
    inStages(({ budget }) => ({ budget: String(budget).replace(/\d\d$/, '00') })),
  ),
  member(
    'i1.0/create/stage-ids-of-deal',
    'numbers within a deal',
    isRead,
    inStages(() => ({ id: 1 })),
  ),
];
