import { equal } from '../../expectations.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Members,
  type Server,
} from '../server.js';
import {
  contractorPayments,
  employerPayments,
  expectFigures,
  figuresOf,
  lastPayout,
  lastRequest,
  ofSandbox,
  untilPaidOut,
} from './billing.js';
import {
  type By,
  because,
  becomes,
  changesNothing,
  dealIn,
  expectIllegal,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  type State,
  silentAmount,
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

type Version = '1.0' | '2.0';

/** A deal of an amount, approved. Its freelancer acts in the sandbox: elsewhere nothing is judged. */
async function approvedDeal(server: Server, version: Version, amount: string): Promise<LivingDeal> {
  const isFirst = version === '1.0';
  const deal = await (isFirst
    ? newDealV1(server, { budget: amount })
    : newDeal(server, { amount }));
  await deal.done('sandbox/freelancer', 'accept');
  await deal.upload();
  await deal.done('sandbox/freelancer', 'deliver');
  await deal.done('partner', 'approve');
  return deal;
}

/** A deal whose freelancer has an address with a tag. */
async function dealWithTag(server: Server, version: Version, tag: string): Promise<LivingDeal> {
  // only a sandbox has this path: elsewhere nothing is judged
  const moved = await server.partner.send('POST', '/api/2.0/sandbox/clock/', { body: {} });
  expectStatus(moved, 400);
  const email = `${server.name('who')}+${tag}@example.com`;
  if (version === '2.0') return newDeal(server, { email_freelancer: email });
  const body = server.contractor({ email });
  await server.partner.data('POST', '/api/1.0/contractor/', { body });
  return newDealV1(server, { contractor_email: email });
}

/** Decision 6.6: the magic values of the sandbox. */
export const magic = group(
  'magic values of the sandbox',
  {
    must: {
      '6.6/sandbox/accept': 'A freelancer whose address has the tag `+accept` accepts by itself.',
      '6.6/sandbox/decline':
        'A freelancer whose address has the tag `+decline` declines by itself.',
      '6.6/sandbox/pays': 'An approved deal of the sandbox is paid and paid out by itself.',
      '6.6/sandbox/fails': 'A payment of a deal whose amount ends in `.01` fails.',
      '6.7/sandbox/fails-every-time':
        'A payment of a deal whose amount ends in `.01` fails each time that it is asked for.',
      '6.6/sandbox/returns': 'The payout of a deal whose amount ends in `.02` is returned.',
      '6.6/sandbox/returns-once':
        'The payout of a deal whose amount ends in `.02` is returned once: a retry pays it.',
      '6.6/sandbox/charged-back': 'A payment of a deal whose amount ends in `.03` is charged back.',
      '6.7/sandbox/charged-back-once':
        'One payment of a deal whose amount ends in `.03` is charged back: the next is paid out.',
      '6.7/sandbox/silent': 'A payment of a deal whose amount ends in `.04` is never answered.',
      '10.23/sandbox/refuses':
        'The first call for the payout of a deal whose amount ends in `.08` is refused.',
      '10.1/sandbox/waits':
        'A payout that the provider refuses for now is `scheduled`, with the reason as `waits_for`.',
      '10.1/sandbox/nothing-reserved':
        'A payout that the provider has refused for now does not hinder `resolve`, and ends with a dispute.',
      '10.17/sandbox/refuses-for-good':
        'A payout that the provider refuses for good has `failed`, with the reason: the first one of a deal whose amount ends in `.09`.',
      '10.23/sandbox/refuses-once':
        'The first payout of a deal whose amount ends in `.09` is refused: a retry pays it.',
    },
  },
  (define) => {
    for (const version of ['1.0', '2.0'] as const) {
      for (const [tag, state] of [
        ['accept', 'accepted'],
        ['decline', 'declined'],
      ] as const) {
        define(
          `6.6/sandbox/${tag}`,
          async (server) => {
            const deal = await dealWithTag(server, version, tag);
            const details = await becomes(
              deal,
              'the answer of the freelancer',
              ({ freelancer_status }) => freelancer_status !== 'new',
            );
            expectStatuses(details, statusesIn[state]);
          },
          version,
        );
      }

      define(
        '6.6/sandbox/pays',
        async (server) => {
          const deal = await approvedDeal(server, version, '100.00');
          const details = await becomes(deal, 'the end', ({ status }) => status !== 'approved');
          expectStatuses(details, ['completed', 'finished', 'paid']);
          expectFigures(details, { paid: '100.00', released: '100.00' });
        },
        version,
      );

      define(
        '6.6/sandbox/fails',
        async (server) => {
          await expectFailed(await approvedDeal(server, version, '100.01'), 1);
        },
        version,
      );

      define(
        '6.6/sandbox/returns',
        async (server) => {
          const details = await whenReturned(await approvedDeal(server, version, '100.02'));
          expectStatuses(details, statusesIn.approved);
          expectFigures(details, { paid: '100.02', held: '100.02' });
        },
        version,
      );

      define(
        '6.6/sandbox/charged-back',
        async (server) => {
          const deal = await approvedDeal(server, version, '100.03');
          const details = await whenChargedBack(deal);
          equal(figuresOf(details).charged_back, '100.03', 'the sum charged back');
        },
        version,
      );

      define(
        '6.7/sandbox/silent',
        async (server) => {
          const silent = await approvedDeal(server, version, silentAmount);
          // what is asked for later is answered
          const other = await approvedDeal(server, version, '100.00');
          await becomes(other, 'the end of another deal', ({ status }) => status === 'completed');
          const details = await silent.details();
          expectStatuses(details, statusesIn.approved);
          expectFigures(details, { outstanding: silentAmount });
        },
        version,
      );
    }

    define('6.7/sandbox/fails-every-time', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.01');
      await expectFailed(deal, 1);
      await deal.done('partner', 'request-payment');
      await expectFailed(deal, 2);
    });

    define('6.6/sandbox/returns-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.02');
      await whenReturned(deal);
      await deal.done('sandbox/operator', 'retry-payout');
      const details = await untilPaidOut(deal, ofSandbox);
      expectFigures(details, { paid: '100.02', released: '100.02' });
    });

    for (const version of ['1.0', '2.0'] as const) {
      define(
        '10.23/sandbox/refuses',
        async (server) => {
          const details = await whenRefused(await approvedDeal(server, version, '100.08'));
          equal(lastPayout(details)['waits_for'], 'payee_missing', 'what the payout waits for');
          expectFigures(details, { paid: '100.08', held: '100.08' });
        },
        version,
      );
    }

    define('10.1/sandbox/waits', async (server) => {
      const details = await whenRefused(await approvedDeal(server, '2.0', '100.08'));
      const { status, waits_for, reason } = lastPayout(details);
      equal([status, waits_for, reason], ['scheduled', 'payee_missing', null], 'the payout');
      expectStatuses(details, statusesIn.approved);
    });

    define('10.1/sandbox/nothing-reserved', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.08');
      await whenRefused(deal);
      await deal.done('partner', 'dispute', because);
      equal(lastPayout(await deal.details()).status, 'cancelled', 'the payout');
      await deal.done('sandbox/operator', 'resolve', resolution('0'));
      expectStatuses(await deal.details(), statusesIn.cancelled);
    });

    define('10.17/sandbox/refuses-for-good', async (server) => {
      const details = await whenReturned(await approvedDeal(server, '2.0', '100.09'));
      const { status, waits_for, reason } = lastPayout(details);
      equal([status, waits_for, reason], ['failed', null, 'closed_account'], 'the payout');
      expectFigures(details, { paid: '100.09', held: '100.09' });
    });

    define('10.23/sandbox/refuses-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.09');
      await whenReturned(deal);
      await deal.done('sandbox/operator', 'retry-payout');
      const details = await untilPaidOut(deal, ofSandbox);
      expectFigures(details, { paid: '100.09', released: '100.09' });
    });

    define('6.7/sandbox/charged-back-once', async (server) => {
      const deal = await approvedDeal(server, '2.0', '100.03');
      await whenChargedBack(deal);
      await deal.done('partner', 'request-payment');
      const details = await becomes(deal, 'the end', ({ status }) => status === 'completed');
      expectFigures(details, { paid: '200.06', released: '100.03', charged_back: '100.03' });
    });
  },
);

async function expectFailed(deal: LivingDeal, times: number): Promise<void> {
  const isOpen = ({ status }: { readonly status: string }) =>
    status === 'requested' || status === 'processing';
  const details = await becomes(
    deal,
    'the answer to the request',
    (each) => !employerPayments(each).some(isOpen),
  );
  equal(
    employerPayments(details).map(({ status }) => status),
    Array.from({ length: times }, () => 'failed'),
    'the statuses of the payments',
  );
}

const whenReturned = (deal: LivingDeal) =>
  becomes(
    deal,
    'the return of the payout',
    (details) =>
      Number(figuresOf(details).paid) > 0 &&
      !['scheduled', 'processing'].includes(lastPayout(details).status),
  );

const whenRefused = (deal: LivingDeal) =>
  becomes(deal, 'a payout that waits', (details) =>
    contractorPayments(details).some(({ waits_for }) => (waits_for ?? null) !== null),
  );

const whenChargedBack = (deal: LivingDeal) =>
  becomes(
    deal,
    'the charge-back',
    (details) => !['requested', 'processing', 'paid'].includes(lastRequest(details).status),
  );
