import { check, isEqual, show } from '../../expectations.js';
import {
  createContractor,
  createDeal,
  createDealV2,
  inEachCreate,
  inEachDeal,
} from '../creates/create.js';
import { expectError, expectIssues, expectStatus, group } from '../server.js';

/** Decision 2.7: in which order a create is judged, whose a key is, and when it is free. */
export const keyOrder = group(
  'order of judgement and scope of keys',
  {
    must: {
      '2.7/keys/validation-before-key': 'Invalid input with a used key is reported as invalid.',
      '2.7/keys/key-before-contractor':
        'A used key is 422, even if the contractor of the other input is unknown.',
      '2.7/keys/other-key':
        'A second create of the same `partner_id` or address with another key is 409.',
      '2.7/keys/no-key':
        'A second create of the same `partner_id` or address without its key is 409.',
      '2.7/keys/key-of-unkeyed': 'A create that had no key is 409 if it is repeated with one.',
      '2.7/keys/invalid-keeps-none': 'A create that was invalid leaves its key free.',
      '2.7/keys/conflict-keeps-none': 'A create that was 409 leaves its key free.',
      '2.7/keys/unknown-contractor-keeps-none':
        'A deal whose contractor was unknown leaves its key free.',
      '2.7/keys/partners-apart': 'Each partner can use the same key.',
      '2.7/keys/partners-get-their-own': 'A repeat gets the answer of its own partner.',
      '2.7/keys/kinds-apart': 'A key of a contractor is free for a deal, and the other way round.',
      '2.7/keys/versions-together':
        'A key of a deal of one version is 422 with a deal of the other version.',
      '6.2/keys/commands-apart': 'A key of a deal is free for a command to it.',
    },
  },
  (define) => {
    const inEach = inEachCreate(define);
    const inBoth = inEachDeal(define);

    inEach('2.7/keys/validation-before-key', async (server, create) => {
      const [sent, key] = [await create.valid(server), server.name('key')];
      await server.partner.data('POST', create.path, { body: sent, key });
      const body = { ...sent, [create.text]: '' };
      const reply = await server.partner.send('POST', create.path, { body, key });
      expectIssues(reply, { path: [create.text], code: 'too_short' });
    });

    define('2.7/keys/key-before-contractor', async (server) => {
      const [sent, key] = [await createDeal.valid(server), server.name('key')];
      await server.partner.data('POST', createDeal.path, { body: sent, key });
      const contractor_email = server.email('unknown');
      const body = server.deal({ contractor_email });
      const reply = await server.partner.send('POST', createDeal.path, { body, key });
      expectError(reply, 422, 'idempotency_key_reused');
    });

    inEach('2.7/keys/other-key', async (server, create) => {
      const body = await create.valid(server);
      await server.partner.data('POST', create.path, { body, key: server.name('key') });
      const second = { body, key: server.name('key') };
      expectError(await server.partner.send('POST', create.path, second), 409, create.exists);
    });

    inEach('2.7/keys/no-key', async (server, create) => {
      const body = await create.valid(server);
      await server.partner.data('POST', create.path, { body, key: server.name('key') });
      expectError(await server.partner.send('POST', create.path, { body }), 409, create.exists);
    });

    inEach('2.7/keys/key-of-unkeyed', async (server, create) => {
      const body = await create.valid(server);
      await server.partner.data('POST', create.path, { body });
      const second = { body, key: server.name('key') };
      expectError(await server.partner.send('POST', create.path, second), 409, create.exists);
    });

    inEach('2.7/keys/invalid-keeps-none', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      const invalid = { body: { ...body, [create.text]: '' }, key };
      expectStatus(await server.partner.send('POST', create.path, invalid), 400);
      expectStatus(await server.partner.send('POST', create.path, { body, key }), 201);
    });

    inEach('2.7/keys/conflict-keeps-none', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      await server.partner.data('POST', create.path, { body });
      expectStatus(await server.partner.send('POST', create.path, { body, key }), 409);
      const other = await create.valid(server);
      expectStatus(await server.partner.send('POST', create.path, { body: other, key }), 201);
    });

    define('2.7/keys/unknown-contractor-keeps-none', async (server) => {
      const [contractor, key] = [server.contractor(), server.name('key')];
      const body = server.deal({ contractor_email: contractor['email'] });
      expectStatus(await server.partner.send('POST', createDeal.path, { body, key }), 400);
      await server.partner.data('POST', createContractor.path, { body: contractor });
      expectStatus(await server.partner.send('POST', createDeal.path, { body, key }), 201);
    });

    inEach('2.7/keys/partners-apart', async (server, create) => {
      const key = server.name('key');
      for (const caller of [server.partner, server.other]) {
        const body = await create.valid(server);
        expectStatus(await caller.send('POST', create.path, { body, key }), 201);
      }
    });

    inBoth('2.7/keys/partners-get-their-own', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      const own = await server.partner.data('POST', create.path, { body, key });
      const foreign = await server.other.data('POST', create.path, { body, key });
      check(!isEqual(foreign, own), `each has its own answer\n  actual: ${show(foreign)}`);
    });

    for (const [first, second] of [
      [createContractor, createDeal],
      [createDeal, createContractor],
    ] as const) {
      define(
        '2.7/keys/kinds-apart',
        async (server) => {
          const key = server.name('key');
          for (const create of [first, second]) {
            const body = await create.valid(server);
            expectStatus(await server.partner.send('POST', create.path, { body, key }), 201);
          }
        },
        `${first.name} first`,
      );
    }

    for (const [first, second] of [
      [createDeal, createDealV2],
      [createDealV2, createDeal],
    ] as const) {
      define(
        '2.7/keys/versions-together',
        async (server) => {
          const key = server.name('key');
          await server.partner.data('POST', first.path, { body: await first.valid(server), key });
          const body = await second.valid(server);
          const reply = await server.partner.send('POST', second.path, { body, key });
          expectError(reply, 422, 'idempotency_key_reused');
        },
        `${first.name} first`,
      );
    }

    inBoth('6.2/keys/commands-apart', async (server, create) => {
      const [body, key] = [await create.valid(server), server.name('key')];
      await server.partner.data('POST', create.path, { body, key });
      const path = `/api/2.0/deal/${body['partner_id']}/invite/`;
      expectStatus(await server.partner.send('POST', path, { body: {}, key }), 200);
    });
  },
);
