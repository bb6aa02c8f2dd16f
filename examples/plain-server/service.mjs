import { createHash } from 'node:crypto';
import { Call, json } from './call.mjs';
import { languages, Refusal } from './errors.mjs';
import { parameterOf } from './form.mjs';
import { Environment } from './resources.mjs';
import { ulid } from './ulid.mjs';

const routes = [
  [/^\/healthz\/?$/, 'GET', () => ({ status: 'ok' })],
  [/^\/api\/1\.0\/category\/?$/, 'GET', (call, { categories }) => categories.list(call)],
  [/^\/api\/1\.0\/contractor\/?$/, 'POST', (call, { contractors }) => contractors.register(call)],
  [/^\/api\/1\.0\/deal\/?$/, 'POST', (call, { deals }) => deals.create(call)],
  [/^\/api\/1\.0\/deal\/([^/]+)\/?$/, 'GET', (call, { deals }, id) => deals.retrieve(call, id)],
  [/^\/api\/1\.0\/deal\/([^/]+)\/file\/?$/, 'POST', (call, { files }, id) => files.add(call, id)],
];

/** Problem details in an Accept, with a weight above 0. */
const problemRange =
  /(?:^|,)\s*application\/problem\+json\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

const digestOf = (token) => createHash('sha256').update(token).digest('hex');

/** The language of the greater weight; English if both have the same. */
function languageOf(accepted = '') {
  const weights = new Map();
  for (const range of accepted.toLowerCase().split(',')) {
    const [tag] = range.trim().split(/[\s;-]/);
    const weight = Number(parameterOf(range, 'q') ?? 1);
    weights.set(tag, Math.max(weight, weights.get(tag) ?? 0));
  }
  const [english, polish] = languages.map((each) => weights.get(each) ?? weights.get('*') ?? 0);
  return polish > english ? 'pl' : 'en';
}

/** The caller's id, unless it has other characters or contains the token. */
function requestIdOf(asked = '', token) {
  const isSane = /^[\w.~-]{1,128}$/.test(asked) && (token === '' || !asked.includes(token));
  return isSane ? asked : ulid();
}

function send(response, status, body, headers = {}) {
  const bytes = Buffer.from(JSON.stringify(body));
  const own = { 'Content-Type': json, 'Content-Length': bytes.length };
  response.writeHead(status, { ...own, ...headers }).end(bytes);
}

/** Version 1.0 of the interface over HTTP. */
export class Service {
  #callers = new Map();

  /** Tokens are looked up by their digests: how long that takes tells nothing about a token. */
  constructor(tokens) {
    const environments = { production: new Environment(), sandbox: new Environment() };
    for (const { token, environment, partner } of tokens) {
      this.#callers.set(digestOf(token), { partner, environment: environments[environment] });
    }
  }

  /** Answers a request of `node:http`, and never rejects. */
  async answer(request, response) {
    const { headers, url } = request;
    const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0];
    const [, token = ''] = /^token +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    const language = languageOf(headers['accept-language']);
    const requestId = requestIdOf(headers['x-request-id'], token);
    response.setHeader('X-Request-Id', requestId);
    try {
      await this.#carryOut(request, response, { path, token, language });
    } catch (error) {
      // the client has gone
      if (error === request.errored) return;
      const refusal = error instanceof Refusal ? error : new Refusal('internal');
      if (refusal !== error) console.error(error);
      const type = problemRange.test(headers.accept ?? '') ? 'application/problem+json' : json;
      const more = { 'Content-Type': type, 'Content-Language': language, ...refusal.headers };
      const success = path.startsWith('/api/1.0/') ? { success: false } : {};
      const body = { ...success, ...refusal.describe(language, requestId) };
      send(response, refusal.status, body, more);
    }
    // what is left of the body must not block the connection
    request.resume();
  }

  async #carryOut(request, response, { path, token, language }) {
    const isApi = path.startsWith('/api/');
    const caller = this.#callers.get(digestOf(token));
    if (isApi && caller === undefined && request.method !== 'OPTIONS') {
      throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Token' } });
    }
    const [pattern, method, action] = routes.find(([each]) => each.test(path)) ?? [];
    if (pattern === undefined) throw new Refusal('not_found');
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    if (!methods.includes(request.method)) throw new Refusal('method_not_allowed', { headers });
    const [, id] = pattern.exec(path);
    const call = new Call(request, caller?.partner, language);
    const data = await action(call, caller?.environment, id);
    send(response, method === 'POST' ? 201 : 200, isApi ? { success: true, data } : data);
  }
}
