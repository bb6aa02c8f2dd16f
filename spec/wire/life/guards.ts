import { equal } from '../../expectations.js';
import { expectError, expectStatus, group } from '../server.js';
import {
  because,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  newDeal,
  statusesIn,
} from './deal.js';

/** Decisions 6.1, 6.2 and 6.7: what else is to be true, and what is judged first. */
export const guards = group(
  'guards',
  {
    must: {
      '6.1/life/no-files': '`deliver` without a work file is `precondition_failed`: `no_files`.',
      '6.1/life/no-new-files':
        '`deliver` of a stage that was sent back needs a work file uploaded since then.',
      '6.7/life/no-files-no-acceptance':
        '`deliver` of a `created` deal that fails for its files accepts nothing.',
      '6.2/life/dispute-unpaid':
        '`dispute` of an `accepted` deal of which nothing is paid is `precondition_failed`: `not_paid`.',
      '6.7/life/nothing-outstanding':
        '`request-payment` with nothing due is `precondition_failed`: `nothing_outstanding`.',
      '6.7/life/form-before-state':
        'The form of a command is judged before the state: a missing reason is 400 in every state.',
      '6.7/life/state-before-guard':
        'The state is judged before guards: what both refuse is `illegal_transition`.',
      '6.7/life/repeat-before-guard':
        'A repeat is judged before guards: `request-payment` while one is open is a success.',
      '6.2/life/refusal-changes-nothing': 'A command whose guard fails changes nothing.',
    },
  },
  (define) => {
    for (const by of ['partner', 'freelancer'] as const) {
      define(
        '6.1/life/no-files',
        async (server) => {
          const deal = await dealIn('accepted', server);
          expectReason(await deal.give(by, 'deliver'), 'no_files');
        },
        by,
      );
      define(
        '6.1/life/no-new-files',
        async (server) => {
          const deal = await dealIn('changes_requested', server);
          expectReason(await deal.give(by, 'deliver'), 'no_files');
          await deal.upload();
          await deal.done(by, 'deliver');
        },
        by,
      );
      define(
        '6.2/life/dispute-unpaid',
        async (server) => {
          const deal = await dealIn('accepted', server);
          expectReason(await deal.give(by, 'dispute', { body: because }), 'not_paid');
        },
        by,
      );
    }

    define('6.7/life/no-files-no-acceptance', async (server) => {
      const deal = await newDeal(server);
      expectReason(await deal.give('freelancer', 'deliver'), 'no_files');
      expectStatuses(await deal.details(), statusesIn.created);
    });

    for (const state of ['accepted', 'delivered', 'changes_requested'] as const) {
      define(
        '6.7/life/nothing-outstanding',
        async (server) => {
          const deal = await dealIn(state, server);
          expectReason(await deal.give('partner', 'request-payment'), 'nothing_outstanding');
        },
        state,
      );
    }

    for (const [by, command, state] of [
      ['partner', 'dispute', 'created'],
      ['partner', 'request-changes', 'created'],
      ['partner', 'dispute', 'cancelled'],
      ['freelancer', 'dispute', 'created'],
      ['freelancer', 'dispute', 'disputed'],
    ] as const) {
      define(
        '6.7/life/form-before-state',
        async (server) => {
          const deal = await dealIn(state, server);
          expectError(await deal.give(by, command), 400, 'validation_failed');
        },
        `${by}, ${command}, ${state}`,
      );
    }

    for (const [by, command, state] of [
      ['partner', 'cancel', 'delivered'],
      ['partner', 'cancel', 'approved'],
      ['freelancer', 'decline', 'delivered'],
      ['freelancer', 'decline', 'approved'],
    ] as const) {
      define(
        '6.7/life/state-before-guard',
        async (server) => {
          const deal = await dealIn(state, server);
          expectIllegal(await deal.give(by, command), statusesIn[state]);
        },
        `${command}, ${state}`,
      );
    }

    define('6.7/life/repeat-before-guard', async (server) => {
      const deal = await dealIn('approved', server);
      const reply = await changesNothing(deal, () => deal.give('partner', 'request-payment'));
      expectStatus(reply, 200);
    });

    for (const [by, command, state] of [
      ['freelancer', 'deliver', 'accepted'],
      ['partner', 'dispute', 'accepted'],
      ['partner', 'request-payment', 'delivered'],
    ] as const) {
      define(
        '6.2/life/refusal-changes-nothing',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await changesNothing(deal, () => deal.give(by, command, { body: because }));
          expectStatus(reply, 409);
        },
        command,
      );
    }
  },
);

/** Decisions 6.2 and 6.7: a command whose effect is there already. */
export const repeats = group(
  'repeats',
  {
    must: {
      '6.2/life/repeat':
        'A command whose effect is there already is a success that changes nothing.',
      '6.7/life/repeat-accept':
        '`accept` by a freelancer who has accepted is a success in every later state of the work.',
      '6.7/life/repeat-exact':
        '`cancel` of a declined deal and `decline` of a cancelled one are no repeats, but illegal.',
    },
  },
  (define) => {
    for (const [by, command, state] of [
      ['partner', 'invite', 'invited'],
      ['freelancer', 'accept', 'accepted'],
      ['freelancer', 'deliver', 'delivered'],
      ['partner', 'deliver', 'delivered'],
      ['partner', 'request-changes', 'changes_requested'],
      ['partner', 'approve', 'approved'],
      ['partner', 'cancel', 'cancelled'],
      ['freelancer', 'decline', 'declined'],
    ] as const) {
      define(
        '6.2/life/repeat',
        async (server) => {
          const deal = await dealIn(state, server);
          const body = { ...because, message: 'Again.' };
          const reply = await changesNothing(deal, () => deal.give(by, command, { body }));
          expectStatus(reply, 200);
        },
        `${by}, ${command}`,
      );
    }
    define(
      '6.2/life/repeat',
      async (server) => {
        const deal = await dealIn('disputed', server);
        for (const by of ['partner', 'freelancer'] as const) {
          const body = { reason: 'Another reason.' };
          const reply = await changesNothing(deal, () => deal.give(by, 'dispute', { body }));
          expectStatus(reply, 200);
        }
      },
      'dispute',
    );

    for (const state of ['delivered', 'changes_requested', 'approved'] as const) {
      define(
        '6.7/life/repeat-accept',
        async (server) => {
          const deal = await dealIn(state, server);
          expectStatus(await changesNothing(deal, () => deal.give('freelancer', 'accept')), 200);
        },
        state,
      );
    }

    for (const [by, command, state] of [
      ['partner', 'cancel', 'declined'],
      ['freelancer', 'decline', 'cancelled'],
    ] as const) {
      define(
        '6.7/life/repeat-exact',
        async (server) => {
          const deal = await dealIn(state, server);
          const legal = expectIllegal(await deal.give(by, command), statusesIn[state]);
          equal(legal, [], 'the member legal');
        },
        `${command}, ${state}`,
      );
    }
  },
);
