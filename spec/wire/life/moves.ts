import { check, equal } from '../../expectations.js';
import { expectStatus, group, type Members, membersOf, type Server } from '../server.js';
import {
  arrayOf,
  type By,
  because,
  dealIn,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  type State,
  type Statuses,
  silentAmount,
  statusesIn,
} from './deal.js';

/** A command that the state of a deal knows. */
interface Move {
  readonly by: By;
  readonly command: string;
  readonly body?: Members;
  /** The states that it is legal in; a case for each. */
  readonly from: readonly State[];
  readonly to: Statuses;
  /** Whether a work file is uploaded first. */
  readonly needsFile?: boolean;
}

/** The legal commands of the partner and of the freelancer, each by its law. */
const moves = {
  '6.2/life/invite': [
    { by: 'partner', command: 'invite', from: ['created'], to: statusesIn.invited },
  ],
  '6.2/life/accept': [
    { by: 'freelancer', command: 'accept', from: ['created', 'invited'], to: statusesIn.accepted },
  ],
  '6.2/life/decline': [
    {
      by: 'freelancer',
      command: 'decline',
      from: ['created', 'invited', 'accepted', 'changes_requested'],
      to: statusesIn.declined,
    },
  ],
  '6.2/life/cancel': [
    {
      by: 'partner',
      command: 'cancel',
      from: ['created', 'invited', 'accepted'],
      to: statusesIn.cancelled,
    },
  ],
  '6.1/life/deliver': [
    {
      by: 'freelancer',
      command: 'deliver',
      from: ['accepted', 'changes_requested'],
      to: statusesIn.delivered,
      needsFile: true,
    },
  ],
  '6.1/life/deliver-by-partner': [
    {
      by: 'partner',
      command: 'deliver',
      from: ['accepted', 'changes_requested'],
      to: statusesIn.delivered,
      needsFile: true,
    },
  ],
  '6.1/life/deliver-accepts': [
    {
      by: 'freelancer',
      command: 'deliver',
      from: ['created', 'invited'],
      to: statusesIn.delivered,
      needsFile: true,
    },
  ],
  '6.1/life/request-changes': [
    {
      by: 'partner',
      command: 'request-changes',
      body: because,
      from: ['delivered'],
      to: statusesIn.changes_requested,
    },
  ],
  '6.1/life/approve': [
    { by: 'partner', command: 'approve', from: ['delivered'], to: statusesIn.approved },
  ],
  '6.2/life/dispute': (['partner', 'freelancer'] as const).flatMap((by) =>
    (['delivered', 'changes_requested', 'approved'] as const).map((from) => ({
      by,
      command: 'dispute',
      body: because,
      from: [from],
      to: ['disputed', 'accepted', statusesIn[from][2]] as const,
    })),
  ),
} as const satisfies Readonly<Record<string, readonly Move[]>>;

/** Decisions 6.1 and 6.2: the commands that lead a deal on. */
export const legalMoves = group(
  'legal moves',
  {
    must: {
      '6.2/life/invite': '`invite` of a `created` deal makes its freelancer `invited`.',
      '6.2/life/accept': '`accept` of a `created` deal makes deal and freelancer `accepted`.',
      '6.2/life/decline':
        '`decline` before the work is delivered makes the deal `cancelled` and the freelancer `declined`.',
      '6.2/life/cancel':
        '`cancel` by the partner before the work is delivered makes the freelancer `removed`.',
      '6.1/life/deliver': '`deliver` by the freelancer makes the stage `submitted`.',
      '6.1/life/deliver-by-partner':
        '`deliver` by the partner of a deal that is accepted makes the stage `submitted`.',
      '6.1/life/deliver-accepts': '`deliver` of a `created` deal counts as its acceptance.',
      '6.1/life/request-changes':
        '`request-changes` makes a `submitted` stage `changes_requested`, and its deal too.',
      '6.1/life/approve': '`approve` makes a `submitted` stage `approved`, and its deal too.',
      '6.2/life/dispute': '`dispute` makes the deal `disputed` and leaves its stage as it is.',
    },
  },
  (define) => {
    for (const [id, rows] of Object.entries(moves) as [keyof typeof moves, readonly Move[]][]) {
      for (const row of rows) {
        for (const from of row.from) {
          define(id, (server) => expectMove(server, row, from), `${row.by}, ${from}`);
        }
      }
    }
  },
);

async function expectMove(server: Server, row: Move, from: State): Promise<void> {
  const deal = await dealIn(from, server);
  if (row.needsFile) await deal.upload(row.by === 'freelancer' ? 'freelancer' : 'partner');
  await deal.done(row.by, row.command, row.body);
  expectStatuses(await deal.details(), row.to);
}

/** The commands of the freelancer of a deal of version 1.0, who has no token. */
const v1Moves = {
  '6.2/life/v1-accept': async (deal) => deal.done('partner', 'accept'),
  '6.2/life/v1-decline': async (deal) => deal.done('partner', 'decline'),
  async '6.2/life/v1-deliver'(deal) {
    await deal.upload();
    await deal.done('partner', 'accept');
    await deal.done('partner', 'deliver');
  },
} as const satisfies Readonly<Record<string, (deal: LivingDeal) => Promise<unknown>>>;

const v1Statuses: Readonly<Record<keyof typeof v1Moves, Statuses>> = {
  '6.2/life/v1-accept': statusesIn.accepted,
  '6.2/life/v1-decline': statusesIn.declined,
  '6.2/life/v1-deliver': statusesIn.delivered,
};

/** What goes along with a move: the answer, the stage, its files. */
export const effectsOfMoves = group(
  'effects of moves',
  {
    must: {
      '6.1/life/one-stage':
        'A new deal of version 2.0 has one `pending` stage, of its whole amount, named like the deal.',
      '6.2/life/v1-accept': 'The partner accepts a deal of version 1.0 for its freelancer.',
      '6.2/life/v1-decline': 'The partner declines a deal of version 1.0 for its freelancer.',
      '6.2/life/v1-deliver': 'The partner delivers a deal of version 1.0 for its freelancer.',
      '4/life/v1-status':
        'Version 1.0 shows the status of a deal and of its stages as version 2.0 does.',
      '6.7/life/zero-stage':
        'A deal whose stages cost nothing is `completed` as they are approved, without any payment.',
      '6.1/life/stage-id': 'A command with the id of a stage moves that stage.',
      '6.5/life/answer': 'The answer to a command of the partner is the deal after it.',
      '6.5/life/answer-v1':
        'The answer to a command for a deal of version 1.0 has no payment token.',
      '6.7/life/by-id': '`by-id` with `?partner_id=` stands for the id in the path of a command.',
      '6.4/life/file-accepted': 'A work file is `accepted` as its stage is approved.',
      '6.4/life/file-superseded': 'A work file is `superseded` as its stage is sent back.',
    },
  },
  (define) => {
    define('6.1/life/one-stage', async (server) => {
      const deal = await newDeal(server, { title: 'A page of text' });
      const details = await deal.details();
      expectStatuses(details, statusesIn.created);
      equal(
        details.stages.map(({ name, budget }) => ({ name, budget })),
        [{ name: 'A page of text', budget: silentAmount }],
        'the name and the budget of the stages',
      );
    });

    for (const [id, move] of Object.entries(v1Moves) as [
      keyof typeof v1Moves,
      (deal: LivingDeal) => Promise<unknown>,
    ][]) {
      define(id, async (server) => {
        const deal = await newDealV1(server);
        await move(deal);
        expectStatuses(await deal.details(), v1Statuses[id]);
      });
    }

    define('4/life/v1-status', async (server) => {
      const made = await server.makeDeal();
      const path = `/api/2.0/deal/${made.partner_id}`;
      expectStatus(await server.partner.send('POST', `${path}/accept/`), 200);
      const data = await server.partner.data('GET', `/api/1.0/deal/${made.id}/`);
      const details = await server.partner.data('GET', `${path}/`);
      equal(data['status'], details['status'], 'the status of the deal');
      equal(data['stages'], details['stages'], 'the stages of the deal');
    });

    for (const budget of ['0.00', '-5.00']) {
      define(
        '6.7/life/zero-stage',
        async (server) => {
          const deal = await newDealV1(server, { budget });
          await v1Moves['6.2/life/v1-deliver'](deal);
          await deal.done('partner', 'approve');
          const details = await deal.details();
          expectStatuses(details, ['completed', 'finished', 'paid']);
          const billing = membersOf(details['billing'], 'the billing');
          equal(billing['employer_payments'], [], 'the payments of the employer');
          equal(billing['contractor_payments'], [], 'the payments of the contractor');
        },
        budget,
      );
    }

    for (const [command, from, by] of [
      ['deliver', 'accepted', 'freelancer'],
      ['deliver', 'accepted', 'partner'],
      ['request-changes', 'delivered', 'partner'],
      ['approve', 'delivered', 'partner'],
    ] as const) {
      define(
        '6.1/life/stage-id',
        async (server) => {
          const deal = await dealIn(from, server);
          if (command === 'deliver') await deal.upload(by);
          const [stage] = (await deal.details()).stages;
          await deal.done(by, command, { ...because, stage_id: stage?.id });
          const to = { deliver: 'delivered', approve: 'approved' } as const;
          const state = command === 'request-changes' ? 'changes_requested' : to[command];
          expectStatuses(await deal.details(), statusesIn[state]);
        },
        `${by}, ${command}`,
      );
    }

    for (const [command, from] of [
      ['invite', 'created'],
      ['cancel', 'created'],
      ['request-changes', 'delivered'],
      ['approve', 'delivered'],
      ['dispute', 'delivered'],
    ] as const) {
      define(
        '6.5/life/answer',
        async (server) => {
          const deal = await dealIn(from, server);
          const answer = await deal.done('partner', command, because);
          equal(answer, await deal.details(), 'the answer, and the details after it');
        },
        command,
      );
    }

    define('6.5/life/answer-v1', async (server) => {
      const deal = await newDealV1(server);
      const answer = await deal.done('partner', 'accept');
      equal(answer['partner_id'], deal.partner_id, 'the id of the deal');
      equal(answer['payment_token'], null, 'the payment token');
    });

    for (const id of ['plain', 'a/b', '..', 'ü %2F+&=?#']) {
      define(
        '6.7/life/by-id',
        async (server) => {
          const partner_id = `${server.name('id')}${id}`;
          await newDeal(server, { partner_id });
          const asked = encodeURIComponent(partner_id);
          const path = `/api/2.0/deal/by-id/invite/?partner_id=${asked}`;
          const reply = await server.partner.send('POST', path);
          expectStatus(reply, 200);
          const data = membersOf(reply.members()['data'], 'the member data of the answer');
          equal(data['partner_id'], partner_id, 'the id of the deal');
          equal(data['freelancer_status'], 'invited', 'the status of the freelancer');
        },
        id,
      );
    }

    for (const [id, state, status] of [
      ['6.4/life/file-accepted', 'approved', 'accepted'],
      ['6.4/life/file-superseded', 'changes_requested', 'superseded'],
    ] as const) {
      define(id, async (server) => {
        const deal = await dealIn(state, server);
        const reply = await server.partner.send('GET', `${deal.path('partner')}/file/`);
        expectStatus(reply, 200);
        const files = arrayOf(reply.members()['data'], 'the work files');
        check(files.length === 1, `one work file is listed\n  actual: ${files.length}`);
        equal(files[0]?.['status'], status, 'the status of the work file');
      });
    }
  },
);
