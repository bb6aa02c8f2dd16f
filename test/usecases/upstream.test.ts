import { createMarketplace } from 'dealwright';
import type { UpstreamDecision } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { acme } from './marketplace-with.js';

const token = 'upstream-token-of-22-characters-and-more';

const upstream: readonly UpstreamDecision[] = [
  'contractor_scope',
  'created_at',
  'cursors',
  'events',
  'idempotency',
  'ids',
  'payment_tokens',
  'stages',
  'versions',
  'work_files',
];

/** A marketplace whose deals another service keeps, which decides as it likes. */
function createUpstream(payment_token?: string) {
  const { files: _, paymentTokens: __, events: ___, ...ports } = createPorts();
  const given: unknown[] = [];
  const marketplace = createMarketplace({
    ...ports,
    upstream,
    dealIndex: { ...ports.dealIndex, page: () => ok('invalid_cursor') },
    workFiles: { add: () => ok({ outcome: 'missing' }) },
    deals: { ...ports.deals, add: () => ok({ outcome: 'created', id: 7, stage_ids: [8, 9] }) },
    dealsV2: {
      ...ports.dealsV2,
      add: (_tenant, { deal }) => {
        given.push(deal.payment_token);
        return ok({
          outcome: 'created',
          ...(payment_token === undefined ? {} : { payment_token }),
        });
      },
    },
  });
  return { marketplace, api: marketplace.partner(acme), given };
}

describe('where another service keeps the deals', () => {
  it('splits a deal as it likes', async () => {
    const { api } = createUpstream();
    await api.registerContractor(contractorBody);
    const created = (await api.createDeal(dealBody))._unsafeUnwrap();
    expect(created).toEqual({ id: 7, stage_ids: [8, 9] });
  });

  it('issues the token, and none of ours is sent', async () => {
    const { api, given } = createUpstream(token);
    const created = (await api.createDealV2(dealV2Body))._unsafeUnwrap();
    expect([created.payment_token, given]).toEqual([token, ['']]);
  });

  it.each([undefined, '', 'too short'])(
    'has broken its promise with the token %j',
    async (none) => {
      const { api } = createUpstream(none);
      expect((await api.createDealV2(dealV2Body))._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        port: 'dealsV2.add',
        outcome: 'unknown',
        retryable: false,
      });
    },
  );

  it('has no contents of ours to sweep', async () => {
    const { marketplace } = createUpstream();
    const swept = (await marketplace.sweepFiles(acme))._unsafeUnwrapErr();
    const expected = { code: 'unavailable', port: 'files', outcome: 'none', retryable: false };
    expect(swept).toMatchObject(expected);
  });
});
