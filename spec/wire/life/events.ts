import { check, equal, show } from '../../expectations.js';
import { expectStatus, group, type Members, membersOf, type Server } from '../server.js';
import {
  arrayOf,
  type By,
  because,
  dealIn,
  type LivingDeal,
  newDeal,
  newDealV1,
  type State,
  statusesIn,
} from './deal.js';

/** The events of a deal so far, oldest first. */
export async function eventsOf(deal: LivingDeal): Promise<readonly Members[]> {
  const { partner } = deal.server;
  const { results } = await partner.data('GET', `${deal.path('partner')}/event/?page_size=100`);
  return arrayOf(results, 'the events of the deal');
}

/** The data of an event. */
export const dataOf = (event: Members | undefined) =>
  membersOf(event?.['data'], 'the data of the event');

/** The events that a request adds. */
export async function addedBy(
  deal: LivingDeal,
  request: () => Promise<unknown>,
): Promise<readonly Members[]> {
  const before = (await eventsOf(deal)).length;
  await request();
  return (await eventsOf(deal)).slice(before);
}

/** A command, the state before it, and the types of the events that it emits, in order. */
interface Emitting {
  readonly by: By;
  readonly command: string;
  readonly state: State;
  readonly to: State;
  readonly types: readonly string[];
  readonly hasStages?: true;
}

const emitting: readonly Emitting[] = [
  {
    by: 'partner',
    command: 'invite',
    state: 'created',
    to: 'invited',
    types: ['deal.invited'],
  },
  {
    by: 'freelancer',
    command: 'accept',
    state: 'created',
    to: 'accepted',
    types: ['deal.accepted'],
  },
  {
    by: 'freelancer',
    command: 'decline',
    state: 'created',
    to: 'declined',
    types: ['deal.declined'],
  },
  {
    by: 'partner',
    command: 'cancel',
    state: 'created',
    to: 'cancelled',
    types: ['deal.cancelled'],
  },
  {
    by: 'freelancer',
    command: 'deliver',
    state: 'accepted',
    to: 'delivered',
    types: ['deal.delivered'],
    hasStages: true,
  },
  {
    by: 'partner',
    command: 'request-changes',
    state: 'delivered',
    to: 'changes_requested',
    types: ['deal.changes_requested'],
    hasStages: true,
  },
  {
    by: 'partner',
    command: 'approve',
    state: 'delivered',
    to: 'approved',
    types: ['deal.approved', 'employer_payment.requested'],
    hasStages: true,
  },
  {
    by: 'partner',
    command: 'dispute',
    state: 'changes_requested',
    to: 'disputed',
    types: ['deal.disputed'],
  },
];

async function emit(server: Server, { by, command, state }: Emitting, changes: Members = because) {
  const deal = await dealIn(state, server);
  if (command === 'deliver') await deal.upload('freelancer');
  const body = command === 'dispute' || command === 'request-changes' ? because : {};
  const events = await addedBy(deal, () => deal.done(by, command, { ...body, ...changes }));
  return { deal, events };
}

/** Decisions 6.2, 6.7 and 7: what each command says in events. */
export const events = group(
  'events of commands',
  {
    must: {
      '6.2/life/event':
        'A command emits its own event, and then the events of what follows from it.',
      '6.7/life/event-statuses': "A deal's event has its statuses after the command.",
      '6.2/life/event-stages': 'The event of a command that moves stages has their `stage_ids`.',
      '6.7/life/event-remarks': 'The reason and the message of a command are in its event.',
      '6.7/life/event-actor': 'The actor of an event is who called.',
      '6.7/life/event-actor-v1':
        'The actor is the partner where it acts for the freelancer of a deal of version 1.0.',
      '6.7/life/event-accepts':
        '`deliver` that counts as acceptance emits `deal.accepted`, then `deal.delivered`.',
      '6.2/life/event-completed':
        'A stage that costs nothing emits `deal.completed` after `deal.approved`.',
      '6.2/life/event-repeat': 'A repeat emits nothing.',
      '6.2/life/event-refusal': 'A refused command emits nothing.',
      '6.2/life/event-replay': 'A command that is repeated with its key emits nothing.',
      '7.6/life/event-cause': 'The cause of an event is the SHA-256 of the key of the command.',
      '7.6/life/event-no-cause': 'The cause of an event without a key is `null`.',
      '7.6/life/event-chain': 'The cause of a further event of one write is the one before.',
      '7/life/event-sequence': 'The events of a deal are numbered from 1 without gaps.',
      '7/life/event-subject': 'The subject of every event of a deal is `deal:<partner_id>`.',
      '7/life/event-token': 'The events of a deal never hold its payment token.',
      '6.7/life/event-file': 'An upload emits `work_file.stored`.',
    },
  },
  (define) => {
    for (const row of emitting) {
      const { by, command, to, types } = row;
      define(
        '6.2/life/event',
        async (server) => {
          const { events } = await emit(server, row);
          equal(
            events.map(({ type }) => type),
            types,
            'the types of the events',
          );
        },
        command,
      );
      define(
        '6.7/life/event-statuses',
        async (server) => {
          const { deal, events } = await emit(server, row);
          const { partner_id, status, freelancer_status } = dataOf(events[0]);
          const [deal_status, freelancer] = statusesIn[to];
          equal(
            { partner_id, status, freelancer_status },
            { partner_id: deal.partner_id, status: deal_status, freelancer_status: freelancer },
            'the data of the event',
          );
        },
        command,
      );
      define(
        '6.7/life/event-remarks',
        async (server) => {
          const remarks = { reason: 'Why \u{1f4dd}.', message: ' As said. ' };
          const { reason, message } = dataOf((await emit(server, row, remarks)).events[0]);
          equal({ reason, message }, remarks, 'the remarks in the event');
        },
        command,
      );
      define(
        '6.7/life/event-actor',
        async (server) => {
          const { events } = await emit(server, row);
          equal(
            events.map(({ actor }) => actor),
            types.map(() => by),
            'the actors of the events',
          );
        },
        command,
      );
      if (!row.hasStages) continue;
      define(
        '6.2/life/event-stages',
        async (server) => {
          const { deal, events } = await emit(server, row);
          const { stages } = await deal.details();
          equal(
            dataOf(events[0])['stage_ids'],
            stages.map(({ id }) => id),
            'the member stage_ids of the event',
          );
        },
        command,
      );
    }

    define('6.7/life/event-actor-v1', async (server) => {
      const deal = await newDealV1(server);
      const events = await addedBy(deal, () => deal.done('partner', 'accept'));
      equal(
        events.map(({ type, actor }) => ({ type, actor })),
        [{ type: 'deal.accepted', actor: 'partner' }],
        'the events',
      );
    });

    define('6.7/life/event-accepts', async (server) => {
      const deal = await newDeal(server);
      await deal.upload();
      const added = await addedBy(deal, () => deal.done('freelancer', 'deliver'));
      equal(
        added.map(({ type, data }) => [type, membersOf(data, 'the data')['status']]),
        [
          ['deal.accepted', 'accepted'],
          ['deal.delivered', 'delivered'],
        ],
        'the events and the statuses in them',
      );
    });

    define('6.2/life/event-completed', async (server) => {
      const deal = await newDealV1(server, { budget: '0.00' });
      await deal.done('partner', 'accept');
      await deal.upload();
      await deal.done('partner', 'deliver');
      const added = await addedBy(deal, () => deal.done('partner', 'approve'));
      equal(
        added.map(({ type }) => type),
        ['deal.approved', 'deal.completed'],
        'the types of the events',
      );
      const { status, freelancer_status } = dataOf(added[1]);
      equal([status, freelancer_status], ['completed', 'finished'], 'the statuses of the last one');
    });

    for (const { by, command, to } of emitting) {
      define(
        '6.2/life/event-repeat',
        async (server) => {
          const deal = await dealIn(to, server);
          const added = await addedBy(deal, () => deal.done(by, command, because));
          equal(added, [], 'the events of the repeat');
        },
        command,
      );
    }

    for (const [by, command, state] of [
      ['partner', 'approve', 'created'],
      ['partner', 'cancel', 'delivered'],
      ['freelancer', 'deliver', 'created'],
      ['freelancer', 'deliver', 'accepted'],
      ['partner', 'dispute', 'accepted'],
    ] as const) {
      define(
        '6.2/life/event-refusal',
        async (server) => {
          const deal = await dealIn(state, server);
          const added = await addedBy(deal, async () =>
            expectStatus(await deal.give(by, command, { body: because }), 409),
          );
          equal(added, [], 'the events of the refused command');
        },
        `${command}, ${state}`,
      );
    }

    define('6.2/life/event-replay', async (server) => {
      const deal = await newDeal(server);
      const key = server.name('key');
      await deal.give('partner', 'invite', { key });
      await deal.done('freelancer', 'accept');
      const added = await addedBy(deal, async () =>
        expectStatus(await deal.give('partner', 'invite', { key }), 200),
      );
      equal(added, [], 'the events of the second request');
    });

    for (const [by, command] of [
      ['partner', 'invite'],
      ['freelancer', 'accept'],
    ] as const) {
      define(
        '7.6/life/event-cause',
        async (server) => {
          const deal = await newDeal(server);
          const key = server.name('key');
          const [event] = await addedBy(deal, () => deal.give(by, command, { key }));
          const cause = String(event?.['cause']).toLowerCase();
          equal(cause, await sha256(key), 'the cause of the event');
        },
        by,
      );
      define(
        '7.6/life/event-no-cause',
        async (server) => {
          const deal = await newDeal(server);
          const [event] = await addedBy(deal, () => deal.done(by, command));
          equal(event?.['cause'], null, 'the cause of the event');
        },
        by,
      );
    }

    for (const [command, state] of [
      ['approve', 'delivered'],
      ['deliver', 'created'],
    ] as const) {
      define(
        '7.6/life/event-chain',
        async (server) => {
          const deal = await dealIn(state, server);
          if (command === 'deliver') await deal.upload();
          const by = command === 'deliver' ? 'freelancer' : 'partner';
          const [first, second] = await addedBy(deal, () => deal.done(by, command));
          check(second !== undefined, `two events\n  actual: ${show([first])}`);
          equal(second['cause'], first?.['id'], 'the cause of the second event');
        },
        command,
      );
    }

    define('7/life/event-sequence', async (server) => {
      const deal = await dealIn('disputed', server);
      const sequences = (await eventsOf(deal)).map(({ sequence }) => sequence);
      equal(
        sequences,
        sequences.map((_, index) => index + 1),
        'the sequence of the events',
      );
    });

    define('7/life/event-subject', async (server) => {
      const deal = await dealIn('approved', server);
      const subjects = new Set((await eventsOf(deal)).map(({ subject }) => subject));
      equal([...subjects], [`deal:${deal.partner_id}`], 'the subjects of the events');
    });

    define('7/life/event-token', async (server) => {
      const deal = await dealIn('disputed', server);
      const text = JSON.stringify(await eventsOf(deal));
      check(!text.includes(deal.payment_token), 'no event holds the payment token');
    });

    define('6.7/life/event-file', async (server) => {
      const deal = await dealIn('accepted', server);
      const added = await addedBy(deal, () => deal.upload());
      equal(
        added.map(({ type }) => type),
        ['work_file.stored'],
        'the types of the events',
      );
    });
  },
);

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
