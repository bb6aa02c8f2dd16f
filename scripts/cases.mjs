// @ts-check
// Asks services in memory every case of scripts/cases, and writes spec/cases: valid and invalid input
// of operations, with the issues that are answered.
//   npm run cases
import { writeFileSync } from 'node:fs';
import { createDealwright } from 'dealwright/host';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
import { distinct } from './cases/bodies.mjs';
import { expand } from './cases/compact.mjs';
import { operations } from './cases/operations.mjs';

/** @typedef {import('./cases/operations.mjs').OperationCases} OperationCases */
/** @typedef {import('./cases/bodies.mjs').Asked} Asked */
/** @typedef {{ readonly method: string, readonly path: string, readonly body?: unknown, readonly json?: string }} Call */
/** @typedef {{ readonly message: string, readonly code: string }} Issue */
/** @typedef {{ readonly cases: readonly object[] }} CaseFile */

const target = new URL('../spec/cases/', import.meta.url);
const apiToken = 'secret-token';
const operatorToken = 'operator-token';

function openService() {
  return createDealwright({
    apiTokens: [[apiToken, { environment: 'sandbox', partner: 'acme' }]],
    operatorTokens: [[operatorToken, 'sandbox']],
    webhooks: createWebhookSender(),
    secrets: createSealedSecrets({ first: Buffer.alloc(32).toString('base64url') }),
  }).handler;
}

/** @param {ReturnType<typeof openService>} handler @param {Call} call */
async function ask(handler, { method, path, body, json = JSON.stringify(expand(body)) }) {
  const isOperator = path.startsWith('/operator/');
  /** @type {Readonly<Record<string, string>>} */
  const headers = {
    authorization: isOperator ? `Operator ${operatorToken}` : `Token ${apiToken}`,
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  };
  const bytes = new TextEncoder().encode(method === 'POST' ? json : '');
  const answer = await handler.handle({
    method,
    target: path,
    header: (name) => headers[name],
    body: async () => bytes,
    async *stream() {},
  });
  return { status: answer.status, ...JSON.parse(String(answer.body)) };
}

/** A service on which the steps of an operation are done. @param {OperationCases} operation */
async function prepare({ operation, before = [] }) {
  const handler = openService();
  for (const step of before) {
    const { status, code } = await ask(handler, step);
    if (status >= 300) throw new Error(`${operation}: ${step.path} is answered ${status} ${code}`);
  }
  return handler;
}

/** @param {string} path @param {Asked} asked */
function targetOf(path, { query }) {
  if (query === undefined) return path;
  return `${path}?${typeof query === 'string' ? query : new URLSearchParams(Object(expand(query)))}`;
}

/**
 * The members that the service shows in another form than they were sent, and those that it adds.
 *
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, unknown>>} sent
 * @param {unknown} shown
 */
function canonicalOf(names, sent, shown) {
  const others = names
    .map((name) => /** @type {const} */ ([name, Object(shown)[name]]))
    .filter(([, value]) => value !== undefined && value !== null)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]));
  return others.length === 0 ? {} : { canonical: Object.fromEntries(others) };
}

/**
 * Asks the cases of an operation, and returns each with what was answered.
 *
 * @param {OperationCases} operation
 * @param {string} method
 * @param {string} path
 */
async function play(operation, method, path) {
  const { operation: name, fields, cases, shown } = operation;
  const played = [];
  let handler = await prepare(operation);
  for (const asked of distinct(cases)) {
    const { id, what, query, ...input } = asked;
    const call = { method, path: targetOf(path, asked), ...input };
    const { status, code, errors, data } = await ask(handler, call);
    if (status < 300) {
      const read = async (/** @type {string} */ target) =>
        (await ask(handler, { method: 'GET', path: target })).data;
      const sent = asked.json === undefined ? Object(expand(asked.body)) : JSON.parse(asked.json);
      const names = fields.map((field) => field.name);
      const canonical = canonicalOf(names, sent, await shown?.(data, read, sent));
      played.push({ ...asked, valid: true, ...canonical });
      // what is there now would be in the way of the next case
      handler = await prepare(operation);
    } else if (status === 404 && operation.needsRecord) {
      // a right body meets no record: the case would say nothing about it, and is left out
    } else if (status === 409 && operation.needsState) {
      // the form is right and the deal refuses it: that is no case of the rules of input
    } else if (status !== 400) {
      throw new Error(`${name} ${id} is answered ${status} ${code}`);
    } else if (code === 'validation_failed') {
      const issues = errors.map((/** @type {Issue} */ { message: _, ...issue }) => issue);
      played.push({ ...asked, valid: false, issues });
    } else {
      played.push({ ...asked, valid: false, code });
    }
  }
  return played;
}

/** The method and the path of each operation. */
async function listRoutes() {
  const { paths } = await ask(openService(), { method: 'GET', path: '/openapi.json' });
  /** @type {Map<string, { readonly method: string, readonly path: string }>} */
  const routes = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      routes.set(operationId, { method: method.toUpperCase(), path });
    }
  }
  return routes;
}

/** JSON with a line for each member of a case, and for each issue. @param {CaseFile} file */
function format({ cases, ...file }) {
  const list = (/** @type {readonly unknown[]} */ items, /** @type {string} */ indent) =>
    `[\n${items.map((each) => `${indent}  ${JSON.stringify(each)}`).join(',\n')}\n${indent}]`;
  const members = (/** @type {object} */ object, /** @type {string} */ indent) =>
    Object.entries(object)
      .map(([name, value]) => {
        const isList = name === 'before' || name === 'issues';
        return `${indent}"${name}": ${isList ? list(value, indent) : JSON.stringify(value)}`;
      })
      .join(',\n');
  const all = cases.map((each) => `    {\n${members(each, '      ')}\n    }`);
  return `{\n${members(file, '  ')},\n  "cases": [\n${all.join(',\n')}\n  ]\n}\n`;
}

/** Asks all cases, and returns the text of each file by its name. */
export async function playCases() {
  const routes = await listRoutes();
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const operation of operations) {
    const { operation: name, parameters, before } = operation;
    const route = routes.get(name);
    if (route === undefined) throw new Error(`there is no operation ${name}`);
    const { method, path } = route;
    const place = path.replace(/\{(\w+)\}/g, (_, each) => parameters?.[each] ?? each);
    const cases = await play(operation, method, place);
    const head = { $schema: './schema.json', operation: name, method, path };
    const file = { ...head, ...(parameters && { parameters }), ...(before && { before }), cases };
    files.set(
      `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`,
      format(file),
    );
  }
  return files;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [name, text] of await playCases()) writeFileSync(new URL(name, target), text);
}
