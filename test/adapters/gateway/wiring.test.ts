import { defaultValueSets } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createGateway, type GatewayOptions } from 'dealwright/gateway';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { token } from './asking.js';

const good: GatewayOptions = {
  baseUrl: 'https://deals.example.com',
  token: () => token,
  categories: createCategoryCatalogue(defaultCategoryTree),
};

/** Options that the types would refuse, too. */
const wire = (change: object) => createGateway({ ...good, ...change } as GatewayOptions);

describe('createGateway', () => {
  it('has the defaults of createMarketplace', () => {
    const { descriptionLimit, fileLimit, valueSets } = createGateway(good);
    expect([descriptionLimit, fileLimit]).toEqual([20_000, 25 * 2 ** 20]);
    expect(valueSets).toEqual(defaultValueSets);
  });

  it('takes checks of its own', () => {
    const freelancer_language = ['de'];
    const rules = { profile: strictProfile, fileLimit: 10, deadline: 100 };
    const { fileLimit, valueSets } = wire({ ...rules, valueSets: { freelancer_language } });
    expect([fileLimit, valueSets]).toEqual([10, { ...defaultValueSets, freelancer_language }]);
  });

  it.each<[string, object]>([
    ['baseUrl', { baseUrl: 'ftp://deals.example.com' }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: `https://user:${token}@deals.example.com` }],
    ['timeout', { timeout: 0 }],
    ['headers', { headers: { 'a b': 'c' } }],
    ['header', { headers: { Authorization: `Token ${token}` } }],
    ['fetch', { fetch: 7 }],
    ['timer', { timer: {} }],
    ['token', { token: undefined }],
    ['token', { token }],
    ['categories.tree', { categories: undefined }],
    ['authenticator.list', { authenticator: { list: [] } }],
    ['categories.subcategory', { categories: { tree: good.categories.tree } }],
    ['profile', { profile: 7 }],
    ['valueSets.copyright_transfer', { valueSets: { copyright_transfer: [] } }],
    ['fileLimit', { fileLimit: 0 }],
    ['deadline', { deadline: -1 }],
  ])('says what is wrong with %s, without its value', (name, wrong) => {
    const attempt = () => wire(wrong);
    expect(attempt).toThrow(TypeError);
    expect(attempt).toThrow(new RegExp(`^createGateway: [^:]*${name}`));
    expect(attempt).not.toThrow(new RegExp(token));
  });

  it.each([
    ...['stagePlanner', 'contractorScope', 'paymentTokens', 'files', 'scanner', 'events'],
    ...['attempts', 'makeKeys', 'language', 'tenant', 'timeOut'],
  ])('refuses %s, which the service decides or which are unknown', (name) => {
    expect(() => wire({ [name]: undefined })).toThrow(
      new TypeError(
        `createGateway: options has no '${name}', it takes baseUrl, token, fetch, timeout, headers, timer, authenticator, categories, profile, valueSets, descriptionLimit, fileLimit, deadline`,
      ),
    );
  });

  it.each([undefined, null, 'https://deals.example.com'])('refuses the options %j', (options) => {
    expect(() => createGateway(options as never)).toThrow(/^createGateway: /);
  });

  it.each([undefined, 'acme', {}, { environment: 'staging', partner: 'acme' }])(
    'has nothing for %j, which is not a tenant',
    (tenant) => {
      expect(() => createGateway(good).partner(tenant as never)).toThrow(TypeError);
    },
  );
});
