// @ts-check
// Plays a story on services in memory, with a clock, ids and secrets that are the same each time, and
// records it: adapters/http/openapi/examples.ts, from which the OpenAPI document and the page of
// events take their examples.
//   npm run examples
import { writeFileSync } from 'node:fs';
import { createMarketplace, splitMoney } from 'dealwright';
import { createCategoryCatalogue } from 'dealwright/categories';
import { createHandler } from 'dealwright/http';
import { createMemoryFileStore, createMemoryStore } from 'dealwright/memory';
import { createSystemPorts } from 'dealwright/system';
import {
  createManualClock,
  exampleContractor,
  exampleDeal,
  exampleDealV2,
} from 'dealwright/testing';
import { ok } from 'neverthrow';
import { moreEvents, scenes } from './examples/scenes.mjs';

/** @typedef {ReturnType<typeof openService>} Service */
/** @typedef {import('./examples/scenes.mjs').Scene} Scene */
/** @typedef {Readonly<Record<string, unknown>>} Members */
/** @typedef {{ readonly parameters?: Members | undefined, readonly body?: unknown, readonly form?: Members | undefined }} Request */
/** @typedef {{ readonly name: string, readonly in: string }} Parameter */
/** @typedef {{ readonly operationId: string, readonly method: string, readonly path: string, readonly security: readonly string[], readonly parameters: readonly Parameter[], readonly codes: readonly string[] }} Operation */

const target = new URL('../adapters/http/openapi/examples.ts', import.meta.url);
const acme = /** @type {const} */ ({ environment: 'sandbox', partner: 'acme' });
const apiToken = 'secret-token';
const operatorToken = 'operator-token';
const paymentToken = 'Zk3v9QpX7mT2wL8nR5yB1cF6hJ4sD0aG';
const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hour = 60 * 60 * 1000;
const credentials = new Map([
  ['token', `Token ${apiToken}`],
  ['offer', `Offer ${paymentToken}`],
  ['operator', `Operator ${operatorToken}`],
]);

/** A service in memory; `stages` is how many stages a deal of version 1.0 has. */
function openService(stages = 1) {
  const clock = createManualClock();
  /** @type {object[]} */
  const posted = [];
  const receiver = { status_code: 204, response: '' };
  const gateway = { isThere: false };
  let count = 0;
  const ports = {
    ...createSystemPorts(),
    clock,
    timer: clock,
    ids: {
      next() {
        count += 1;
        return `01KDVHF080${String(count).padStart(16, '0')}`;
      },
    },
    store: createMemoryStore(),
    files: createMemoryFileStore(),
    categories: createCategoryCatalogue([
      {
        id: 7,
        name: { en: 'Texts', pl: 'Teksty' },
        subcategories: [{ id: 75, name: { en: 'Copywriting', pl: 'Copywriting' } }],
      },
    ]),
    paymentTokens: {
      issue: () => ok(paymentToken),
      verify: () => ok(/** @type {const} */ ('valid')),
      tenantOf: () => acme,
    },
    payments: {
      executes: () => gateway.isThere,
      execute: () =>
        ok({ refused: /** @type {const} */ ({ reason: 'payee_missing', retry: 'later' }) }),
    },
    webhooks: {
      check: () => /** @type {const} */ ('allowed'),
      createSecret: () => signingSecret,
      /** @param {unknown} _ @param {{ readonly body: string }} message */
      send(_, { body }) {
        posted.push(JSON.parse(body));
        return ok({ ...receiver });
      },
    },
    secrets: {
      /** @param {unknown} _ @param {string} secret */
      seal: (_, secret) => ok(secret),
      /** @param {unknown} _ @param {string} sealed */
      open: (_, sealed) => ok(sealed),
    },
    authenticator: {
      /** @param {string} token */
      authenticate: (token) => ok(token === apiToken ? acme : undefined),
      list: () =>
        ok([
          {
            name: 'Order system',
            start: 'dw_5f0c9',
            created_at: '2025-12-01T09:00:00.000Z',
            last_used_at: '2025-12-31T14:30:00.000Z',
          },
        ]),
    },
  };
  const marketplace = createMarketplace(ports, {
    partnerName: () => 'Acme Ltd',
    stagePlanner: ({ name, budget, work_days }) =>
      (splitMoney(budget, new Array(stages).fill(1)) ?? []).map((part) => ({
        name,
        budget: part,
        work_days,
      })),
  });
  const handler = createHandler(marketplace, {
    ...ports,
    // an id that is made by a call is the same whether it comes over HTTP or not
    ids: { next: () => '01KDVHF0800000000000000000' },
    operatorAuthenticator: {
      authenticate: (token) => ok(token === operatorToken ? acme.environment : undefined),
    },
  });
  return {
    clock,
    posted,
    gateway,
    runEffects: () => marketplace.operator('sandbox').runEffects(),
    receiver,
    marketplace,
    handler,
    partner: marketplace.partner(acme),
    freelancer: marketplace.freelancer(acme.environment, paymentToken),
    operator: marketplace.operator(acme.environment).partner(acme.partner),
    sandbox: marketplace.sandbox(acme),
  };
}

/**
 * A service after the first steps of the story: a contractor, a deal of version 1.0, and an
 * hour later one of version 2.0.
 *
 * @param {number} [most] how many of the three creates are done
 * @param {number} [stages]
 */
async function openStory(most = 3, stages = 1) {
  const service = openService(stages);
  const { partner, clock } = service;
  if (most > 0) (await partner.registerContractor(exampleContractor))._unsafeUnwrap();
  if (most > 1) (await partner.createDeal(exampleDeal))._unsafeUnwrap();
  if (most > 1) clock.advance(hour);
  if (most > 2) (await partner.createDealV2(exampleDealV2))._unsafeUnwrap();
  return service;
}

/** @param {Service['handler']} handler @param {string} method @param {string} path @param {Readonly<Record<string, string>>} headers @param {Uint8Array} bytes */
async function ask(handler, method, path, headers = {}, bytes = new Uint8Array()) {
  const { status, body } = await handler.handle({
    method,
    target: path,
    header: (name) => headers[name],
    body: async (limit) => (bytes.length > limit ? 'too_large' : bytes),
    async *stream() {
      yield bytes;
    },
  });
  return { status, body: typeof body === 'string' ? JSON.parse(body) : undefined };
}

/** @param {Service} service @param {Operation} operation @param {Request} request */
async function send({ handler }, operation, { parameters = {}, body, form }) {
  const query = new URLSearchParams();
  let path = operation.path;
  for (const each of operation.parameters) {
    const value = parameters[each.name];
    if (value === undefined) continue;
    if (each.in === 'query') query.set(each.name, String(value));
    else path = path.replace(`{${each.name}}`, encodeURIComponent(String(value)));
  }
  const content = form === undefined ? body : formOf(form);
  const request = new Request('http://localhost', {
    method: 'POST',
    body:
      content instanceof FormData || typeof content === 'string'
        ? content
        : JSON.stringify(content ?? {}),
  });
  return ask(
    handler,
    operation.method,
    query.size === 0 ? path : `${path}?${query}`,
    {
      authorization: operation.security.map((each) => credentials.get(each) ?? '').join(''),
      'content-type':
        content instanceof FormData
          ? (request.headers.get('content-type') ?? '')
          : 'application/json',
    },
    new Uint8Array(await request.arrayBuffer()),
  );
}

/** @param {Members} fields */
function formOf(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'file') form.set(name, String(value));
    else form.set(name, new File([String(value)], 'draft.txt', { type: 'text/plain' }));
  }
  return form;
}

/** Every operation of the document, except those that name a deal by a parameter. */
async function listOperations() {
  const { body } = await ask(openService().handler, 'GET', '/openapi.json');
  const { paths, components, security } = body;
  /** @type {Operation[]} */
  const operations = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, each] of Object.entries(methods)) {
      const { operationId, parameters = [], responses } = each;
      if (operationId.endsWith('ByParameter')) continue;
      const codes = Object.values(responses)
        .map((/** @type {any} */ response) =>
          '$ref' in response ? components.responses[response.$ref.split('/').at(-1)] : response,
        )
        .flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}));
      const [scheme] = each.security ?? security;
      operations.push({
        operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        security: Object.keys(scheme),
        codes,
      });
    }
  }
  return operations;
}

/** @param {string} name @param {unknown} found @param {unknown} expected */
function expect(name, found, expected) {
  if (found === expected) return;
  throw new Error(`${name}: ${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`);
}

/**
 * Plays the scene of an operation: a call that works, and one for each refusal that it can show.
 *
 * @param {Operation} operation
 * @param {Scene} scene
 * @param {(service: Service) => Promise<unknown>} onService
 */
async function play(operation, scene, onService) {
  const { operationId: name, codes } = operation;
  const { before, after = async () => ({}), wrong, refused, illegal, form } = scene;
  const isNamed = (/** @type {string} */ id) =>
    operation.parameters.some((each) => each.name === id);
  const service = await openStory(before);
  const ids = Object(await after(service));
  const named = Object.entries(ids).filter(([id]) => isNamed(id));
  const parameters = { ...scene.parameters, ...Object.fromEntries(named) };
  const input = typeof scene.body === 'function' ? scene.body(ids) : scene.body;
  const request = { parameters, body: input };
  const { status, body } = await send(service, operation, request);
  expect(`${name} answers ${JSON.stringify(body)}`, status < 300, true);
  if (form !== undefined) {
    const other = await openStory(before);
    await after(other);
    const formed = await send(other, operation, { parameters, form });
    expect(`${name} by form`, JSON.stringify(formed.body), JSON.stringify(body));
  }
  /** @type {Record<string, object>} */
  const refusals = {};
  if (wrong !== undefined) {
    const { body: problem } = await send(service, operation, wrong(request));
    expect(name, problem.code, 'validation_failed');
    refusals['validation_failed'] = { errors: problem.errors };
  }
  for (const [code, refusal] of /** @type {const} */ ([
    ['precondition_failed', refused],
    ['illegal_transition', illegal],
  ])) {
    if (refusal === undefined) continue;
    const other = await openStory(3, refusal.stages);
    const named = Object(await refusal.after?.(other));
    const { body: problem } = await send(other, operation, {
      body: typeof refusal.body === 'function' ? refusal.body(named) : (refusal.body ?? input),
      parameters: { ...parameters, ...refusal.parameters },
    });
    expect(`${name} ${JSON.stringify(problem)}`, problem.code, code);
    const { reason, deal_status, freelancer_status, legal, proposal_status } = problem;
    refusals[code] =
      code === 'precondition_failed'
        ? { reason }
        : { known: { deal_status, freelancer_status, legal, proposal_status } };
    await onService(other);
  }
  // a report is taken in every state
  const isReport = /^operatorRecord/.test(name);
  expect(`${name}: validation_failed`, wrong !== undefined, codes.includes('validation_failed'));
  expect(
    `${name}: illegal_transition`,
    illegal !== undefined,
    codes.includes('illegal_transition') && !isReport,
  );
  await onService(service);
  return {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(input !== undefined && { body: input }),
    ...(form !== undefined && { form }),
    ...(body !== undefined && { data: body.data }),
    ...(Object.keys(refusals).length > 0 && { refusals }),
  };
}

/** Plays the whole story, and returns the text of the file. */
export async function playExamples() {
  /** @type {Map<string, object>} */
  const events = new Map();
  const onService = async (/** @type {Service} */ { partner, posted }) => {
    const { results } = (await partner.listEvents({ page_size: 100 }))._unsafeUnwrap();
    for (const event of [...results, ...posted]) {
      const { type } = /** @type {{ type: string }} */ (event);
      // prefers events of the deal with a payment token, as most are
      if (!events.has(type) || (type === 'deal.created' && events.size < 4))
        events.set(type, event);
    }
  };
  /** @type {Map<string, object>} */
  const examples = new Map();
  for (const operation of await listOperations()) {
    const { operationId: name } = operation;
    const scene = scenes[name];
    if (scene === undefined) throw new Error(`there is no scene of ${name}`);
    examples.set(name, await play(operation, scene, onService));
  }
  const extra = Object.keys(scenes).filter((name) => !examples.has(name));
  expect('scenes without an operation', extra.join(), '');
  for (const { stages, after } of moreEvents) {
    const service = await openStory(3, stages);
    await after(service);
    await onService(service);
  }
  const lines = (/** @type {Map<string, object>} */ map) =>
    [...map]
      .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
      .join('');
  return `// Written by \`npm run examples\`, which plays a story and records it: do not edit.
import type { Example } from './facts.js';

/** A call of each operation, and its answer. */
export const examples: Readonly<Record<string, Example>> = {
${lines(examples)}};

/** An event of each type. */
export const eventExamples: Readonly<Record<string, object>> = {
${lines(new Map([...events].sort(([a], [b]) => a.localeCompare(b))))}};
`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  writeFileSync(target, await playExamples());
}
