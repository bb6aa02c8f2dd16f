import {
  answering,
  askedAt,
  askedWith,
  asking,
  inErrors,
  pathOf,
  refusal,
  withMembers,
} from './changes.js';
import {
  bodyOf,
  conflictFor,
  inBodies,
  inField,
  inStatus,
  invalid,
  isCreate,
  isOther,
  isRead,
  isVersion1,
  type Members,
  nameIn,
  remembering,
} from './deals.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

const mutant = (law: string, name: string, fetch: Fetch): Mutant => ({ law, name, fetch });

/** Names that are changed before they are compared. */
const compares = (law: string, name: string, change: (text: string) => string): Mutant =>
  mutant(`2.2/identity/${law}`, name, inField(['partner_id'], change));

/** The parameter of `by-id`, changed. */
const looksUp = (change: (text: string) => string): Fetch =>
  asking((request) =>
    askedAt(request, (path) =>
      path.replace(/(?<=partner_id=)[^&]*/, (id) =>
        encodeURIComponent(change(decodeURIComponent(id))),
      ),
    ),
  );

const both =
  (first: Fetch, second: Fetch): Fetch =>
  (forward) =>
    first(second(forward));

/** Creates with names that were seen. */
const withSeen = (
  isSeen: (status: number) => boolean,
  answer: (
    request: Request,
    forward: (request: Request) => Promise<Response>,
  ) => Response | Promise<Response>,
): Fetch =>
  remembering(
    () => new Set<string>(),
    async (seen, request, forward) => {
      if (!isCreate(request)) return forward(request);
      const name = nameIn(await bodyOf(request));
      if (seen.has(name)) return answer(request, forward);
      const response = await forward(request);
      if (isSeen(response.status)) seen.add(name);
      return response;
    },
  );

/** Two requests at the same time both find the name free. */
const unguarded = remembering(
  () => new Map<string, number>(),
  async (open, request, forward) => {
    if (!isCreate(request)) return forward(request);
    const name = nameIn(await bodyOf(request));
    const count = open.get(name) ?? 0;
    open.set(name, count + 1);
    // a name of its own lets the second one in
    const response = await (count === 0
      ? forward(request)
      : forward(await renamed(request, count)));
    open.set(name, (open.get(name) ?? 1) - 1);
    return response;
  },
);

async function renamed(request: Request, count: number): Promise<Request> {
  const body = await bodyOf(request);
  const own =
    'email' in body
      ? { email: `x${count}${body['email']}` }
      : { partner_id: `${body['partner_id']}${count}` };
  return new Request(request, { body: JSON.stringify({ ...body, ...own }) });
}

/** Contractors that this server was told of. */
const knownContractors = (
  answer: (issues: Members[], contractor: unknown) => Response | undefined,
): Fetch =>
  remembering(
    () => new Set<unknown>(),
    async (known, request, forward) => {
      const { email, contractor_email } = await bodyOf(request);
      const response = await forward(request);
      if (email !== undefined && response.ok) known.add(email);
      if (contractor_email === undefined || known.has(contractor_email)) return response;
      const { errors = [] } = await bodyOf(response);
      return answer(errors as Members[], contractor_email) ?? response;
    },
  );

/** What names a deal, in the last path. */
const namedIn = (request: Request) =>
  /partner_id=([^&]*)/.exec(request.url)?.[1] ??
  pathOf(request).split('/deal/')[1]?.split('/')[0] ??
  '';

/** Tells a stranger's deal from none. */
const tells = (
  law: string,
  name: string,
  end: RegExp,
  change: (response: Response) => Response | Promise<Response>,
): Mutant =>
  mutant(
    `2.5/identity/${law}`,
    name,
    remembering(
      () => new Set<string>(),
      async (names, request, forward) => {
        const { partner_id } = await bodyOf(request);
        const response = await forward(request);
        if (isOther(request) && names.has(namedIn(request)) && end.test(pathOf(request))) {
          return change(response);
        }
        const { data } = await bodyOf(response);
        if (isCreate(request)) names.add(String(partner_id)).add(String(Object(data).id));
        return response;
      },
    ),
  );

const forbidden = () => refusal(403, 'forbidden');

const hinting = (response: Response) =>
  withMembers(response, (error) => ({ ...error, detail: 'It is of another partner.' }));

const caseMarked = (email: string) =>
  email.replace(/[A-Z]/g, (letter) => `${letter.toLowerCase()}u`);

export const mutants: readonly Mutant[] = [
  mutant(
    'i/identity/exists',
    'the first again',
    inStatus((_, status) => status === 409, 200),
  ),
  mutant(
    '5.1/identity/exists-code',
    'one code of all conflicts',
    inErrors((error, { status }) => (status === 409 ? { ...error, code: 'conflict' } : error)),
  ),
  mutant(
    '2.2/identity/exists-with-other-input',
    'an update',
    remembering(
      () => new Map<string, string>(),
      async (texts, request, forward) => {
        if (!isCreate(request)) return forward(request);
        const text = await request.clone().text();
        const name = nameIn(JSON.parse(text));
        const first = texts.get(name) ?? text;
        texts.set(name, first);
        return text === first ? forward(request) : Response.json({ data: {} });
      },
    ),
  ),
  mutant(
    '2.2/identity/first-stays',
    'written, and then refused',
    remembering(
      () => new Map<string, unknown>(),
      async (titles, request, forward) => {
        const body = await bodyOf(request);
        const response = await forward(request);
        if (isCreate(request) && response.status === 409) {
          titles.set('title', body['title'] ?? body['name']);
        }
        const title = titles.get('title');
        if (!isRead(request) || title === undefined) return response;
        return withMembers(response, ({ data }) => ({ data: { ...Object(data), title } }));
      },
    ),
  ),
  mutant(
    '2.2/identity/across-versions',
    'a table each',
    inBodies((body, request) =>
      isVersion1(request) ? body : { ...body, partner_id: `${body['partner_id']}~` },
    ),
  ),
  mutant(
    '2.2/identity/stays-taken',
    'only of deals that go on',
    remembering(
      () => ({ isOver: false }),
      async (state, request, forward) => {
        state.isOver ||= pathOf(request).endsWith('/cancel/');
        return isCreate(request) && state.isOver
          ? forward(await renamed(request, 1))
          : forward(request);
      },
    ),
  ),
  mutant('2.2/identity/race', 'looks, then writes', unguarded),
  mutant('2.2/identity/race-across-versions', 'looks, then writes', unguarded),
  mutant(
    '2.7/identity/invalid-before-exists',
    'the name first',
    withSeen(
      (status) => status === 201,
      (request) => conflictFor(request),
    ),
  ),
  mutant(
    '2.7/identity/exists-before-contractor',
    'the contractor first',
    knownContractors(() => invalid(['contractor_email', 'unknown_contractor'])),
  ),
  mutant(
    '2.7/identity/refused-stores-nothing',
    'the name is taken first',
    withSeen(
      () => true,
      (request) => conflictFor(request),
    ),
  ),
  mutant(
    '5.1/identity/unknown-contractor',
    '404',
    knownContractors(() => refusal(404, 'not_found')),
  ),
  mutant(
    '5.1/identity/unknown-subcategory',
    'not looked up',
    inBodies((body) => ({
      ...body,
      ...('subcategory_id' in body && { subcategory_id: 75 }),
      ...('sub_category_id' in body && { sub_category_id: 75 }),
    })),
  ),
  mutant(
    '1.8/identity/subcategory-beside-others',
    'looked up if all else is valid',
    inErrors((error) => {
      const errors = error['errors'];
      if (!Array.isArray(errors) || errors.length < 2) return error;
      return { ...error, errors: errors.filter(({ code }) => code !== 'unknown_subcategory') };
    }),
  ),
  mutant(
    '1.8/identity/contractor-beside-others',
    'looked up first',
    knownContractors(() => invalid(['contractor_email', 'unknown_contractor'])),
  ),
  mutant(
    'i1.0/identity/contractor-first',
    'unknown is remembered',
    remembering(
      () => new Set<unknown>(),
      async (unknown, request, forward) => {
        const { contractor_email } = await bodyOf(request);
        if (unknown.has(contractor_email))
          return invalid(['contractor_email', 'unknown_contractor']);
        const response = await forward(request);
        if (contractor_email !== undefined && !response.ok) unknown.add(contractor_email);
        return response;
      },
    ),
  ),
  compares('case', 'in lower case', (text) => text.toLowerCase()),
  compares('case', 'by a Turkish collation', (text) => text.replaceAll('I', '\u0131')),
  compares('blanks', 'trimmed', (text) => text.trim()),
  compares('blanks', 'padded, as CHAR is', (text) => text.replace(/ +$/, '')),
  compares('normal-forms', 'NFC', (text) => text.normalize('NFC')),
  compares('compatibility', 'NFKC', (text) => text.normalize('NFKC')),
  compares('accents', 'by a collation', (text) => text.normalize('NFD').replace(/\p{Mn}/gu, '')),
  compares('accents', 'folded', (text) => text.replaceAll('\u00df', 'ss')),
  compares('invisible', 'ignored', (text) => text.replace(/[\u200b\ufeff\u00ad]/g, '')),
  compares('beyond-bmp', 'one weight', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  mutant(
    '2.2/details/exact-name',
    'in lower case',
    both(
      inField(['partner_id'], (text) => text.toLowerCase()),
      looksUp((text) => text.toLowerCase()),
    ),
  ),
  mutant(
    '2.2/details/own-deal',
    'looked up without blanks',
    looksUp((text) => text.trim()),
  ),
  mutant('1.3/identity/one-in-any-case', 'compared exactly', inField(['email'], caseMarked)),
  mutant(
    '1.3/identity/commission-in-any-case',
    'compared exactly',
    inField(['contractor_email'], caseMarked),
  ),
  mutant(
    '1.3/identity/other-addresses',
    'as one provider does',
    inField(['email'], (email) => email.replace(/\+.*(?=@)|\.(?=.*@)/g, '')),
  ),
  mutant(
    '2.3/identity/for-every-partner',
    'only for the one that registered it',
    asking((request) =>
      isOther(request) ? invalid(['contractor_email', 'unknown_contractor']) : request,
    ),
  ),
  mutant(
    '2.3/identity/exists-for-every-partner',
    'a table for each partner',
    inBodies((body, request) =>
      isOther(request) && 'email' in body ? { ...body, email: `x${body['email']}` } : body,
    ),
  ),
  mutant(
    '2.3/identity/no-registrar',
    'another word for strangers',
    answering((response, request) =>
      isOther(request) && response.status === 409 ? hinting(response) : response,
    ),
  ),
  mutant(
    '2.3/identity/unread',
    'the contractor in the deal',
    remembering(
      () => ({ contractor: {} as Members }),
      async (state, request, forward) => {
        const body = await bodyOf(request);
        if ('email' in body) state.contractor = body;
        const response = await forward(request);
        if (!isRead(request)) return response;
        return withMembers(response, (members) => ({ ...members, contractor: state.contractor }));
      },
    ),
  ),
  mutant(
    '2.1/identity/own-names',
    'unique in the service',
    withSeen(
      (status) => status === 201,
      (request) => conflictFor(request),
    ),
  ),
  mutant(
    '2.1/identity/own-deal',
    'a cache without the partner',
    remembering(
      () => new Map<string, Response>(),
      async (cache, request, forward) => {
        if (!isRead(request)) return forward(request);
        const response = cache.get(request.url) ?? (await forward(request));
        cache.set(request.url, response);
        return response.clone();
      },
    ),
  ),
  tells('stranger-reads', '403', /\/deal\/[^/]+\/$/, forbidden),
  tells('stranger-reads', 'a hint', /\/deal\/[^/]+\/$/, hinting),
  tells('stranger-reads-by-number', '403', /^\/api\/1\.0\//, forbidden),
  tells('stranger-lists-files', 'no files', /\/file\/$/, () => Response.json({ data: [] })),
  tells('stranger-uploads', 'a hint', /\/file\/$/, hinting),
  tells('stranger-downloads', '403', /\/file\/[^/]+\/$/, forbidden),
  tells('stranger-reads-events', 'no events', /\/event\/$/, () => Response.json({ data: {} })),
  tells('stranger-commands', '409', /\/approve\/$/, () => refusal(409, 'illegal_transition')),
  tells('stranger-commands-sandbox', '403', /\/sandbox\//, forbidden),
  mutant(
    '2.1/identity/stranger-changes-nothing',
    'carried out, and then refused',
    (forward) => async (request) => {
      const isCommand = isOther(request) && request.method === 'POST' && !isCreate(request);
      if (!isCommand) return forward(request);
      await forward(askedWith(request, { authorization: 'Token sandbox-acme' }));
      return refusal(404, 'not_found');
    },
  ),
];
