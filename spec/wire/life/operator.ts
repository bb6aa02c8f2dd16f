import { equal } from '../../expectations.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Json,
  type Server,
} from '../server.js';
import {
  arrayOf,
  because,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  type State,
  silentAmount,
  statusesIn,
} from './deal.js';
import { addedBy, dataOf } from './events.js';

/** The body of a `resolve`. */
export const resolution = (agreed_amount: Json) => ({ ...because, agreed_amount });

/** In each state: a command that is illegal, some that are legal, and some that are not. */
const statesOfOperator: readonly (readonly [
  State,
  string,
  { readonly legal: readonly string[]; readonly not: readonly string[] },
])[] = [
  ['created', 'resolve', { legal: ['cancel', 'invite'], not: ['request-payment', 'resolve'] }],
  ['invited', 'resolve', { legal: ['cancel'], not: ['invite', 'resolve'] }],
  ['accepted', 'invite', { legal: ['cancel', 'request-payment'], not: ['invite', 'resolve'] }],
  ['delivered', 'resolve', { legal: ['cancel', 'request-payment'], not: ['invite', 'resolve'] }],
  ['approved', 'resolve', { legal: ['cancel', 'request-payment'], not: ['invite', 'resolve'] }],
  [
    'disputed',
    'request-payment',
    { legal: ['cancel', 'resolve'], not: ['invite', 'request-payment', 'retry-payout'] },
  ],
  ['cancelled', 'resolve', { legal: [], not: ['cancel', 'invite', 'resolve', 'request-payment'] }],
  ['declined', 'cancel', { legal: [], not: ['cancel', 'invite', 'resolve', 'request-payment'] }],
];

/** Decisions 6.2 and 6.7: the commands of the operator. */
export const operatorCommands = group(
  'commands of the operator',
  {
    must: {
      '6.2/operator/invite': '`invite` by the operator makes the freelancer `invited`.',
      '6.2/operator/cancel':
        '`cancel` by the operator ends a deal in every state that is not final.',
      '6.7/operator/cancel-reason': '`cancel` by the operator needs a reason.',
      '6.2/operator/resolve-nothing': '`resolve` with 0 makes the deal and its stage `cancelled`.',
      '6.2/operator/resolve-part':
        '`resolve` with a part approves the stage, and deal and stage show the agreed amount.',
      '6.2/operator/resolve-whole': '`resolve` with all that the stages are worth is legal.',
      '6.2/operator/resolve-too-much':
        '`resolve` with more than the stages are worth is `amount_out_of_bounds`.',
      '6.7/operator/agreed-before': 'The agreed amount is `null` before `resolve`.',
      '6.7/operator/agreed-form': 'An agreed amount that is no decimal from 0 up is 400.',
      '6.7/operator/agreed-required': 'A missing agreed amount is the issue `required`.',
      '6.7/operator/agreed-canonical': 'The agreed amount is shown with two decimals.',
      '6.7/operator/form-before-state': 'The form of `resolve` is judged before the state.',
      '6.7/operator/state-before-guard':
        '`resolve` of a deal that is not disputed is illegal, also with too large an amount.',
      '6.2/operator/illegal':
        'A command of the operator that the state does not know is 409 `illegal_transition`.',
      '6.2/operator/legal':
        '`legal` of a refusal has the commands that the operator could give in this state.',
      '6.2/operator/repeat': 'A repeated command of the operator is a success without effect.',
      '6.7/operator/repeat-amount':
        '`resolve` with another amount than the first one is no repeat, but illegal.',
      '6.7/operator/nothing-to-retry':
        'A retry with nothing that has failed is `precondition_failed`: `nothing_to_retry`.',
      '6.2/operator/nothing-outstanding':
        '`request-payment` by the operator with nothing due is `nothing_outstanding`.',
      '6.7/operator/key-per-actor': "A partner's key is new for the operator.",
      '6.2/operator/key-replay':
        'A command of the operator with its key has its first answer again.',
      '6.2/operator/event': 'A command of the operator emits its own event.',
      '6.7/operator/event-actor':
        'The actor of the event of a command by the operator is `operator`.',
      '6.2/operator/event-resolved':
        '`deal.dispute_resolved` has the agreed amount, the reason and the stages that moved.',
    },
  },
  (define) => {
    define('6.2/operator/invite', async (server) => {
      const deal = await newDeal(server);
      await deal.done('operator', 'invite');
      expectStatuses(await deal.details(), statusesIn.invited);
    });

    for (const state of [
      ...(['created', 'accepted', 'delivered', 'changes_requested', 'approved'] as const),
      'disputed' as const,
    ]) {
      define(
        '6.2/operator/cancel',
        async (server) => {
          const deal = await dealIn(state, server);
          await deal.done('operator', 'cancel', because);
          expectStatuses(await deal.details(), statusesIn.cancelled);
        },
        state,
      );
    }

    for (const state of ['created', 'cancelled'] as const) {
      define(
        '6.7/operator/cancel-reason',
        async (server) => {
          const deal = await dealIn(state, server);
          const issue = { path: ['reason'], code: 'required' };
          expectIssues(await deal.give('operator', 'cancel'), issue);
        },
        state,
      );
    }

    for (const amount of ['0', '0.00', '-0']) {
      define(
        '6.2/operator/resolve-nothing',
        async (server) => {
          const deal = await resolvedDeal(server, amount);
          expectStatuses(await deal.details(), statusesIn.cancelled);
        },
        amount,
      );
    }

    for (const [id, amount] of [
      ['6.2/operator/resolve-part', '40.00'],
      ['6.2/operator/resolve-part', '0.01'],
      ['6.2/operator/resolve-part', '100.03'],
      ['6.2/operator/resolve-whole', silentAmount],
    ] as const) {
      define(
        id,
        async (server) => {
          const deal = await resolvedDeal(server, amount);
          const details = await deal.details();
          expectStatuses(details, statusesIn.approved);
          equal(details['agreed_amount'], amount, 'the agreed amount of the deal');
          equal(details.stages[0]?.['agreed_amount'], amount, 'the agreed amount of the stage');
        },
        amount,
      );
    }

    for (const amount of ['100.05', '1000', '999999999999999999.99']) {
      define(
        '6.2/operator/resolve-too-much',
        async (server) => {
          const deal = await dealIn('disputed', server);
          const body = resolution(amount);
          const reply = await changesNothing(deal, () =>
            deal.give('operator', 'resolve', { body }),
          );
          expectReason(reply, 'amount_out_of_bounds');
        },
        amount,
      );
    }

    define('6.7/operator/agreed-before', async (server) => {
      const details = await (await dealIn('disputed', server)).details();
      equal(details['agreed_amount'], null, 'the agreed amount of the deal');
      equal(details.stages[0]?.['agreed_amount'], null, 'the agreed amount of the stage');
    });

    for (const amount of ['-1.00', '1.001', '1,00', '', '.', 40, null] as const) {
      define(
        '6.7/operator/agreed-form',
        async (server) => {
          const deal = await dealIn('disputed', server);
          const body = resolution(amount);
          const reply = await deal.give('operator', 'resolve', { body });
          const [issue] = arrayOf(
            expectError(reply, 400, 'validation_failed')['errors'],
            'the issues',
          );
          equal(issue?.['path'], ['agreed_amount'], 'the path of the issue');
        },
        JSON.stringify(amount),
      );
    }

    define('6.7/operator/agreed-required', async (server) => {
      const deal = await dealIn('disputed', server);
      const issue = { path: ['agreed_amount'], code: 'required' };
      expectIssues(await deal.give('operator', 'resolve', { body: because }), issue);
    });

    for (const [amount, canonical] of [
      ['40', '40.00'],
      ['040.5', '40.50'],
    ] as const) {
      define(
        '6.7/operator/agreed-canonical',
        async (server) => {
          const deal = await resolvedDeal(server, amount);
          equal((await deal.details())['agreed_amount'], canonical, 'the agreed amount');
        },
        amount,
      );
    }

    define('6.7/operator/form-before-state', async (server) => {
      const deal = await newDeal(server);
      const reply = await deal.give('operator', 'resolve', { body: because });
      expectError(reply, 400, 'validation_failed');
    });

    for (const state of ['created', 'delivered', 'cancelled'] as const) {
      define(
        '6.7/operator/state-before-guard',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give('operator', 'resolve', { body: resolution('5000') });
          expectIllegal(reply, statusesIn[state]);
        },
        state,
      );
    }

    for (const [state, command, { legal, not }] of statesOfOperator) {
      define(
        '6.2/operator/illegal',
        async (server) => {
          const deal = await dealIn(state, server);
          const body = resolution('1.00');
          const reply = await changesNothing(deal, () => deal.give('operator', command, { body }));
          expectIllegal(reply, statusesIn[state]);
        },
        `${command}, ${state}`,
      );
      define(
        '6.2/operator/legal',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give('operator', command, { body: resolution('1.00') });
          const listed = expectIllegal(reply, statusesIn[state]);
          equal(
            [...legal, ...not].filter((each) => listed.includes(each)).sort(),
            [...legal].sort(),
            'those of the judged commands that are in the member legal',
          );
        },
        state,
      );
    }

    for (const [command, state] of [
      ['invite', 'invited'],
      ['cancel', 'cancelled'],
    ] as const) {
      define(
        '6.2/operator/repeat',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await changesNothing(deal, () =>
            deal.give('operator', command, { body: because }),
          );
          expectStatus(reply, 200);
        },
        command,
      );
    }
    for (const [amount, again] of [
      ['40.00', '40'],
      ['0.00', '0'],
    ] as const) {
      define(
        '6.2/operator/repeat',
        async (server) => {
          const deal = await resolvedDeal(server, amount);
          const body = resolution(again);
          const reply = await changesNothing(deal, () =>
            deal.give('operator', 'resolve', { body }),
          );
          expectStatus(reply, 200);
        },
        `resolve, ${amount}`,
      );
    }

    define('6.7/operator/repeat-amount', async (server) => {
      const deal = await resolvedDeal(server, '40.00');
      const reply = await deal.give('operator', 'resolve', { body: resolution('41.00') });
      expectIllegal(reply, statusesIn.approved);
    });

    for (const command of ['retry-payout', 'retry-refund']) {
      define(
        '6.7/operator/nothing-to-retry',
        async (server) => {
          const deal = await dealIn('approved', server);
          expectReason(await deal.give('operator', command), 'nothing_to_retry');
        },
        command,
      );
    }

    define('6.2/operator/nothing-outstanding', async (server) => {
      const deal = await dealIn('accepted', server);
      expectReason(await deal.give('operator', 'request-payment'), 'nothing_outstanding');
    });

    define('6.7/operator/key-per-actor', async (server) => {
      const deal = await newDeal(server);
      const key = server.name('key');
      expectStatus(await deal.give('partner', 'invite', { key }), 200);
      expectStatus(await deal.give('operator', 'cancel', { body: because, key }), 200);
      expectStatuses(await deal.details(), ['cancelled', 'removed', 'cancelled']);
    });

    define('6.2/operator/key-replay', async (server) => {
      const deal = await dealIn('disputed', server);
      const sent = { body: resolution('40.00'), key: server.name('key') };
      const first = await deal.give('operator', 'resolve', sent);
      expectStatus(first, 200);
      await deal.done('operator', 'cancel', because);
      const again = await deal.give('operator', 'resolve', sent);
      expectStatus(again, 200);
      equal(again.json(), first.json(), 'the second answer, and the first one');
    });

    for (const [command, state, type, id] of [
      ['invite', 'created', 'deal.invited', '6.2/operator/event'],
      ['cancel', 'delivered', 'deal.cancelled', '6.2/operator/event'],
      ['resolve', 'disputed', 'deal.dispute_resolved', '6.2/operator/event'],
      ['invite', 'created', 'operator', '6.7/operator/event-actor'],
      ['cancel', 'delivered', 'operator', '6.7/operator/event-actor'],
      ['resolve', 'disputed', 'operator', '6.7/operator/event-actor'],
    ] as const) {
      define(
        id,
        async (server) => {
          const deal = await dealIn(state, server);
          const [event] = await addedBy(deal, () =>
            deal.done('operator', command, resolution('40.00')),
          );
          const member = id === '6.2/operator/event' ? 'type' : 'actor';
          equal(event?.[member], type, `the ${member} of the event`);
        },
        command,
      );
    }

    define('6.2/operator/event-resolved', async (server) => {
      const deal = await dealIn('disputed', server);
      const [event] = await addedBy(deal, () => deal.done('operator', 'resolve', resolution('40')));
      const { agreed_amount, reason, stage_ids } = dataOf(event);
      const { stages } = await deal.details();
      equal(
        { agreed_amount, reason, stage_ids },
        { agreed_amount: '40.00', ...because, stage_ids: stages.map(({ id }) => id) },
        'the data of the event',
      );
    });
  },
);

async function resolvedDeal(server: Server, amount: string): Promise<LivingDeal> {
  const deal = await dealIn('disputed', server);
  await deal.done('operator', 'resolve', resolution(amount));
  return deal;
}
