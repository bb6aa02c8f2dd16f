import { createMarketplace } from 'dealwright';
import { createCategoryCatalogue } from 'dealwright/categories';
import { strictProfile } from 'dealwright/strict';
import { createSystemPorts } from 'dealwright/system';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2 } from '../../kit/requests.js';
import { createTestHandler, tokenOf } from '../../kit/service.js';
import { createMarketplaceOver, fetchFrom } from '../../kit/upstream.js';
import { acme, recording, repositories } from './asking.js';

describe('rules of our own in front of the service', () => {
  it('refuse without a request what the service would have taken', async () => {
    const { fetch, sent } = recording(fetchFrom(createTestHandler()));
    const api = createMarketplaceOver({ fetch }, { profile: strictProfile }).partner(acme);
    const registered = await api.registerContractor({
      ...contractor,
      bank_account_iban: 'AT611904300234573202',
    });
    expect(registered._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['bank_account_iban'], code: 'iban_wrong_checksum' }],
    });
    const created = await api.createDeal({ ...deal, budget: '-1.00' });
    expect(created._unsafeUnwrapErr().code).toBe('validation_failed');
    expect(sent).toEqual([]);
    expect((await api.registerContractor(contractor)).isOk()).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('have a catalogue of their own, and ask for no other', async () => {
    const { fetch, sent } = recording(fetchFrom(createTestHandler()));
    const marketplace = createMarketplace({
      ...repositories({ fetch, token: tokenOf(acme) }),
      ...createSystemPorts(),
      categories: createCategoryCatalogue([
        {
          id: 1,
          name: { en: 'Own', pl: 'Własne' },
          subcategories: [{ id: 75, name: { en: 'Only', pl: 'Jedyna' } }],
        },
      ]),
    });
    const api = marketplace.partner(acme);
    expect((await api.listCategories())._unsafeUnwrap()).toHaveLength(1);
    const unknown = await api.createDealV2({ ...dealV2, subcategory_id: 76 });
    expect(unknown._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['subcategory_id'], code: 'unknown_subcategory' }],
    });
    expect(sent).toEqual([]);
    expect((await api.createDealV2(dealV2)).isOk()).toBe(true);
  });

  it('are not the last word: what the service refuses is no fault of the caller', async () => {
    const handler = createTestHandler(createPorts(), {}, { profile: strictProfile });
    const api = createMarketplaceOver({ fetch: fetchFrom(handler) }).partner(acme);
    const refused = await api.createDeal({ ...deal, budget: '-1.00' });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'deals.add',
      outcome: 'none',
      retryable: false,
      cause: { code: 'validation_failed', issues: [{ path: ['budget'], code: 'not_positive' }] },
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
    const api = createMarketplaceOver({ fetch: fetchFrom(handler) }).partner(acme);
    await api.registerContractor(contractor);
    const { id, stage_ids } = (await api.createDeal(deal))._unsafeUnwrap();
    expect(stage_ids).toHaveLength(2);
    const { stages } = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(stages.map((stage) => [stage.id, stage.name])).toEqual([
      [stage_ids[0], 'All'],
      [stage_ids[1], 'Nothing'],
    ]);
  });
});
