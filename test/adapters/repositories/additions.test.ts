import { describe, expect, it } from 'vitest';
import { contractor } from '../../kit/requests.js';
import { createTestHandler } from '../../kit/service.js';
import { fetchFrom } from '../../kit/upstream.js';
import { acme, additions, json, recording, repositories, textsOf, token } from './asking.js';

const payment_token = 'a-payment-token-of-the-service';

/** A success of each addition, as the service answers it. */
const successes = [
  { contractor_email: contractor.email },
  { id: 7, stage_ids: [8, 9] },
  { payment_token, status: 'created', freelancer_status: 'new' },
];
const dealExists = { outcome: 'exists', by: 'partner_id' };
const noMatch = { outcome: 'exists', by: 'idempotency_key', first: { fingerprint: '' } };

describe('each addition', () => {
  it.each(additions)('%s is one request, with its key where it has one', async (name, add) => {
    const index = additions.findIndex(([each]) => each === name);
    const { fetch, sent } = recording(async () => json(201, { data: successes[index] }));
    const store = repositories({ fetch, headers: { 'X-Trace': 't' } });
    await add(store, 'the-key');
    await add(store);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.request.headers).toMatchObject({
      Authorization: `Token ${token}`,
      'Idempotency-Key': 'the-key',
      'X-Trace': 't',
    });
    expect(sent[1]?.request.headers).not.toHaveProperty('Idempotency-Key');
    expect(sent.map(({ request }) => [request.method, request.redirect])).toEqual([
      ['POST', 'manual'],
      ['POST', 'manual'],
    ]);
  });

  it('sends what the interface has a field for, and money in its one form', async () => {
    const { fetch, sent } = recording(async () => json(500, {}));
    for (const [, add] of additions) await add(repositories({ fetch }));
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/1.0/contractor/',
      '/api/1.0/deal/',
      '/api/2.0/deal/',
    ]);
    expect(sent.map(({ request }) => JSON.parse(String(request.body)))).toEqual([
      contractor,
      {
        partner_id: 'order-1',
        contractor_email: contractor.email,
        name: 'Deal name',
        description: 'Deal description',
        budget: '1000.01',
        currency: 'EUR',
        work_days: 30,
        sub_category_id: 75,
      },
      {
        partner_id: 'order-2',
        email_freelancer: 'freelancer@example.com',
        title: 'Deal title',
        description: 'Deal description',
        subcategory_id: 75,
        amount: '500.00',
        currency: 'PLN',
        copyright_transfer: 'full_transfer',
        freelancer_language: 'pl',
      },
    ]);
  });

  it.each(additions)('%s is decided by the service', async (name, add) => {
    const index = additions.findIndex(([each]) => each === name);
    const decide = async (status: number, body: unknown, key?: string) =>
      add(repositories({ fetch: async () => json(status, body) }), key);
    const created = [
      { outcome: 'created' },
      { outcome: 'created', id: 7, stage_ids: [8, 9] },
      { outcome: 'created', payment_token },
    ][index];
    for (const status of [200, 201]) {
      expect(await decide(status, { data: successes[index] })).toEqual({ value: created });
    }
    const exists = index === 0 ? { outcome: 'exists', by: 'email' } : dealExists;
    for (const body of [{}, { code: 'whatever' }, 'no object']) {
      expect(await decide(409, body)).toEqual({ value: exists });
      expect(await decide(422, body, 'the-key')).toEqual({ value: noMatch });
    }
  });

  it('misses the contractor where that is all that is wrong', async () => {
    const [, add] = additions[1] ?? [];
    const issue = (code: string, field: string) => ({
      path: [field],
      code,
      message: 'm',
      params: {},
    });
    const unknown = issue('unknown_contractor', 'contractor_email');
    const answer = (...errors: object[]) =>
      repositories({ fetch: async () => json(400, { code: 'validation_failed', errors }) });
    expect(await add?.(answer(unknown))).toEqual({ value: { outcome: 'contractor_missing' } });
    for (const errors of [[unknown, issue('too_long', 'name')], [issue('too_long', 'name')], []]) {
      expect(await add?.(answer(...errors))).toMatchObject({
        failure: { outcome: 'none', retryable: false, cause: { code: 'validation_failed' } },
      });
    }
  });

  it('is refused by stricter rules with fields and codes, and without a value', async () => {
    const secret = 'AT611904300234573201';
    const errors = [
      { path: ['bank_account_iban'], code: 'iban_wrong_checksum', message: secret, params: {} },
      { path: [secret, 'x'], code: `No ${secret}`, message: 'm', params: { value: secret } },
    ];
    for (const [, add] of additions) {
      const fetch = async () => json(400, { code: 'validation_failed', detail: secret, errors });
      const failed = await add(repositories({ fetch }));
      const issues = [
        { path: ['bank_account_iban'], code: 'iban_wrong_checksum' },
        { path: ['?', 'x'], code: '?' },
      ];
      expect(failed).toEqual({
        failure: {
          code: 'unavailable',
          outcome: 'none',
          retryable: false,
          cause: { code: 'validation_failed', issues },
        },
      });
      expect(textsOf(failed).filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  it('goes to a service of ours, and is there', async () => {
    const { fetch, sent } = recording(fetchFrom(createTestHandler()));
    const store = repositories({ fetch, token: 'token-of-sandbox-acme' });
    const values = [];
    for (const [, add] of additions) values.push(await add(store, 'the-key'));
    expect(values).toMatchObject([
      { value: { outcome: 'created' } },
      { value: { outcome: 'created', id: 1, stage_ids: [1] } },
      // one key for deals of both versions, and other input
      { value: noMatch },
    ]);
    expect(sent).toHaveLength(3);
    const read = await store.deals.byId(acme, 1);
    expect(read._unsafeUnwrap()).toMatchObject({
      value: { partner_id: 'order-1', budget: 100_001n, freelancer_status: 'new' },
    });
  });
});
