import { type DealCreated, defaultValueSets } from 'dealwright';
import { createFetchHandler, type Handler } from 'dealwright/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, fetchFrom } from '../../kit/gateway.js';
import { contractor, deal } from '../../kit/requests.js';
import { createTestHandler, handlerOver, tokenOf } from '../../kit/service.js';
import { acme, json } from './asking.js';

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n`;
const fileOf = (content: string) => part('file; filename="draft.txt"', content);
const stageOf = (stage: unknown) => part('stage_id', String(stage));
const type = 'multipart/form-data; boundary=b';
const asJson = { name: 'draft.txt', content: 'YWJj' };

/** Forms and JSON, each with the status that both handlers must answer with. */
const uploads: readonly (readonly [
  name: string,
  body: (stage: number) => string | object,
  status: number,
])[] = [
  ['JSON', () => asJson, 201],
  ['JSON of a stage', (stage) => ({ ...asJson, stage_id: stage }), 201],
  [
    'JSON that breaks all rules',
    () => ({ name: '', content: '?', stage_id: 'x', content_type: 'x' }),
    400,
  ],
  ['JSON that is too large', () => ({ ...asJson, content: 'YWJj'.repeat(2_000) }), 413],
  ['a form', () => `${fileOf('abc')}--b--\r\n`, 201],
  [
    'a form with the stage after its file',
    (stage) => `${fileOf('abc')}${stageOf(stage)}--b--`,
    201,
  ],
  ['a form of no stage of the deal', () => `${fileOf('abc')}${stageOf(9_999)}--b--`, 400],
  ['a form whose stage is not a number', () => `${stageOf('x')}${fileOf('abc')}--b--`, 400],
  ['a form without a file', (stage) => `${stageOf(stage)}--b--`, 400],
  ['a form with two files', () => `${fileOf('abc')}${fileOf('abc')}--b--`, 400],
  ['a form that breaks off', () => fileOf('abc'), 400],
  ['a form that is not one', () => 'abc', 400],
  ['a form whose file is too large', () => `${fileOf('x'.repeat(5_001))}--b--`, 413],
];

describe('a gateway under a handler', () => {
  const fileLimit = 5_000;
  let direct: Handler;
  let fronted: Handler;
  beforeEach(() => {
    direct = createTestHandler(undefined, {}, { fileLimit });
    const service = fetchFrom(createTestHandler());
    fronted = handlerOver(createTestGateway({ fetch: service, fileLimit }));
  });

  /** Sends a request; returns the answer without the parts that differ each time. */
  async function send(handler: Handler, path: string, body?: object | string) {
    const headers: Record<string, string> = {
      Authorization: `Token ${tokenOf(acme)}`,
      'Accept-Language': 'pl',
      'Content-Type': typeof body === 'string' ? type : 'application/json',
    };
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const init = text === undefined ? {} : { method: 'POST', body: text };
    const request = new Request(`http://localhost${path}`, { ...init, headers });
    const response = await createFetchHandler(handler)(request);
    const {
      request_id: _,
      instance: __,
      ...said
    } = (await response.json()) as Partial<Record<string, unknown>>;
    return { status: response.status, said };
  }

  it.each(uploads)('answers %s as a service of ours does', async (_, bodyOf, status) => {
    const made: (string | object)[] = [];
    for (const handler of [direct, fronted]) {
      await send(handler, '/api/1.0/contractor/', contractor);
      const { said } = await send(handler, '/api/1.0/deal/', deal);
      expect(said).toMatchObject({ data: { id: 1 } });
      const { stage_ids } = (said as { data: DealCreated }).data;
      made.push(bodyOf(stage_ids[0] ?? 0));
    }
    const [body = '', same = ''] = made;
    const expected = await send(direct, '/api/1.0/deal/1/file/', body);
    const answer = await send(fronted, '/api/1.0/deal/1/file/', same);
    expect(answer.status).toBe(status);
    expect(expected.status).toBe(status);
    if (status !== 201) expect(answer).toEqual(expected);
    const nowhere = await send(fronted, '/api/1.0/deal/7/file/', body);
    expect(nowhere).toEqual(await send(direct, '/api/1.0/deal/7/file/', body));
  });

  it('shows its value sets in the document', async () => {
    const { said } = await send(fronted, '/openapi.json');
    expect(JSON.stringify(said)).toContain(JSON.stringify(defaultValueSets.copyright_transfer));
  });

  it.each<[number, number, object]>([
    [429, 503, { code: 'unavailable', outcome: 'none' }],
    [503, 503, { code: 'unavailable', outcome: 'unknown' }],
    [401, 500, { code: 'internal', outcome: 'none' }],
    [500, 500, { code: 'internal', outcome: 'unknown' }],
  ])('answers %i of the service with %i, without its cause', async (theirs, ours, problem) => {
    const fetch = async () => json(theirs, { detail: 'told to nobody' }, { 'Retry-After': '7' });
    const reports: object[] = [];
    const onError = (report: object) => reports.push(report);
    const handler = handlerOver(createTestGateway({ fetch }), { onError });
    const { status, said } = await send(handler, '/api/1.0/deal/', deal);
    expect(status).toBe(ours);
    expect(said).toMatchObject(problem);
    expect(JSON.stringify(said)).not.toContain('told to nobody');
    expect(reports).toMatchObject([{ port: 'transport', cause: expect.anything() }]);
  });
});
