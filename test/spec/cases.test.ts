import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Handler } from 'dealwright/http';
import { createWebhookSender } from 'dealwright/webhooks';
import { describe, expect, it } from 'vitest';
import { playCases } from '../../scripts/cases.mjs';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, operators, operatorToken, tokenOf } from '../kit/service.js';
import { type Case, type CaseFile, expand } from './case-files.js';

const folder = new URL('../../spec/cases/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder).filter((name) => /\.json$/.test(name) && name !== 'schema.json');
const files = names.map((name) => [name, JSON.parse(read(name)) as CaseFile] as const);

const partnerToken = tokenOf({ environment: 'sandbox', partner: 'acme' });

/** Sends a request as the README beside the files says. */
async function send(handler: Handler, method: string, target: string, body?: string) {
  const token = target.startsWith('/operator/')
    ? `Operator ${operatorToken}`
    : `Token ${partnerToken}`;
  const headers: Readonly<Record<string, string>> = {
    authorization: token,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await handler.handle({
    method,
    target,
    header: (name) => headers[name],
    body: async () => new TextEncoder().encode(body),
    async *stream() {},
  });
  return { status: answer.status, ...JSON.parse(String(answer.body)) };
}

async function prepare({ before = [] }: CaseFile): Promise<Handler> {
  const ports = { ...createPorts(), webhooks: createWebhookSender() };
  const handler = createTestHandler(ports, { operatorAuthenticator: operators });
  for (const { method, path, body } of before) {
    const { status } = await send(handler, method, path, JSON.stringify(expand(body)));
    expect([path, status < 300]).toEqual([path, true]);
  }
  return handler;
}

function targetOf({ path, parameters = {} }: CaseFile, { query }: Case): string {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  if (query === undefined) return place;
  return `${place}?${typeof query === 'string' ? query : new URLSearchParams(Object(expand(query)))}`;
}

function bodyOf({ body, json }: Case): string | undefined {
  return body === undefined ? json : JSON.stringify(expand(body));
}

/** What a case says of the answer. */
const said = ({ id, valid, issues, code = valid ? undefined : 'validation_failed' }: Case) => ({
  id,
  status: valid ? 'success' : 400,
  code,
  issues,
});

describe('the cases as data', () => {
  // npm run cases writes them again
  it('are what services answer', async () => {
    const played = await playCases();
    expect([...played.keys()].sort()).toEqual([...names].sort());
    for (const [name, text] of played)
      expect(text === read(name), `${name} is not what npm run cases writes`).toBe(true);
  });

  it('are many, each once, with names of their own', () => {
    const all = files.flatMap(([, { cases }]) => cases);
    expect(all.length).toBeGreaterThan(400);
    for (const [name, { cases }] of files) {
      const ids = cases.map(({ id }) => id);
      expect([name, new Set(ids).size]).toEqual([name, ids.length]);
      const requests = cases.map((each) => sortedText([each.body, each.json, each.query]));
      expect([name, new Set(requests).size]).toEqual([name, requests.length]);
    }
  });

  it('have an example of either kind in each file, unless it needs the id of a record', () => {
    const without = files.filter(([, { cases }]) => {
      return !cases.some(({ valid }) => valid) || cases.every(({ valid }) => valid);
    });
    expect(without.map(([name]) => name)).toEqual([
      'accept-proposal.json',
      'operator-record-contractor-payment.json',
      'redeliver-all.json',
    ]);
  });
});

/** JSON whose members are in one order. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort())
      : each,
  );
}

describe('their schema', () => {
  const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(
    JSON.parse(read('schema.json')),
  );

  it.each(files)('accepts %s', (_, file) => {
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each<readonly [string, (each: object) => object]>([
    ['a valid case with issues', (each) => ({ ...each, valid: true, issues: [{}] })],
    ['an invalid case without issues', (each) => ({ ...each, valid: false })],
    ['a case without a request', ({ body: _, ...each }: { body?: unknown }) => each],
    ['a case with two requests', (each) => ({ ...each, json: '{}' })],
    ['a long text in full', (each) => ({ ...each, body: { name: 'x'.repeat(61) } })],
    ['an unknown member', (each) => ({ ...each, note: '' })],
  ])('refuses %s', (_, change) => {
    const head = { $schema: './schema.json', operation: 'cancel', method: 'POST', path: '/' };
    const right = { id: 'body/plain', what: 'A body.', body: {}, valid: true };
    expect(validate({ ...head, cases: [right] })).toBe(true);
    expect(validate({ ...head, cases: [change(right)] })).toBe(false);
  });
});

describe.each(files)('%s', (_, file) => {
  it('says what a service answers', async () => {
    const answered: object[] = [];
    let handler = await prepare(file);
    for (const each of file.cases) {
      const { id } = each;
      const target = targetOf(file, each);
      const { status, code, errors } = await send(handler, file.method, target, bodyOf(each));
      const issues = errors?.map(({ message: _message, ...issue }: { message: string }) => issue);
      answered.push({ id, status: status < 300 ? 'success' : status, code, issues });
      // what is created is in the way of the next case
      if (status < 300) handler = await prepare(file);
    }
    expect(answered).toEqual(file.cases.map(said));
  });
});
