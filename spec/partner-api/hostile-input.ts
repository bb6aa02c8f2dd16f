import type { ResultAsync } from 'neverthrow';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { equal, errOf, okOf } from '../expectations.js';
import { creates } from './creates.js';
import { createDocumentedDeal, makeDeal, namesIn, versions } from './deals.js';
import { type AnyError, invalid, plain } from './errors.js';
import { group, type Views } from './subject.js';

/** A read of the deal of the case, as it succeeds; it returns how to repeat it with options. */
type Read = (views: Views) => Promise<(options?: object) => ResultAsync<unknown, AnyError>>;

/** The reads, each with what it needs. */
const reads: Readonly<Partial<Record<keyof PartnerApi, Read>>> = {
  listCategories:
    async ({ api }) =>
    (options) =>
      api.listCategories(options),
  async retrieveDeal(views) {
    const { id } = await createDocumentedDeal(views);
    return (options) => views.api.retrieveDeal(id, options);
  },
  async retrieveDealDetails({ api, dealV2 }) {
    okOf(await api.createDealV2(dealV2), 'a deal');
    return (options) => api.retrieveDealDetails(dealV2.partner_id, options);
  },
  async listDeals({ api, dealV2 }) {
    okOf(await api.createDealV2(dealV2), 'a deal');
    const { email_freelancer } = dealV2;
    return (options) => api.listDeals({ email_freelancer }, options);
  },
};

/** Integers of each version that a deal may have or must have. */
const integers = { '1.0': 'work_days', '2.0': 'subcategory_id' } as const;

/** Input that only a caller in the same process can give: calls answer, and never throw. */
export const hostileInput = group(
  'hostile input',
  {
    must: {
      '1.6/hostile/no-json': 'A value that JSON has no form for is an issue of its field.',
      '1.2/hostile/malformed-text':
        'Text that is not well-formed, or holds U+0000, is an issue of its field.',
      '1.8/hostile/input-that-throws':
        'An input that throws when it is read has one issue, which names no field.',
      '1.7/hostile/own-members':
        'Only the own members of an input count; each is read once, and `toJSON` is not asked.',
      '2.7/hostile/keys':
        'Any value that is no idempotency key is refused before the input is judged.',
      '1.8/hostile/languages': 'Any value that is no language counts as English.',
      '1.8/hostile/options-of-reads': 'A read takes any options, and asks for no idempotency key.',
    },
  },
  (define) => {
    for (const version of versions) {
      const { create, title } = namesIn[version];
      const integer = integers[version];

      define(
        '1.6/hostile/no-json',
        async ({ api, operations }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const cycle: Record<string, unknown> = {};
          cycle['self'] = cycle;
          const wrong = [
            ...[Number.NaN, 7n, Symbol('s'), () => 'text', cycle, new Date(0), new String('x')],
          ];
          for (const value of wrong) {
            for (const field of [title, integer]) {
              const error = errOf(await call(api, { ...input, [field]: value }), 'a deal');
              invalid(error, [{ path: [field], code: 'wrong_type' }]);
            }
          }
          for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
            const error = errOf(await call(api, { ...input, [integer]: value }), 'a deal');
            invalid(error, [{ path: [integer], code: 'out_of_range' }]);
          }
        },
        version,
      );

      define(
        '1.2/hostile/malformed-text',
        async ({ api, operations }) => {
          const { call, input } = operations[create];
          const broken = { [title]: 'a\ud800', description: '\udc00', partner_id: 'nul\0' };
          invalid(errOf(await call(api, { ...input, ...broken }), 'a deal'), [
            { path: ['partner_id'], code: 'forbidden_character' },
            { path: [title], code: 'malformed_text' },
            { path: ['description'], code: 'malformed_text' },
          ]);
        },
        version,
      );

      define(
        '1.8/hostile/input-that-throws',
        async (views) => {
          const { api, file } = views;
          const { reference } = await makeDeal(views, version);
          for (const upload of [revoked(file), throwing(file, 'name')]) {
            const error = errOf(await api.uploadFile(reference, upload), 'an upload');
            invalid(error, [{ path: [], code: 'wrong_type' }]);
          }
          okOf(await api.uploadFile(reference, file), 'the next one');
        },
        `uploadFile, ${version}`,
      );

      define(
        '2.7/hostile/keys',
        async (views) => {
          const { api, file } = views;
          const { reference } = await makeDeal(views, version);
          for (const idempotencyKey of [7, null, {}, ['key'], '', 'a key']) {
            const options = { idempotencyKey } as object;
            const error = errOf(await api.uploadFile(reference, file, options), 'a key');
            plain(error, 'invalid_idempotency_key');
          }
          const strange = { language: 'xx' } as object;
          okOf(await api.uploadFile(reference, file, strange), 'an unknown language');
        },
        `uploadFile, ${version}`,
      );
    }

    for (const create of creates) {
      define(
        '1.8/hostile/input-that-throws',
        async ({ api, operations }) => {
          const { call, input } = operations[create];
          const [field = ''] = Object.keys(input);
          for (const hostile of [throwing(input, field), revoked(input), throwingProxy()]) {
            invalid(errOf(await call(api, hostile), create), [{ path: [], code: 'wrong_type' }]);
          }
        },
        create,
      );

      define(
        '1.7/hostile/own-members',
        async ({ api, operations }) => {
          const { call, input, prepare } = operations[create];
          await prepare(api);
          const inherited = errOf(await call(api, Object.create(input)), 'inherited members');
          equal(inherited.code, 'validation_failed', 'they are absent');
          const [field = '', value] = Object.entries(input)[0] ?? [];
          let reads = 0;
          const changing = Object.defineProperty({ ...input, toJSON: () => ({}) }, field, {
            enumerable: true,
            get() {
              reads += 1;
              return reads === 1 ? value : '';
            },
          });
          okOf(await call(api, changing), 'the create');
          equal(reads, 1, 'the number of reads');
        },
        create,
      );

      define(
        '2.7/hostile/keys',
        async ({ api, operations }) => {
          const { call, input } = operations[create];
          const getter = throwing({}, 'idempotencyKey');
          plain(errOf(await call(api, input, getter), create), 'invalid_idempotency_key');
          for (const idempotencyKey of [7, null, {}, ['key']]) {
            const options = { idempotencyKey } as object;
            plain(errOf(await call(api, input, options), create), 'invalid_idempotency_key');
          }
        },
        create,
      );

      define(
        '1.8/hostile/languages',
        async ({ api, operations }) => {
          const { call, conflict, input, prepare } = operations[create];
          await prepare(api);
          const strange = { language: 'xx' } as object;
          okOf(await call(api, input, strange), 'an unknown language');
          plain(errOf(await call(api, input, strange), 'the second'), conflict, 'en');
        },
        create,
      );
    }

    for (const [name, prepare] of Object.entries(reads)) {
      define(
        '1.8/hostile/options-of-reads',
        async (views) => {
          const read = await prepare(views);
          const expected = okOf(await read(), name);
          for (const options of [
            throwing({}, 'language'),
            { language: 'xx' },
            { language: 7 },
            {},
          ]) {
            equal(okOf(await read(options), name), expected, `${name}, in English`);
          }
          const more = { idempotencyKey: 'not a key, but it is not asked for' };
          equal(okOf(await read(more), name), expected, `${name}, without a key`);
        },
        name,
      );
    }
  },
);

/** The same object with a getter that throws. */
function throwing<T extends object>(object: T, member: string): T {
  return Object.defineProperty({ ...object }, member, {
    enumerable: true,
    get() {
      throw new Error('a getter that throws');
    },
  });
}

function revoked<T extends object>(object: T): T {
  const { proxy, revoke } = Proxy.revocable({ ...object }, {});
  revoke();
  return proxy;
}

function throwingProxy(): object {
  const fail = () => {
    throw new Error('a proxy that throws');
  };
  return new Proxy({}, { get: fail, ownKeys: fail });
}
