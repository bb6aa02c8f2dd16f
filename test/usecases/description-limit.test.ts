import { createMarketplace, type MarketplaceOptions } from 'dealwright';
import { createInputChecks } from 'dealwright/checks';
import { describeFields } from 'dealwright/fields';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
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
});
