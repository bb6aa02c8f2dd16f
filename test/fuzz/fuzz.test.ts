import { expect, test } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { seed } from '../kit/seed.js';
import { countOf } from '../tiers.js';
import { askHeart } from './exchange.js';
import { checkAnswer } from './expectations.js';
import type { FuzzRequest } from './requests.js';
import { all, type FuzzAnswer } from './rows.js';
import { runFuzz } from './run.js';
import { createWorld } from './world.js';

const requests = countOf('REQUESTS', 6_000, 60_000);
const mebibyte = 2 ** 20;
/** The commands of a partner, a freelancer and the operator, by their names. */
const commands = new Set(
  all
    .filter(({ command }) => command !== undefined)
    .map(({ name }) => name.replace('ByParameter', '')),
);
/** No world has a payment that a request can name, or one that has failed. */
const isNeverDone = [
  'operatorRecordContractorPayment',
  'operatorRetryPayout',
  'operatorRetryRefund',
];
/** Every state takes a report, and the operator can cancel almost all: these are rarely refused. */
const isRarelyRefused = [
  'operatorRecordEmployerPayment',
  'operatorRecordContractorPayment',
  'operatorCancel',
];

/** The answers that a run must meet: a run of only refusals proves little. */
const toMeet = [
  ...['createDeal 201', 'createDealV2 201', 'registerContractor 201', 'uploadFile 201'],
  ...['createDeal 409', 'createDeal 422', 'createDealV2 400', 'uploadFile 413', 'uploadFile 415'],
  ...['listDeals 200', 'listDeals 400', 'retrieveDeal 404', 'listCategories 401'],
  ...['retrieveDealDetails 200', '(none) 204', '(none) 404', '(none) 405'],
  ...['uploadWorkFile 201', 'uploadWorkFile 409', 'listWorkFiles 200', 'listWorkFiles 404'],
  'listWorkFilesByParameter 200',
  ...[200, 206, 304, 404, 416].map((status) => `downloadWorkFile ${status}`),
  ...[
    'freelancerView 200',
    'freelancerView 401',
    'freelancerListFiles 200',
    'freelancerUploadFile 201',
  ],
  ...['freelancerDownloadFile 200', 'freelancerDownloadFile 404', 'operatorRetrieveDeal 200'],
  ...['operatorRetrieveDeal 404', 'operatorListDeals 200', 'operatorListDeals 400'],
  ...['operatorRunTimers 200', 'operatorRunEffects 200', 'operatorRunEffects 401'],
  ...['createWebhook 201', 'createWebhook 400', 'retrieveWebhook 200', 'retrieveWebhook 404'],
  ...['testWebhook 200', 'deleteWebhook 200', 'listDeliveries 200', 'redeliver 404'],
  ...['listEvents 200', 'sandboxAdvanceClock 200', 'sandboxAdvanceClock 400'],
];

/** By the path or by the parameter; each alone is one of very many rows. */
const toMeetOfCommands = [...commands].flatMap((operation) => [
  ...(isNeverDone.includes(operation) ? [] : [`${operation} 200`]),
  ...(isRarelyRefused.includes(operation) ? [] : [`${operation} 409`]),
  `${operation} ${operation.startsWith('freelancer') ? 401 : 404}`,
  ...[400, 415].map((status) => `${operation} ${status}`),
]);

function notMet(counts: ReadonlyMap<string, number>): readonly string[] {
  const ofCommands = new Set([...counts.keys()].map((key) => key.replace('ByParameter', '')));
  return [
    ...toMeet.filter((key) => !counts.has(key)),
    ...toMeetOfCommands.filter((key) => !ofCommands.has(key)),
  ];
}

test(
  `${requests} requests of all kinds are answered as documented`,
  async () => {
    const figures = await runFuzz(requests, seed, 5, {
      isEnough: (counts) => notMet(counts).length === 0,
    });
    expect(figures.requests).toBeGreaterThanOrEqual(requests);
    expect(figures.overSockets).toBeGreaterThan(requests / 40);
    expect(figures.serverErrors).toBe(0);
    expect(figures.heap.end - figures.heap.warm).toBeLessThan(16 * mebibyte);
    expect(notMet(figures.counts)).toEqual([]);
  },
  100 * requests,
);

test('an answer that is not as documented is found', async () => {
  const world = await createWorld();
  const [id] = world.ids;
  const request = (target: string, token = world.token): FuzzRequest => ({
    method: 'GET',
    target,
    headers: { authorization: `Token ${token}` },
    body: new Uint8Array(),
    pieces: [1],
    wire: 'none',
  });
  const answer = (asked: FuzzRequest) => askHeart(world.handler, asked);
  const found = (asked: FuzzRequest, given: FuzzAnswer) => {
    try {
      checkAnswer(world, asked, given);
      return undefined;
    } catch (cause) {
      return cause instanceof Error ? cause.message : cause;
    }
  };
  const known = request(`/api/1.0/deal/${id}/`);
  const unknown = request('/api/1.0/deal/999/');
  const list = request('/api/2.0/deal/');
  const [deal, none, page] = [await answer(known), await answer(unknown), await answer(list)];
  for (const [asked, given] of [
    [known, deal],
    [unknown, none],
    [list, page],
  ] as const) {
    expect(found(asked, given)).toBeUndefined();
  }

  expect(found(known, none)).toBe('404 instead of 200');
  expect(found(unknown, deal)).toBe('200 instead of 404');
  expect(found(request(known.target, world.strangerToken), deal)).toBe('200 instead of 404');
  expect(found(list, none)).toBe('404 instead of 200 or 400 or 400');
  expect(found(list, { ...page, status: 429 })).toMatch(/^429 instead of/);
  expect(found(list, { ...page, status: 201 })).toMatch(/^201 instead of/);
  const html = { ...page, headers: { ...page.headers, 'content-type': 'text/html' } };
  expect(found(list, html)).toMatch(/text\/html is not documented/);
  const told = { ...page, headers: { ...page.headers, server: 'x' } };
  expect(found(list, told)).toMatch(/the header server is not documented/);
  const more = page.body?.replace('"title"', '"payment_token":"x","title"');
  expect(found(list, { ...page, body: more })).toMatch(/additional properties/);
  const other = page.body?.replace('"created"', '"lost"');
  expect(found(list, { ...page, body: other })).toMatch(/allowed values/);
});

test('a query whose bytes are not UTF-8 names no deal, though one is called U+FFFD', async () => {
  const world = await createWorld();
  const request = (target: string, body: unknown): FuzzRequest => ({
    method: 'POST',
    target,
    headers: { authorization: `Token ${world.token}`, 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
    pieces: [1],
    wire: 'none',
  });
  const statusOf = async (asked: FuzzRequest) => {
    const answer = await askHeart(world.handler, asked);
    world.learn(asked, answer);
    checkAnswer(world, asked, answer);
    return answer.status;
  };
  const place = '/api/2.0/sandbox/deal/by-id/partner/invite?partner_id=';
  const created = await statusOf(request('/api/2.0/deal/', { ...dealV2, partner_id: '\uFFFD' }));
  expect(created).toBe(201);
  expect(await statusOf(request(`${place}%EF%BF%BD`, {}))).not.toBe(404);
  expect(await statusOf(request(`${place}%ff`, {}))).toBe(404);
});
