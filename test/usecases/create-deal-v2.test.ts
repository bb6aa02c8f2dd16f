import { unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { acme, marketplaceWith, nothing, nothingElse, traceOf } from './marketplace-with.js';

const token = 'a-token-that-nobody-guesses';
const keyed = { idempotencyKey: 'key-1' };
const issuer = (issue: unknown) => ({
  paymentTokens: { issue, verify: () => ok('valid'), tenantOf: () => undefined },
});

describe('creating a 2.0 deal', () => {
  it('stores it with its token and first states, at the time of the clock', async () => {
    const clock = createManualClock(Date.UTC(2026, 1, 3, 4, 5, 6, 78));
    const { api, store } = marketplaceWith({ clock, ...issuer(() => ok(token)) });
    expect((await api.createDealV2(dealV2Body))._unsafeUnwrap()).toStrictEqual({
      payment_token: token,
      freelancer_status: 'new',
      status: 'created',
    });
    const { dealV2, events } = await traceOf(store);
    expect(dealV2).toEqual({
      deal: {
        ...dealV2Body,
        api_version: '2.0',
        id: 1,
        email_key: dealV2Body.email_freelancer,
        work_days: null,
        payment_token: token,
        status: 'created',
        freelancer_status: 'new',
        created_at: '2026-02-03T04:05:06.078Z',
        mode: 'invoice',
        employer_fee: '0.00',
        contractor_fee: '0.00',
        agreed_amount: null,
        expires_at: '2026-03-05T04:05:06.078Z',
        notice_at: '2026-03-02T04:05:06.078Z',
        status_since: '2026-02-03T04:05:06.078Z',
        ...{ alert: null, alert_at: null },
        due_at: '2026-03-02T04:05:06.078Z',
        attention: null,
        ...{ terms_version: null, terms_sha256: null, accepted_by: null },
        ...{ issued_amount: null, proposal: null },
        attempt: events[0]?.id,
        version: 1,
      },
      stage: [
        {
          id: 2,
          partner_id: dealV2Body.partner_id,
          name: dealV2Body.title,
          budget: dealV2Body.amount,
          work_days: null,
          status: 'pending',
          agreed_amount: null,
          submitted_at: null,
          ...{ kind: null, started_at: null, deadline: null, overdue_told: null, notice_at: null },
          attempt: events[0]?.id,
        },
      ],
      ...nothingElse,
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'deal.created',
      ...acme,
      subject: 'deal:unique-ID-of-deal-2',
      sequence: 1,
      at: '2026-02-03T04:05:06.078Z',
      actor: 'partner',
      cause: null,
    });
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('stores nothing that the body adds, least of all its own token', async () => {
    const { api, store } = marketplaceWith(issuer(() => ok(token)));
    const added = {
      payment_token: 'x'.repeat(30),
      status: 'completed',
      freelancer_status: 'finished',
      created_at: 'never',
      id: 7,
    };
    await api.createDealV2({ ...dealV2Body, ...added });
    const { dealV2 } = await traceOf(store);
    expect(dealV2?.deal).toMatchObject({ payment_token: token, status: 'created', id: 1 });
    expect(dealV2?.deal).toMatchObject({ freelancer_status: 'new' });
    expect(dealV2?.deal.created_at).toMatch(/^\d{4}-/);
  });

  it('asks for a token with the partner, the id, the canonical amount and the currency', async () => {
    const asked: unknown[] = [];
    const { api } = marketplaceWith(
      issuer((...claims: unknown[]) => {
        asked.push(claims);
        return ok(token);
      }),
    );
    await api.createDealV2({ ...dealV2Body, amount: '0500' });
    expect(asked).toEqual([
      [acme, { partner_id: 'unique-ID-of-deal-2', amount: '500.00', currency: 'PLN' }],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
      true,
    ],
    ['rejects', () => Promise.reject(new Error('down')), true],
    ['says that it cannot', () => unavailable({ outcome: 'unknown', retryable: true }), true],
    ['gives nothing', () => ok(undefined), false],
    ['gives a short token', () => ok('a'.repeat(21)), false],
    ['gives a long token', () => ok('a'.repeat(2049)), false],
    ['gives a token that needs escaping', () => ok(`${token}/`), false],
    ['gives two tokens', () => ok([token, token]), false],
  ])('stores nothing if the issuer %s', async (_what, issue, retryable) => {
    const { api, store } = marketplaceWith(issuer(issue));
    const error = (await api.createDealV2(dealV2Body))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      code: 'unavailable',
      port: 'paymentTokens.issue',
      outcome: 'none',
      retryable,
    });
    expect(JSON.stringify(error)).not.toContain(token);
    expect(await traceOf(store)).toEqual(nothing);
  });

  it('stores nothing if the issuer never answers', async () => {
    const timer = createManualClock();
    const { api, store } = marketplaceWith({ timer, ...issuer(() => new Promise(() => {})) });
    const answer = api.createDealV2(dealV2Body);
    await new Promise((resolve) => setImmediate(resolve));
    timer.advance(10_000);
    expect((await answer)._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'paymentTokens.issue',
      outcome: 'none',
    });
    expect(await traceOf(store)).toEqual(nothing);
  });

  it('gives the first token back to a repeat, and throws the second one away', async () => {
    let issued = 0;
    const { api, store } = marketplaceWith(
      issuer(() => {
        issued += 1;
        return ok(`${token}-${issued}`);
      }),
    );
    const first = (await api.createDealV2(dealV2Body, keyed))._unsafeUnwrap();
    const reordered = Object.fromEntries(Object.entries(dealV2Body).reverse()) as typeof dealV2Body;
    const again = await api.createDealV2({ ...reordered, amount: '500' }, keyed);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
    expect(issued).toBe(2);
    expect((await traceOf(store)).dealV2?.deal.payment_token).toBe(`${token}-1`);
    expect((await traceOf(store)).events).toHaveLength(1);
  });

  it('refuses the key with other input, and the partner_id without the key', async () => {
    const { api } = marketplaceWith();
    await api.createDealV2(dealV2Body, keyed);
    const other = await api.createDealV2({ ...dealV2Body, amount: '500.01' }, keyed);
    expect(other._unsafeUnwrapErr().code).toBe('idempotency_key_reused');
    for (const options of [undefined, {}, { idempotencyKey: 'key-2' }]) {
      const again = await api.createDealV2(dealV2Body, options);
      expect(again._unsafeUnwrapErr().code).toBe('deal_exists');
    }
  });

  it('reports an unknown subcategory among all other problems', async () => {
    const { api } = marketplaceWith();
    const error = await api.createDealV2({ ...dealV2Body, title: '', subcategory_id: 2 ** 40 });
    expect(error._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: ['title'], code: 'too_short' },
        { path: ['subcategory_id'], code: 'unknown_subcategory' },
      ],
    });
  });

  it('judges the form of the key before the input', async () => {
    const { paymentTokens } = createPorts();
    const { api } = marketplaceWith({ paymentTokens });
    const error = await api.createDealV2({ ...dealV2Body, title: '' }, { idempotencyKey: '' });
    expect(error._unsafeUnwrapErr().code).toBe('invalid_idempotency_key');
  });
});
