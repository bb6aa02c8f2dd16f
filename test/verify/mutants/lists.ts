import {
  answering,
  askedAt,
  askedWith,
  asking,
  inErrors,
  refusal,
  withMembers,
} from './changes.js';
import {
  bodyOf,
  inData,
  inStatus,
  isCreate,
  isList,
  isOther,
  type Members,
  remembering,
} from './deals.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

const mutant = (law: string, name: string, fetch: Fetch): Mutant => ({
  law: law.includes('/') ? law : `4/list/${law}`,
  name,
  fetch,
});

/** Changes the page. */
const shows = (law: string, name: string, change: (page: Members, request: Request) => Members) =>
  mutant(
    law,
    name,
    inData(isList, (data, request) => ({ ...data, ...change(data, request) })),
  );

const itemsOf = ({ results }: Members) => results as Members[];

const inItems = (law: string, name: string, change: (item: Members) => Members) =>
  shows(law, name, (page) => ({
    results: itemsOf(page).map((item) => ({ ...item, ...change(item) })),
  }));

const without = (law: string, ...names: readonly string[]) =>
  names.map((name) => inItems(law, `without ${name}`, () => ({ [name]: undefined })));

/** Changes the parameters of a list; one that becomes `undefined` is left out. */
const asks = (
  law: string,
  name: string,
  change: (query: Readonly<Record<string, string>>) => Readonly<Record<string, string | undefined>>,
): Mutant =>
  mutant(
    law,
    name,
    asking((request) =>
      isList(request)
        ? askedAt(request, (path) => {
            const [before, text = ''] = path.split('?');
            const query = Object.fromEntries(new URLSearchParams(text));
            const all = Object.entries({ ...query, ...change(query) });
            const kept = all.filter((each): each is [string, string] => each[1] !== undefined);
            return `${before}?${new URLSearchParams(kept)}`;
          })
        : request,
    ),
  );

/** Refuses what fits, though it is right. */
const refuses = (law: string, name: string, fits: (query: URLSearchParams) => boolean): Mutant =>
  mutant(
    law,
    name,
    asking((request) =>
      isList(request) && fits(new URL(request.url).searchParams)
        ? refusal(400, 'validation_failed')
        : request,
    ),
  );

const empty = () => Response.json({ data: { results: [], next: null, previous: null } });

/** Finds nothing by values that another server refuses. */
const takes = (law: string, name: string, fits: (query: URLSearchParams) => boolean): Mutant =>
  mutant(
    law,
    name,
    asking((request) =>
      isList(request) && fits(new URL(request.url).searchParams) ? empty() : request,
    ),
  );

const moved = (time: string | undefined, milliseconds: number) =>
  time === undefined || Number.isNaN(Date.parse(time))
    ? time
    : new Date(Date.parse(time) + milliseconds).toISOString();

const times = ['created_from', 'created_to'];

const anyTime = (fits: (time: string) => boolean) => (query: URLSearchParams) =>
  times.some((name) => query.has(name) && fits(query.get(name) ?? ''));

const paths = (change: (path: string) => string) =>
  inErrors((error) => {
    const { errors } = error;
    if (!Array.isArray(errors)) return error;
    return { ...error, errors: errors.map((each) => ({ ...each, path: each.path.map(change) })) };
  });

export const mutants: readonly Mutant[] = [
  shows('shape', 'without previous', () => ({ previous: undefined })),
  shows('shape', 'an object', ({ results }) => ({ results: { ...Object(results) } })),
  ...without('item-members', 'api_version', 'freelancer_status', 'created_at'),
  inItems('item-values', 'the currency of the account', () => ({ currency: 'EUR' })),
  inItems('item-values', 'the status of the freelancer twice', ({ freelancer_status }) => ({
    status: freelancer_status,
  })),
  inItems('item-version', 'an id', () => ({ id: null })),
  inItems('item-version', 'a number', () => ({ api_version: 2 })),
  inItems('item-time', 'the time of the request', () => ({ created_at: new Date() })),
  inItems('item-money', 'as a number', ({ amount }) => ({ amount: Number(amount) })),
  shows('v1-item', 'only deals of 2.0', (page) => ({
    results: itemsOf(page).filter(({ api_version }) => api_version === '2.0'),
  })),
  inItems('v1-item', 'the names of 1.0', ({ title }) => ({ name: title, title: undefined })),
  ...without('v1-id', 'id'),
  mutant(
    '3/list/no-token',
    'whole deals',
    remembering(
      () => ({ data: {} as unknown }),
      async (state, request, forward) => {
        const response = await forward(request);
        if (isCreate(request)) state.data = (await bodyOf(response))['data'];
        if (!isList(request)) return response;
        return withMembers(response, (members) => ({ ...members, details: state.data }));
      },
    ),
  ),
  mutant(
    'at-once',
    'an index that is late',
    remembering(
      () => new Set<string>(),
      async (seen, request, forward) => {
        if (!isList(request) || seen.has(request.url)) return forward(request);
        seen.add(request.url);
        return empty();
      },
    ),
  ),
  asks('without-filter', 'only deals that go on', (query) =>
    Object.keys(query).length === 1 ? { status: 'accepted' } : {},
  ),
  shows('empty', 'a cursor at the end', () => ({ next: 'end' })),
  mutant(
    'empty',
    '404',
    answering(async (response, request) => {
      const { results } = Object((await bodyOf(response))['data']);
      return isList(request) && results?.length === 0 ? refusal(404, 'not_found') : response;
    }),
  ),
  mutant(
    '2.1/list/own-alone',
    'of all partners',
    remembering(
      () => [] as Members[],
      async (foreign, request, forward) => {
        if (isOther(request) && isCreate(request)) foreign.push(await bodyOf(request));
        const response = await forward(request);
        if (!isList(request)) return response;
        return withMembers(response, ({ data }) => ({
          data: { ...Object(data), results: [...itemsOf(Object(data)), ...foreign] },
        }));
      },
    ),
  ),
  mutant(
    '2.1/list/others-name',
    'a name finds it everywhere',
    asking((request) =>
      isList(request) && request.url.includes('partner_id')
        ? askedWith(request, { authorization: 'Token sandbox-acme' })
        : request,
    ),
  ),
  shows('newest-first', 'the oldest first', (page) => ({ results: itemsOf(page).reverse() })),
  shows('times-fall', 'by name', (page) => ({
    results: itemsOf(page).map((item, at) => ({
      ...item,
      created_at: new Date(Date.parse(String(item['created_at'])) + at * 1000).toISOString(),
    })),
  })),
  asks('default-size', '50', (query) => ({ page_size: '50', ...query })),
  asks('default-size', '10', (query) => ({ page_size: '10', ...query })),
  asks('size-1', 'two at least', ({ page_size }) => ({
    page_size: page_size === '1' ? '2' : page_size,
  })),
  asks('size-100', '50 at most', ({ page_size }) => ({
    page_size: page_size === '100' ? '50' : page_size,
  })),
  asks('size-below', 'one at least', ({ page_size }) => ({
    page_size: Number(page_size) < 1 ? '1' : page_size,
  })),
  asks('size-above', '100 at most', ({ page_size }) => ({
    page_size: Number(page_size) > 100 ? '100' : page_size,
  })),
  asks('size-fraction', 'cut', ({ page_size }) => ({ page_size: page_size?.replace(/\..*/, '') })),
  asks('size-text', 'the default', ({ page_size = '20' }) => ({
    page_size: Number.isNaN(Number.parseInt(page_size, 10)) ? '20' : page_size,
  })),
  shows('each-once', 'a gap', (page, { url }) => ({
    results: url.includes('cursor') ? itemsOf(page).slice(1) : itemsOf(page),
  })),
  mutant(
    'each-once',
    'the last item again',
    remembering(
      () => ({ last: [] as Members[] }),
      async (state, request, forward) => {
        const response = await forward(request);
        if (!isList(request)) return response;
        const repeated = request.url.includes('cursor') ? state.last : [];
        state.last = itemsOf(Object((await bodyOf(response))['data'])).slice(-1);
        return withMembers(response, ({ data }) => ({
          data: { ...Object(data), results: [...repeated, ...itemsOf(Object(data))] },
        }));
      },
    ),
  ),
  shows('first-page', 'a cursor to nothing', ({ next }) => ({ previous: next })),
  shows('last-page', 'a cursor after a full page', ({ next, previous, ...page }, { url }) => ({
    next:
      next ??
      (itemsOf(page).length === Number(new URL(url).searchParams.get('page_size'))
        ? previous
        : null),
  })),
  shows('one-page', 'a cursor always', ({ next }) => ({ next: next ?? 'end' })),
  shows('back', 'no way back', () => ({ previous: null })),
  shows('back', 'in the order of the way', (page, { url }) => ({
    results: url.length > 200 ? itemsOf(page).reverse() : itemsOf(page),
  })),
  mutant(
    'while-others-arrive',
    'an offset',
    remembering(
      () => ({ made: 0, before: 0 }),
      async (state, request, forward) => {
        if (isCreate(request)) state.made += 1;
        const response = await forward(request);
        if (!isList(request)) return response;
        const isMoved = request.url.includes('cursor') && state.made > state.before;
        state.before = state.made;
        return isMoved
          ? withMembers(response, ({ data }) => ({
              data: { ...Object(data), results: itemsOf(Object(data)).slice(1) },
            }))
          : response;
      },
    ),
  ),
  mutant(
    'cursor-again',
    'a cursor is used up',
    remembering(
      () => new Set<string>(),
      async (used, request, forward) => {
        if (!request.url.includes('cursor=')) return forward(request);
        if (used.has(request.url)) return refusal(400, 'invalid_cursor');
        used.add(request.url);
        return forward(request);
      },
    ),
  ),
  asks('cursor-garbage', 'the first page', ({ cursor }) => ({
    cursor: (cursor?.length ?? 0) < 12 ? undefined : cursor,
  })),
  mutant(
    'cursor-garbage',
    'a validation error',
    inErrors((error) => ({ ...error, code: 'validation_failed' })),
  ),
  mutant(
    'cursor-of-other-filter',
    'a position alone',
    inStatus((request, status) => isList(request) && status === 400, 200),
  ),
  takes('cursor-of-other-filter', 'statuses are not in the cursor', (query) =>
    ['status', 'freelancer_status'].some((name) => query.has(name)),
  ),
  mutant(
    'cursor-of-other-partner',
    'a cursor is a right',
    asking((request) =>
      isList(request) && request.url.includes('cursor')
        ? askedWith(request, { authorization: 'Token sandbox-acme' })
        : request,
    ),
  ),
  asks('filter-name', 'ignored', () => ({ partner_id: undefined })),
  asks('2.2/list/filter-name-exactly', 'NFC', ({ partner_id }) => ({
    partner_id: partner_id?.normalize('NFC'),
  })),
  asks('2.2/list/filter-name-exactly', 'without blanks', ({ partner_id }) => ({
    partner_id: partner_id?.trim(),
  })),
  asks('filter-freelancer', 'ignored', () => ({ email_freelancer: undefined })),
  shows('1.3/list/filter-freelancer-case', 'compared exactly', (page, { url }) => ({
    results: itemsOf(page).filter(
      ({ email_freelancer }) =>
        email_freelancer === new URL(url).searchParams.get('email_freelancer'),
    ),
  })),
  shows('filter-contractor', 'only deals of 2.0', (page) => ({
    results: itemsOf(page).filter(({ api_version }) => api_version === '2.0'),
  })),
  asks('filter-status', 'ignored', () => ({ status: undefined })),
  asks('filter-freelancer-status', 'ignored', () => ({ freelancer_status: undefined })),
  shows('filter-new-status', 'an index that is late', (page) => ({
    results: itemsOf(page).filter(({ status }) => status === 'created'),
  })),
  asks('6.7/list/filter-attention', 'ignored', () => ({ attention: undefined })),
  asks('filters-together', 'one counts', ({ partner_id, ...rest }) =>
    partner_id === undefined
      ? {}
      : Object.fromEntries(Object.keys(rest).map((name) => [name, undefined])),
  ),
  refuses('6.2/list/statuses', 'one is missing', (query) => query.get('status') === 'expired'),
  refuses(
    '6.2/list/statuses',
    'one of a freelancer is missing',
    (query) => query.get('freelancer_status') === 'removed',
  ),
  takes('status-unknown', 'finds nothing', (query) => query.get('status') === 'unknown'),
  takes('status-unknown', 'any case', (query) => query.get('freelancer_status') === 'NEW'),
  takes('status-of-other', 'one set for both', (query) => query.get('status') === 'new'),
  asks('name-empty', 'as none', ({ partner_id }) => ({ partner_id: partner_id || undefined })),
  takes('name-too-long', 'finds nothing', (query) => (query.get('partner_id') ?? '').length > 40),
  refuses('name-too-long', '39', (query) => (query.get('partner_id') ?? '').length > 39),
  takes(
    'freelancer-no-address',
    'finds nothing',
    (query) => query.get('email_freelancer') === 'nobody',
  ),
  mutant(
    '1.8/list/all-problems',
    'the first alone',
    inErrors((error) => {
      const { errors } = error;
      return { ...error, ...(Array.isArray(errors) && { errors: errors.slice(0, 1) }) };
    }),
  ),
  takes('unknown-parameter', 'ignored', (query) => query.has('limit')),
  takes('unknown-parameter', 'any case', (query) => query.has('Status')),
  mutant(
    'unknown-parameter-cut',
    'UTF-16',
    paths((path) => path.slice(0, 64)),
  ),
  mutant(
    'unknown-parameter-cut',
    'one more',
    paths((path) => `${path}x`),
  ),
  mutant(
    'repeated-parameter',
    'the first',
    asking((request) => askedAt(request, (path) => path.replace(/&partner_id=.*/, ''))),
  ),
  asks('from-inclusive', 'exclusive', ({ created_from }) => ({
    created_from: moved(created_from, 1),
  })),
  asks('from-later', 'ignored', () => ({ created_from: undefined })),
  asks('to-exclusive', 'inclusive', ({ created_to }) => ({ created_to: moved(created_to, 1) })),
  asks('to-later', 'by the second', ({ created_to }) => ({
    created_to: created_to?.replace(/\.\d+Z/, '.000Z'),
  })),
  asks('no-time', 'both inclusive', ({ created_to }) => ({ created_to: moved(created_to, 1) })),
  asks('time-offset', 'ignored', (query) =>
    Object.fromEntries(times.map((name) => [name, query[name]?.replace(/[+-]\d\d:\d\d$/, 'Z')])),
  ),
  refuses(
    'time-offset',
    'only Z',
    anyTime((time) => /[+-]\d\d:\d\d$/.test(time)),
  ),
  refuses(
    'time-fraction',
    'milliseconds at most',
    anyTime((time) => /\.\d{4}/.test(time)),
  ),
  refuses(
    'time-lower-case',
    'refused',
    anyTime((time) => time.includes('t')),
  ),
  takes(
    'time-words',
    'finds nothing',
    anyTime((time) => time === 'yesterday'),
  ),
  takes(
    'time-words',
    'no filter',
    anyTime((time) => time === ''),
  ),
  takes(
    'time-part',
    'a date is enough',
    anyTime((time) => /^\d{4}-\d\d-\d\d$/.test(time)),
  ),
  takes(
    'time-without-offset',
    'taken as UTC',
    anyTime((time) => /T\d\d:\d\d:\d\d$/.test(time)),
  ),
  takes(
    'time-impossible',
    'February has 30 days',
    anyTime((time) => time.includes('02-30')),
  ),
  takes(
    'time-impossible',
    'midnight is 24:00',
    anyTime((time) => time.includes('T24')),
  ),
  takes(
    'time-number',
    'seconds',
    anyTime((time) => /^\d+$/.test(time)),
  ),
];
