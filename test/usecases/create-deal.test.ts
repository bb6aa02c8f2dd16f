import { interfaceProfile, type Profile } from 'dealwright';
import { createManualClock } from 'dealwright/testing';
import { err, ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { settle } from '../kit/stored.js';
import {
  acme,
  marketplaceWith,
  nothing,
  nothingElse,
  traceOf,
  withContractor,
} from './marketplace-with.js';

const keyed = { idempotencyKey: 'key-1' };

describe('creating a deal', () => {
  it('stores it with one stage of the whole, at the time of the clock', async () => {
    const clock = createManualClock(Date.UTC(2026, 1, 3, 4, 5, 6, 78));
    const { api, store } = await withContractor({ clock });
    const { work_days: _, ...body } = dealBody;
    const created = (await api.createDeal(body))._unsafeUnwrap();
    const { deal, events } = await traceOf(store);
    expect(created).toStrictEqual({
      id: deal?.deal.id,
      stage_ids: deal?.stage.map(({ id }) => id),
    });
    const attempt = events[1]?.id;
    expect(deal).toEqual({
      deal: {
        partner_id: dealBody.partner_id,
        id: created.id,
        api_version: '1.0',
        email_freelancer: dealBody.contractor_email,
        email_key: dealBody.contractor_email,
        title: dealBody.name,
        description: dealBody.description,
        subcategory_id: dealBody.sub_category_id,
        amount: '1000.00',
        currency: dealBody.currency,
        work_days: 30,
        copyright_transfer: null,
        freelancer_language: null,
        payment_token: null,
        status: 'created',
        freelancer_status: 'new',
        created_at: '2026-02-03T04:05:06.078Z',
        mode: 'invoice',
        employer_fee: '0.00',
        contractor_fee: '0.00',
        agreed_amount: null,
        expires_at: null,
        notice_at: null,
        status_since: '2026-02-03T04:05:06.078Z',
        ...{ alert: null, alert_at: null },
        due_at: null,
        attention: null,
        ...{ terms_version: null, terms_sha256: null, accepted_by: null },
        ...{ issued_amount: null, proposal: null },
        attempt,
        version: 1,
      },
      stage: [
        {
          id: created.stage_ids[0],
          partner_id: dealBody.partner_id,
          name: 'Deal name',
          budget: '1000.00',
          work_days: 30,
          status: 'pending',
          agreed_amount: null,
          submitted_at: null,
          ...{ kind: null, started_at: null, deadline: null, overdue_told: null, notice_at: null },
          attempt,
        },
      ],
      ...nothingElse,
    });
    expect(events.map(({ type, subject, sequence }) => [type, subject, sequence])).toEqual([
      ['contractor.registered', 'contractor:user@example.com', 1],
      ['deal.created', 'deal:unique-ID-of-deal', 1],
    ]);
  });

  it('stores nothing that the body adds', async () => {
    const { api, store } = await withContractor();
    const added = { id: 7, stages: [], status: 'completed', created_at: 'never', version: 9 };
    await api.createDeal({ ...dealBody, ...added });
    const { deal } = await traceOf(store);
    expect(deal).toMatchObject({ deal: { version: 1, status: 'created' }, stage: [{}] });
    expect(deal?.deal.created_at).toMatch(/^\d{4}-/);
    expect(deal?.deal.id).not.toBe(7);
  });

  it('needs its contractor, in any case of the address', async () => {
    const { api } = await withContractor();
    const known = { ...dealBody, contractor_email: 'USER@Example.COM' };
    expect((await api.createDeal(known)).isOk()).toBe(true);
    const unknown = { ...dealBody, partner_id: 'other', contractor_email: 'user2@example.com' };
    const refused = await api.createDeal(unknown, { language: 'pl' });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [
        {
          path: ['contractor_email'],
          code: 'unknown_contractor',
          message: 'musi być adresem e-mail zarejestrowanego wykonawcy',
          params: {},
        },
      ],
    });
  });

  it('reports an unknown subcategory among all other problems', async () => {
    const { api } = marketplaceWith();
    const error = await api.createDeal({ ...dealBody, budget: '', sub_category_id: -1 });
    expect(error._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: ['budget'], code: 'invalid_decimal' },
        { path: ['sub_category_id'], code: 'unknown_subcategory' },
      ],
    });
    const alone = await api.createDeal({ ...dealBody, sub_category_id: 2 ** 53 - 1 });
    expect(alone._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['sub_category_id'], code: 'unknown_subcategory' }],
    });
  });

  it('asks no catalogue about what is no id', async () => {
    const { categories } = createPorts();
    const asked: unknown[] = [];
    const subcategory = (_: unknown, id: unknown) => {
      asked.push(id);
      return ok(undefined);
    };
    const { api } = marketplaceWith({ categories: { ...categories, subcategory } });
    const bodies: readonly unknown[] = [
      null,
      [],
      // members of an array beside its items
      Object.assign([], dealBody),
      { ...dealBody, sub_category_id: '75' },
      { ...dealBody, sub_category_id: 7.5 },
      { ...dealBody, sub_category_id: undefined },
    ];
    for (const body of bodies) await api.createDeal(body as typeof dealBody);
    expect(asked).toEqual([]);
  });

  it('asks no catalogue about an id that the profile of the host refuses', async () => {
    const { categories } = createPorts();
    const asked: unknown[] = [];
    const subcategory = (_: unknown, id: unknown) => {
      asked.push(id);
      return ok(undefined);
    };
    const profile: Profile = (sets) => ({
      ...interfaceProfile(sets),
      parseDeal: () => err([{ path: ['sub_category_id'], code: 'not_positive', params: {} }]),
    });
    const { api } = marketplaceWith({ categories: { ...categories, subcategory } }, { profile });
    expect((await api.createDeal(dealBody))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['sub_category_id'], code: 'not_positive' }],
    });
    expect(asked).toEqual([]);
  });

  it('survives a member that answers otherwise when it is read again', async () => {
    for (const second of ['a text', 0.5, undefined, Symbol('s')]) {
      const { api } = marketplaceWith();
      let reads = 0;
      const flighty = {
        ...dealBody,
        name: '',
        get sub_category_id(): number {
          reads += 1;
          return reads === 1 ? 75 : (second as number);
        },
      };
      const error = await api.createDeal(flighty);
      expect(error._unsafeUnwrapErr()).toMatchObject({ errors: [{ path: ['name'] }] });
    }
    let reads = 0;
    const throwing = Object.defineProperty({ ...dealBody, name: '' }, 'sub_category_id', {
      enumerable: true,
      get() {
        reads += 1;
        if (reads > 1) throw new Error('only once');
        return 75;
      },
    });
    const error = await marketplaceWith().api.createDeal(throwing);
    expect(error._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['name'], code: 'too_short' }],
    });
  });
});

describe('repeating a create', () => {
  it('with the same key and input gives the first answer, in any order and notation', async () => {
    const { api, store } = await withContractor();
    const first = (await api.createDeal(dealBody, keyed))._unsafeUnwrap();
    const { work_days: _, ...silent } = dealBody;
    const reordered = Object.fromEntries(Object.entries(silent).reverse()) as typeof silent;
    const again = await api.createDeal({ ...reordered, budget: '1000' }, keyed);
    expect(again._unsafeUnwrap()).toStrictEqual(first);
    expect((await traceOf(store)).events).toHaveLength(2);
  });

  it('gives the first answer even if the deal has moved on', async () => {
    const { api, store } = await withContractor();
    const first = (await api.createDeal(dealBody, keyed))._unsafeUnwrap();
    const statuses = { status: 'cancelled', freelancer_status: 'removed' } as const;
    const key = dealBody.partner_id;
    const cancelled = await settle(
      store.commit(acme, {
        attempt: '01KDVE0000000000000000000A',
        expect: [{ present: 'deal', key, where: { version: [1] } }],
        insert: [],
        change: [{ kind: 'deal', key, set: statuses }],
        events: [],
      }),
    );
    expect(cancelled).toEqual({ outcome: 'committed' });
    expect((await api.createDeal(dealBody, keyed))._unsafeUnwrap()).toStrictEqual(first);
  });

  it('with the same key and other input is refused, before the partner_id is looked at', async () => {
    const { api } = await withContractor();
    await api.createDeal(dealBody, keyed);
    for (const change of [{ work_days: 31 }, { partner_id: 'other' }, { name: 'other' }]) {
      const again = await api.createDeal({ ...dealBody, ...change }, keyed);
      expect(again._unsafeUnwrapErr()).toMatchObject({ code: 'idempotency_key_reused' });
    }
  });

  it('without the key is a conflict, be the contractor known or not', async () => {
    const { api } = await withContractor();
    await api.createDeal(dealBody, keyed);
    const again = { ...dealBody, contractor_email: 'nobody@example.com' };
    expect((await api.createDeal(again))._unsafeUnwrapErr().code).toBe('deal_exists');
    const invalid = await api.createDeal({ ...dealBody, name: '' }, keyed);
    expect(invalid._unsafeUnwrapErr().code).toBe('validation_failed');
  });

  it('after a failure tries again: failures are not kept', async () => {
    const { api } = marketplaceWith();
    expect((await api.createDeal(dealBody, keyed)).isErr()).toBe(true);
    await api.registerContractor(contractorBody);
    expect((await api.createDeal(dealBody, keyed)).isOk()).toBe(true);
  });

  it.each(['', 'two words', 'k'.repeat(256), 'ł', null, 7, {}])(
    'with the key %j is refused before anything else, and stores nothing',
    async (idempotencyKey) => {
      const { api, store } = marketplaceWith();
      const options = { idempotencyKey: idempotencyKey as string };
      const error = await api.createDeal({ ...dealBody, name: '' }, options);
      expect(error._unsafeUnwrapErr().code).toBe('invalid_idempotency_key');
      expect(await traceOf(store)).toEqual(nothing);
    },
  );
});
