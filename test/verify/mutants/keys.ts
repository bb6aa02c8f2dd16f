import { askedWith, asking, inErrors, pathOf, refusal, withMembers } from './changes.js';
import {
  bodyOf,
  conflictFor,
  invalid,
  isCreate,
  isOther,
  isVersion1,
  keyOf,
  type Members,
  nameIn,
  remembering,
} from './deals.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];
type Forward = Parameters<Fetch>[0];

const mutant = (law: string, name: string, fetch: Fetch): Mutant => ({
  law: law.includes('/') ? law : `2.7/keys/${law}`,
  name,
  fetch,
});

const reused = () => refusal(422, 'idempotency_key_reused');

const malformed = () => refusal(400, 'invalid_idempotency_key');

const withoutKey = (request: Request) => askedWith(request, { 'idempotency-key': undefined });

/** Keys that are read otherwise. */
const reads = (change: (key: string) => string | undefined): Fetch =>
  asking((request) => {
    const key = keyOf(request);
    return key === null ? request : askedWith(request, { 'idempotency-key': change(key) });
  });

/** What was seen under a key. */
interface Seen {
  count: number;
  readonly body: Members;
  readonly text: string;
  readonly path: string;
  readonly isOther: boolean;
  readonly answer: Promise<Response>;
}

/** Answers the second request with a key, and those after it. */
const again = (
  answer: (seen: Seen, request: Request, forward: Forward) => Response | Promise<Response>,
  scope: (request: Request) => string = () => '',
  isKept: (status: number) => boolean = () => true,
): Fetch =>
  remembering(
    () => new Map<string, Seen>(),
    async (all, request, forward) => {
      const key = keyOf(request);
      if (key === null || request.method !== 'POST') return forward(request);
      const name = `${scope(request)} ${key}`;
      const seen = all.get(name);
      if (seen !== undefined) {
        seen.count += 1;
        return (await answer(seen, request, forward)).clone();
      }
      const [body, text] = [await bodyOf(request), await request.clone().text()];
      const first = forward(request);
      const kept = { body, text, path: pathOf(request), isOther: isOther(request) };
      all.set(name, { count: 1, ...kept, answer: first.then((each) => each.clone()) });
      const response = await first;
      if (!isKept(response.status)) all.delete(name);
      return response;
    },
  );

/** A key with input that differs in this is refused, whatever it means. */
const compares = (of: (body: Members, text: string) => unknown): Fetch =>
  again(async (seen, request, forward) => {
    const text = await request.clone().text();
    const isSame =
      JSON.stringify(of(await bodyOf(request), text)) === JSON.stringify(of(seen.body, seen.text));
    return isSame ? forward(request) : reused();
  });

/** A key with input that differs in nothing else gets the first answer. */
const overlooks = (without: (body: Members) => Members): Fetch =>
  again(async (seen, request, forward) => {
    const [now, then] = [without(await bodyOf(request)), without(seen.body)];
    return JSON.stringify(now) === JSON.stringify(then) ? seen.answer : forward(request);
  });

const leavingOut =
  (...names: readonly string[]) =>
  (body: Members): Members =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Gives the answer of the first create of a name. */
const byName = (fits: (key: string | null) => boolean): Fetch =>
  remembering(
    () => new Map<string, Response>(),
    async (answers, request, forward) => {
      if (!isCreate(request)) return forward(request);
      const name = nameIn(await bodyOf(request));
      const first = answers.get(name);
      if (first !== undefined && fits(keyOf(request))) return first.clone();
      const response = await forward(request);
      if (response.ok) answers.set(name, response.clone());
      return response;
    },
  );

/** What concurrent requests with one key get, but for the first. */
const concurrent = (
  answer: (request: Request, forward: Forward, count: number) => Promise<Response>,
): Fetch =>
  remembering(
    () => new Map<string | null, number>(),
    async (open, request, forward) => {
      const key = keyOf(request);
      if (key === null) return forward(request);
      const count = open.get(key) ?? 0;
      open.set(key, count + 1);
      const response = count === 0 ? await forward(request) : await answer(request, forward, count);
      open.set(key, (open.get(key) ?? 1) - 1);
      return response;
    },
  );

const changedData = (response: Response, change: (data: Members) => Members) =>
  withMembers(response, ({ data, ...members }) => ({ ...members, data: change(Object(data)) }));

export const mutants: readonly Mutant[] = [
  mutant(
    'accepted',
    'unknown headers are refused',
    asking((request) => (keyOf(request) === null ? request : refusal(400, 'validation_failed'))),
  ),
  mutant('replay', 'keys are forgotten', asking(withoutKey)),
  mutant(
    'replay',
    'the present state',
    again(async ({ answer }) => changedData((await answer).clone(), () => ({ status: 'created' }))),
  ),
  mutant(
    'replay-status',
    '200',
    again(async ({ answer }) => {
      const first = await answer;
      return new Response(await first.clone().text(), { status: 200 });
    }),
  ),
  mutant(
    'replay-often',
    'once',
    again(({ count }, request, forward) => forward(count > 2 ? withoutKey(request) : request)),
  ),
  mutant(
    'replay-token',
    'a new one',
    again(async ({ answer }) =>
      changedData((await answer).clone(), (data) => ({ ...data, payment_token: 'x'.repeat(43) })),
    ),
  ),
  mutant(
    'token-of-deal',
    'a new one',
    again(async ({ answer }) =>
      changedData((await answer).clone(), (data) => ({ ...data, payment_token: 'x'.repeat(43) })),
    ),
  ),
  mutant(
    'replay-after-end',
    'keys end with the deal',
    remembering(
      () => ({ isOver: false }),
      async (state, request, forward) => {
        state.isOver ||= pathOf(request).endsWith('/cancel/');
        return forward(state.isOver ? withoutKey(request) : request);
      },
    ),
  ),
  mutant(
    'work-days-default',
    'compared as sent',
    compares((body) => body['work_days']),
  ),
  mutant(
    'money-spelling',
    'compared as sent',
    compares((body) => [body['budget'], body['amount']]),
  ),
  mutant(
    'integer-spelling',
    'compared as sent',
    compares((_, text) => /id":\d+(\.0)?/.exec(text)),
  ),
  mutant(
    'unknown-members',
    'compared whole',
    compares((body) => Object.keys(body).sort()),
  ),
  mutant(
    'member-order',
    'compared as sent',
    compares((body) => Object.keys(body)),
  ),
  mutant(
    'json-spelling',
    'compared as sent',
    compares((_, text) => text.length),
  ),
  mutant(
    'other-input',
    'only keys are compared',
    again(({ answer }) => answer),
  ),
  mutant(
    'other-input-code',
    'one code of all',
    inErrors((error, { status }) => (status === 422 ? { ...error, code: 'conflict' } : error)),
  ),
  mutant('other-name', 'names are not compared', overlooks(leavingOut('partner_id', 'email'))),
  mutant(
    'other-name',
    'stored, and then refused',
    again((_, request, forward) => forward(withoutKey(request)).then(reused)),
  ),
  mutant('every-field', 'the currency is not compared', overlooks(leavingOut('currency'))),
  mutant('every-field', 'new fields are forgotten', overlooks(leavingOut('nip', 'pesel'))),
  mutant(
    'every-field',
    'the freelancer is not compared',
    overlooks(leavingOut('email_freelancer', 'contractor_email')),
  ),
  mutant(
    'optional-field',
    'only fields that are there are compared',
    overlooks(leavingOut('house_no', 'apartment_no', 'bank_account_bic', 'tax_id')),
  ),
  mutant(
    'other-blanks',
    'compared without blanks',
    overlooks((body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value).trim()])),
    ),
  ),
  mutant(
    'first-stays',
    'removed by a failure',
    again(({ count }, request, forward) => forward(count > 2 ? withoutKey(request) : request)),
  ),
  mutant(
    'longest',
    'a column of 64',
    reads((key) => key.slice(0, 64)),
  ),
  mutant(
    'shortest',
    'at least 8',
    asking((request) => ((keyOf(request) ?? '12345678').length < 8 ? malformed() : request)),
  ),
  mutant(
    'visible-characters',
    'letters and digits',
    asking((request) => (/^[\w-]*$/.test(keyOf(request) ?? '') ? request : malformed())),
  ),
  mutant(
    'case',
    'in lower case',
    reads((key) => key.toLowerCase()),
  ),
  mutant(
    'too-long',
    'cut',
    reads((key) => key.slice(0, 255)),
  ),
  mutant(
    'with-blank',
    'without blanks',
    reads((key) => key.replace(/ (?=key$)/, '')),
  ),
  mutant(
    'with-tab',
    'without tabs',
    reads((key) => key.replaceAll('\t', '')),
  ),
  mutant(
    'two-in-one-header',
    'the first',
    reads((key) => key.split(', ')[0]),
  ),
  mutant(
    'not-ascii',
    'encoded',
    reads((key) => encodeURIComponent(key).slice(0, 255)),
  ),
  mutant(
    'empty',
    'as none',
    reads((key) => (key === '' ? undefined : key)),
  ),
  mutant('malformed-stores-nothing', 'judged at the end', (forward) => async (request) => {
    if (/^[!-~]{1,255}$/.test(keyOf(request) ?? 'none')) return forward(request);
    await forward(withoutKey(request));
    return malformed();
  }),
  mutant('malformed-before-validation', 'judged at the end', (forward) => async (request) => {
    if (/^[!-~]{1,255}$/.test(keyOf(request) ?? 'none')) return forward(request);
    const response = await forward(withoutKey(request));
    return response.ok ? malformed() : response;
  }),
  mutant(
    'validation-before-key',
    'the key first',
    compares((_, text) => text),
  ),
  mutant(
    'key-before-contractor',
    'the contractor first',
    asking(async (request) =>
      String((await bodyOf(request))['contractor_email']).includes('unknown')
        ? invalid(['contractor_email', 'unknown_contractor'])
        : request,
    ),
  ),
  mutant(
    'other-key',
    'any key repeats',
    byName((key) => key !== null),
  ),
  mutant(
    'no-key',
    'the body repeats',
    byName((key) => key === null),
  ),
  mutant(
    'key-of-unkeyed',
    'any key repeats',
    byName((key) => key !== null),
  ),
  mutant('invalid-keeps-none', 'a key is used by any request', again(reused)),
  mutant(
    'conflict-keeps-none',
    'conflicts are kept',
    again(
      ({ answer }) => answer,
      () => '',
      (status) => status === 409,
    ),
  ),
  mutant(
    'unknown-contractor-keeps-none',
    'the first answer is kept',
    again(({ answer }) => answer),
  ),
  mutant(
    'partners-apart',
    'keys of the service',
    again((seen, request, forward) =>
      seen.isOther === isOther(request) ? forward(request) : reused(),
    ),
  ),
  mutant(
    'partners-get-their-own',
    'keys of the service',
    again(({ answer }) => answer),
  ),
  mutant(
    'kinds-apart',
    'keys of the partner',
    again((seen, request, forward) =>
      seen.path === pathOf(request) ? forward(request) : reused(),
    ),
  ),
  mutant(
    'versions-together',
    'keys of the path',
    asking((request) => {
      const key = keyOf(request);
      if (key === null || isVersion1(request)) return request;
      return askedWith(request, { 'idempotency-key': `v2-${key}` });
    }),
  ),
  mutant(
    '6.2/keys/commands-apart',
    'keys of the partner',
    again((_, request, forward) => (isCreate(request) ? forward(request) : reused())),
  ),
  mutant(
    'race',
    'one after the other',
    concurrent(async () => refusal(409, 'in_progress')),
  ),
  mutant(
    'race-one-answer',
    'each its own',
    concurrent(async (request, forward, count) =>
      changedData(await forward(request), (data) => ({ ...data, id: count })),
    ),
  ),
  mutant(
    'race-one-token',
    'the last is stored',
    concurrent(async (request, forward) =>
      changedData(await forward(request), (data) => ({ ...data, payment_token: 'x'.repeat(43) })),
    ),
  ),
  mutant(
    'race-with-others',
    'the name first',
    concurrent(async (request) => conflictFor(request)),
  ),
  mutant(
    'race-other-input',
    'looks, then writes',
    concurrent((request, forward) => forward(withoutKey(request))),
  ),
];
