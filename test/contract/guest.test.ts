import { createMarketplace, type PartnerApi, type Tenant } from 'dealwright';
import { createCategoryCatalogue, defaultCategoryTree } from 'dealwright/categories';
import type { CategoryTree } from 'dealwright/ports';
import {
  type ContractRunner,
  contractTenants,
  type PartnerApiSubject,
  partnerApiContract,
} from 'dealwright/spec';
import { describe, expect, it } from 'vitest';
import { casesOf, NotApplicable, titleOf } from '../../spec/laws.js';
import { partnerGroups } from '../../spec/partner-api/index.js';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';

const fileLimit = 64 * 1024;
const closeNothing = async () => undefined;
const limit = 120_000;

const cases = partnerGroups.flatMap((group) => casesOf(group));

/** A service in memory that is the same for every case. */
function serviceWith(categories: CategoryTree = defaultCategoryTree) {
  const ports = { ...createPorts(), categories: createCategoryCatalogue(categories) };
  const marketplace = createMarketplace(ports, { fileLimit });
  const subject: PartnerApiSubject = {
    api: (tenant) => marketplace.partner(tenant),
    fileLimit,
    webhooks: true,
    categories,
    prefix: 'guest',
    close: closeNothing,
  };
  return { marketplace, subject };
}

type Judge = (body: (each: (typeof cases)[number]) => Promise<void>) => Promise<void>;

const inTurn: Judge = async (body) => {
  for (const each of cases) await body(each);
};
const atOnce: Judge = async (body) => {
  await Promise.all(cases.map(body));
};

/** The id of a case: that of its law, and what differs. */
const idOf = (each: (typeof cases)[number]) => titleOf(each).split(': ')[0] ?? '';

/** Runs all cases over one subject, and says which failed, and what is not promised. */
async function judge(subject: PartnerApiSubject, run = inTurn) {
  const passed: string[] = [];
  const failures: string[] = [];
  const notPromised = new Map<string, string>();
  await run(async (each) => {
    try {
      await each.body(subject);
      passed.push(idOf(each));
    } catch (error) {
      if (error instanceof NotApplicable) notPromised.set(idOf(each), error.message);
      else failures.push(`${idOf(each)}: ${String(error)}`);
    }
  });
  return { passed, failures, notPromised };
}

/** Deals, a contractor and a webhook of people, under names that the cases ask for too. */
async function inhabit(api: PartnerApi<never>) {
  await api.registerContractor(contractor);
  await api.createDeal(deal);
  for (const partner_id of ['..', '0', 'null', 'deal', 'by-id', 'a/b', ' ', 'id', 'second']) {
    (await api.createDealV2({ ...dealV2, partner_id }))._unsafeUnwrap();
  }
  (await api.createWebhook({ url: 'https://receiver.invalid/deals' }))._unsafeUnwrap();
}

/** What people have in a service: all that no case has made. */
async function inhabitantsOf(api: PartnerApi<never>) {
  const deals: string[] = [];
  let cursor: string | null = null;
  do {
    const query: object = { page_size: 100, ...(cursor !== null && { cursor }) };
    const page = (await api.listDeals(query))._unsafeUnwrap();
    for (const { partner_id, email_freelancer } of page.results) {
      const isOfCase = /^guest-[0-9a-z]{10}-/.test(partner_id);
      expect(/^guest-[0-9a-z]{10}-/i.test(email_freelancer)).toBe(isOfCase);
      if (!isOfCase) deals.push(partner_id);
    }
    cursor = page.next;
  } while (cursor !== null);
  const details = [];
  for (const name of deals) details.push((await api.retrieveDealDetails(name))._unsafeUnwrap());
  return { details, webhooks: (await api.listWebhooks())._unsafeUnwrap() };
}

describe('over one service for all cases, in which people have things of their own', () => {
  it.each<[string, Judge]>([
    ['one after the other', inTurn],
    ['at the same time', atOnce],
  ])(
    'the contract passes twice, and touches nothing of theirs: %s',
    async (_, run) => {
      const { marketplace, subject } = serviceWith();
      const tenants = contractTenants.map((tenant) => marketplace.partner(tenant));
      for (const api of tenants) await inhabit(api);
      const before = await Promise.all(tenants.map(inhabitantsOf));
      expect(before[0]?.details).toHaveLength(10);
      for (const round of ['first', 'second']) {
        const { failures, notPromised, passed } = await judge(subject, run);
        expect([round, failures, notPromised.size]).toEqual([round, [], 0]);
        expect(passed).toHaveLength(cases.length);
      }
      expect(await Promise.all(tenants.map(inhabitantsOf))).toEqual(before);
    },
    limit,
  );
});

/** A tree that shares no id and no name with the documented one, and names one thing alike. */
const otherTree: CategoryTree = [
  {
    id: 1000,
    name: { en: 'Design', pl: 'Design' },
    subcategories: [
      { id: 1001, name: { en: 'Logos', pl: 'Logo' } },
      { id: 1002, name: { en: 'Posters', pl: 'Plakaty' } },
    ],
  },
];

const [first] = contractTenants;

/** The cases about others, by their names or by their variants. */
const aboutOthers =
  /another partner|the other environment|two partners|2\.3\/(known|unknown)-|https-in-production/;

/** The methods of `PartnerApi` that belong to one version alone, and a way to name a deal. */
const ofVersion1 = ['registerContractor', 'createDeal', 'retrieveDeal'];
const ofVersion2 = ['createDealV2', 'retrieveDealDetails', 'listDeals'];
const all = Object.keys(serviceWith().marketplace.partner(first as Tenant));
const allBut = (names: readonly string[]) => all.filter((name) => !names.includes(name));

/** A service with some methods, and with deals that are named in some ways. */
function serviceOf(methods: readonly string[], names = ['id', 'partner_id']) {
  const { marketplace, subject } = serviceWith();
  const calls = new Set<string>();
  const api = (tenant: Tenant) =>
    new Proxy(marketplace.partner(tenant), {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => {
          const isNamed = name !== 'uploadFile' || names.some((each) => each in Object(args[0]));
          if (!methods.includes(String(name)) || !isNamed) {
            throw new NotApplicable(`there is no ${String(name)}`);
          }
          calls.add(String(name));
          return Reflect.apply(method, target, args);
        };
      },
    });
  return { subject: { ...subject, api }, calls };
}

describe('a stranger', () => {
  it.each<[string, Judge]>([
    ['one after the other', inTurn],
    ['at the same time', atOnce],
  ])(
    'with other categories and one tenant is judged by all that needs no other: %s',
    async (_, run) => {
      const { marketplace, subject } = serviceWith(otherTree);
      const { categories: __, ...unknown } = subject;
      const alone: PartnerApiSubject = {
        ...unknown,
        subcategory: 1002,
        api: (tenant) => (tenant === first ? marketplace.partner(tenant) : undefined),
      };
      const { failures, notPromised, passed } = await judge(alone, run);
      expect(failures).toEqual([]);
      const others = cases.map(idOf).filter((id) => aboutOthers.test(id));
      expect([...notPromised.keys()].sort()).toEqual(others.sort());
      expect(passed).toHaveLength(cases.length - others.length);
      for (const reason of notPromised.values()) {
        expect(reason).toMatch(
          /^the service has no view of (another partner|the other environment)$/,
        );
      }
    },
    limit,
  );

  it(
    'with a tenant of production alone is judged by the rules of production',
    async () => {
      const { marketplace, subject } = serviceWith();
      const production = contractTenants.find(({ environment }) => environment === 'production');
      const alone: PartnerApiSubject = {
        ...subject,
        environment: 'production',
        api: (tenant) => (tenant === first ? marketplace.partner(production as Tenant) : undefined),
      };
      const { failures, notPromised, passed } = await judge(alone);
      expect(failures).toEqual([]);
      expect(passed).toContain('7.4/webhook/https-in-production');
      expect([...notPromised.keys()]).toContain('7.4/webhook/http-in-the-sandbox');
    },
    limit,
  );

  it.each<[string, readonly string[], 'id' | 'partner_id', number]>([
    ['version 1.0', [...ofVersion1, 'listCategories', 'uploadFile'], 'id', 90],
    ['version 1.0 without files', [...ofVersion1, 'listCategories'], 'id', 70],
    ['version 2.0', allBut(ofVersion1), 'partner_id', 140],
    ['version 2.0 without files, commands and events', ofVersion2, 'partner_id', 60],
  ])(
    'with %s alone is judged by all that it has',
    async (_, methods, name, least) => {
      const { subject, calls } = serviceOf(methods, [name]);
      const { failures, notPromised, passed } = await judge(subject);
      expect(failures).toEqual([]);
      expect(passed.length).toBeGreaterThan(least);
      for (const reason of notPromised.values()) expect(reason).toMatch(/^there is no \w+$/);
      // no case of the contract calls this one
      expect(methods.filter((each) => !calls.has(each) && each !== 'downloadWorkFile')).toEqual([]);
    },
    limit,
  );

  it(
    'with one version is judged by every case that is not about both',
    async () => {
      const judgedIds = new Set<string>();
      for (const methods of [allBut(['createDealV2']), allBut(ofVersion1)]) {
        const { failures, passed } = await judge(serviceOf(methods).subject);
        expect(failures).toEqual([]);
        for (const id of passed) judgedIds.add(id);
      }
      const left = cases.map(idOf).filter((id) => !judgedIds.has(id));
      expect(left.filter((id) => !/both versions|across-versions/.test(id))).toEqual([]);
      expect(left.length).toBeGreaterThan(3);
    },
    limit,
  );

  it(
    'whose feed shows events late passes',
    async () => {
      const { marketplace, subject } = serviceWith();
      const cursors = new Set<string>();
      let latePages = 0;
      const api = (tenant: Tenant): PartnerApi => {
        const view = marketplace.partner(tenant);
        const listEvents: typeof view.listEvents = (query, options) =>
          view.listEvents(query, options).map((page) => {
            const { after } = query ?? {};
            if (after === undefined || page.results.length === 0 || cursors.has(after)) return page;
            cursors.add(after);
            latePages += 1;
            return { results: [], next: after };
          });
        return { ...view, listEvents };
      };
      const { failures } = await judge({ ...subject, api });
      expect(failures).toEqual([]);
      expect(latePages).toBeGreaterThan(20);
    },
    limit,
  );

  it('has cases that a test runner skips, with the reason', async () => {
    const { subject } = serviceWith();
    const bodies: ((context?: unknown) => Promise<void>)[] = [];
    const runner: ContractRunner = {
      describe: (_, body) => body(),
      it: (_, body) => bodies.push(body),
    };
    const noTenants: PartnerApiSubject = { ...subject, api: () => undefined };
    partnerApiContract(runner, () => noTenants, { groups: ['identity'] });
    expect(bodies.length).toBeGreaterThan(5);
    const reasons: string[] = [];
    const context = { skip: (reason: string) => reasons.push(reason) };
    for (const body of bodies) await body(context);
    expect(reasons).toEqual(bodies.map(() => 'the service has no view of a partner'));
  });

  it.each(['', 'Guest', 'a_b', 'x'.repeat(13)])('has no prefix %j', async (prefix) => {
    const { subject } = serviceWith();
    const [each] = cases;
    await expect((async () => each?.body({ ...subject, prefix }))()).rejects.toThrow(
      'prefix has 1 to 12 characters of a-z, 0-9 and hyphen',
    );
  });
});
