import { equal, errOf, okOf } from '../expectations.js';
import {
  contractor,
  createDocumentedDeal,
  type DefineCase,
  deal,
  file,
  invalid,
  operations,
  plain,
  reads,
} from './subject.js';

/** Input that only a caller in the same process can give: calls answer, and never throw. */
export function hostileInput(define: DefineCase): void {
  define('answers values that JSON has no form for', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const wrong = [Number.NaN, 7n, Symbol('s'), () => 'text', cycle, new Date(0), new String('x')];
    for (const value of wrong) {
      for (const field of ['name', 'work_days']) {
        const input = { ...deal, [field]: value } as typeof deal;
        invalid(errOf(await api.createDeal(input), 'a deal'), [
          { path: [field], code: 'wrong_type' },
        ]);
      }
    }
    for (const work_days of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const error = errOf(await api.createDeal({ ...deal, work_days }), 'a deal');
      invalid(error, [{ path: ['work_days'], code: 'out_of_range' }]);
    }
  });

  define('answers text that is not well-formed', async ({ api }) => {
    const input = { ...deal, name: 'a\ud800', description: '\udc00', partner_id: 'nul\0' };
    invalid(errOf(await api.createDeal(input), 'a deal'), [
      { path: ['partner_id'], code: 'forbidden_character' },
      { path: ['name'], code: 'malformed_text' },
      { path: ['description'], code: 'malformed_text' },
    ]);
  });

  define('answers getters and proxies that throw', async ({ api }) => {
    const hostile = {
      ...contractor,
      get name(): string {
        throw new Error('a getter that throws');
      },
    };
    invalid(errOf(await api.registerContractor(hostile), 'a getter'), [
      { path: [], code: 'wrong_type' },
    ]);

    const { proxy, revoke } = Proxy.revocable({ ...contractor }, {});
    revoke();
    invalid(errOf(await api.registerContractor(proxy), 'a revoked proxy'), [
      { path: [], code: 'wrong_type' },
    ]);
    for (const { name, call } of operations) {
      const thrower = new Proxy(
        {},
        {
          get() {
            throw new Error('a proxy that throws');
          },
          ownKeys() {
            throw new Error('a proxy that throws');
          },
        },
      );
      invalid(errOf(await call(api, thrower), name), [{ path: [], code: 'wrong_type' }]);
    }
  });

  define('reads own members, each once, and asks no toJSON', async ({ api }) => {
    let reads = 0;
    const changing = {
      ...contractor,
      get name() {
        reads += 1;
        return reads === 1 ? 'Name' : '';
      },
      toJSON: () => ({}),
    };
    okOf(await api.registerContractor(changing), 'the registration');
    equal(reads, 1, 'the number of reads');
    const inheriting = Object.create(contractor) as typeof contractor;
    const error = errOf(await api.registerContractor(inheriting), 'inherited members');
    equal(error.code, 'validation_failed', 'they are absent');
  });

  define('answers malformed options', async ({ api }) => {
    for (const { name, input, call } of operations) {
      const throwing = {
        get idempotencyKey(): string {
          throw new Error('a getter that throws');
        },
      };
      plain(errOf(await call(api, input, throwing), name), 'invalid_idempotency_key');
      for (const idempotencyKey of [7, null, {}, ['key']]) {
        const options = { idempotencyKey } as object;
        plain(errOf(await call(api, input, options), name), 'invalid_idempotency_key');
      }
    }
    const strange = { language: 'xx' } as object;
    okOf(await api.registerContractor(contractor, strange), 'an unknown language');
    const error = errOf(await api.registerContractor(contractor, strange), 'the second');
    plain(error, 'contractor_exists', 'en');
  });

  define('answers malformed options of reads and uploads', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const throwing = {
      get language(): string {
        throw new Error('a getter that throws');
      },
    };
    for (const { name, call } of reads) {
      const expected = okOf(await call(api, id), name);
      for (const options of [throwing, { language: 'xx' }, { language: 7 }, {}]) {
        equal(okOf(await call(api, id, options), name), expected, `${name}, in English`);
      }
      const more = { idempotencyKey: 'not a key, but it is not asked for' };
      equal(okOf(await call(api, id, more), name), expected, `${name}, without a key`);
    }
    for (const idempotencyKey of [7, null, {}, ['key'], '', 'a key']) {
      const options = { idempotencyKey } as object;
      plain(errOf(await api.uploadFile({ id }, file, options), 'a key'), 'invalid_idempotency_key');
    }
    okOf(await api.uploadFile({ id }, file, { language: 'xx' } as object), 'an unknown language');
  });

  define('answers uploads that throw', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const { proxy, revoke } = Proxy.revocable({ ...file }, {});
    revoke();
    const hostile = {
      ...file,
      get name(): string {
        throw new Error('a getter that throws');
      },
    };
    for (const upload of [proxy, hostile]) {
      const error = errOf(await api.uploadFile({ id }, upload), 'an upload');
      invalid(error, [{ path: [], code: 'wrong_type' }]);
    }
    okOf(await api.uploadFile({ id }, file), 'the next one');
  });
}
