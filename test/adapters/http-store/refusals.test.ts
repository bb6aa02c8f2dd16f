import { createHttpStore, createStoreHandler } from 'dealwright/http-store';
import { createMemoryStore } from 'dealwright/memory';
import { records, type Store, unavailable } from 'dealwright/ports';
import * as fc from 'fast-check';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { version } from '../../../adapters/http/store/protocol.js';
import { createPair, requestOf, secret } from './pair.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const attempt = '01KDVE00000000000000000000';
const answer = { answer_key: 'deal k', fingerprint: 'f', answer: '{}', ends_at: null };
const write = {
  attempt,
  expect: [{ absent: 'answer', key: 'deal k' }],
  insert: [{ kind: 'answer', row: answer }],
  change: [],
  events: [],
} as const;
const good = { authorization: `Bearer ${secret}`, 'dealwright-store': version };

/** A store that must not be called. */
function createUntouched() {
  const calls: string[] = [];
  const touch = (name: string) => () => {
    calls.push(name);
    return unavailable({ outcome: 'none' });
  };
  const store: Store = {
    commit: touch('commit'),
    reserve: touch('reserve'),
    deals: {
      byId: touch('byId'),
      byPartnerId: touch('byPartnerId'),
      byPaymentToken: touch('byPaymentToken'),
      list: touch('list'),
    },
    workFiles: { recorded: touch('recorded') },
    events: { after: touch('after'), of: touch('of') },
    records: { byKey: touch('byKey'), list: touch('list'), byIndex: touch('byIndex') },
    due: touch('due'),
    tenants: touch('tenants'),
  };
  return { store, calls };
}

describe('the other end of a store over HTTP', () => {
  const refused: readonly (readonly [
    string,
    number,
    string,
    string,
    string,
    Record<string, string>,
  ])[] = [
    [
      'a wrong secret',
      401,
      'POST',
      'reserve',
      '["sandbox",1]',
      { ...good, authorization: `Bearer ${secret}x` },
    ],
    [
      'a part of the secret',
      401,
      'POST',
      'reserve',
      '["sandbox",1]',
      { ...good, authorization: `Bearer ${secret.slice(1)}` },
    ],
    [
      'a secret repeated',
      401,
      'POST',
      'reserve',
      '["sandbox",1]',
      { ...good, authorization: `Bearer ${secret}Bearer ${secret}` },
    ],
    ['no secret', 401, 'POST', 'reserve', '["sandbox",1]', { 'dealwright-store': version }],
    [
      'another version',
      409,
      'POST',
      'reserve',
      '["sandbox",1]',
      { ...good, 'dealwright-store': '1-0' },
    ],
    ['no version', 409, 'POST', 'reserve', '["sandbox",1]', { authorization: good.authorization }],
    ['another path', 404, 'POST', 'drop', '[]', good],
    ['a path of every object', 404, 'POST', 'constructor', '[]', good],
    ['a query', 404, 'POST', 'reserve?x', '["sandbox",1]', good],
    ['a path below', 404, 'POST', 'reserve/x', '["sandbox",1]', good],
    ['another method', 405, 'PUT', 'reserve', '["sandbox",1]', good],
    ['no JSON', 400, 'POST', 'reserve', '["sandbox"', good],
    ['no body', 400, 'POST', 'reserve', '', good],
    ['a parameter too many', 400, 'POST', 'reserve', '["sandbox",1,1,1]', good],
    ['a bound of another type', 400, 'POST', 'reserve', '["sandbox",1,"1"]', good],
    ['a parameter too few', 400, 'POST', 'reserve', '["sandbox"]', good],
    ['a count of none', 400, 'POST', 'reserve', '["sandbox",0]', good],
    [
      'a large page',
      400,
      'POST',
      'events',
      '[{"environment":"sandbox","partner":"acme"},null,10001]',
      good,
    ],
    ['too large a body', 413, 'POST', 'reserve', `["sandbox",1${' '.repeat(5000)}]`, good],
  ];

  it.each(refused)(
    'refuses %s with %i and does not ask the store',
    async (_, status, method, operation, body, headers) => {
      const { store, calls } = createUntouched();
      const { handle } = createPair(store, { bodyLimit: 4096 });
      const response = await handle(requestOf(operation, body, headers, method));
      expect(response.status).toBe(status);
      const { code, message } = (await response.json()) as Record<string, unknown>;
      expect([typeof code, typeof message, calls]).toEqual(['string', 'string', []]);
      expect(message).not.toContain(secret);
    },
  );

  it('takes what is well-formed', async () => {
    const { handle } = createPair(createMemoryStore());
    const response = await handle(requestOf('commit', JSON.stringify([acme, write]), good));
    expect([response.status, await response.json()]).toEqual([
      200,
      { ok: { outcome: 'committed' } },
    ]);
  });

  const inserting = (row: object) => ({ ...write, insert: [{ kind: 'answer', row }] });
  const changing = (set: object, expected: readonly object[]) => ({
    ...write,
    expect: [...write.expect, ...expected],
    change: [{ kind: 'deal', key: 'p', set }],
  });
  const deal = { present: 'deal', key: 'p' };
  const told = { at: 'now', actor: 'partner', cause: null, data: {} };
  const event = { id: attempt, type: 't', subject: 's', ...told };
  const malformed: Readonly<Record<string, object>> = {
    'a field that the kind has not': inserting({ ...answer, more: 'x' }),
    'a field that is missing': inserting({ answer_key: 'deal k', fingerprint: 'f' }),
    'a field of another type': inserting({ ...answer, fingerprint: 1 }),
    'a field that is null and must not be': inserting({ ...answer, fingerprint: null }),
    'a text that a database may refuse': inserting({ ...answer, fingerprint: 'a\0' }),
    'half a character': inserting({ ...answer, fingerprint: '\ud800' }),
    'a kind that does not exist': { ...write, insert: [{ kind: 'toString', row: answer }] },
    'an event as a record': {
      ...write,
      insert: [{ kind: 'event', row: { ...event, sequence: 1 } }],
    },
    'a record twice': { ...write, insert: [...write.insert, ...write.insert] },
    'an insert that nobody expects to be absent': { ...write, expect: [] },
    'a change of what nobody expects to be present': changing({ status: 'created' }, []),
    'a change of a field that never changes': changing({ currency: 'USD' }, [deal]),
    'a condition on a field that has none': {
      ...write,
      expect: [{ ...deal, where: { title: ['x'] } }],
    },
    'a condition on another type': { ...write, expect: [{ ...deal, where: { version: ['1'] } }] },
    'a count of what is under nothing': {
      ...write,
      expect: [{ fewer: 'deal', under: 'p', than: 1 }],
    },
    'a key of another type': { ...write, expect: [...write.expect, { absent: 'stage', key: '1' }] },
    'events of nothing': { ...write, events: [event] },
    'a subject that no event is told of': { ...write, subject: { kind: 'stage', key: '1' } },
    'an event whose data is text': {
      ...write,
      subject: { kind: 'deal', key: 'p' },
      events: [{ ...event, data: '{}' }],
    },
    'an event with a text that no database keeps': {
      ...write,
      subject: { kind: 'deal', key: 'p' },
      events: [{ ...event, data: { a: ['\0'] } }],
    },
    'an event that numbers itself': {
      ...write,
      subject: { kind: 'deal', key: 'p' },
      events: [{ ...event, sequence: 7 }],
    },
    'an attempt that is not a ULID': { ...write, attempt: 'x' },
    'a member that it has not': { ...write, more: [] },
  };

  it.each(Object.entries(malformed))('refuses a write with %s', async (_, given) => {
    const { store, calls } = createUntouched();
    const { handle } = createPair(store);
    const response = await handle(requestOf('commit', JSON.stringify([acme, given]), good));
    expect([response.status, calls]).toEqual([400, []]);
  });

  it('answers any JSON with 200, 400 or 503, and a store stays what it was', async () => {
    const { handle } = createPair(createMemoryStore());
    const names = [
      'commit',
      'reserve',
      'deal-by-id',
      'deal-by-partner-id',
      'deal-by-payment-token',
      'deals',
      'work-files',
      'events',
      'due',
      'tenants',
    ];
    const part = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(acme, write, ...Object.values(malformed), 'sandbox', null, 1, []),
    );
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(part, { maxLength: 4 }).map((each) => JSON.stringify(each)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), body, async (name, given) => {
        const { status } = await handle(requestOf(name, given, good));
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 1000 },
    );
  });

  it('says what its store says, and tells the host alone why', async () => {
    const cause = new Error('password=hunter2');
    const told: unknown[] = [];
    const { handle, store } = createPair(
      {
        ...createMemoryStore(),
        commit: () => unavailable({ outcome: 'none', retryAfter: 3, cause }),
      },
      { onError: (report) => told.push(report) },
    );
    const response = await handle(requestOf('commit', JSON.stringify([acme, write]), good));
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('hunter2');
    expect(told).toEqual([{ operation: 'commit', cause }]);
    const failed = (await store.commit(acme, write))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ outcome: 'none', retryable: true, retryAfter: 3 });
  });

  it('takes a store that throws for one that may have written', async () => {
    const throwing = () => {
      throw new Error('broken');
    };
    const { store } = createPair({ ...createMemoryStore(), commit: throwing, tenants: throwing });
    expect((await store.commit(acme, write))._unsafeUnwrapErr().outcome).toBe('unknown');
    expect((await store.tenants(undefined, 1))._unsafeUnwrapErr().outcome).toBe('none');
  });

  it('takes no record of another kind for an answer', async () => {
    const consumer = {
      ...{ name: 'c', position: null, held: '{}', lease: null, leased_until: null },
      ...{ failing_since: null, ends_at: null, attempt },
    };
    const { store } = createPair({
      ...createMemoryStore(),
      records: {
        byKey: () => ok(consumer as never),
        list: () => ok([consumer as never]),
        byIndex: () => ok([{ partner: 'acme', row: consumer as never }]),
      },
      due: () => ok([consumer as never]),
    });
    const range = { direction: 'ascending', limit: 1 } as const;
    const index = { ...range, index: ['id'], equal: [] };
    expect((await store.records.byKey(acme, 'consumer', 'c')).isOk()).toBe(true);
    for (const asked of [
      store.records.byKey(acme, 'webhook', 'c'),
      store.records.list(acme, 'webhook', range),
      store.records.byIndex({ environment: 'sandbox' }, 'employer_payment', index),
      store.due(acme, 'intent', '2026-01-01T00:00:00.000Z', 1),
    ]) {
      expect((await asked)._unsafeUnwrapErr()).toMatchObject({ outcome: 'none' });
    }
  });

  it('is made with a secret that cannot be guessed, as its client is', () => {
    const make = [
      (given: string) => createStoreHandler(createMemoryStore(), { secret: given }),
      (given: string) => createHttpStore({ baseUrl: 'http://a/store', secret: given }),
    ];
    for (const each of make) {
      for (const given of ['', 'short', 'with a blank in it it is']) {
        expect(() => each(given)).toThrow(TypeError);
      }
    }
    expect(() => createHttpStore({ baseUrl: 'ftp://a', secret })).toThrow(TypeError);
    for (const blockSize of [0, 1.5, 10_001, Number.NaN]) {
      expect(() => createHttpStore({ baseUrl: 'http://a', secret, blockSize })).toThrow(TypeError);
    }
  });

  it('has a version that follows the table of fields', () => {
    expect(Object.keys(records)).toContain('deal');
    expect(version).toMatch(/^1-[0-9a-f]{32}$/);
  });
});
