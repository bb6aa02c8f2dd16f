import { createCategoryCatalogue } from 'dealwright/categories';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { fetchFrom } from '../../kit/gateway.js';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler } from '../../kit/service.js';
import {
  answering,
  creates,
  errorOf,
  json,
  recording,
  refusing,
  through,
  token,
} from './asking.js';

describe('each create', () => {
  it.each(creates)('%s is one request, with its key if it has one', async (_, call, data) => {
    const { fetch, sent } = recording(async () => json(201, { data }));
    const api = through({ fetch, token: () => token, headers: { 'X-Trace': 't' } });
    await call(api, { idempotencyKey: 'the-key', language: 'pl' });
    await call(api);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.request).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: {
        Authorization: `Token ${token}`,
        'Accept-Language': 'pl',
        'Idempotency-Key': 'the-key',
        'X-Trace': 't',
      },
    });
    expect(sent[1]?.request.headers).not.toHaveProperty('Idempotency-Key');
  });

  it('sends what was understood: defaults, and money in its one form', async () => {
    const { fetch, sent } = recording(async () => json(500, {}));
    const api = through({ fetch });
    const { work_days: _, ...short } = deal;
    await api.registerContractor({ ...contractor, more: 1 } as typeof contractor);
    await api.createDeal({ ...short, budget: '01000.1' });
    await api.createDealV2({ ...dealV2, amount: '500' });
    expect(sent.map(({ url, request }) => [new URL(url).pathname, `${request.body}`])).toEqual([
      ['/api/1.0/contractor/', JSON.stringify(contractor)],
      ['/api/1.0/deal/', JSON.stringify({ ...deal, budget: '1000.10' })],
      ['/api/2.0/deal/', JSON.stringify(dealV2)],
    ]);
  });

  it.each(creates)('%s is decided by the service, of any make', async (name, call, data) => {
    for (const status of [200, 201]) {
      const result = await call(answering(async () => json(status, { data })));
      expect(result).toMatchObject({ value: data });
    }
    const exists = name === 'registerContractor' ? 'contractor_exists' : 'deal_exists';
    for (const body of [{}, { code: 'any' }, { code: exists, detail: 'Schon da.' }, 'no object']) {
      const message = expect.stringMatching(/ już /);
      const conflict = call(
        answering(async () => json(409, body)),
        { language: 'pl' },
      );
      expect(await errorOf(conflict)).toEqual({ code: exists, message });
      const keyed = call(
        answering(async () => json(422, body)),
        { idempotencyKey: 'the-key' },
      );
      expect(await errorOf(keyed)).toMatchObject({ code: 'idempotency_key_reused' });
    }
  });

  it.each(creates)('%s passes on which rule of the service is broken', async (_, call) => {
    const refused = await errorOf(
      call(
        answering(async () => refusing('any_field', 'stricter', { max: 7 })),
        { language: 'pl' },
      ),
    );
    expect(refused).toEqual({
      code: 'validation_failed',
      message: expect.stringMatching(/^Dane /),
      errors: [
        {
          path: ['any_field'],
          code: 'stricter',
          message: 'as the service says',
          params: { max: 7 },
        },
      ],
    });
  });
});

describe('checks in front of the service', () => {
  it('refuse without a request what the service would have taken', async () => {
    const { fetch, sent } = recording();
    const api = through({ fetch, profile: strictProfile });
    const iban = { bank_account_iban: 'AT611904300234573202', city: ' ' };
    expect(await errorOf(api.registerContractor({ ...contractor, ...iban }))).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: ['city'], code: 'blank' },
        { path: ['bank_account_iban'], code: 'iban_wrong_checksum' },
      ],
    });
    expect(await errorOf(api.createDeal({ ...deal, budget: '-1.00' }))).toMatchObject({
      errors: [{ path: ['budget'], code: 'not_positive' }],
    });
    expect(sent).toEqual([]);
    expect((await api.registerContractor(contractor)).isOk()).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('refuse a malformed key first, and without a request', async () => {
    const { fetch, sent } = recording();
    const malformed = { idempotencyKey: 'a key' };
    const refused = await errorOf(through({ fetch }).createDeal({} as never, malformed));
    expect(refused).toMatchObject({ code: 'invalid_idempotency_key' });
    expect(sent).toEqual([]);
  });

  it('have value sets of their own', async () => {
    const { fetch, sent } = recording();
    const api = through({ fetch, valueSets: { copyright_transfer: ['license'] } });
    expect(await errorOf(api.createDealV2(dealV2))).toMatchObject({
      errors: [{ path: ['copyright_transfer'], code: 'not_allowed' }],
    });
    expect(sent).toEqual([]);
  });

  it('have a catalogue of their own, and ask for no other', async () => {
    const { fetch, sent } = recording();
    const name = { en: 'Own', pl: 'Własne' };
    const tree = [{ id: 1, name, subcategories: [{ id: 75, name }] }];
    const api = through({ fetch, categories: createCategoryCatalogue(tree) });
    expect((await api.listCategories({ language: 'pl' }))._unsafeUnwrap()).toEqual([
      { id: 1, name: 'Własne', subcategories: [{ id: 75, name: 'Własne' }] },
    ]);
    const unknown = api.createDealV2({ ...dealV2, title: '', subcategory_id: 76 });
    expect(await errorOf(unknown)).toMatchObject({
      errors: [
        { path: ['title'], code: 'too_short' },
        { path: ['subcategory_id'], code: 'unknown_subcategory' },
      ],
    });
    expect(sent).toEqual([]);
    expect((await api.createDealV2(dealV2)).isOk()).toBe(true);
  });

  it('are unavailable if what is plugged in fails, and nothing is sent', async () => {
    const { fetch, sent } = recording();
    const broken = () => {
      throw new Error('broken');
    };
    const categories = { tree: broken, subcategory: broken };
    const catalogue = through({ fetch, categories });
    const unanswered = { code: 'unavailable', port: 'categories.subcategory', outcome: 'none' };
    expect(await errorOf(catalogue.createDeal(deal))).toMatchObject(unanswered);
    expect(await errorOf(catalogue.listCategories())).toMatchObject({ port: 'categories.tree' });
    const parser = { parseContractor: broken, parseDeal: broken, parseDealV2: broken };
    const rules = through({ fetch, profile: () => parser });
    for (const [, call] of creates) {
      expect(await errorOf(call(rules))).toMatchObject({ code: 'unavailable', retryable: false });
    }
    expect(sent).toEqual([]);
  });

  it('are not the last word: the rules of the service count too', async () => {
    const strict = createTestHandler(createPorts(), {}, { profile: strictProfile });
    const api = through({ fetch: fetchFrom(strict) });
    const refused = await errorOf(api.createDeal({ ...deal, budget: '-1.00' }, { language: 'pl' }));
    expect(refused).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['budget'], code: 'not_positive', message: 'musi być większe od zera' }],
    });
  });

  it('let the service split a deal as it likes', async () => {
    const handler = createTestHandler(
      createPorts(),
      {},
      {
        stagePlanner: ({ budget, work_days }) => [
          { name: 'All', budget, work_days },
          { name: 'Nothing', budget: (budget - budget) as typeof budget, work_days },
        ],
      },
    );
    const api = through({ fetch: fetchFrom(handler) });
    await api.registerContractor(contractor);
    const { id, stage_ids } = (await api.createDeal(deal))._unsafeUnwrap();
    const { stages } = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(stages.map((stage) => [stage.id, stage.name])).toEqual([
      [stage_ids[0], 'All'],
      [stage_ids[1], 'Nothing'],
    ]);
  });
});
