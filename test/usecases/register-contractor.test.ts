import type { CallOptions, Language } from 'dealwright';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { contractorOf } from '../kit/stored.js';
import { acme, marketplaceWith, nothing, traceOf } from './marketplace-with.js';

const keyed = { idempotencyKey: 'key-1' };

describe('registering a contractor', () => {
  it('stores what was given, as it was given', async () => {
    const { api, store } = marketplaceWith();
    const body = { ...contractorBody, email: 'User@Example.com', name: '  Ł ' };
    expect((await api.registerContractor(body))._unsafeUnwrap()).toStrictEqual({
      contractor_email: 'User@Example.com',
    });
    const { contractor, events } = await traceOf(store);
    expect(contractor).toEqual({
      contractor_key: 'user@example.com',
      ...body,
      pesel: null,
      nip: null,
      attempt: events[0]?.id,
      version: 1,
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'contractor.registered', ...acme });
  });

  it('again, in any case, is a conflict that does not say who was first', async () => {
    const { api, partner } = marketplaceWith();
    await partner('globex').registerContractor(contractorBody);
    const again = { ...contractorBody, email: 'USER@example.com' };
    expect((await api.registerContractor(again))._unsafeUnwrapErr()).toStrictEqual({
      code: 'contractor_exists',
      message: 'A contractor with this e-mail address exists already.',
    });
  });

  it('again with the same key gives the first answer, in the case of the first', async () => {
    const { api, store } = marketplaceWith();
    const first = await api.registerContractor(contractorBody, keyed);
    const again = await api.registerContractor({ ...contractorBody }, keyed);
    expect(again._unsafeUnwrap()).toStrictEqual(first._unsafeUnwrap());
    expect((await traceOf(store)).events).toHaveLength(1);
    for (const change of [{ city: 'Other' }, { email: 'User@example.com' }, { nip: '1' }]) {
      const other = await api.registerContractor({ ...contractorBody, ...change }, keyed);
      expect(other._unsafeUnwrapErr().code).toBe('idempotency_key_reused');
    }
  });

  it('keeps its answer under the kind of call and the key', async () => {
    const { api, store } = marketplaceWith();
    await api.registerContractor(contractorBody, keyed);
    const rows = [];
    for await (const { kind, row } of store.archive.dump()) if (kind === 'answer') rows.push(row);
    expect(rows).toMatchObject([
      { answer_key: 'contractor key-1', answer: '{"contractor_email":"user@example.com"}' },
    ]);
  });

  it('keeps its keys apart from those of deals, and from those of other partners', async () => {
    const { api, partner } = marketplaceWith();
    expect((await api.registerContractor(contractorBody, keyed)).isOk()).toBe(true);
    expect((await api.createDeal(dealBody, keyed)).isOk()).toBe(true);
    const other = await partner('globex').registerContractor(contractorBody, keyed);
    expect(other._unsafeUnwrapErr().code).toBe('contractor_exists');
  });

  it('refuses invalid input with every problem, and stores nothing', async () => {
    const { api, store } = marketplaceWith();
    const error = await api.registerContractor({ ...contractorBody, name: '', language: 'de' });
    expect(error._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: ['name'], code: 'too_short' },
        { path: ['language'], code: 'not_allowed' },
      ],
    });
    expect(await traceOf(store)).toEqual(nothing);
  });
});

describe('the options of a call', () => {
  const messageOf = async (options: unknown) => {
    const { api } = marketplaceWith();
    const answer = await api.registerContractor(
      { ...contractorBody, name: '' },
      options as CallOptions,
    );
    const error = answer._unsafeUnwrapErr();
    return error.code === 'validation_failed' ? error.errors[0]?.message : error.code;
  };

  it('choose the language, English unless it is Polish', async () => {
    expect(await messageOf({ language: 'pl' })).toBe('minimalna liczba znaków: 1');
    for (const language of ['en', undefined, 'de', 'PL', 7, null, 'constructor']) {
      expect(await messageOf({ language: language as Language })).toBe(
        'must have at least 1 character',
      );
    }
    for (const options of [undefined, null, {}, 7, 'pl']) {
      expect(await messageOf(options)).toBe('must have at least 1 character');
    }
  });

  it('that cannot be read make nothing throw', async () => {
    const get = () => {
      throw new Error('not for you');
    };
    expect(await messageOf(Object.defineProperty({}, 'language', { get }))).toBe(
      'must have at least 1 character',
    );
    expect(await messageOf(Object.defineProperty({}, 'idempotencyKey', { get }))).toBe(
      'invalid_idempotency_key',
    );
    expect(await messageOf(new Proxy({}, { get }))).toBe('invalid_idempotency_key');
  });
});

describe('contractorScope', () => {
  it('is the environment by default: partners share, environments do not', async () => {
    const { api, partner } = marketplaceWith();
    await partner('globex').registerContractor(contractorBody);
    expect((await api.createDeal(dealBody)).isOk()).toBe(true);
    const elsewhere = await partner('acme', 'production').createDeal(dealBody);
    expect(elsewhere._unsafeUnwrapErr()).toMatchObject({
      errors: [{ code: 'unknown_contractor' }],
    });
  });

  it("'partner' keeps each partner's contractors to itself", async () => {
    const { api, partner, store } = marketplaceWith({}, { contractorScope: 'partner' });
    expect((await partner('globex').registerContractor(contractorBody)).isOk()).toBe(true);
    expect((await api.createDeal(dealBody))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['contractor_email'], code: 'unknown_contractor' }],
    });
    expect((await api.registerContractor(contractorBody)).isOk()).toBe(true);
    expect((await api.createDeal(dealBody)).isOk()).toBe(true);
    for (const key of ['user@example.com acme', 'user@example.com globex']) {
      expect(await contractorOf(store, key)).toMatchObject(contractorBody);
    }
    expect(await contractorOf(store, 'user@example.com')).toBeUndefined();
  });
});
