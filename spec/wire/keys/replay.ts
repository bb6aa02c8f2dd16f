import { equal } from '../../expectations.js';
import {
  type Create,
  createDeal,
  createDealV2,
  created,
  inEachCreate,
  inEachDeal,
} from '../creates/create.js';
import { expectStatus, group, type Members, type Server } from '../server.js';

/** Decision 2.7: a create that is repeated with its key gets its first answer. */
export const replays = group(
  'repeats of a create with its key',
  {
    must: {
      '2.7/keys/accepted': 'A create with a new idempotency key succeeds as one without.',
      '2.7/keys/replay': 'A create that is repeated with its key gets the same `data` again.',
      '2.7/keys/replay-status': 'A create that is repeated with its key is 201 again.',
      '2.7/keys/replay-often': 'A create can be repeated with its key any number of times.',
      '2.7/keys/replay-token':
        'A deal of version 2.0 that is repeated with its key gets its first payment token.',
      '2.7/keys/token-of-deal':
        'The payment token of a repeat is the one that the details of the deal have.',
      '2.7/keys/replay-after-end':
        'A create that is repeated with its key gets its first answer, even if the deal has ended since.',
      '2.7/keys/work-days-default':
        'A deal without `work_days` and one with 30 are the same input of a key.',
      '2.7/keys/money-spelling': 'The same amount in another spelling is the same input of a key.',
      '2.7/keys/integer-spelling':
        'The same integer in another spelling is the same input of a key.',
      '2.7/keys/unknown-members':
        'Input with and without unknown members is the same input of a key.',
      '2.7/keys/member-order': 'The same members in another order are the same input of a key.',
      '2.7/keys/json-spelling':
        'The same JSON with other blanks and escapes is the same input of a key.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);
    const inBoth = inEachDeal(define);

    inEach('2.7/keys/accepted', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      expectStatus(await server.partner.send('POST', create.path, { body, key }), 201);
    });

    inEach('2.7/keys/replay', async (server, create) => {
      const body = await create.valid(server);
      await expectSame(server, create, body, body);
    });

    inEach('2.7/keys/replay-status', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      await server.partner.data('POST', create.path, { body, key });
      expectStatus(await server.partner.send('POST', create.path, { body, key }), 201);
    });

    inEach('2.7/keys/replay-often', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      const first = await server.partner.data('POST', create.path, { body, key });
      for (let repeat = 0; repeat < 5; repeat += 1) {
        await created(server, create);
        const again = await server.partner.data('POST', create.path, { body, key });
        equal(again, first, 'the member data of a repeat');
      }
    });

    define('2.7/keys/replay-token', async (server) => {
      const { first, again } = await repeated(server);
      equal(again['payment_token'], first['payment_token'], 'the payment token of the repeat');
    });

    define('2.7/keys/token-of-deal', async (server) => {
      const { body, again } = await repeated(server);
      const details = await createDealV2.read(server.partner, body, again);
      equal(details['payment_token'], again['payment_token'], 'the token in the details');
    });

    inBoth('2.7/keys/replay-after-end', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      const first = await server.partner.data('POST', create.path, { body, key });
      const cancel = `/api/2.0/deal/${body['partner_id']}/cancel/`;
      await server.partner.data('POST', cancel, { body: {} });
      const again = await server.partner.data('POST', create.path, { body, key });
      equal(again, first, 'the member data of the repeat');
    });

    define('2.7/keys/work-days-default', async (server) => {
      const { work_days: _, ...short } = await createDeal.valid(server);
      await expectSame(server, createDeal, short, { ...short, work_days: 30 });
      const { work_days: __, ...second } = await createDeal.valid(server);
      await expectSame(server, createDeal, { ...second, work_days: 30 }, second);
    });

    inBoth('2.7/keys/money-spelling', async (server, create) => {
      for (const money of ['1000.50', '01000.5', '0001000.50']) {
        const body = await create.valid(server, { [create.money]: '1000.5' });
        await expectSame(server, create, body, { ...body, [create.money]: money });
      }
    });

    inBoth('2.7/keys/integer-spelling', async (server, create) => {
      const body = await create.valid(server);
      const plain = `"${create.subcategory}":${server.subcategory}`;
      await expectSame(server, create, body, JSON.stringify(body).replace(plain, `${plain}.0`));
    });

    inEach('2.7/keys/unknown-members', async (server, create) => {
      const body = await create.valid(server);
      await expectSame(server, create, body, { ...body, unknown: 'member' });
    });

    inEach('2.7/keys/member-order', async (server, create) => {
      const body = await create.valid(server);
      await expectSame(server, create, body, Object.fromEntries(Object.entries(body).reverse()));
    });

    inEach('2.7/keys/json-spelling', async (server, create) => {
      const body = await create.valid(server);
      // no value of it is a number with an exponent, true or false
      const raw = JSON.stringify(body, null, 2).replaceAll('e', '\\u0065');
      await expectSame(server, create, body, raw);
    });
  },
);

/** Sends one create after the other with one key; both get the same answer. */
async function expectSame(
  { partner, name }: Server,
  create: Create,
  first: Members,
  second: Members | string,
): Promise<void> {
  const key = name('key');
  const data = await partner.data('POST', create.path, { body: first, key });
  const again =
    typeof second === 'string'
      ? { raw: second, headers: { 'content-type': 'application/json' }, key }
      : { body: second, key };
  equal(await partner.data('POST', create.path, again), data, 'the member data of the repeat');
}

/** A deal of version 2.0 that was sent twice with one key. */
async function repeated({ partner, name, dealV2 }: Server) {
  const [body, key] = [dealV2(), name('key')];
  const first = await partner.data('POST', createDealV2.path, { body, key });
  const again = await partner.data('POST', createDealV2.path, { body, key });
  return { body, first, again };
}
