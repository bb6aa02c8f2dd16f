import {
  type Create,
  createContractor,
  createDeal,
  createDealV2,
  creates,
  dealCreates,
  inEachCreate,
} from '../creates/create.js';
import {
  expectError,
  expectStatus,
  group,
  type Json,
  type Members,
  type Server,
} from '../server.js';

/** Another valid value of each field. */
const others: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  [createContractor.name]: {
    name: 'Other',
    surname: 'Other',
    country_code: 'DE',
    street: 'Other',
    house_no: '51',
    apartment_no: '6',
    postal_code: '5021',
    city: 'Other',
    language: 'pl',
    bank_account_currency: 'PLN',
    bank_account_iban: 'AT483200000012345864',
    bank_account_bic: 'RLNWATWWXXX',
    tax_id: '22-345/6782',
    // not in the first input
    pesel: '44051401359',
    nip: '1234563218',
  },
  [createDeal.name]: {
    name: 'Other',
    description: 'Other',
    budget: '1000.01',
    currency: 'CHF',
    work_days: 31,
  },
  [createDealV2.name]: {
    title: 'Other',
    description: 'Other',
    amount: '500.01',
    currency: 'CHF',
    copyright_transfer: 'license',
    freelancer_language: 'en',
  },
};

/** Decision 2.7: a key that was used with other input. */
export const reusedKeys = group(
  'keys with other input',
  {
    must: {
      '2.7/keys/other-input': 'A used key with other input is 422.',
      '2.7/keys/other-input-code': 'The 422 of a used key has the code `idempotency_key_reused`.',
      '2.7/keys/other-name':
        'A used key with another `partner_id` or address is 422, and nothing is stored.',
      '2.7/keys/every-field': 'A change of any one field is other input of a key.',
      '2.7/keys/optional-field': 'An optional field that is left out is other input of a key.',
      '2.7/keys/other-blanks': 'A text with other blanks or another case is other input of a key.',
      '2.7/keys/first-stays': 'A key that was refused with 422 still gets its first answer.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);

    inEach('2.7/keys/other-input', async (server, create) => {
      const { body, key } = await used(server, create);
      const other = { ...body, [create.text]: 'Other' };
      expectStatus(await server.partner.send('POST', create.path, { body: other, key }), 422);
    });

    inEach('2.7/keys/other-input-code', async (server, create) => {
      const { body, key } = await used(server, create);
      await expectReused(server, create, { ...body, [create.text]: 'Other' }, key);
    });

    inEach('2.7/keys/other-name', async (server, create) => {
      const { body, key } = await used(server, create);
      const { [create.naming]: name } = await create.valid(server);
      const other = { ...body, [create.naming]: name };
      await expectReused(server, create, other, key);
      expectStatus(await server.partner.send('POST', create.path, { body: other }), 201);
    });

    for (const create of creates) {
      for (const [field, value] of Object.entries(others[create.name] ?? {})) {
        define(
          '2.7/keys/every-field',
          async (server) => {
            const { body, key } = await used(server, create);
            await expectReused(server, create, { ...body, [field]: value }, key);
          },
          `${create.name}, ${field}`,
        );
      }
    }

    for (const create of dealCreates) {
      define(
        '2.7/keys/every-field',
        async (server) => {
          const { body, key } = await used(server, create);
          const { [create.email]: email } = await create.valid(server);
          await expectReused(server, create, { ...body, [create.email]: email }, key);
        },
        `${create.name}, ${create.email}`,
      );
    }

    define('2.7/keys/optional-field', async (server) => {
      const { body, key } = await used(server, createContractor);
      for (const field of ['house_no', 'apartment_no', 'bank_account_bic', 'tax_id']) {
        await expectReused(server, createContractor, { ...body, [field]: undefined }, key);
      }
    });

    inEach('2.7/keys/other-blanks', async (server, create) => {
      const { body, key } = await used(server, create);
      for (const text of [`${body[create.text]} `, String(body[create.text]).toUpperCase()]) {
        await expectReused(server, create, { ...body, [create.text]: text }, key);
      }
    });

    inEach('2.7/keys/first-stays', async (server, create) => {
      const { body, key } = await used(server, create);
      await expectReused(server, create, { ...body, [create.text]: 'Other' }, key);
      expectStatus(await server.partner.send('POST', create.path, { body, key }), 201);
    });
  },
);

/** A key that made a record, and the input with which it did. */
async function used(server: Server, create: Create) {
  const [body, key] = [await create.valid(server), server.name('key')];
  await server.partner.data('POST', create.path, { body, key });
  return { body, key };
}

async function expectReused(
  { partner }: Server,
  create: Create,
  body: Members,
  key: string,
): Promise<void> {
  const reply = await partner.send('POST', create.path, { body, key });
  expectError(reply, 422, 'idempotency_key_reused');
}
