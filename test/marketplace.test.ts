import {
  createMarketplace,
  interfaceProfile,
  type MarketplaceOptions,
  type Tenant,
} from 'dealwright';
import type { MarketplacePorts } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody, dealV2Body } from './domain/field-tables.js';
import { createPorts } from './kit/ports.js';
import { eventsOf } from './kit/stored.js';
import { acme, marketplaceWith } from './usecases/marketplace-with.js';

/** Wiring in JavaScript, without a check by the compiler. */
const wire = (ports: object, options: unknown = {}) =>
  createMarketplace(ports as MarketplacePorts, options as MarketplaceOptions);

const every = [
  'store.commit',
  'store.reserve',
  'store.deals.byId',
  'store.deals.byPartnerId',
  'store.deals.byPaymentToken',
  'store.deals.list',
  'store.due',
  'store.events.after',
  'store.events.of',
  'store.records.byKey',
  'store.records.list',
  'store.tenants',
  'store.workFiles.recorded',
  'categories.tree',
  'categories.subcategory',
  'paymentTokens.issue',
  'paymentTokens.verify',
  'paymentTokens.tenantOf',
  'files.put',
  'files.get',
  'files.delete',
  'files.list',
  'clock.now',
  'timer.now',
  'timer.sleep',
  'ids.next',
];

/** The ports without the method at this path. */
function without(port: object, [name = '', ...rest]: string[]): object {
  const inner: unknown = rest.length === 0 ? undefined : without(Reflect.get(port, name), rest);
  return { ...port, [name]: inner };
}

describe('createMarketplace', () => {
  it.each(every)('throws if %s is missing, and names it', (path) => {
    expect(() => wire(without(createPorts(), path.split('.')))).toThrow(
      new TypeError(`createMarketplace: these methods are missing: ${path}`),
    );
  });

  it('names all that is missing at once', () => {
    const all = [...every, 'digest', 'sha256'].join(', ');
    for (const none of [{}, undefined, null]) {
      expect(() => wire(none as never)).toThrow(
        new TypeError(`createMarketplace: these methods are missing: ${all}`),
      );
    }
    expect(() => wire({ ...createPorts(), digest: 'sha256', ids: undefined })).toThrow(
      new TypeError('createMarketplace: these methods are missing: ids.next, digest'),
    );
    expect(() => wire({ ...createPorts(), sha256: undefined, scanner: {} })).toThrow(
      new TypeError('createMarketplace: these methods are missing: sha256, scanner.scan'),
    );
  });

  it.each([
    ['webhooks', 'secrets.seal, secrets.open'],
    ['secrets', 'webhooks.check, webhooks.createSecret, webhooks.send'],
  ] as const)('throws for the port %s without the other one of webhooks', (port, others) => {
    const ports = createPorts();
    const none = { ...ports, webhooks: undefined, secrets: undefined };
    expect(() => wire({ ...none, [port]: ports[port] })).toThrow(
      new TypeError(`createMarketplace: these methods are missing: ${others}`),
    );
    expect(wire(none).hasWebhooks).toBe(false);
    expect(wire(ports).hasWebhooks).toBe(true);
  });

  it('takes an authenticator with a list of tokens or without, and none with half a list', () => {
    const { authenticator, ...ports } = createPorts();
    const { authenticate } = authenticator;
    expect(wire(createPorts()).hasTokenLists).toBe(true);
    for (const none of [ports, { ...ports, authenticator: 'host' }]) {
      expect(wire(none).hasTokenLists).toBe(false);
    }
    expect(wire({ ...ports, authenticator: { authenticate } }).hasTokenLists).toBe(false);
    expect(() => wire({ ...ports, authenticator: { authenticate, list: [] } })).toThrow(
      new TypeError('createMarketplace: these methods are missing: authenticator.list'),
    );
  });

  it('takes ports whose methods are inherited', async () => {
    const ports = createPorts();
    const inheriting = Object.fromEntries(
      Object.entries(ports).map(([name, port]) => [
        name,
        typeof port === 'function' ? port : Object.create(port),
      ]),
    );
    const api = wire(inheriting).partner(acme);
    expect((await api.registerContractor(contractorBody)).isOk()).toBe(true);
  });

  it.each([0, -1, Number.NaN, Infinity, 2 ** 31, '5', null, -0])(
    'throws for the deadline %s',
    (deadline) => {
      expect(() => wire(createPorts(), { deadline })).toThrow(
        new TypeError(
          'createMarketplace: deadline is a number of milliseconds above 0, at most 2147483647',
        ),
      );
    },
  );

  it.each([1, 0.5, 10_000, 2 ** 31 - 1])('takes the deadline %s', (deadline) => {
    expect(() => wire(createPorts(), { deadline })).not.toThrow();
  });

  it.each(['Partner', '', 'tenant', null, true])('throws for the scope %j', (contractorScope) => {
    expect(() => wire(createPorts(), { contractorScope })).toThrow(
      new TypeError("createMarketplace: contractorScope is 'environment' or 'partner'"),
    );
  });

  it.each([{ profile: {} }, { stagePlanner: [] }, { profile: null }, { stagePlanner: 'one' }])(
    'throws for %j, which is no function',
    (options) => {
      expect(() => wire(createPorts(), options)).toThrow(
        `createMarketplace: ${Object.keys(options)} is a function`,
      );
    },
  );

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '5', null])(
    'throws for the file limit %s',
    (fileLimit) => {
      expect(() => wire(createPorts(), { fileLimit })).toThrow(
        new TypeError('createMarketplace: fileLimit is a number of bytes above 0'),
      );
    },
  );

  it.each(['keyDays', 'proposalDays', 'defaultWorkDays', 'expiryNoticeDays', 'reviewNoticeDays'])(
    'throws for %s that are no number of days',
    (name) => {
      const least = /^(key|proposal)/.test(name) ? 1 : 0;
      for (const days of [least - 1, 1.5, Number.NaN, 365_001, '5', null]) {
        expect(() => wire(createPorts(), { [name]: days })).toThrow(
          new TypeError(`createMarketplace: ${name} is a number of days, ${least} to 365000`),
        );
      }
      for (const days of [least, 365_000]) {
        expect(() => wire(createPorts(), { [name]: days })).not.toThrow();
      }
    },
  );

  it.each([null, 'Acme', {}])('throws for %j, which names no partner', (partnerName) => {
    expect(() => wire(createPorts(), { partnerName })).toThrow(
      new TypeError('createMarketplace: partnerName is a function'),
    );
  });

  it.each([null, 7, 'strict'])('throws for %s, which is no object of options', (options) => {
    expect(() => wire(createPorts(), options)).toThrow(
      /^createMarketplace: options is an object that takes deadline, /,
    );
  });

  it('throws for an option that there is not, and says which there are', () => {
    expect(() => wire(createPorts(), { deadLine: 5 })).toThrow(
      new TypeError(
        "createMarketplace: options has no 'deadLine', it takes deadline, profile, contractorScope, stagePlanner, fileLimit, mode, feePolicy, expireV1Deals, lifecycle, sweepForGood, descriptionLimit, keyDays, defaultWorkDays, proposalDays, expiryNoticeDays, reviewNoticeDays, tolerance, partnerName, valueSets",
      ),
    );
    expect(() => wire(createPorts(), { valueSets: { languages: ['pl'] } })).toThrow(
      new TypeError(
        "createMarketplace: valueSets has no 'languages', it takes copyright_transfer, freelancer_language",
      ),
    );
  });

  it('says what it holds files and values to', () => {
    const { fileLimit, valueSets } = createMarketplace(createPorts());
    expect(fileLimit).toBe(26_214_400);
    expect(valueSets.freelancer_language).toEqual(['pl', 'en']);
    expect(createMarketplace(createPorts(), { fileLimit: 1 }).fileLimit).toBe(1);
  });

  it.each([undefined, null, 'abc', [], [''], [7], ['a\0'], new Set(['a'])])(
    'throws for %j, which is no set of values, and names the set',
    (values) => {
      expect(() => wire(createPorts(), { valueSets: { copyright_transfer: values } })).toThrow(
        'createMarketplace: valueSets.copyright_transfer is one or more texts',
      );
    },
  );
});

describe('partner', () => {
  const marketplace = createMarketplace(createPorts());

  it.each([
    undefined,
    null,
    {},
    { environment: 'staging', partner: 'acme' },
    { environment: 'sandbox', partner: '' },
    { environment: 'sandbox', partner: 'a\0' },
    { environment: 'sandbox', partner: 'x'.repeat(129) },
    { partner: 'acme' },
    { environment: 'sandbox' },
  ])('throws for %j, which is no tenant', (tenant) => {
    expect(() => marketplace.partner(tenant as Tenant)).toThrow(
      new TypeError(
        "a tenant is { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }",
      ),
    );
  });

  it('copies the tenant: a later change of it has no effect', async () => {
    const { store, partner: _ } = marketplaceWith();
    const tenant = { environment: 'sandbox' as 'sandbox' | 'production', partner: 'acme' };
    const api = createMarketplace({ ...createPorts(), store }).partner(tenant);
    tenant.partner = 'globex';
    tenant.environment = 'production';
    await api.registerContractor(contractorBody);
    expect(await eventsOf(store, acme)).toHaveLength(1);
  });
});

describe('the options', () => {
  it('valueSets replace one set and leave the other', async () => {
    const { api } = marketplaceWith({}, { valueSets: { freelancer_language: ['de'] } });
    const german = { ...dealV2Body, freelancer_language: 'de' };
    expect((await api.createDealV2(german)).isOk()).toBe(true);
    const polish = await api.createDealV2({ ...dealV2Body, copyright_transfer: 'all' });
    expect(polish._unsafeUnwrapErr()).toMatchObject({
      errors: [
        { path: ['copyright_transfer'], params: { allowed: ['full_transfer', 'license', 'none'] } },
        { path: ['freelancer_language'], params: { allowed: ['de'] } },
      ],
    });
  });

  it('profile replaces the rules', async () => {
    const { api } = marketplaceWith(
      {},
      {
        profile: (sets) => ({
          ...interfaceProfile(sets),
          parseContractor: (input) => interfaceProfile(sets).parseContractor(input),
        }),
      },
    );
    expect((await api.registerContractor(contractorBody)).isOk()).toBe(true);
  });

  it('profile may throw: the call answers all the same, in its language', async () => {
    const cause = new Error('a rule that throws');
    const parse = () => {
      throw cause;
    };
    const { api } = marketplaceWith(
      {},
      { profile: () => ({ parseContractor: parse, parseDeal: parse, parseDealV2: parse }) },
    );
    const options = { language: 'pl' } as const;
    for (const answer of [
      api.registerContractor(contractorBody, options),
      api.createDeal(dealBody, options),
      api.createDealV2(dealV2Body, options),
    ]) {
      expect((await answer)._unsafeUnwrapErr()).toEqual({
        code: 'unavailable',
        message:
          'Część usługi nie wykonała zlecenia. Szczegóły w polach outcome i retryable; z tym samym kluczem idempotencji ponowienie jest bezpieczne.',
        port: 'unknown',
        outcome: 'unknown',
        retryable: false,
        cause,
      });
    }
  });

  it.each([
    [undefined, 10_000],
    [25, 25],
  ])('deadline %s is when a port that never answers is given up', async (deadline, limit) => {
    const timer = createManualClock();
    const ports = createPorts();
    const never = () => new Promise(() => undefined);
    const { api } = marketplaceWith(
      { timer, store: { ...ports.store, commit: never } },
      deadline === undefined ? {} : { deadline },
    );
    let isAnswered = false;
    const ask = async () => {
      const result = await api.registerContractor(contractorBody);
      isAnswered = true;
      return result;
    };
    const answer = ask();
    await new Promise((resolve) => setImmediate(resolve));
    timer.advance(limit - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    timer.advance(1);
    expect((await answer)._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'store.commit',
      outcome: 'unknown',
      retryable: true,
      cause: new Error(`no answer within ${limit} ms`),
    });
  });
});
