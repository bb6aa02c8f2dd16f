import { defaultValueSets, type ServicePromises } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import { createGateway } from 'dealwright/gateway';
import { createDealwright, type DealwrightOptions } from 'dealwright/host';
import { createFetchHandler } from 'dealwright/http';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { dealV2 } from '../../kit/requests.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const live = { environment: 'production', partner: 'acme' } as const;

function start(options: DealwrightOptions = {}) {
  const dealwright = createDealwright({
    apiTokens: [
      ['of-sandbox', acme],
      ['of-production', live],
    ],
    operatorTokens: [['of-operator', 'sandbox']],
    ...options,
  });
  const handle = createFetchHandler(dealwright.handler);
  const ask = (authorization: string | undefined, init: RequestInit = {}, path = '/api/2.0/') =>
    handle(
      new Request(`https://deals.example.com${path}`, {
        ...init,
        ...(authorization !== undefined && { headers: { authorization } }),
      }),
    );
  const promisesTo = async (authorization: string): Promise<ServicePromises> => {
    const response = await ask(authorization);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: ServicePromises };
    return data;
  };
  return { ...dealwright, handle, ask, promisesTo };
}

const defaults: ServicePromises = {
  versions: ['1.0', '2.0'],
  environment: 'sandbox',
  mode: 'invoice',
  profile: 'interface',
  contractor_scope: 'environment',
  ...defaultValueSets,
  max_file_size: 25 * 2 ** 20,
  max_body_size: 2 ** 20,
  max_description: 20_000,
  takes_fees: false,
  splits_deals: false,
  expires_v1_deals: false,
  default_work_days: 30,
  proposal_days: 14,
  expiry_notice_days: 3,
  review_notice_days: 2,
  key_days: 30,
  accepts_bearer: false,
  allows_any_origin: false,
};

describe('what a service promises', () => {
  it('is told to a partner, an operator and a freelancer alike', async () => {
    const { marketplace, promisesTo } = start();
    const created = await marketplace.partner(acme).createDealV2(dealV2);
    const { payment_token } = created._unsafeUnwrap();
    for (const token of ['Token of-sandbox', 'Operator of-operator', `Offer ${payment_token}`]) {
      expect(await promisesTo(token)).toEqual(defaults);
    }
    expect(await promisesTo('Token of-production')).toEqual({
      ...defaults,
      environment: 'production',
    });
  });

  it('is what the options say, in process as over HTTP', async () => {
    const fee = { employer_fee: '0.00', contractor_fee: '0.00' };
    const { marketplace, promisesTo } = start({
      mode: 'prepaid',
      profile: strictProfile,
      contractorScope: 'partner',
      valueSets: { copyright_transfer: ['sold'] },
      fileLimit: 1000,
      bodyLimit: 2000,
      descriptionLimit: 300,
      feePolicy: () => fee,
      stagePlanner: ({ name, budget, work_days }) => [{ name, budget, work_days }],
      expireV1Deals: true,
      defaultWorkDays: 5,
      proposalDays: 4,
      expiryNoticeDays: 0,
      reviewNoticeDays: 1,
      keyDays: 2,
      acceptBearer: true,
      corsOrigins: '*',
    });
    const told = await promisesTo('Token of-sandbox');
    const { currencies = [], ...others } = told;
    expect(others).toEqual({
      ...defaults,
      mode: 'prepaid',
      profile: 'strict',
      contractor_scope: 'partner',
      copyright_transfer: ['sold'],
      max_file_size: 1000,
      max_body_size: 2000,
      max_description: 300,
      takes_fees: true,
      splits_deals: true,
      expires_v1_deals: true,
      default_work_days: 5,
      proposal_days: 4,
      expiry_notice_days: 0,
      review_notice_days: 1,
      key_days: 2,
      accepts_bearer: true,
      allows_any_origin: true,
    });
    expect(currencies).toContain('XCG');
    expect(currencies).not.toContain('ANG');
    const inProcess = await marketplace.partner(acme).retrievePromises();
    // bodies have bytes, and requests headers, over HTTP alone
    expect(inProcess._unsafeUnwrap()).toEqual({
      ...told,
      max_body_size: Number.MAX_SAFE_INTEGER,
      accepts_bearer: false,
      allows_any_origin: false,
    });
  });

  it('has a name for a profile of the host', async () => {
    const rules = strictProfile(defaultValueSets);
    const named = start({ profile: () => ({ ...rules, name: 'ours' }) });
    expect(await named.promisesTo('Token of-sandbox')).toMatchObject({ profile: 'ours' });
    const { name: _, currencies: __, ...parsers } = rules;
    const own = await start({ profile: () => parsers }).promisesTo('Token of-sandbox');
    expect(own).toMatchObject({ profile: 'own' });
    expect(own).not.toHaveProperty('currencies');
  });

  it('has the versions of the environment of the token', async () => {
    const { promisesTo } = start({ versions: { production: ['2.0'], sandbox: ['1.0'] } });
    expect(await promisesTo('Token of-sandbox')).toMatchObject({ versions: ['1.0'] });
    expect(await promisesTo('Operator of-operator')).toMatchObject({ versions: ['1.0'] });
    expect(await promisesTo('Token of-production')).toMatchObject({ versions: ['2.0'] });
  });

  it('needs a token that is known here', async () => {
    const { ask } = start({ environment: 'production' });
    const unknown = ['Token nobody', 'Operator nobody', 'Offer nobody', 'Bearer of-production'];
    for (const authorization of [undefined, 'Token of-sandbox', 'Operator of-operator', ...unknown])
      expect((await ask(authorization)).status).toBe(401);
    expect((await ask(undefined)).headers.get('www-authenticate')).toBe('Token');
    expect((await ask('Token of-production', {}, '/api/2.0')).status).toBe(200);
    const wrong = await ask('Token of-production', { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('finds the face of a bearer, and of a session of the host', async () => {
    const { marketplace, handler, promisesTo } = start({ acceptBearer: true });
    const created = await marketplace.partner(acme).createDealV2(dealV2);
    const { payment_token } = created._unsafeUnwrap();
    const told = { ...defaults, accepts_bearer: true };
    for (const token of ['of-sandbox', 'of-operator', payment_token]) {
      expect(await promisesTo(`Bearer ${token}`)).toEqual(told);
    }
    for (const says of [acme, { environment: 'sandbox', operator: true }] as const) {
      const handle = createFetchHandler(handler, { resolveCaller: () => says });
      const response = await handle(new Request('https://deals.example.com/api/2.0/'));
      expect(await response.json()).toEqual({ data: told });
    }
  });
});

describe('what a gateway promises', () => {
  const throughGateway = (upstream: DealwrightOptions, own: object) => {
    const { handle } = start(upstream);
    return createGateway({
      baseUrl: 'https://deals.example.com',
      token: () => 'of-sandbox',
      categories: createCategoryCatalogue(defaultCategoryTree),
      fetch: (url, request) => handle(new Request(url, request)),
      ...own,
    });
  };

  it('is what its service promises, as far as its own checks let it through', async () => {
    const service = { mode: 'prepaid', descriptionLimit: 100, profile: strictProfile } as const;
    const valueSets = { copyright_transfer: ['none', 'lent'] };
    const gateway = throughGateway(service, { valueSets, fileLimit: 1000 });
    expect((await gateway.partner(acme).retrievePromises())._unsafeUnwrap()).toMatchObject({
      mode: 'prepaid',
      profile: 'strict',
      copyright_transfer: ['none'],
      freelancer_language: ['pl', 'en'],
      currencies: expect.arrayContaining(['PLN']),
      max_file_size: 1000,
      max_description: 100,
      max_body_size: 2 ** 20,
    });
  });

  it('has its own rules if they are stricter', async () => {
    const gateway = throughGateway({ fileLimit: 500 }, { profile: strictProfile });
    expect((await gateway.partner(acme).retrievePromises())._unsafeUnwrap()).toMatchObject({
      profile: 'strict',
      currencies: expect.arrayContaining(['PLN']),
      max_file_size: 500,
    });
  });

  it('is unknown in front of an earlier service', async () => {
    const fetch = async () =>
      Response.json({ code: 'not_found', message: 'no such operation' }, { status: 404 });
    const gateway = throughGateway({}, { fetch });
    const refused = await gateway.partner(acme).retrievePromises();
    expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'not_found' });
  });
});
