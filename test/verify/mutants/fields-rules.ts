import { answering, askedWith, asking, refusal } from './changes.js';
import {
  asksFor,
  codePoints,
  contractorPath,
  dealPath,
  dealV2Path,
  inIssues,
  issue,
  mends,
  mendsText,
  readsText,
  refuses,
  refusesText,
  says,
} from './fields-changes.js';
import type { Mutant } from './mutant.js';

const listPath = dealV2Path;
const webhookPath = '/api/2.0/webhook/';
const isNumber = (value: unknown) => typeof value === 'number';

const rows: readonly (readonly [law: string, name: string, fetch: Mutant['fetch']])[] = [
  [
    '1.1/fields/blank',
    'the strict profile is always on',
    refusesText(contractorPath, 'street', 'blank', (text) => text.trim() === ''),
  ],
  [
    '1.2/fields/lone-surrogate',
    'a lone surrogate is replaced',
    readsText(contractorPath, (text) => text.replace(/\\ud[89a-f]../gi, '\\ufffd')),
  ],
  [
    '1.2/fields/u-0000',
    'U+0000 is left out',
    readsText(contractorPath, (text) => text.replaceAll('\\u0000', '')),
  ],
  [
    '1.2/fields/utf-8',
    'bytes that are not UTF-8 are replaced',
    asksFor(listPath, (query) => query.replace('%FF', '%EF%BF%BD')),
  ],
  [
    '1.6/fields/integer-spelling',
    'a fraction is a fraction',
    asking(async (request) =>
      /:-?\d+\.0[,}]/.test(await request.clone().text())
        ? issue('work_days', 'not_an_integer')
        : request,
    ),
  ],
  [
    '1.6/fields/integer-type',
    'a number may be a text',
    mends(dealPath, ({ work_days: days }) => (days === '30' ? { work_days: 30 } : {})),
  ],
  [
    '1.6/fields/integer-type',
    'a fraction is cut off',
    mends(dealPath, ({ work_days: days }) =>
      isNumber(days) ? { work_days: Math.trunc(Number(days)) } : {},
    ),
  ],
  [
    '1.6/fields/integer-range',
    'any number that is whole',
    mends(dealPath, ({ work_days: days }) => (days === 2 ** 53 ? { work_days: 30 } : {})),
  ],
  [
    '1.6/fields/integer-bounds',
    'a column of 32 bits',
    refuses(dealPath, 'work_days', 'out_of_range', (days) => Number(days) > 2 ** 31 - 1),
  ],
  [
    '1.7/fields/null',
    'null is as if left out',
    readsText(contractorPath, (text) => text.replace(/"house_no":null,?/, '')),
  ],
  [
    '1.7/fields/other-members',
    'names of members in any case',
    readsText(contractorPath, (text) =>
      text.replace(/"[A-Z_]{3,}":/g, (name) => name.toLowerCase()),
    ),
  ],
  [
    '1.7/fields/repeated',
    'a repeated member is an error',
    asking(async (request) =>
      /("\w+":)null,.*\1/s.test(await request.clone().text())
        ? refusal(400, 'invalid_json')
        : request,
    ),
  ],
  [
    '1.8/fields/all-at-once',
    'the first issue alone',
    answering(async (response) => {
      if (response.status !== 400) return response;
      const { errors = [], ...error } = await response.json();
      return Response.json({ ...error, errors: errors.slice(0, 1) }, { status: 400 });
    }),
  ],
  [
    '1.8/fields/no-object',
    'the body has a name',
    inIssues(({ path, ...others }) => ({
      ...others,
      path: Array.isArray(path) && path.length === 0 ? ['body'] : path,
    })),
  ],
  [
    '1.8/fields/type',
    'a number is a text as well',
    mends(contractorPath, ({ city }) => (isNumber(city) ? { city: `${city}` } : {})),
  ],
  ['1.8/fields/params', 'issues have no params', inIssues(({ params: _, ...others }) => others)],
  [
    '1.8/fields/params',
    'the greatest length is told as one less',
    says((text) => text.replace('"max":200}', '"max":199}')),
  ],
  ['1.8/fields/message', 'one code has no message', says((text) => emptied(text, 'too_short'))],
  [
    '1.8/fields/polish',
    'English alone',
    asking((request) => askedWith(request, { 'accept-language': 'en' })),
  ],
  [
    '1.8/fields/no-value',
    'a message shows the value',
    inIssues(async (each, request) => {
      const sent = request.method === 'POST' ? await request.text() : '';
      return { ...each, message: `${each['message']}: ${sent.slice(0, 300)}` };
    }),
  ],
  [
    '5.2/fields/json',
    'bodies are read by a more tolerant parser',
    readsText(contractorPath, (text) => text.replace(/,\s*\}$/, '}')),
  ],
  [
    '6.7/fields/command',
    'a command without a message is refused',
    refuses('/cancel/', 'message', 'required', (message) => message === undefined),
  ],
  [
    '6.7/fields/text-length',
    'a reason is counted in UTF-16',
    refusesText('/cancel/', 'reason', 'too_long', (reason) => reason.length > 2000),
  ],
  [
    '6.7/fields/reason-required',
    'a dispute needs no reason',
    mends('/dispute/', ({ reason = '-' }) => ({ reason })),
  ],
  [
    '6.7/fields/stage-unknown',
    'an unknown stage is any stage',
    readsText('/file/', (text) => text.replace(/"stage_id":-?\d+,/, '')),
  ],
  [
    '6.2/fields/resolve',
    'nothing is not to be agreed on',
    refusesText('/resolve/', 'agreed_amount', 'not_positive', (amount) => /^[-0.]+$/.test(amount)),
  ],
  [
    '6.2/fields/resolve-negative',
    'a negative amount is zero',
    mendsText('/resolve/', 'agreed_amount', (amount) => (/^-\d*\.?\d/.test(amount) ? '0' : amount)),
  ],
  [
    '6.7/fields/report-required',
    'a report without a status is one of money',
    mends('/record-employer-payment/', ({ status = 'paid' }) => ({ status })),
  ],
  [
    '6.7/fields/report-status-others',
    'a status may be in upper case',
    mendsText('/record-employer-payment/', 'status', (status) => status.toLowerCase()),
  ],
  [
    '6.7/fields/report-unknown-payment',
    'an unknown payment is a new one',
    readsText('/record-employer-payment/', (text) => text.replace(/"payment_id":"x",/, '')),
  ],
  [
    '6.7/fields/report-positive',
    'a report of nothing',
    mendsText('/record-employer-payment/', 'amount', (amount) =>
      /^[0.]+$/.test(amount) ? '5' : amount,
    ),
  ],
  [
    '6.7/fields/clock-bounds',
    'a clock that stands still',
    mends('/clock/', ({ advance_seconds: by }) => (by === 0 ? { advance_seconds: 1 } : {})),
  ],
  [
    '4/fields/file-required',
    'a file without a name has the name file',
    mends('/file/', ({ name = 'file' }) => ({ name })),
  ],
  [
    '4/fields/file-alphabet',
    'the base64 of URLs',
    mendsText('/file/', 'content', (text) => text.replaceAll('-', '+').replaceAll('_', '/')),
  ],
  [
    '4/fields/file-padding',
    'base64 without padding',
    mendsText('/file/', 'content', (text) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')),
  ],
  [
    '4/fields/file-type',
    'a type is not looked at',
    mendsText('/file/', 'content_type', (type) => (type === '  ' ? 'text/plain' : type)),
  ],
  [
    '7.2/fields/webhook',
    'types are required',
    refuses(webhookPath, 'types', 'required', (types) => types === undefined),
  ],
  [
    '7.2/fields/webhook-url',
    'any scheme',
    mendsText(webhookPath, 'url', (url) => url.replace(/^ftp:/, 'https:')),
  ],
  [
    '7.2/fields/webhook-defaults',
    'a webhook is ordered',
    mends(webhookPath, ({ ordered = true }) => ({ ordered })),
  ],
  [
    '7.9/fields/webhook-user',
    'user info is cut off',
    mendsText(webhookPath, 'url', (url) => url.replace(/\/\/[^/]*@/, '//')),
  ],
  [
    '7.9/fields/webhook-address',
    'addresses within addresses are not seen',
    mendsText(webhookPath, 'url', (url) => url.replace(/\[::ffff:[^\]]*\]/i, 'web.invalid')),
  ],
  [
    '7.9/fields/webhook-port',
    'a name of the machine itself is a name like any other',
    mendsText(webhookPath, 'url', (url) => url.replace('//localhost', '//web.invalid')),
  ],
  [
    '1.8/fields/list-items',
    'the path ends at the list',
    inIssues(({ path, ...others }) => ({ ...others, path: Object(path).slice(0, 1) })),
  ],
  [
    '4/fields/list',
    'a filter of one status that is never asked for',
    asking((request) =>
      request.url.endsWith('?status=disputed') ? issue('status', 'not_allowed') : request,
    ),
  ],
  [
    '4/fields/page-size',
    'a larger page is the largest one',
    asksFor(listPath, (query) => query.replace('page_size=101', 'page_size=100')),
  ],
  [
    '4/fields/cursor',
    'a cursor that is no cursor is the beginning',
    asksFor(listPath, (query) => query.replace(/cursor=\++/, '')),
  ],
  [
    '4/fields/time',
    'times of UTC alone',
    asking((request) =>
      /created_to=[^&]*%2B\d\d%3A\d\d$/.test(request.url)
        ? issue('created_to', 'invalid_timestamp')
        : request,
    ),
  ],
  [
    '4/fields/time-others',
    'a time without an offset is of UTC',
    asksFor(listPath, (query) => query.replace(/(T\d\d%3A\d\d%3A\d\d)$/, '$1Z')),
  ],
  [
    '4/fields/time-others',
    'a day too many is of the next month',
    asksFor(listPath, (query) => query.replace('2025-02-29', '2025-03-01')),
  ],
  [
    '4/fields/page-size-form',
    'a page size is what JavaScript reads as a number',
    asksFor(listPath, (query) => query.replace('0x10', '16')),
  ],
  [
    '4/fields/filters',
    'a filter by an unknown status finds nothing',
    asksFor(listPath, (query) => query.replace('status=something-else', 'status=expired')),
  ],
  [
    '4/fields/filters',
    'a long name is cut',
    asksFor(listPath, (query) =>
      query.replace(/partner_id=(.*)/, (whole, name: string) =>
        codePoints(name) > 40 ? `partner_id=${name.slice(0, 40)}` : whole,
      ),
    ),
  ],
  [
    '4/fields/parameters',
    'a parameter that is not known is ignored',
    asksFor(listPath, (query) => query.replace('colour=red', '')),
  ],
  [
    '4/fields/operator-list',
    'an unknown status finds nothing',
    asksFor('/operator/deal/', (query) => query.replace('status=something-else', 'status=expired')),
  ],
  [
    '4/fields/operator-search',
    'a page may be empty',
    asksFor('/operator/search/', (query) => query.replace('page_size=0', 'page_size=1')),
  ],
  [
    '7.2/fields/redelivery',
    'which deliveries may be in capitals',
    mendsText(`${webhookPath}01KDVHF0800000000000000000/redeliver/`, 'which', (text) =>
      text.toLowerCase(),
    ),
  ],
];

export const mutants: readonly Mutant[] = rows.map(([law, name, fetch]) => ({ law, name, fetch }));

/** An error whose issues of this code have an empty message. */
function emptied(text: string, code: string): string {
  if (!text.includes(`"${code}"`)) return text;
  const { errors = [], ...error } = JSON.parse(text);
  const issues = errors.map((each: { code: string }) =>
    each.code === code ? { ...each, message: '' } : each,
  );
  return JSON.stringify({ ...error, errors: issues });
}
