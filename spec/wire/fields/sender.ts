import { type CaseFile, type DataCase, type DataIssue, expand } from '../case-files.js';
import { chosen } from '../promised.js';
import { type Caller, membersOf, type Reply, type Server } from '../server.js';

/** What came, and what was to come. */
export interface Answered {
  readonly reply: Reply;
  readonly expected: Pick<DataCase, 'valid' | 'issues' | 'code'>;
  /** The members of the body or of the query as they were sent, if the case has them as data. */
  readonly sent: unknown;
}

/** Sends the cases of one file, with names of the run in place of those of the file. */
export interface Sender {
  send(dataCase: DataCase, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

/** The member of each create that a case leaves out if it must create nothing. */
const spares: Readonly<Record<string, string>> = {
  '/api/1.0/contractor/': 'city',
  '/api/1.0/deal/': 'description',
  '/api/2.0/deal/': 'description',
};

/** The members that name a record or a person. */
const naming = ['partner_id', 'email', 'contractor_email', 'email_freelancer'];

/** Names by the names of the files that they replace. */
type Names = Readonly<Record<string, string>>;

export function createSender(server: Server, file: CaseFile): Sender {
  const { method, path, parameters, before = [] } = file;
  const caller = path.startsWith('/operator/') ? server.operator : server.partner;
  const spare = method === 'POST' ? spares[path] : undefined;
  const common = JSON.stringify(before).toLowerCase();
  let names = namesOf(server, file);
  /** How many of the requests before were sent. */
  let prepared = 0;

  async function prepare({ valid, issues = [] }: DataCase): Promise<void> {
    // form is judged before the state of a deal, so that such a refusal needs the deal alone
    const isForm = !valid && issues.every(({ code }) => !code.startsWith('unknown_'));
    const wanted = isForm ? before.slice(0, 1) : before;
    for (const request of wanted.slice(prepared)) {
      const { path, body } = request;
      const raw = withOwn(JSON.stringify(body), names, server);
      await server.partner.data('POST', withOwn(path, names, server), { raw, headers: json });
      prepared += 1;
    }
  }

  /** Of the names, those that the requests before have. */
  const namesBefore = () =>
    Object.entries(names).filter(([text]) => common.includes(text.toLowerCase()));

  async function afterSuccess(by: Caller, reply: Reply): Promise<void> {
    if (path === '/api/2.0/webhook/') {
      const { id } = membersOf(reply.members()['data'], 'the member data of the answer');
      await by.send('DELETE', `${path}${id}/`);
    }
    if (parameters === undefined) return;
    // the deal has moved on: the next case needs another one
    names = namesOf(server, file);
    prepared = 0;
  }

  return {
    async send(dataCase, headers) {
      await prepare(dataCase);
      names = { ...namesOf(server, file), ...Object.fromEntries(namesBefore()) };
      const isForeign = spare !== undefined && namesOthers(dataCase, names);
      const { text, expected } = isForeign ? without(spare, dataCase) : asItIs(dataCase);
      const raw = text === undefined ? undefined : withOwn(text, names, server);
      const reply = await caller.send(method, pathOf(file, dataCase, names), {
        headers: { ...(raw !== undefined && json), ...headers },
        ...(raw !== undefined && { raw }),
      });
      if (reply.status < 300 && method === 'POST') await afterSuccess(caller, reply);
      const isData = raw !== undefined && dataCase.json === undefined;
      return { reply, expected, sent: isData ? JSON.parse(raw) : expand(dataCase.query) };
    },
  };
}

const json = { 'content-type': 'application/json' };

/** New names for those of the files. */
function namesOf(server: Server, { path }: CaseFile): Names {
  const user = server.email('user');
  return {
    'order-1': server.name('order'),
    'user@example.com': user,
    'USER@EXAMPLE.COM': user.toUpperCase(),
    'freelancer@example.com': server.email('freelancer'),
    // a name that no host can have (RFC 6761): what is posted to it arrives nowhere
    '//example.com': '//web.invalid',
    ...(path.startsWith('/operator/') && { acme: server.partnerName }),
  };
}

/** A text with own names, a subcategory of the server, and no id of a stage that could exist. */
function withOwn(text: string, names: Names, { subcategory, promised }: Server): string {
  const { copyright_transfer, freelancer_language } = chosen(promised);
  let own = text;
  for (const [from, to] of Object.entries(names)) own = own.replaceAll(from, to);
  return own
    .replace(/(?<="sub_?category_id":)75(?=[.,}])/, String(subcategory))
    .replace(/(?<="sub_?category_id":)7\.5e1/, `${subcategory}e0`)
    .replace(/(?<="stage_id":)3(?=0\.0|e1)/, '-3')
    .replace('"full_transfer"', `"${copyright_transfer}"`)
    .replace(/(?<="freelancer_language":)"pl"/, `"${freelancer_language}"`);
}

/** Says whether a case could create a record under a name that is not of the run. */
function namesOthers({ valid, issues = [], body }: DataCase, names: Names): boolean {
  // which may be known to this server
  if (issues.some(({ code }) => code === 'unknown_contractor')) return true;
  if (!valid || body === undefined) return false;
  const members = membersOf(body, 'the body of a case');
  return naming.some((name) => name in members && !(String(members[name]) in names));
}

function asItIs(dataCase: DataCase) {
  const { json, body } = dataCase;
  const text = body === undefined ? json : JSON.stringify(expand(body));
  return { text, expected: dataCase };
}

/** The case with one more mistake: then it is accepted if that is the only issue. */
function without(spare: string, { body }: DataCase) {
  const { [spare]: _, ...others } = membersOf(expand(body), 'the body of a case');
  const missing: DataIssue = { path: [spare], code: 'required', params: {} };
  return { text: JSON.stringify(others), expected: { valid: false, issues: [missing] } };
}

function pathOf({ path, parameters = {} }: CaseFile, { query }: DataCase, names: Names): string {
  const own = (value = '') => names[value] ?? value;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(own(parameters[name])),
  );
  if (query === undefined) return filled;
  const text =
    typeof query === 'string'
      ? query.replace('acme', encodeURIComponent(own('acme')))
      : new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, own(String(expand(value)))]),
        );
  return `${filled}?${text}`;
}
