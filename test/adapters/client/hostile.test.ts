import type { ClientOptions } from 'dealwright/client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestGateway, fetchFrom } from '../../kit/gateway.js';
import { createPorts } from '../../kit/ports.js';
import { dealV2 } from '../../kit/requests.js';
import { createTestHandler } from '../../kit/service.js';
import { createBoth, hostile, plain, throwing } from './hostile.js';
import { createOfflineClient, createOfflineFetch, operations, tenant } from './service.js';

describe('what is no id', () => {
  it('is not found, as in process, and nothing is asked', async () => {
    const { inside } = createBoth();
    let requests = 0;
    const client = createOfflineClient({
      async fetch() {
        requests += 1;
        return new Response('{}', { status: 500 });
      },
    });
    const noIds = hostile.filter((id) => !(typeof id === 'string' && /^[1t]/.test(id)));
    for (const id of noIds) {
      const texts = [
        await inside.retrieveDealDetails(id as string),
        await client.retrieveDealDetails(id as string),
      ];
      expect(plain(texts[1] as never)).toEqual(plain(texts[0] as never));
      expect(texts[1]?._unsafeUnwrapErr().code).toBe('not_found');
    }
    for (const id of hostile) {
      const numbers = [
        await client.retrieveDeal(id as number),
        await client.uploadFile({ id: id as number }, { name: 'a', content: 'AAAA' }),
      ];
      for (const result of numbers) expect(result._unsafeUnwrapErr().code).toBe('not_found');
    }
    expect(requests).toBe(0);
  });
});

describe('a deal by its partner_id', () => {
  it('is found for any id, and asked for by a path if a path can say it', async () => {
    const { inside } = createBoth();
    expect(inside).toBeDefined();
    const ports = createPorts();
    const urls: string[] = [];
    const fetch = createOfflineFetch(ports);
    const client = createOfflineClient({
      fetch: (url, request) => {
        urls.push(url);
        return fetch(url, request);
      },
    });
    const piece = fc.constantFrom(
      '.',
      '..',
      '/',
      '%2F',
      '%',
      '+',
      ' ',
      '?',
      '#',
      'ż',
      '😀',
      'by-id',
    );
    const id = fc
      .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1 })
      .map((parts) => parts.join(''))
      .filter((text) => text !== '' && !text.includes('\0') && [...text].length <= 40);
    await fc.assert(
      fc.asyncProperty(id, async (partner_id) => {
        const terms = {
          partner_id,
          email_freelancer: 'a@example.com',
          title: 't',
          description: 'd',
          subcategory_id: 75,
          amount: '1.00',
          currency: 'EUR',
          copyright_transfer: 'none',
          freelancer_language: 'pl',
        };
        await client.createDealV2(terms);
        const found = await client.retrieveDealDetails(partner_id);
        expect(found._unsafeUnwrap().partner_id).toBe(partner_id);
        const path = new URL(urls.at(-1) ?? '').pathname;
        const isPlain = /^[A-Za-z0-9._~-]+$/.test(partner_id) && !/^\.\.?$/.test(partner_id);
        expect(path).toBe(isPlain ? `/api/2.0/deal/${partner_id}/` : '/api/2.0/deal/by-id/');
        const [listed] = (await client.listDeals({ partner_id }))._unsafeUnwrap().results;
        expect(listed?.partner_id).toBe(partner_id);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['.', '..', '../x', 'a/b', 'by-id', 'event', 'file', '%2F', '?x=1&y', ' ', 'ł 😀', '0'])(
    'is worked on under the name %j, through a gateway too',
    async (partner_id) => {
      const gateway = createTestGateway({ fetch: fetchFrom(createTestHandler()) });
      for (const api of [createOfflineClient(), gateway.partner(tenant)]) {
        (await api.createDealV2({ ...dealV2, partner_id }))._unsafeUnwrap();
        const invited = (await api.invite(partner_id))._unsafeUnwrap();
        expect([invited.partner_id, invited.freelancer_status]).toEqual([partner_id, 'invited']);
        const upload = { name: 'a.txt', content: 'YWJj' };
        const file = (await api.uploadFile({ partner_id }, upload))._unsafeUnwrap();
        expect((await api.listWorkFiles(partner_id))._unsafeUnwrap()).toEqual([file]);
        const { results } = (await api.listDealEvents(partner_id))._unsafeUnwrap();
        expect(results.map(({ type, subject }) => [type, subject])).toEqual([
          ['deal.created', `deal:${partner_id}`],
          ['deal.invited', `deal:${partner_id}`],
          ['work_file.stored', `deal:${partner_id}`],
        ]);
      }
    },
  );
});

describe('a query', () => {
  it('of any page_size is answered as in process', async () => {
    const { inside, client } = createBoth();
    for (const page_size of [...hostile, 1, 20, 100, 101, 20.0, -0, 1e-7, -1e21]) {
      const query = { page_size: page_size as number };
      const expected = await inside.listDeals(query);
      const found = await client.listDeals(query);
      // a query cannot carry null
      if (page_size === null) expect(found.isErr()).toBe(true);
      else expect(plain(found)).toEqual(plain(expected));
    }
  });

  it('of any value is refused if it is refused in process', async () => {
    const { inside, client } = createBoth();
    const names = ['cursor', 'partner_id', 'status', 'email_freelancer', 'created_from'] as const;
    const query = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...hostile));
    await fc.assert(
      fc.asyncProperty(query, async (each) => {
        const expected = await inside.listDeals(each as object);
        const found = await client.listDeals(each as object);
        const pathsOf = (result: typeof found) =>
          result.isErr() && result.error.code === 'validation_failed'
            ? result.error.errors.map(({ path }) => path)
            : plain(result);
        expect(pathsOf(found)).toEqual(pathsOf(expected));
      }),
      { numRuns: 500 },
    );
    for (const each of [null, [], 'text', 7, throwing, () => undefined]) {
      const found = (await client.listDeals(each as object))._unsafeUnwrapErr();
      expect(found.code).toBe('validation_failed');
    }
  });
});

describe('options', () => {
  it('of any kind are answered, and never thrown at', async () => {
    const unreadable = {
      get language(): 'en' {
        throw new Error('a getter that throws');
      },
    };
    const client = createOfflineClient();
    for (const options of [
      ...hostile,
      unreadable,
      { signal: {} },
      { signal: 7 },
      { timeout: 'x' },
    ]) {
      for (const call of Object.values(operations)) {
        expect(await call(client, options as object)).toHaveProperty('isOk');
      }
    }
  });

  it('that break their promise later are answered, too', async () => {
    const broken: Readonly<Record<string, Partial<ClientOptions>>> = {
      timer: {
        timer: {
          now: () => {
            throw new Error('no time');
          },
          sleep: () => () => undefined,
        },
      },
      sleep: { timer: { now: () => 0, sleep: () => undefined as never } },
      random: {
        random: () => {
          throw new Error('no luck');
        },
        fetch: async () => new Response('', { status: 503 }),
      },
    };
    for (const options of Object.values(broken)) {
      for (const call of Object.values(operations)) {
        expect(await call(createOfflineClient(options), {})).toHaveProperty('isOk');
      }
    }
  });
});
