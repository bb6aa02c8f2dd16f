import { equal } from '../../expectations.js';
import { expectError, expectStatus, group, type Reply, type Server } from '../server.js';
import {
  because,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  newDeal,
  statusesIn,
} from './deal.js';

const keyOf = (server: Server) => server.name('key');

function expectReused(reply: Reply): void {
  expectError(reply, 422, 'idempotency_key_reused');
}

/** Decisions 2.7, 6.2 and 6.7: idempotency keys of commands. */
export const keys = group(
  'keys of commands',
  {
    must: {
      '6.2/life/key-replay':
        'A command with the key of its own earlier success has the first answer again.',
      '6.2/life/key-replay-moved':
        'The first answer is the answer to a repeat with its key even if the deal has moved on.',
      '6.2/life/key-replay-illegal':
        'A repeat with its key is judged before the state, which may not know the command any more.',
      '6.2/life/key-input': 'A key that was used with other input is 422.',
      '6.2/life/key-command': 'A key that was used with another command of the deal is 422.',
      '6.7/life/key-before-state': 'A used key is judged before the state: 422, not 409.',
      '6.7/life/form-before-key': 'The form is judged before the key: 400, not 422.',
      '2.7/life/key-canonical':
        'No body, `{}` and members that the command does not know are the same input.',
      '6.7/life/key-per-deal': 'A key of one deal is new for another deal.',
      '6.7/life/key-per-actor': 'A key of one actor is new for another actor of the deal.',
      '6.7/life/key-per-partner': 'A key of one partner is new for another partner.',
      '6.2/life/key-per-scope': 'A key of a create is new for a command.',
      '2.7/life/key-failed': 'A command that was refused does not use up its key.',
      '6.7/life/key-of-nothing': 'A success that changed nothing keeps its key too.',
      '2.7/life/key-malformed': 'A malformed key is 400 `invalid_idempotency_key`.',
      '2.7/life/key-length': 'A key of 255 visible ASCII characters is taken.',
    },
  },
  (define) => {
    for (const [by, command, state] of [
      ['partner', 'invite', 'created'],
      ['partner', 'cancel', 'created'],
      ['partner', 'approve', 'delivered'],
      ['partner', 'dispute', 'delivered'],
      ['freelancer', 'accept', 'created'],
      ['freelancer', 'decline', 'created'],
    ] as const) {
      define(
        '6.2/life/key-replay',
        async (server) => {
          const deal = await dealIn(state, server);
          const key = keyOf(server);
          const first = await deal.give(by, command, { body: because, key });
          expectStatus(first, 200);
          const again = await changesNothing(deal, () =>
            deal.give(by, command, { body: because, key }),
          );
          expectStatus(again, 200);
          equal(again.json(), first.json(), 'the second answer, and the first one');
        },
        `${by}, ${command}`,
      );
    }

    define(
      '6.2/life/key-replay-moved',
      async (server) => {
        const deal = await newDeal(server);
        const key = keyOf(server);
        const first = await deal.give('partner', 'invite', { key });
        await deal.done('freelancer', 'accept');
        await deal.upload();
        await deal.done('freelancer', 'deliver');
        const again = await deal.give('partner', 'invite', { key });
        expectStatus(again, 200);
        equal(again.json(), first.json(), 'the second answer, and the first one');
      },
      'partner',
    );
    define(
      '6.2/life/key-replay-moved',
      async (server) => {
        const deal = await newDeal(server);
        const key = keyOf(server);
        const first = await deal.give('freelancer', 'accept', { key });
        await deal.upload();
        await deal.done('freelancer', 'deliver');
        const again = await deal.give('freelancer', 'accept', { key });
        expectStatus(again, 200);
        equal(again.json(), first.json(), 'the second answer, and the first one');
      },
      'freelancer',
    );

    define('6.2/life/key-replay-illegal', async (server) => {
      const deal = await dealIn('delivered', server);
      const key = keyOf(server);
      const sent = { body: because, key };
      expectStatus(await deal.give('partner', 'request-changes', sent), 200);
      await deal.done('freelancer', 'decline');
      expectStatus(await deal.give('partner', 'request-changes', sent), 200);
      expectStatus(await deal.give('partner', 'request-changes', { body: because }), 409);
    });

    for (const [by, command] of [
      ['partner', 'invite'],
      ['freelancer', 'accept'],
    ] as const) {
      define(
        '6.2/life/key-input',
        async (server) => {
          const deal = await newDeal(server);
          const key = keyOf(server);
          expectStatus(await deal.give(by, command, { body: { message: 'One.' }, key }), 200);
          const other = { body: { message: 'Two.' }, key };
          expectReused(await changesNothing(deal, () => deal.give(by, command, other)));
        },
        by,
      );
    }

    define('6.2/life/key-command', async (server) => {
      const deal = await newDeal(server);
      const key = keyOf(server);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectReused(await changesNothing(deal, () => deal.give('partner', 'cancel', { key })));
    });

    define('6.7/life/key-before-state', async (server) => {
      const deal = await newDeal(server);
      const key = keyOf(server);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      await deal.done('partner', 'cancel');
      const other = { body: { message: 'Two.' }, key };
      expectReused(await deal.give('partner', 'invite', other));
    });

    define('6.7/life/form-before-key', async (server) => {
      const deal = await newDeal(server);
      const key = keyOf(server);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      const malformed = { body: { message: '' }, key };
      expectError(await deal.give('partner', 'invite', malformed), 400, 'validation_failed');
    });

    for (const [variant, request] of [
      ['no body', {}],
      ['an unknown member', { body: { status: 'completed' } }],
    ] as const) {
      define(
        '2.7/life/key-canonical',
        async (server) => {
          const deal = await newDeal(server);
          const key = keyOf(server);
          const first = await deal.give('partner', 'invite', { body: {}, key });
          await deal.done('freelancer', 'accept');
          const again = await deal.give('partner', 'invite', { ...request, key });
          expectStatus(again, 200);
          equal(again.json(), first.json(), 'the second answer, and the first one');
        },
        variant,
      );
    }

    define('6.7/life/key-per-deal', async (server) => {
      const key = keyOf(server);
      const [one, other] = [await newDeal(server), await newDeal(server)];
      expectStatus(await one.give('partner', 'invite', { key }), 200);
      expectStatus(await other.give('partner', 'invite', { body: because, key }), 200);
      expectStatuses(await other.details(), statusesIn.invited);
    });

    define('6.7/life/key-per-actor', async (server) => {
      const deal = await newDeal(server);
      const key = keyOf(server);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectStatus(await deal.give('freelancer', 'accept', { key }), 200);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectStatuses(await deal.details(), statusesIn.accepted);
    });

    define('6.7/life/key-per-partner', async (server) => {
      const { partner, other } = server;
      const deal = await newDeal(server);
      const key = keyOf(server);
      const body = server.dealV2({ partner_id: deal.partner_id });
      expectStatus(await other.send('POST', '/api/2.0/deal/', { body }), 201);
      const path = `/api/2.0/deal/${deal.partner_id}/invite/`;
      expectStatus(await partner.send('POST', path, { body: {}, key }), 200);
      expectStatus(await other.send('POST', path, { body: because, key }), 200);
    });

    define('6.2/life/key-per-scope', async (server) => {
      const key = keyOf(server);
      const body = server.dealV2();
      expectStatus(await server.partner.send('POST', '/api/2.0/deal/', { body, key }), 201);
      const path = `/api/2.0/deal/${body['partner_id']}/invite/`;
      expectStatus(await server.partner.send('POST', path, { body: {}, key }), 200);
    });

    define('2.7/life/key-failed', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = keyOf(server);
      expectReason(await deal.give('freelancer', 'deliver', { key }), 'no_files');
      await deal.upload();
      expectStatus(await deal.give('freelancer', 'deliver', { key }), 200);
      expectStatuses(await deal.details(), statusesIn.delivered);
    });

    define('6.7/life/key-of-nothing', async (server) => {
      const deal = await dealIn('invited', server);
      const key = keyOf(server);
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectReused(await deal.give('partner', 'invite', { body: because, key }));
    });

    for (const [variant, key] of [
      ['256 characters', 'x'.repeat(256)],
      ['a space', 'two words'],
      ['empty', ''],
    ] as const) {
      define(
        '2.7/life/key-malformed',
        async (server) => {
          const deal = await newDeal(server);
          const reply = await changesNothing(deal, () => deal.give('partner', 'invite', { key }));
          expectError(reply, 400, 'invalid_idempotency_key');
        },
        variant,
      );
    }

    define('2.7/life/key-length', async (server) => {
      const deal = await newDeal(server);
      const key = keyOf(server).padEnd(255, '!~');
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectReused(await deal.give('partner', 'invite', { body: because, key }));
    });
  },
);
