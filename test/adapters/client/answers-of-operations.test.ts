import type { PartnerApi } from 'dealwright';
import { createClient } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answering, json, token, unexpected } from './foreign.js';
import { commands, operations, proposing } from './service.js';
import { answers } from './whole-answers.js';

const names = Object.keys(answers) as (keyof typeof answers)[];

/** Every way to leave out or to spoil one member, at any depth, with the result. */
function spoiled(value: unknown, path = ''): { readonly path: string; readonly value: unknown }[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, at) =>
      spoiled(each, `${path}[]`).map((one) => ({
        ...one,
        value: value.map((other, index) => (index === at ? one.value : other)),
      })),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const all = value as Readonly<Record<string, unknown>>;
  return Object.entries(all).flatMap(([name, member]) => {
    const { [name]: _, ...rest } = all;
    const values = [{}, typeof member === 'boolean' ? 'true' : true, 1.5, undefined];
    const here = values.map((wrong) => ({
      path: `${path}.${name}`,
      value: wrong === undefined ? rest : { ...all, [name]: wrong },
    }));
    const deeper = spoiled(member, `${path}.${name}`);
    return [...here, ...deeper.map((one) => ({ ...one, value: { ...all, [name]: one.value } }))];
  });
}

describe('an answer of each operation', () => {
  it.each(names)('%s is read in full, and what is more is dropped', async (name) => {
    const more = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(more);
      if (typeof value !== 'object' || value === null) return value;
      // the type of an event decides its further members
      const members = Object.entries(value).map(([key, each]) => [
        key,
        key === 'data' || key === 'changes' ? each : more(each),
      ]);
      return { ...Object.fromEntries(members), more: true, __proto__: null };
    };
    for (const data of [answers[name], more(answers[name])]) {
      const api = answering(() => json(200, { data }));
      expect((await operations[name](api, {}))._unsafeUnwrap()).toEqual(answers[name]);
    }
  });

  it.each(names)('%s is unexpected if any member is spoiled', async (name) => {
    const ofStages = [
      '.stages[].work_days',
      '.stages[].agreed_amount',
      '.stages[].due_on',
      '.stages[].due_at',
      '.stages[].review_ends_at',
      '.stages[].work_files[].by',
    ];
    const ofPayments = [
      ...['employer_payments[].reason', 'employer_payments[].reference'],
      ...['waits_for', 'reason', 'reference'].map((each) => `contractor_payments[].${each}`),
    ].map((each) => `.billing.${each}`);
    const ofTerms = [
      ...['copyright_transfer', 'agreed_amount', 'stages[].id', 'stages[].work_days'],
    ].map((each) => `.terms.${each}`);
    const ofProposal = [
      // the kind decides the members of its changes
      ...['.changes', '.message', '.supersedes', '.decided_at', ...ofTerms],
    ];
    const ofPage = ['.next', '.previous'];
    const inPage = (own: readonly string[]) => [
      ...ofPage,
      ...own.map((each) => `.results[]${each}`),
    ];
    const ofOutlook = ['.expires_at', '.partner_name'];
    const ofDetails = [
      ...ofOutlook,
      ...['.terms_sha256', '.proposal', ...ofProposal.map((each) => `.proposal${each}`)],
      ...['.id', '.copyright_transfer', '.freelancer_language', '.payment_token', '.agreed_amount'],
      ...ofStages,
      ...ofPayments,
    ];
    // every event type may have data without members
    const ofFeed = ['.results[].cause', '.results[].data'];
    const attempt = ['status_code', 'error', 'response'].map((each) => `.attempts[].${each}`);
    const ofDelivery = [...attempt, '.next_attempt_at'];
    const ofWebhooks = [
      ...['createWebhook', 'retrieveWebhook', 'deleteWebhook', 'rotateWebhook', 'enableWebhook'],
    ];
    const optional: Readonly<Record<string, string[]>> = {
      retrieveDeal: ['.agreed_amount', ...ofOutlook, ...ofStages, ...ofPayments],
      listDeals: inPage(['.id']),
      listProposals: inPage(ofProposal),
      listTerms: inPage(['.proposal_id', '.accepted_by', ...ofTerms]),
      ...Object.fromEntries([...proposing, 'retrieveProposal'].map((each) => [each, ofProposal])),
      ...Object.fromEntries(ofWebhooks.map((each) => [each, ['.disabled_reason']])),
      uploadFile: ['.by'],
      uploadWorkFile: ['.by'],
      listWorkFiles: ['[].by'],
      listWebhooks: ['[].disabled_reason'],
      retrievePromises: ['.currencies'],
      listTokens: ['[].start', '[].created_at', '[].last_used_at'],
      listEvents: ofFeed,
      listDealEvents: ofFeed,
      testWebhook: ofDelivery,
      redeliver: ofDelivery,
      listDeliveries: inPage(ofDelivery),
      listFailedDeliveries: inPage(ofDelivery),
      listDealDeliveries: inPage(ofDelivery),
      redeliverAll: ['.next'],
      ...Object.fromEntries([...commands, 'retrieveDealDetails'].map((each) => [each, ofDetails])),
    };
    for (const { path, value } of spoiled(answers[name])) {
      const result = await operations[name](
        answering(() => json(200, { data: value })),
        {},
      );
      const last = path.slice(path.lastIndexOf('.') + 1);
      const isLeftOut =
        optional[name]?.includes(path) && !JSON.stringify(value).includes(`"${last}":true`);
      if (result.isOk()) expect([path, isLeftOut]).toEqual([path, true]);
      else expect(result.error).toEqual(unexpected(200));
    }
    for (const data of [null, 7, 'text', [], [null], {}]) {
      const result = await operations[name](
        answering(() => json(200, { data })),
        {},
      );
      const isEmptyTree = Array.isArray(data) && data.length === 0 && Array.isArray(answers[name]);
      if (isEmptyTree) expect(result._unsafeUnwrap()).toEqual([]);
      else expect(result._unsafeUnwrapErr()).toEqual(unexpected(200));
    }
  });
});

describe('an error of each operation', () => {
  const ofCreate = ['validation_failed', 'invalid_idempotency_key', 'idempotency_key_reused'];
  const ofCommand = [...ofCreate, 'not_found', 'illegal_transition', 'precondition_failed'];
  const always = ['unauthorized', 'rate_limited', 'unavailable', 'unexpected_response'];
  const own: Readonly<Record<keyof PartnerApi | 'uploadWorkFile', readonly string[]>> = {
    registerContractor: [...ofCreate, 'contractor_exists'],
    createDeal: [...ofCreate, 'deal_exists'],
    createDealV2: [...ofCreate, 'deal_exists'],
    uploadFile: [...ofCreate, 'not_found', 'payload_too_large', 'precondition_failed'],
    listCategories: [],
    retrieveDeal: ['not_found'],
    retrieveDealDetails: ['not_found'],
    listDeals: ['validation_failed', 'invalid_cursor'],
    uploadWorkFile: [...ofCreate, 'not_found', 'payload_too_large', 'precondition_failed'],
    listWorkFiles: ['not_found'],
    downloadWorkFile: ['not_found'],
    listEvents: ['validation_failed', 'invalid_cursor'],
    listDealEvents: ['validation_failed', 'invalid_cursor', 'not_found'],
    createWebhook: ['validation_failed', 'not_found'],
    listWebhooks: ['not_found'],
    listTokens: ['not_found'],
    retrievePromises: ['not_found'],
    retrieveWebhook: ['not_found'],
    deleteWebhook: ['not_found'],
    rotateWebhook: ['not_found'],
    enableWebhook: ['not_found'],
    testWebhook: ['not_found'],
    listDeliveries: ['validation_failed', 'invalid_cursor', 'not_found'],
    redeliver: ['not_found'],
    redeliverAll: ['validation_failed', 'invalid_cursor', 'not_found'],
    listFailedDeliveries: ['validation_failed', 'invalid_cursor', 'not_found'],
    listDealDeliveries: ['validation_failed', 'invalid_cursor', 'not_found'],
    invite: ofCommand,
    accept: ofCommand,
    decline: ofCommand,
    cancel: ofCommand,
    deliver: ofCommand,
    requestChanges: ofCommand,
    approve: ofCommand,
    dispute: ofCommand,
    requestPayment: ofCommand,
    addBonus: ofCommand,
    propose: ofCommand,
    acceptProposal: ofCommand,
    rejectProposal: [...ofCreate, 'not_found', 'illegal_transition'],
    withdrawProposal: [...ofCreate, 'not_found', 'illegal_transition'],
    listProposals: ['validation_failed', 'invalid_cursor', 'not_found'],
    retrieveProposal: ['not_found'],
    listTerms: ['validation_failed', 'invalid_cursor', 'not_found'],
  };
  const codes = [...new Set([...Object.values(own).flat(), ...always, 'internal', 'other'])];
  const statuses = [202, 302, 400, 401, 403, 404, 409, 413, 415, 418, 422, 429, 500, 503];

  const known = { deal_status: 's', freelancer_status: 's', legal: ['l'] };

  it.each(names)('%s is one that it lists, for any answer', async (name) => {
    const met = new Set<string>();
    for (const status of statuses) {
      for (const code of codes) {
        const issue = { path: ['name'], code: 'required', message: 'm', params: {} };
        const api = answering(() =>
          json(status, { code, errors: [issue], max_bytes: 5, reason: 'r', ...known }),
        );
        const { code: found } = (await operations[name](api, {}))._unsafeUnwrapErr();
        met.add(found);
      }
    }
    expect([...met].sort()).toEqual([...own[name], ...always].sort());
  });

  it('says what is taken, if the service says it', async () => {
    const upload = async (body: unknown) =>
      (
        await operations.uploadFile(
          answering(() => json(413, body)),
          {},
        )
      )._unsafeUnwrapErr();
    expect(await upload({ max_bytes: 5 })).toMatchObject({ max_bytes: 5 });
    for (const body of [{}, null, { max_bytes: '5' }]) {
      const error = await upload(body);
      expect(error.code).toBe('payload_too_large');
      expect(error).not.toHaveProperty('max_bytes');
    }
  });

  it('reads 422 as a used key only if it says so, or the caller gave one', async () => {
    const bare = answering(() => json(422, {}));
    expect((await operations.createDeal(bare, {}))._unsafeUnwrapErr()).toEqual(unexpected(422));
    const named = answering(() => json(422, { code: 'idempotency_key_reused' }));
    const error = (await operations.createDeal(named, {}))._unsafeUnwrapErr();
    expect(error.code).toBe('idempotency_key_reused');
    const read = await operations.listCategories(named, { idempotencyKey: 'k' });
    expect(read._unsafeUnwrapErr()).toEqual(unexpected(422, 'idempotency_key_reused'));
  });
});

describe('no secret, and nothing of the caller', () => {
  const key = 'the-key-of-the-caller';
  const partner_id = 'the-id-of-the-partner';
  const words = [token, key, partner_id, 'user@example.com'];
  const place = fc.constantFrom('detail', 'code', 'title', 'outcome', 'request_id', 'max_bytes');

  it('is in a report, nor the token in an error, for any answer', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      fc.constantFrom(0, 200, 201, 307, 400, 401, 404, 409, 413, 422, 429, 500, 503),
      fc.dictionary(place, fc.constantFrom(...words, 'x')),
      fc.dictionary(fc.constantFrom('X-Request-Id', 'Retry-After'), fc.constantFrom(token, '7')),
      async (name, status, body, headers) => {
        const reports: unknown[] = [];
        const api = createClient({
          baseUrl: 'https://deals.example.com',
          token,
          retryBase: 0,
          maxRetryAfter: 0,
          onExchange: (report) => reports.push(report),
          async fetch(_, request) {
            if (status === 0) throw Object.assign(new Error(token), { request, code: token });
            return json(status, { ...body, errors: [{ path: [token], ...body }] }, headers);
          },
        });
        const result = await operations[name](api, { idempotencyKey: key });
        await api.listDeals({ partner_id, email_freelancer: 'user@example.com' });
        await api.retrieveDealDetails(partner_id);
        const told = JSON.stringify(reports);
        expect(reports.length).toBeGreaterThanOrEqual(3);
        for (const word of words) expect(told).not.toContain(JSON.stringify(word).slice(1, -1));
        const error = JSON.stringify(result._unsafeUnwrapErr());
        expect(error).not.toContain(JSON.stringify(token).slice(1, -1));
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
