import { exampleContractor, exampleDeal, exampleDealV2 } from '../examples.js';
import { check, equal, show } from '../expectations.js';
import { groupsOf, NotApplicable } from '../laws.js';
import type { CaseTransport, WireAnswer } from '../verify/transport.js';
import { chosen, type Promised } from './promised.js';

/** A value that JSON can say. */
export type Json = unknown;

/** The members of a JSON object. */
export type Members = Readonly<Record<string, Json>>;

/** A request by what differs from a plain one. */
export interface Request {
  /** Sent as JSON, with its content type. */
  readonly body?: Json;
  /** Sent as it is; with it goes no content type but that of `headers`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** More headers, in lower case; one that is `undefined` is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The header `Idempotency-Key`. */
  readonly key?: string;
}

/** An answer, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The value of a header, or `null`. */
  header(name: string): string | null;
  /** The body as JSON. It fails the case if it is not. */
  json(): Json;
  /** The members of the body, which must be an object. */
  members(): Members;
}

/** Who sends requests. */
export interface Caller {
  send(method: string, path: string, request?: Request): Promise<Reply>;
  /** Sends one that must succeed; returns the member `data` of its answer. */
  data(method: string, path: string, request?: Request): Promise<Members>;
}

/** A deal that a case made. */
export interface MadeDeal {
  readonly partner_id: string;
  /** Of version 1.0. */
  readonly id: number;
  readonly stage_ids: readonly number[];
}

/** A deal of version 2.0 that a case made. */
export interface MadeOffer {
  readonly partner_id: string;
  readonly payment_token: string;
  /** Its freelancer, who bears the token. */
  readonly freelancer: Caller;
}

/**
 * The server that a case judges, over the wire. What a case makes has names of its own: others use
 * the server at the same time. What the server or the run does not offer throws `NotApplicable`.
 */
export interface Server {
  /** The partner of the token. */
  readonly partner: Caller;
  /** Another partner of the same environment. */
  readonly other: Caller;
  /** Without a header `Authorization`, but for one that the request has. */
  readonly anonymous: Caller;
  readonly operator: Caller;
  /** Whoever bears this payment token. */
  freelancer(paymentToken: string): Caller;
  /** The token of the partner, for requests whose header `Authorization` a case writes itself. */
  readonly token: string;
  /** The name of the partner, if the run knows it: operators need it in their paths. */
  readonly partnerName: string;
  /** An id of a subcategory that the server knows. */
  readonly subcategory: number;
  /** A `partner_id` of this case, at most 40 characters, of letters, digits and hyphens. */
  name(text?: string): string;
  /** An e-mail address of this case. */
  email(text?: string): string;
  /** Valid bodies, each with new names. */
  contractor(changes?: Members): Members;
  /** For a contractor that is registered: see `registered`. */
  deal(changes?: Members): Members;
  dealV2(changes?: Members): Members;
  /** Registers a contractor; returns its address. */
  registered(): Promise<string>;
  /** Makes a deal of version 1.0, and its contractor. */
  makeDeal(changes?: Members): Promise<MadeDeal>;
  makeDealV2(changes?: Members): Promise<MadeOffer>;
  /** Where webhooks of this case may be posted to, and what came there. */
  receiver(): Promise<Receiver>;
  /** Asks until there is a value, up to the time limit of the run; then the case fails. */
  until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T>;
  /** Undoes something once the case has ended, whatever came of it. */
  afterwards(undo: () => Promise<unknown>): void;
  /** What the server promises: laws follow it. */
  readonly promised: Promised;
  /** The number of runs of a random case, and their seed. */
  readonly random: { readonly seed: number; readonly numRuns: number };
}

/** What came to the address of a case. */
export interface ReceivedMessage {
  readonly headers: Headers;
  readonly body: string;
}

export interface Receiver {
  /** The URL of this case. */
  readonly url: string;
  readonly messages: readonly ReceivedMessage[];
  /** What the next messages are answered with; at first 204. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Answers 500 to the next message that has this text in its body, and to no other. */
  refuseOnce(text: string): void;
}

/** What a run knows about its server. */
export interface ServerSettings {
  readonly options: {
    readonly token: string;
    readonly otherToken?: string | undefined;
    readonly operatorToken?: string | undefined;
    readonly partner?: string | undefined;
  };
  readonly promised: Promised;
  readonly subcategory: number;
  /** The beginning of all names of the run: a few of a-z and 0-9. */
  readonly prefix: string;
  readonly seed: number;
  readonly runs: number;
  /** Milliseconds that `until` waits. */
  readonly timeout: number;
  receiver(): Promise<Receiver>;
}

/** Makes a group of laws that are judged over the wire. */
export const group = groupsOf<Server>();

let cases = 0;

/** The server for one case. */
export function createServer(settings: ServerSettings, transport: CaseTransport): Server {
  const { token, otherToken, operatorToken, partner } = settings.options;
  cases += 1;
  const own = `${settings.prefix}-${cases.toString(36)}`;
  let names = 0;
  const name = (text = 'deal') => {
    names += 1;
    return `${own}-${names}-${text}`.slice(0, 40);
  };
  const email = (text = 'user') => `${name(text)}@example.com`;
  const withToken = (scheme: string, token: string | undefined, missing: string) => {
    if (token === undefined) throw new NotApplicable(missing);
    return callerOf(transport, { authorization: `${scheme} ${token}` });
  };
  const server: Server = {
    partner: withToken('Token', token, ''),
    get other() {
      return withToken('Token', otherToken, 'no token of a second partner: --other-token');
    },
    anonymous: callerOf(transport, {}),
    get operator() {
      return withToken('Operator', operatorToken, 'no operator token: --operator-token');
    },
    freelancer: (token) => withToken('Offer', token, ''),
    token,
    get partnerName() {
      if (partner !== undefined) return partner;
      throw new NotApplicable('the name of the partner is not known: --partner');
    },
    subcategory: settings.subcategory,
    name,
    email,
    contractor: (changes) => ({ ...exampleContractor, email: email(), ...changes }),
    deal: (changes) => ({
      ...exampleDeal,
      partner_id: name(),
      sub_category_id: settings.subcategory,
      ...changes,
    }),
    dealV2: (changes) => ({
      ...exampleDealV2,
      ...chosen(settings.promised),
      partner_id: name(),
      email_freelancer: email(),
      subcategory_id: settings.subcategory,
      ...changes,
    }),
    async registered() {
      const body = server.contractor();
      await server.partner.data('POST', '/api/1.0/contractor/', { body });
      return String(body['email']);
    },
    async makeDeal(changes) {
      const contractor_email = await server.registered();
      const body = server.deal({ contractor_email, ...changes });
      const data = await server.partner.data('POST', '/api/1.0/deal/', { body });
      const { id, stage_ids } = data as { id: number; stage_ids: number[] };
      return { partner_id: String(body['partner_id']), id, stage_ids };
    },
    async makeDealV2(changes) {
      const body = server.dealV2(changes);
      const data = await server.partner.data('POST', '/api/2.0/deal/', { body });
      const payment_token = String(data['payment_token']);
      const freelancer = server.freelancer(payment_token);
      return { partner_id: String(body['partner_id']), payment_token, freelancer };
    },
    receiver: () => settings.receiver(),
    async until(what, ask) {
      const end = performance.now() + settings.timeout;
      for (let pause = 5; ; pause = Math.min(2 * pause, 250)) {
        const value = await ask();
        if (value !== undefined) return value;
        check(performance.now() < end, `${what} did not happen within ${settings.timeout} ms`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    afterwards: transport.afterwards,
    promised: settings.promised,
    random: { seed: settings.seed, numRuns: settings.runs },
  };
  return server;
}

function callerOf(transport: CaseTransport, own: Readonly<Record<string, string>>): Caller {
  const caller: Caller = {
    async send(method, path, { body, raw, headers = {}, key } = {}) {
      const all: Record<string, string | undefined> = {
        ...own,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      };
      const sent = body === undefined ? raw : JSON.stringify(body);
      const answer = await transport.send({
        method,
        path,
        headers: Object.fromEntries(
          Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined),
        ),
        ...(sent !== undefined && { body: sent }),
      });
      return replyOf(answer);
    },
    async data(method, path, request) {
      const reply = await caller.send(method, path, request);
      check(reply.status < 300, `expected a success\n  actual: ${reply.status} ${textOf(reply)}`);
      return membersOf(reply.members()['data'], 'the member data of the answer');
    },
  };
  return caller;
}

function replyOf({ status, headers, bytes }: WireAnswer): Reply {
  const reply: Reply = {
    status,
    headers,
    bytes,
    header: (name) => headers.get(name),
    json() {
      try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      } catch {
        throw new Error(`the body of the answer is not JSON in UTF-8\n  actual: ${textOf(reply)}`);
      }
    },
    members: () => membersOf(reply.json(), 'the body of the answer'),
  };
  return reply;
}

/** The body of an answer, shortened, as text. */
export function textOf({ bytes }: Pick<Reply, 'bytes'>): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000));
  return bytes.length === 0 ? '(no body)' : text;
}

/** The members of a value, which must be an object. */
export function membersOf(value: Json, what: string): Members {
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${what} is an object\n  actual: ${show(value)}`,
  );
  return value as Members;
}

/** Fails the case unless the answer has this status. */
export function expectStatus(reply: Reply, status: number): void {
  if (reply.status === status) return;
  throw new Error(
    `the status of the answer\n  expected: ${status}\n  actual:   ${reply.status} ${textOf(reply)}`,
  );
}

/** Fails the case unless the answer is an error with this status and code; returns its members. */
export function expectError(reply: Reply, status: number, code: string): Members {
  expectStatus(reply, status);
  const error = reply.members();
  equal(error['code'], code, 'the member code of the error');
  return error;
}

/** Fails the case unless the answer is a validation error with exactly these issues, in order. */
export function expectIssues(
  reply: Reply,
  ...issues: readonly { readonly path: readonly (string | number)[]; readonly code: string }[]
): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  check(Array.isArray(errors), `the member errors is an array\n  actual: ${show(errors)}`);
  const shown = errors.map((each) => {
    const { path, code } = membersOf(each, 'an issue');
    return { path, code };
  });
  equal(
    shown,
    issues.map(({ path, code }) => ({ path, code })),
    'the paths and codes of the issues',
  );
}

/** The members of an error without those that name the request. */
export function withoutIds(reply: Reply): Members {
  const { request_id: _, instance: __, ...members } = reply.members();
  return members;
}
