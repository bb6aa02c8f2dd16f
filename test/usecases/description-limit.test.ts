import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { createTokenAuthenticator } from 'dealwright/auth';
import { createInputChecks } from 'dealwright/checks';
import { describeFields } from 'dealwright/fields';
import { createGateway } from 'dealwright/gateway';
import { createFetchHandler, createHandler } from 'dealwright/http';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { get } from '../kit/open-api.js';
import { createPorts } from '../kit/ports.js';
import { acme } from './marketplace-with.js';

const profiles: readonly (readonly [string, MarketplaceOptions])[] = [
  ['the profile of the interface', {}],
  ['the strict profile', { profile: strictProfile }],
];

describe.each(profiles)('the description of a deal by %s', (_, options) => {
  it.each([
    ['as without the option', undefined, 20_000],
    ['longer ones', 30_000, 30_000],
    ['shorter ones alone', 100, 100],
  ])('may be set to %s', async (_, descriptionLimit, most) => {
    const given = { ...options, ...(descriptionLimit && { descriptionLimit }) };
    const ports = createPorts();
    const marketplace = createMarketplace(ports, given);
    expect(marketplace.descriptionLimit).toBe(most);
    const api = marketplace.partner(acme);
    // a character is a code point
    const described = (count: number) => '\u{1f600}'.repeat(count);
    const create = (count: number) =>
      api.createDealV2({
        ...dealV2Body,
        partner_id: `deal-${count}`,
        description: described(count),
      });
    (await create(most))._unsafeUnwrap();
    const kept = (await api.retrieveDealDetails(`deal-${most}`))._unsafeUnwrap();
    expect(kept.description).toHaveLength(2 * most);
    expect((await create(most + 1))._unsafeUnwrapErr()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['description'], code: 'too_long', params: { max: most } }],
    });
    const { categories, timer } = ports;
    const checks = createInputChecks({ categories, timer }, given);
    const parsed = async (count: number) =>
      (await checks.parseDealV2(acme, { ...dealV2Body, description: described(count) })).isOk();
    expect([await parsed(most), await parsed(most + 1)]).toEqual([true, false]);
    expect(checks.descriptionLimit).toBe(most);
    const { deal_v2 } = describeFields(marketplace.valueSets, marketplace.lifecycle, most);
    const rules = deal_v2.find(({ name }) => name === 'description')?.rules;
    expect(rules).toContainEqual(
      expect.objectContaining({ code: 'too_long', params: { max: most } }),
    );
  });

  it.each([30_000, 100])('is the one of %i over HTTP, too', async (descriptionLimit) => {
    const ports = createPorts();
    const marketplace = createMarketplace(ports, { ...options, descriptionLimit });
    const handler = createHandler(marketplace, {
      ...ports,
      authenticator: createTokenAuthenticator([['t', acme]], ports),
    });
    const { body = '' } = await get(handler, '/openapi.json');
    const { schemas } = JSON.parse(String(body)).components;
    expect(schemas.DealV2Input.properties.description.maxLength).toBe(descriptionLimit);
    let asked = 0;
    const handle = createFetchHandler(handler);
    const service = {
      baseUrl: 'https://deals.example.com',
      token: () => 't',
      fetch(url: string, request: RequestInit) {
        asked += 1;
        return handle(new Request(url, request));
      },
    };
    const { categories } = ports;
    const checks = { ...options, categories, descriptionLimit };
    const gateway = createGateway({ ...service, ...checks });
    expect(gateway.descriptionLimit).toBe(descriptionLimit);
    const api = gateway.partner(acme);
    const create = (count: number) =>
      api.createDealV2({ ...dealV2Body, description: 'd'.repeat(count) });
    expect((await create(descriptionLimit + 1))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['description'], code: 'too_long', params: { max: descriptionLimit } }],
    });
    // the gateway itself has judged it
    expect(asked).toBe(0);
    (await create(descriptionLimit))._unsafeUnwrap();
    expect(asked).toBe(1);
  });
});
