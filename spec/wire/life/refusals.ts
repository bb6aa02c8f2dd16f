import { equal } from '../../expectations.js';
import { expectStatus, group, type Reply, type Server } from '../server.js';
import {
  because,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  type State,
  statusesIn,
  workFile,
} from './deal.js';

type Side = 'partner' | 'freelancer';

/** In each state, the commands that it does not know, and those that are legal, in order. */
const unknownIn: Readonly<
  Record<Side, Partial<Record<State, { illegal: readonly string[]; legal: readonly string[] }>>>
> = {
  partner: {
    created: {
      illegal: ['approve', 'request-changes', 'dispute', 'request-payment'],
      legal: ['cancel', 'invite'],
    },
    invited: { illegal: ['approve', 'dispute'], legal: ['cancel'] },
    accepted: {
      illegal: ['invite', 'approve', 'request-changes'],
      legal: ['cancel', 'deliver', 'dispute', 'request-payment'],
    },
    delivered: {
      illegal: ['invite', 'cancel'],
      legal: ['approve', 'dispute', 'request-changes', 'request-payment'],
    },
    changes_requested: {
      illegal: ['invite', 'approve'],
      legal: ['deliver', 'dispute', 'request-payment'],
    },
    approved: {
      illegal: ['invite', 'cancel', 'deliver', 'request-changes'],
      legal: ['dispute', 'request-payment'],
    },
    cancelled: {
      illegal: [
        ...['invite', 'deliver', 'approve', 'request-changes', 'dispute', 'request-payment'],
      ],
      legal: [],
    },
    declined: { illegal: ['invite', 'cancel', 'approve', 'dispute'], legal: [] },
  },
  freelancer: {
    created: { illegal: ['dispute'], legal: ['accept', 'decline', 'deliver'] },
    invited: { illegal: ['dispute'], legal: ['accept', 'decline', 'deliver'] },
    delivered: { illegal: ['decline'], legal: ['dispute'] },
    approved: { illegal: ['decline', 'deliver'], legal: ['dispute'] },
    cancelled: { illegal: ['accept', 'decline', 'deliver', 'dispute'], legal: [] },
    declined: { illegal: ['accept', 'deliver', 'dispute'], legal: [] },
  },
};

/** The illegal commands, one by one. */
const illegalCommands = (['partner', 'freelancer'] as const).flatMap((by) =>
  Object.entries(unknownIn[by]).flatMap(([state, { illegal, legal }]) =>
    illegal.map((command) => ({ by, state: state as State, command, legal })),
  ),
);

/** Decision 6.2: a command that the state of the deal does not know. */
export const illegalMoves = group(
  'illegal moves',
  {
    must: {
      '6.2/life/illegal':
        'A command of the partner that the state of the deal does not know is 409 `illegal_transition`.',
      '6.2/life/legal':
        '`legal` of a refusal has the commands that the partner could give in this state.',
      '6.2/freelancer/illegal':
        'A command of the freelancer that the state does not know is 409 `illegal_transition`.',
      '6.2/freelancer/legal':
        '`legal` of a refusal has the commands that the freelancer could give in this state.',
      '6.2/life/illegal-changes-nothing': 'An illegal command changes nothing.',
      '6.7/life/v2-accept': '`accept` by the partner of a deal of version 2.0 is illegal.',
      '6.7/life/v2-decline': '`decline` by the partner of a deal of version 2.0 is illegal.',
      '6.7/life/v2-deliver':
        '`deliver` by the partner of a deal of version 2.0 that is `created` is illegal.',
      '6.7/life/disputed':
        'A `disputed` deal allows no command of the partner, and `legal` is empty.',
      '6.7/freelancer/disputed':
        'A `disputed` deal allows no command of the freelancer, and `legal` is empty.',
      '6.7/life/disputed-upload': 'A `disputed` deal takes no work file.',
      '6.4/life/stage-closed':
        'A work file for a stage that is not `pending` or `changes_requested` is `precondition_failed`.',
    },
  },
  (define) => {
    for (const { by, state, command, legal } of illegalCommands) {
      const isPartner = by === 'partner';
      const variant = `${command}, ${state}`;
      define(
        isPartner ? '6.2/life/illegal' : '6.2/freelancer/illegal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give(by, command, { body: because });
          expectIllegal(reply, statusesIn[state]);
        },
        variant,
      );
      if (command !== unknownIn[by][state]?.illegal[0]) continue;
      define(
        isPartner ? '6.2/life/legal' : '6.2/freelancer/legal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give(by, command, { body: because });
          equal(expectIllegal(reply, statusesIn[state]), legal, 'the member legal, sorted');
        },
        state,
      );
      define(
        '6.2/life/illegal-changes-nothing',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await changesNothing(deal, () => deal.give(by, command, { body: because }));
          expectStatus(reply, 409);
        },
        `${by}, ${variant}`,
      );
    }

    for (const command of ['accept', 'decline', 'deliver'] as const) {
      define(`6.7/life/v2-${command}`, async (server) => {
        const deal = await newDeal(server);
        await deal.upload();
        expectIllegal(await deal.give('partner', command), statusesIn.created);
        expectStatuses(await deal.details(), statusesIn.created);
      });
    }
    define(
      '6.7/life/v2-decline',
      async (server) => {
        const deal = await dealIn('accepted', server);
        expectIllegal(await deal.give('partner', 'decline'), statusesIn.accepted);
      },
      'accepted',
    );

    for (const [by, command] of [
      ['partner', 'invite'],
      ['partner', 'cancel'],
      ['partner', 'deliver'],
      ['partner', 'approve'],
      ['partner', 'request-payment'],
      ['freelancer', 'decline'],
      ['freelancer', 'deliver'],
    ] as const) {
      define(
        by === 'partner' ? '6.7/life/disputed' : '6.7/freelancer/disputed',
        (server) => expectFrozen(server, by, command),
        command,
      );
    }

    define('6.7/life/disputed-upload', async (server) => {
      const deal = await dealIn('disputed', server);
      expectStatus(await changesNothing(deal, () => sendFile(deal)), 409);
    });

    for (const state of ['delivered', 'approved', 'cancelled', 'declined'] as const) {
      define(
        '6.4/life/stage-closed',
        async (server) => {
          const deal = await dealIn(state, server);
          expectReason(await changesNothing(deal, () => sendFile(deal)), 'stage_closed');
        },
        state,
      );
    }
  },
);

function sendFile(deal: LivingDeal): Promise<Reply> {
  const path = `${deal.path('partner')}/file/`;
  return deal.server.partner.send('POST', path, { body: workFile });
}

async function expectFrozen(server: Server, by: Side, command: string): Promise<void> {
  const deal = await dealIn('disputed', server);
  const reply = await changesNothing(deal, () => deal.give(by, command));
  equal(expectIllegal(reply, statusesIn.disputed), [], 'the member legal');
}
