import type { WorkFile } from '../../src/domain/deals/work-file.js';
import { check, equal, okOf } from '../expectations.js';
import { makeDeal, namesIn, type Version, versions } from './deals.js';
import { plain } from './errors.js';
import { mixtures, ownOf, walk } from './lists.js';
import { group } from './subject.js';

const forty = Array.from({ length: 40 }, (_, index) => index);
const twenty = forty.slice(0, 20);

const eachVersion: readonly (readonly [variant: string, of: readonly Version[]])[] = [
  ...versions.map((version) => [version, [version]] as const),
  ['both versions', versions],
];

/** Decision 2.7 and the races: the first create to commit wins, alone. */
export const races = group(
  'races',
  {
    must: {
      '2.2/race/one-partner-id': 'Of many creates of one `partner_id` at once, one wins.',
      '2.3/race/one-address':
        'Of many registrations of one address at once, in any case of its letters, one wins.',
      '2.7/race/one-key': 'Many creates with one key and the same input at once get one answer.',
      '2.7/race/with-and-without-key':
        'Of creates at once, those with the key of the winner get its answer, and the others a conflict.',
      '2.4/race/different-deals':
        'Many creates of different deals at once all win, each with its id.',
      '6.4/race/uploads': 'Many uploads to one deal at once are all kept.',
      '2.7/race/uploads-with-one-key':
        'Many uploads with one key at once keep one file and get one answer.',
      '4/race/list': 'A list that is read while deals are created shows each of them once.',
    },
  },
  (define) => {
    for (const [variant, of] of eachVersion) {
      define(
        '2.2/race/one-partner-id',
        async ({ api, operations }) => {
          const all = of.map((version) => operations[namesIn[version].create]);
          for (const { prepare } of all) await prepare(api);
          const results = await Promise.all(
            forty.map(async (index) => {
              const create = all[index % all.length];
              check(create !== undefined, 'there is a version');
              return await create.call(api, create.input);
            }),
          );
          equal(results.filter((result) => result.isOk()).length, 1, 'the number of winners');
          for (const result of results) if (result.isErr()) plain(result.error, 'deal_exists');
        },
        variant,
      );
    }

    for (const [variant, isShared] of [
      ['of one partner', false],
      ['of two partners', true],
    ] as const) {
      define(
        '2.3/race/one-address',
        async (views) => {
          const { api, contractor } = views;
          const partners = isShared ? [api, views.other] : [api];
          const upper = contractor.email.replace('user', 'USER');
          const mixed = contractor.email.replace('example', 'EXAMPLE');
          const results = await Promise.all(
            forty.map(async (index) => {
              const email = index % 3 === 0 ? upper : mixed;
              const partner = partners[index % partners.length] ?? api;
              return await partner.registerContractor({ ...contractor, email });
            }),
          );
          equal(results.filter((result) => result.isOk()).length, 1, 'the number of winners');
          for (const result of results) {
            if (result.isErr()) plain(result.error, 'contractor_exists');
          }
        },
        variant,
      );
    }

    for (const version of versions) {
      const { create } = namesIn[version];

      define(
        '2.7/race/one-key',
        async ({ api, operations, key }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const results = await Promise.all(forty.map(() => call(api, input, key)));
          const [first, ...others] = results.map((result) => okOf(result, 'an answer'));
          for (const answer of others) equal(answer, first, 'the one answer');
        },
        version,
      );

      define(
        '2.7/race/with-and-without-key',
        async ({ api, operations, key }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const keyOf = (index: number) => (index % 2 === 0 ? key : undefined);
          const all = await Promise.all(forty.map((index) => call(api, input, keyOf(index))));
          const successes = all.filter((result) => result.isOk()).map((result) => result.value);
          check(successes.length >= 1, 'one wins');
          for (const success of successes) equal(success, successes[0], 'the one answer');
          for (const result of all) if (result.isErr()) plain(result.error, 'deal_exists');
          const keyed = all.filter((_, index) => index % 2 === 0);
          const count = keyed.filter((result) => result.isOk()).length;
          check(count === 0 || count === keyed.length, 'those with the key win together or not');
        },
        version,
      );

      define(
        '2.4/race/different-deals',
        async ({ api, operations, name }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const results = await Promise.all(
            forty.map((index) => call(api, { ...input, partner_id: name(`deal-${index}`) })),
          );
          const answers = results.map((result) => JSON.stringify(okOf(result, 'a deal')));
          equal(new Set(answers).size, 40, 'the number of different answers');
        },
        version,
      );

      define(
        '6.4/race/uploads',
        async (views) => {
          const { api, file } = views;
          const deal = await makeDeal(views, version);
          const results = await Promise.all(
            twenty.map((index) =>
              api.uploadFile(deal.reference, { ...file, name: `${file.name} ${index}` }),
            ),
          );
          const uploaded = results.map((result) => okOf(result, 'an upload'));
          const sorted = (all: readonly WorkFile[]) =>
            [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
          const found = await deal.files();
          equal(sorted(found), sorted(uploaded), 'the files');
          equal(new Set(found.map(({ name }) => name)).size, 20, 'the different names');
        },
        version,
      );

      define(
        '2.7/race/uploads-with-one-key',
        async (views) => {
          const { api, file, key } = views;
          const deal = await makeDeal(views, version);
          const results = await Promise.all(
            twenty.map(() => api.uploadFile(deal.reference, file, key)),
          );
          const [first, ...others] = await deal.files();
          equal(others, [], 'one file');
          for (const result of results) equal(okOf(result, 'an upload'), first, 'the one answer');
        },
        version,
      );
    }

    for (const [variant, of] of mixtures) {
      define(
        '4/race/list',
        async (views) => {
          const { api, name, operations } = views;
          const all = of.map((version) => operations[namesIn[version].create]);
          for (const { prepare } of all) await prepare(api);
          const query = { ...ownOf(views), page_size: 7 };
          equal(await walk(api, query), [], 'the list before');
          const creating = Promise.all(
            forty.map(async (index) => {
              const create = all[index % all.length];
              check(create !== undefined, 'there is a version');
              return await create.call(api, { ...create.input, partner_id: name(`deal-${index}`) });
            }),
          );
          for (let round = 0; round < 5; round += 1) {
            const names = (await walk(api, query)).map(({ partner_id }) => partner_id);
            equal(new Set(names).size, names.length, 'none twice');
          }
          for (const created of await creating) okOf(created, 'a deal');
          const found = await walk(api, query);
          equal(new Set(found.map(({ partner_id }) => partner_id)).size, 40, 'all of them');
          equal(found.length, 40, 'each once');
        },
        variant,
      );
    }
  },
);
