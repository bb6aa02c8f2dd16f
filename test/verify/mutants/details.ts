import {
  answering,
  askedAt,
  asking,
  inErrors,
  pathOf,
  refusal,
  withHeaders,
  withMembers,
} from './changes.js';
import {
  bodyOf,
  inData,
  inStatus,
  isCreate,
  isList,
  isRead,
  isVersion1,
  type Members,
  remembering,
} from './deals.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

const mutant = (law: string, name: string, fetch: Fetch): Mutant => ({
  law: law.includes('/') ? law : `4/details/${law}`,
  name,
  fetch,
});

const isV1 = (request: Request) => isRead(request) && isVersion1(request);

const isDetails = (request: Request) => isRead(request) && !isVersion1(request);

const isById = (request: Request) => isDetails(request) && request.url.includes('partner_id=');

const shows = (
  law: string,
  name: string,
  fits: (request: Request) => boolean,
  change: (data: Members) => Members,
): Mutant =>
  mutant(
    law,
    name,
    inData(fits, (data) => ({ ...data, ...change(data) })),
  );

/** `undefined` is no member of JSON. */
const without = (law: string, fits: (request: Request) => boolean, ...names: readonly string[]) =>
  names.map((name) => shows(law, `without ${name}`, fits, () => ({ [name]: undefined })));

/** Only successes: errors have laws of their own. */
const withHeader = (
  law: string,
  fits: (request: Request) => boolean,
  header: string,
  value: string | undefined,
): Mutant =>
  mutant(
    law,
    `another ${header}`,
    answering((response, request) =>
      response.ok && fits(request) ? withHeaders(response, { [header]: value }) : response,
    ),
  );

const inStages = (change: Members) => (data: Members) => ({
  stages: (data['stages'] as Members[]).map((stage) => ({ ...stage, ...change })),
});

const inBilling = (change: (billing: Members) => Members) => (data: Members) => ({
  billing: { ...Object(data['billing']), ...change(Object(data['billing'])) },
});

/** The part of the path that names a deal, changed. */
const inPath = (change: (id: string) => string, version = '[12].0'): Fetch =>
  asking((request) =>
    isRead(request)
      ? askedAt(request, (path) =>
          path.replace(new RegExp(`(?<=^/api/${version}/deal/)[^/?]+`), change),
        )
      : request,
  );

/** The parameter of `by-id`, changed. */
const inParameter = (change: (id: string) => string): Fetch =>
  asking((request) =>
    isById(request)
      ? askedAt(request, (path) => path.replace(/(?<=partner_id=).*/, change))
      : request,
  );

const recoded = (change: (id: string) => string) => (id: string) =>
  encodeURIComponent(change(decodeURIComponent(id)));

/** Deals of version 1.0, by their names. */
const withNumbers = (
  answer: (
    numbers: ReadonlyMap<string, unknown>,
    request: Request,
    forward: (request: Request) => Promise<Response>,
  ) => Promise<Response>,
): Fetch =>
  remembering(
    () => new Map<string, unknown>(),
    async (numbers, request, forward) => {
      if (!isCreate(request)) return answer(numbers, request, forward);
      const { partner_id } = await bodyOf(request);
      const response = await forward(request);
      const { id } = Object((await bodyOf(response))['data']);
      if (id !== undefined) numbers.set(String(partner_id), id);
      return response;
    },
  );

const nameIn = (request: Request) => pathOf(request).split('/')[4] ?? '';

const sums = ['paid', 'refunded', 'released', 'held', 'fees', 'charged_back', 'loss'];

export const mutants: readonly Mutant[] = [
  mutant('v1-status', '203', inStatus(isV1, 203)),
  mutant(
    'v1-success',
    'left out',
    answering((response, request) =>
      isV1(request) ? withMembers(response, ({ success: _, ...rest }) => rest) : response,
    ),
  ),
  ...without('v1-members', isV1, 'work_days', 'sub_category_id', 'billing', 'created_at'),
  shows('v1-id', 'a text', isV1, ({ id }) => ({ id: String(id) })),
  shows('v1-new', 'new', isV1, () => ({ status: 'new' })),
  shows('v1-stage-members', 'without files', isV1, inStages({ work_files: undefined })),
  shows('v1-stage-members', 'without a budget', isV1, inStages({ budget: undefined })),
  shows('6.1/details/stage-new', 'as the deal', isV1, inStages({ status: 'created' })),
  shows('stage-files', 'null', isV1, inStages({ work_files: null })),
  mutant(
    'v1-unknown',
    '400',
    answering((response, request) =>
      isV1(request) && !response.ok ? refusal(400, 'validation_failed') : response,
    ),
  ),
  mutant(
    'zero-or-negative',
    'without a sign',
    inPath((id) => id.replace(/^-/, ''), '1.0'),
  ),
  mutant(
    'zero-or-negative',
    'a validation error',
    asking((request) =>
      isV1(request) && /^-?0$/.test(nameIn(request)) ? refusal(400, 'validation_failed') : request,
    ),
  ),
  mutant(
    'huge',
    'too large for a column',
    asking((request) =>
      isV1(request) && Number(nameIn(request)) > 2 ** 53 ? refusal(500, 'internal') : request,
    ),
  ),
  mutant(
    'fraction',
    'cut',
    inPath((id) => id.replace(/\.\d*$/, ''), '1.0'),
  ),
  mutant(
    'text',
    'read up to a letter',
    inPath((id) => String(Number.parseInt(id, 10)), '1.0'),
  ),
  mutant(
    'text',
    'read as a number',
    inPath((id) => String(Number(id)), '1.0'),
  ),
  mutant(
    'blanks',
    'trimmed',
    inPath((id) => decodeURIComponent(id).trim() || '%20', '1.0'),
  ),
  mutant(
    'v1-not-v2',
    'either name',
    withNumbers((numbers, request, forward) => {
      const id = numbers.get(nameIn(request));
      if (!isV1(request) || id === undefined) return forward(request);
      return forward(new Request(new URL(`/api/1.0/deal/${id}/`, request.url), request));
    }),
  ),
  mutant('status', '203', inStatus(isDetails, 203)),
  ...without('members', isDetails, 'freelancer_status', 'payment_token', 'copyright_transfer'),
  shows('new', 'new', isDetails, () => ({ status: 'new' })),
  shows('freelancer-new', 'created', isDetails, () => ({ freelancer_status: 'created' })),
  shows('6.7/details/stages', 'none', isDetails, () => ({ stages: [] })),
  shows('6.7/details/stages', 'without days', isDetails, inStages({ work_days: undefined })),
  shows('6.7/details/agreed-amount', 'the amount', isRead, ({ amount, budget }) => ({
    agreed_amount: amount ?? budget,
  })),
  shows(
    '6.7/details/agreed-amount',
    'not of stages',
    isRead,
    inStages({ agreed_amount: undefined }),
  ),
  shows('6.7/details/attention', 'false', isDetails, () => ({ attention: false })),
  ...(
    [
      ['create', isCreate],
      ['details', isRead],
      ['list', isList],
    ] as const
  ).flatMap(([part, fits]) => [
    withHeader(`i/${part}/json`, fits, 'content-type', 'text/plain'),
    withHeader(`5.4/${part}/request-id`, fits, 'x-request-id', undefined),
  ]),
  shows('created-at', 'a number', isRead, ({ created_at }) => ({
    created_at: Date.parse(String(created_at)),
  })),
  shows('created-at', 'without an offset', isRead, ({ created_at }) => ({
    created_at: String(created_at).replace('Z', ''),
  })),
  shows('created-at', 'of a database', isRead, ({ created_at }) => ({
    created_at: String(created_at).replace('T', ' '),
  })),
  mutant(
    'unknown',
    '200',
    inStatus((request, status) => isDetails(request) && status === 404, 200),
  ),
  mutant(
    'unknown',
    'another code',
    inErrors((error) => ({ ...error, code: 'deal_not_found' })),
  ),
  mutant(
    'too-long',
    'a validation error',
    asking((request) =>
      isDetails(request) && nameIn(request).length > 40
        ? refusal(400, 'validation_failed')
        : request,
    ),
  ),
  shows('v1-details-members', 'without those that it lacks', isDetails, (data) =>
    data['api_version'] === '1.0' ? { copyright_transfer: undefined } : {},
  ),
  shows('v1-values', 'under the names of 1.0', isDetails, ({ title }) => ({
    name: title,
    title: undefined,
  })),
  shows('v1-no-token', 'empty', isDetails, () => ({ payment_token: '' })),
  shows('v1-same', 'the time of the request', isDetails, () => ({ created_at: new Date() })),
  shows('v1-same', 'another billing', isV1, () => ({ billing: null })),
  ...without('by-id', isById, 'billing'),
  mutant(
    'by-id-unknown',
    '200',
    inStatus((request, status) => isById(request) && status === 404, 200),
  ),
  mutant(
    'by-id-plain',
    'a parameter is needed',
    asking((request) =>
      isDetails(request) && nameIn(request) === 'by-id' && !isById(request)
        ? refusal(400, 'validation_failed')
        : request,
    ),
  ),
  mutant(
    'by-id-dot-alone',
    'a redirect within',
    asking((request) => askedAt(request, (path) => path.replace(/by-id\/\?partner_id=/, ''))),
  ),
  mutant('path-blank', 'trimmed', inPath(recoded((id) => id.trim()))),
  mutant('path-unicode', 'Latin-1', inPath(recoded((id) => Buffer.from(id).toString('latin1')))),
  mutant(
    'path-percent',
    'decoded twice',
    inPath((id) => id.replaceAll('%25', '%')),
  ),
  mutant(
    'path-plus',
    'as in a query',
    inPath((id) => id.replaceAll('%2B', '%20')),
  ),
  mutant(
    'path-reserved',
    'decoded, and then parsed',
    inPath((id) => id.replaceAll('%3F', '?')),
  ),
  mutant(
    'path-reserved',
    'matrix parameters',
    inPath((id) => id.replace(/%3B.*/, '')),
  ),
  mutant(
    'path-quotes',
    'backslashes are slashes',
    inPath((id) => id.replaceAll('%5C', '/')),
  ),
  mutant(
    'path-slash',
    'decoded, and then split',
    inPath((id) => id.replaceAll('%2F', '/')),
  ),
  mutant('by-id-dots', 'normalised', inParameter(recoded((id) => id.replace('/.', '')))),
  mutant('by-id-slash', 'the last part', inParameter(recoded((id) => id.split('/')[0] ?? ''))),
  mutant('by-id-blank', 'trimmed', inParameter(recoded((id) => id.trim()))),
  mutant(
    'by-id-unicode',
    'Latin-1',
    inParameter(recoded((id) => Buffer.from(id).toString('latin1'))),
  ),
  mutant(
    'by-id-percent',
    'decoded twice',
    inParameter((id) => id.replaceAll('%25', '%')),
  ),
  mutant(
    'by-id-reserved',
    'decoded, and then parsed',
    inParameter((id) => id.replaceAll('%26', '&')),
  ),
  mutant(
    'by-id-reserved',
    'a plus is a blank',
    inParameter((id) => id.replaceAll('%2B', '+')),
  ),
  shows(
    'billing-members',
    'without payments',
    isRead,
    inBilling(() => ({ contractor_payments: undefined })),
  ),
  shows(
    '6.3/details/billing-members',
    'without loss',
    isRead,
    inBilling(() => ({ loss: undefined })),
  ),
  shows(
    'billing-amount',
    'the currency of the account',
    isRead,
    inBilling(() => ({ currency: 'EUR' })),
  ),
  shows(
    'billing-amount',
    'zero',
    isRead,
    inBilling(() => ({ amount: '0.00' })),
  ),
  shows(
    'billing-money',
    'numbers',
    isRead,
    inBilling(({ paid }) => ({ paid: Number(paid) })),
  ),
  shows(
    'billing-money',
    'without decimals',
    isRead,
    inBilling(() => ({ held: '0' })),
  ),
  ...sums.map((name) =>
    shows(
      '6.3/details/billing-nothing-moved',
      name,
      isRead,
      inBilling(() => ({ [name]: '0.01' })),
    ),
  ),
  shows(
    '6.3/details/billing-identity',
    'paid alone',
    isRead,
    inBilling(() => ({ paid: '5.00' })),
  ),
  shows(
    '6.7/details/billing-outstanding',
    'nothing yet',
    isRead,
    inBilling(() => ({ outstanding: '0.00' })),
  ),
  shows(
    '6.3/details/billing-no-payments',
    'null',
    isRead,
    inBilling(() => ({ employer_payments: null })),
  ),
];
