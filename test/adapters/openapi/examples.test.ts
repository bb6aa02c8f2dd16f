import { expect, it } from 'vitest';
import { createResponseCheck } from '../../kit/open-api.js';
import { first, second } from './example-names.js';
import {
  createExampleDeals,
  createExampleService,
  createPreparedService,
  createServiceIn,
  formOf,
  operationsOf,
  routeOf,
  routes,
  send,
  targetOf,
} from './example-service.js';

const all = [...routes.values()];

/** Ids and secrets are new each time. */
const masked = (json: string | undefined): unknown =>
  JSON.parse(
    (json ?? '')
      .replace(/"((?:event_)?id)":"[0-7][0-9A-HJKMNP-TV-Z]{25}"/g, '"$1":"<ulid>"')
      .replace(/"secret":"whsec_[\w+/=]{32}"/, '"secret":"<secret>"'),
  );

/** The service has ids of its own for what the example names. */
const withIds = (text: string, [first, delivery]: readonly string[] = []): string =>
  text
    .replace(/01KDVE\w{19}[BEF]\b/, (id) => first ?? id)
    .replace(/01KDV\w{20}G\b/, (id) => delivery ?? id);

it('every operation answers its example request with its example answer', async () => {
  const { timer, handler } = createExampleService();
  const checkResponse = await createResponseCheck(handler);
  const operations = await operationsOf(handler);
  const sent: string[] = [];
  for (const { name, status, answer } of all) {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${name} is not in the document`);
    const shown = operation.responses[status]?.content?.['application/json']?.example;
    const { 'application/json': json, 'multipart/form-data': form } =
      operation.requestBody?.content ?? {};
    const bodies = [
      json?.example && JSON.stringify(json.example),
      ...(form?.example === undefined ? [] : [formOf(form.example, 'draft.txt')]),
    ];
    if (name === 'createDealV2') timer.advance(60 * 60 * 1000);
    for (const body of bodies) {
      const prepared = await createPreparedService(name);
      const target = withIds(targetOf(operation), prepared?.ids);
      const given = typeof body === 'string' ? withIds(body, prepared?.ids) : body;
      const response = await send(prepared?.handler ?? handler, operation, target, given);
      expect([name, response.status]).toEqual([name, status]);
      expect([name, checkResponse(name, response)]).toEqual([name, []]);
      sent.push(name);
      if (answer === 'file') continue;
      expect([name, masked(String(response.body))]).toEqual([name, masked(JSON.stringify(shown))]);
    }
  }
  expect(new Set(sent)).toEqual(new Set(routes.keys()));
  const ofFiles = all.filter(({ input }) => input === 'file');
  expect(ofFiles).toHaveLength(4);
  expect(sent).toHaveLength(all.length + ofFiles.length);
});

it('every refusal of a field is shown as the service words it', async () => {
  const service = createExampleService();
  await createExampleDeals(service);
  const shown: string[] = [];
  for (const [name, operation] of await operationsOf(service.handler)) {
    const examples = operation.responses['400']?.content?.['application/json']?.examples ?? {};
    const expected = examples['validation_failed']?.value as
      | {
          readonly errors: readonly { readonly path: readonly string[]; readonly code: string }[];
        }
      | undefined;
    if (expected === undefined) continue;
    shown.push(name);
    const [{ path: [field = ''] = [], code } = { code: '' }] = expected.errors;
    const body = operation.requestBody?.content['application/json']?.example;
    const { [field]: _, ...others } = Object(body) as Readonly<Record<string, unknown>>;
    const wrong = code === 'required' ? others : { ...others, [field]: '' };
    const isQuery = routeOf(operation).input === 'query';
    // an endpoint that is not there is answered first
    const prepared = /webhook_id/.test(routeOf(operation).path)
      ? await createPreparedService(name)
      : undefined;
    const shownTarget = withIds(targetOf(operation), prepared?.ids);
    const target = isQuery ? `${shownTarget}&${field}=0` : shownTarget;
    const text = code === 'too_deep' ? '['.repeat(65) : JSON.stringify(wrong);
    const { handler } = prepared ?? service;
    const response = await send(handler, operation, target, isQuery ? undefined : text);
    expect([name, JSON.parse(String(response.body))]).toEqual([name, expected]);
  }
  const refusing = all.filter(({ errors }) => errors.includes('validation_failed'));
  expect(shown.sort()).toEqual(refusing.map(({ name }) => name).sort());
});

it('every other refusal is shown as the service words it', async () => {
  const { handler } = createExampleService();
  const operations = await operationsOf(handler);
  const operation = operations.get('registerContractor');
  const retrieveDeal = operations.get('retrieveDeal');
  if (operation === undefined || retrieveDeal === undefined) {
    throw new Error('there is no operation');
  }
  const example = operation.requestBody?.content['application/json']?.example;
  const body = JSON.stringify(example);
  const asked: Readonly<Record<string, () => ReturnType<typeof send>>> = {
    invalid_json: () => send(handler, operation, targetOf(operation), '{'),
    contractor_exists: async () => {
      await send(handler, operation, targetOf(operation), body);
      return send(handler, operation, targetOf(operation), body);
    },
    payload_too_large: () =>
      send(handler, operation, targetOf(operation), `"${'a'.repeat(2 ** 20)}"`),
    not_found: () => send(handler, retrieveDeal, '/api/1.0/deal/99/', undefined),
  };
  const shown = Object.assign(
    {},
    ...Object.values(operation.responses).map(
      ({ content }) => content?.['application/json']?.examples ?? {},
    ),
  );
  for (const [code, ask] of Object.entries(asked)) {
    const { body: answered = '' } = await ask();
    expect([code, JSON.parse(String(answered))]).toEqual([code, shown[code]?.value]);
  }
});

it('what a deal says that does not know a command is shown as it says it', async () => {
  const told: string[] = [];
  for (const [name, operation] of await operationsOf(createExampleService().handler)) {
    const shown = operation.responses['409']?.content?.['application/json']?.examples ?? {};
    const expected = Object(shown['illegal_transition']?.value);
    if (!('deal_status' in expected)) continue;
    const { handler } = await createServiceIn(expected.deal_status);
    const body = operation.requestBody?.content['application/json']?.example;
    const target = targetOf(operation).replace(new RegExp(`${first}(?=/|$)`), second);
    const { body: answered = '' } = await send(handler, operation, target, JSON.stringify(body));
    expect([name, JSON.parse(String(answered))]).toEqual([name, expected]);
    told.push(name);
  }
  // a report is taken in every state
  const commands = all.filter(({ command = 'record-' }) => !command.startsWith('record-'));
  expect(told.sort()).toEqual(commands.map(({ name }) => name).sort());
});
