import { check, equal } from '../../expectations.js';
import { expectError, expectStatus, group, membersOf, type Reply, type Server } from '../server.js';
import { arrayOf, because, changesNothing, dealIn, newDeal, type State } from './deal.js';

/** The commands of a partner, each with a body of the right form. */
const partnerCommands = [
  ...['invite', 'accept', 'decline', 'cancel', 'deliver', 'request-changes', 'approve'],
  ...['dispute', 'request-payment'],
];

/** The commands that no partner gives. */
const notOfPartner = [
  ...['resolve', 'retry-payout', 'retry-refund', 'record-employer-payment'],
  ...['write-off', 'refund-surplus'],
  ...['record-contractor-payment', 'expire', 'expire-payment', 'complete', 'status'],
];

const notOfFreelancer = [
  ...['invite', 'cancel', 'approve', 'request-changes', 'request-payment', 'resolve'],
  ...[
    'write-off',
    'refund-surplus',
    'retry-payout',
    'record-contractor-payment',
    'expire',
    'complete',
  ],
];

/** Decisions 2.5, 6.5 and 6.7: what the partner does not reach. */
export const partnerFace = group(
  'the face of the partner',
  {
    must: {
      '2.5/life/unknown-deal': 'A command for a deal that does not exist is 404 `not_found`.',
      '2.5/life/foreign-deal':
        'A command for the deal of another partner has the answer of a deal that does not exist.',
      '2.5/life/foreign-unchanged': 'A command for the deal of another partner changes nothing.',
      '6.7/life/no-route': 'A command that is not of the partner is 404 below `/deal/`.',
      '6.7/freelancer/no-route': 'A command that is not of the freelancer is 404 below `/offer/`.',
    },
  },
  (define) => {
    for (const command of partnerCommands) {
      define(
        '2.5/life/unknown-deal',
        async (server) => {
          const path = `/api/2.0/deal/${server.name('none')}/${command}/`;
          expectError(await server.partner.send('POST', path, { body: because }), 404, 'not_found');
        },
        command,
      );
      define(
        '2.5/life/foreign-deal',
        async (server) => {
          const { partner_id } = await newDeal(server);
          const answer = async (id: string) =>
            apartFromIds(
              await server.other.send('POST', `/api/2.0/deal/${id}/${command}/`, { body: because }),
            );
          equal(await answer(partner_id), await answer(server.name('none')), 'the answer');
        },
        command,
      );
    }

    define('2.5/life/foreign-unchanged', async (server) => {
      const deal = await dealIn('delivered', server);
      for (const command of partnerCommands) {
        const path = `${deal.path('partner')}/${command}/`;
        const reply = await changesNothing(deal, () =>
          server.other.send('POST', path, { body: because }),
        );
        expectStatus(reply, 404);
      }
    });

    for (const command of notOfPartner) {
      define(
        '6.7/life/no-route',
        async (server) => {
          const deal = await newDeal(server);
          const reply = await deal.give('partner', command, { body: because });
          expectError(reply, 404, 'not_found');
        },
        command,
      );
    }

    for (const command of notOfFreelancer) {
      define(
        '6.7/freelancer/no-route',
        async (server) => {
          const deal = await newDeal(server);
          const reply = await deal.give('freelancer', command, { body: because });
          expectError(reply, 404, 'not_found');
        },
        command,
      );
    }
  },
);

/** The members of an error that do not belong to the request. */
export function apartFromIds(reply: Reply): object {
  const { request_id: _, instance: __, ...rest } = reply.members();
  return { status: reply.status, ...rest };
}

const offer = '/api/2.0/offer/';

/** The members that only the partner sees. */
const notShown = ['billing', 'employer_payments', 'payment_token'];

/** Decision 6.5: what the bearer of a payment token sees. */
export const freelancerFace = group(
  'the face of the freelancer',
  {
    must: {
      '6.5/freelancer/view': 'The offer shows the terms of the deal, its statuses and its stages.',
      '6.5/freelancer/amount': 'Without fees, the amount of the offer is that of the deal.',
      '6.5/freelancer/no-employer':
        "The offer has neither the billing nor the employer's payments nor the payment token.",
      '6.5/freelancer/no-payment-id':
        'The offer holds the id of no payment of the employer, also once one is asked for.',
      '6.5/freelancer/no-token': 'The offer does not hold the payment token.',
      '6.5/freelancer/same-in-commands':
        'The answer to a command of the freelancer hides the same as the offer.',
      '6.5/freelancer/after-end': 'The offer stays readable after the end of the deal.',
      '6.5/freelancer/files': "The offer's stages show their work files.",
      '6.5/freelancer/unknown-token': 'A payment token that no deal holds is 401.',
      '6.5/freelancer/api-token': 'An API token is not the token of an offer.',
      '6.5/freelancer/payment-token': 'A payment token is not an API token.',
      '6.5/freelancer/unknown-token-changes-nothing':
        'A command with a changed payment token is 401 and changes nothing.',
      '5.2/freelancer/scheme-case': 'The scheme `Offer` may have any case.',
    },
  },
  (define) => {
    define('6.5/freelancer/view', async (server) => {
      const terms = { title: 'A page', description: 'Of text.', currency: 'EUR' };
      const changes = { ...terms, copyright_transfer: 'license' };
      const deal = await newDeal(server, changes);
      const view = await deal.server.freelancer(deal.payment_token).data('GET', offer);
      for (const [name, value] of Object.entries(changes)) {
        equal(view[name], value, `the member ${name} of the offer`);
      }
      const { status, freelancer_status, stages } = await deal.details();
      equal(view['status'], status, 'the status of the offer');
      equal(view['freelancer_status'], freelancer_status, 'the status of the freelancer');
      equal(view['stages'], stages, 'the stages of the offer');
      equal(view['contractor_payments'], [], 'the payments of the contractor');
    });

    define('6.5/freelancer/amount', async (server) => {
      const view = await (await server.makeDealV2({ amount: '250.5' })).freelancer.data(
        'GET',
        offer,
      );
      equal(view['amount'], '250.50', 'the amount of the offer');
    });

    for (const state of ['created', 'approved', 'cancelled'] as const) {
      define(
        '6.5/freelancer/no-employer',
        async (server) => {
          const view = await viewOf(server, state);
          equal(
            notShown.filter((name) => name in view.members),
            [],
            'the members of the offer that it has not',
          );
        },
        state,
      );
      define(
        '6.5/freelancer/no-token',
        async (server) => {
          const { deal, text } = await viewOf(server, state);
          check(!text.includes(deal.payment_token), 'the offer does not hold the payment token');
        },
        state,
      );
    }

    define('6.5/freelancer/no-payment-id', async (server) => {
      const { deal, text } = await viewOf(server, 'approved');
      const billing = membersOf((await deal.details())['billing'], 'the billing');
      const [payment] = arrayOf(billing['employer_payments'], 'the payments of the employer');
      const id = String(payment?.['id']);
      check(payment !== undefined, 'a payment was asked for');
      check(!text.includes(id), `the offer does not hold the id ${id} of the payment`);
    });

    for (const [command, state] of [
      ['accept', 'created'],
      ['decline', 'accepted'],
      ['dispute', 'approved'],
    ] as const) {
      define(
        '6.5/freelancer/same-in-commands',
        async (server) => {
          const deal = await dealIn(state, server);
          const reply = await deal.give('freelancer', command, { body: because });
          expectStatus(reply, 200);
          const data = membersOf(reply.members()['data'], 'the member data of the answer');
          equal(
            notShown.filter((name) => name in data),
            [],
            'the members of the answer that the offer has not',
          );
          const isHeld = new TextDecoder().decode(reply.bytes).includes(deal.payment_token);
          check(!isHeld, 'the answer does not hold the payment token');
        },
        command,
      );
    }

    for (const state of ['cancelled', 'declined'] as const) {
      define(
        '6.5/freelancer/after-end',
        async (server) => {
          const { members } = await viewOf(server, state);
          equal(members['status'], 'cancelled', 'the status of the offer');
        },
        state,
      );
    }

    define('6.5/freelancer/files', async (server) => {
      const { members } = await viewOf(server, 'delivered');
      const [stage] = arrayOf(members['stages'], 'the stages of the offer');
      const files = arrayOf(stage?.['work_files'], 'the work files of the stage');
      equal(
        files.map(({ name }) => name),
        ['draft.txt'],
        'the names of the work files',
      );
    });

    for (const [variant, tokenOf] of [
      ['another end', (token: string) => `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`],
      ['longer', (token: string) => `${token}x`],
      ['shorter', (token: string) => token.slice(0, -1)],
      ['unknown', () => 'unknown-unknown-unknown-unknown'],
    ] as const) {
      define(
        '6.5/freelancer/unknown-token',
        async (server) => {
          const { payment_token } = await newDeal(server);
          const stranger = server.freelancer(tokenOf(payment_token));
          expectError(await stranger.send('GET', offer), 401, 'unauthorized');
        },
        variant,
      );
    }

    define('6.5/freelancer/unknown-token-changes-nothing', async (server) => {
      const deal = await newDeal(server);
      const stranger = server.freelancer(`${deal.payment_token}x`);
      const reply = await changesNothing(deal, () => stranger.send('POST', `${offer}accept/`));
      expectError(reply, 401, 'unauthorized');
    });

    define('6.5/freelancer/api-token', async (server) => {
      await newDeal(server);
      const reply = await server.freelancer(server.token).send('GET', offer);
      expectError(reply, 401, 'unauthorized');
    });
    define(
      '6.5/freelancer/api-token',
      async (server) => {
        await newDeal(server);
        expectError(await server.partner.send('GET', offer), 401, 'unauthorized');
      },
      'scheme Token',
    );

    for (const scheme of ['Token', 'Offer']) {
      define(
        '6.5/freelancer/payment-token',
        async (server) => {
          const deal = await newDeal(server);
          const headers = { authorization: `${scheme} ${deal.payment_token}` };
          const reply = await server.anonymous.send('GET', `${deal.path('partner')}/`, { headers });
          expectError(reply, 401, 'unauthorized');
        },
        scheme,
      );
    }

    define('5.2/freelancer/scheme-case', async (server) => {
      const { payment_token } = await newDeal(server);
      for (const scheme of ['offer', 'OFFER', 'oFfEr']) {
        const headers = { authorization: `${scheme} ${payment_token}` };
        expectStatus(await server.anonymous.send('GET', offer, { headers }), 200);
      }
    });
  },
);

async function viewOf(server: Server, state: State) {
  const deal = await dealIn(state, server);
  const reply = await server.freelancer(deal.payment_token).send('GET', offer);
  expectStatus(reply, 200);
  const members = membersOf(reply.members()['data'], 'the offer');
  return { deal, members, text: new TextDecoder().decode(reply.bytes) };
}
