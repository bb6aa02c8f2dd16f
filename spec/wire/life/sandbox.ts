import { equal } from '../../expectations.js';
import { expectError, expectIssues, expectStatus, group, type Members } from '../server.js';
import { lastRequest } from './billing.js';
import {
  type By,
  because,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  newDeal,
  newDealV1,
  type State,
  statusesIn,
} from './deal.js';
import { apartFromIds } from './faces.js';
import { resolution } from './operator.js';

/** Commands of each actor, with the state before and after. */
const commands: readonly (readonly [By, string, Members, State, State])[] = [
  ['sandbox/partner', 'invite', {}, 'created', 'invited'],
  ['sandbox/partner', 'approve', {}, 'delivered', 'approved'],
  ['sandbox/partner', 'request-changes', because, 'delivered', 'changes_requested'],
  ['sandbox/freelancer', 'accept', {}, 'created', 'accepted'],
  ['sandbox/freelancer', 'decline', {}, 'accepted', 'declined'],
  ['sandbox/freelancer', 'dispute', because, 'changes_requested', 'disputed'],
  ['sandbox/operator', 'cancel', because, 'delivered', 'cancelled'],
  ['sandbox/operator', 'resolve', resolution('0'), 'disputed', 'cancelled'],
  ['sandbox/operator', 'resolve', resolution('1.00'), 'disputed', 'approved'],
];

/** For each actor, commands of others, and of the clock. */
const notOf: Readonly<Record<string, readonly string[]>> = {
  'sandbox/partner': ['resolve', 'retry-payout', 'record-employer-payment', 'expire'],
  'sandbox/freelancer': ['invite', 'cancel', 'approve', 'resolve', 'record-employer-payment'],
  'sandbox/operator': ['accept', 'deliver', 'approve', 'dispute', 'expire'],
  'sandbox/payments': ['accept', 'cancel', 'resolve', 'retry-payout', 'invite'],
};

/** Decisions 6.6 and 6.7: a partner of the sandbox gives the commands of every actor. */
export const sandboxFace = group(
  'the face of the sandbox',
  {
    must: {
      '6.6/sandbox/command': 'A partner of the sandbox gives the commands of every actor.',
      '6.6/sandbox/report': 'A partner of the sandbox reports payments as the provider.',
      '6.7/sandbox/v1-freelancer':
        'The freelancer of a deal of version 1.0 acts in the sandbox, too.',
      '6.6/sandbox/guards': 'Guards hold in the sandbox.',
      '6.6/sandbox/form': 'The form of a command is judged in the sandbox.',
      '6.6/sandbox/illegal':
        'A command that the state does not know is illegal in the sandbox, too.',
      '6.6/sandbox/legal':
        '`legal` of a refusal in the sandbox has the commands of the actor in the path.',
      '6.7/sandbox/no-body': 'A command without body and content type is taken in the sandbox.',
      '6.7/sandbox/no-route': 'A command that is not of the actor in the path is 404.',
      '6.7/sandbox/no-actor': 'An actor that the sandbox does not have is 404.',
      '6.7/sandbox/by-id':
        '`by-id` with `?partner_id=` stands for the id in a path of the sandbox.',
      '2.5/sandbox/foreign-deal':
        'A command of the sandbox for the deal of another partner has the answer of no deal.',
      '6.7/sandbox/key': 'A command of the sandbox with its key has its first answer again.',
      '6.7/sandbox/key-per-actor': 'A key of one actor is new for another actor of the sandbox.',
    },
  },
  (define) => {
    for (const [by, command, body, state, to] of commands) {
      define(
        '6.6/sandbox/command',
        async (server) => {
          const deal = await dealIn(state, server);
          await deal.done(by, command, body);
          expectStatuses(await deal.details(), statusesIn[to]);
        },
        `${by.replace('sandbox/', '')}, ${command}, ${to}`,
      );
    }

    define('6.6/sandbox/report', async (server) => {
      const deal = await dealIn('approved', server);
      const payment_id = lastRequest(await deal.details()).id;
      const body = { payment_id, status: 'failed', reference: 'bank' };
      await deal.done('sandbox/payments', 'record-employer-payment', body);
      equal(lastRequest(await deal.details()).status, 'failed', 'the status of the payment');
    });

    for (const [command, to] of [
      ['accept', 'accepted'],
      ['decline', 'declined'],
      ['deliver', 'delivered'],
    ] as const) {
      define(
        '6.7/sandbox/v1-freelancer',
        async (server) => {
          const deal = await newDealV1(server);
          if (command === 'deliver') await deal.upload();
          await deal.done('sandbox/freelancer', command);
          expectStatuses(await deal.details(), statusesIn[to]);
        },
        command,
      );
    }

    for (const [by, command, state, reason] of [
      ['sandbox/freelancer', 'deliver', 'accepted', 'no_files'],
      ['sandbox/partner', 'dispute', 'accepted', 'not_paid'],
      ['sandbox/operator', 'retry-payout', 'accepted', 'nothing_to_retry'],
    ] as const) {
      define(
        '6.6/sandbox/guards',
        async (server) => {
          const deal = await dealIn(state, server);
          expectReason(await deal.give(by, command, { body: because }), reason);
        },
        command,
      );
    }

    for (const by of ['sandbox/partner', 'sandbox/freelancer', 'sandbox/operator'] as const) {
      const command = by === 'sandbox/operator' ? 'cancel' : 'dispute';
      define(
        '6.6/sandbox/form',
        async (server) => {
          const deal = await dealIn('delivered', server);
          expectIssues(await deal.give(by, command), { path: ['reason'], code: 'required' });
        },
        by.replace('sandbox/', ''),
      );
    }

    for (const [by, command, state, legal] of [
      ['sandbox/partner', 'accept', 'created', ['cancel', 'invite']],
      ['sandbox/freelancer', 'dispute', 'created', ['accept', 'decline', 'deliver']],
      ['sandbox/freelancer', 'decline', 'approved', ['dispute']],
    ] as const) {
      const actor = by.replace('sandbox/', '');
      define(
        '6.6/sandbox/illegal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await changesNothing(deal, () => deal.give(by, command, { body: because }));
          expectIllegal(reply, statusesIn[state]);
        },
        `${actor}, ${command}`,
      );
      define(
        '6.6/sandbox/legal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give(by, command, { body: because });
          equal(expectIllegal(reply, statusesIn[state]), legal, 'the member legal, sorted');
        },
        `${actor}, ${state}`,
      );
    }

    define('6.7/sandbox/no-body', async (server) => {
      const deal = await newDeal(server);
      expectStatus(await deal.give('sandbox/freelancer', 'accept', {}), 200);
      expectStatuses(await deal.details(), statusesIn.accepted);
    });

    for (const [by, names] of Object.entries(notOf)) {
      for (const command of names) {
        define(
          '6.7/sandbox/no-route',
          async (server) => {
            const deal = await newDeal(server);
            const body = { ...resolution('1.00'), status: 'paid', reference: 'bank' };
            const reply = await deal.give(by as By, command, { body });
            expectError(reply, 404, 'not_found');
          },
          `${by.replace('sandbox/', '')}, ${command}`,
        );
      }
    }

    for (const [actor, command] of [
      ['clock', 'expire'],
      ['clock', 'approve'],
      ['stranger', 'accept'],
    ] as const) {
      define(
        '6.7/sandbox/no-actor',
        async (server) => {
          const { partner_id } = await newDeal(server);
          const path = `/api/2.0/sandbox/deal/${partner_id}/${actor}/${command}/`;
          expectError(await server.partner.send('POST', path, { body: {} }), 404, 'not_found');
        },
        `${actor}, ${command}`,
      );
    }

    define('6.7/sandbox/by-id', async (server) => {
      const partner_id = `${server.name('id')}a/b`;
      const deal = await newDeal(server, { partner_id: partner_id });
      const query = `partner_id=${encodeURIComponent(partner_id)}`;
      const path = `/api/2.0/sandbox/deal/by-id/freelancer/accept/?${query}`;
      expectStatus(await server.partner.send('POST', path), 200);
      const view = await server.freelancer(deal.payment_token).data('GET', '/api/2.0/offer/');
      equal(view['status'], 'accepted', 'the status of the deal');
    });

    for (const [by, command] of [
      ['sandbox/partner', 'invite'],
      ['sandbox/freelancer', 'accept'],
      ['sandbox/operator', 'cancel'],
    ] as const) {
      define(
        '2.5/sandbox/foreign-deal',
        async (server) => {
          const deal = await newDeal(server);
          const answer = async (path: string) => {
            const sent = `${path}/${command}/`;
            return apartFromIds(await server.other.send('POST', sent, { body: because }));
          };
          const path = deal.path(by);
          const none = await answer(path.replace(deal.partner_id, server.name('none')));
          equal(Object(none).status, 404, 'the status of the answer');
          equal(await answer(path), none, 'the answer');
        },
        command,
      );
    }

    define('6.7/sandbox/key', async (server) => {
      const deal = await newDeal(server);
      const key = server.name('key');
      const first = await deal.give('sandbox/freelancer', 'accept', { key });
      expectStatus(first, 200);
      await deal.done('sandbox/operator', 'cancel', because);
      const again = await deal.give('sandbox/freelancer', 'accept', { key });
      expectStatus(again, 200);
      equal(again.json(), first.json(), 'the second answer, and the first one');
    });

    define('6.7/sandbox/key-per-actor', async (server) => {
      const deal = await newDeal(server);
      const key = server.name('key');
      expectStatus(await deal.give('sandbox/freelancer', 'accept', { key }), 200);
      const cancel = await deal.give('sandbox/operator', 'cancel', { body: because, key });
      expectStatus(cancel, 200);
    });
  },
);
