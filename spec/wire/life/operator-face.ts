import { check, equal } from '../../expectations.js';
import { expectError, expectStatus, group, membersOf, type Server } from '../server.js';
import { ofSandbox } from './billing.js';
import {
  arrayOf,
  because,
  changesNothing,
  dealIn,
  type LivingDeal,
  newDeal,
  silentAmount,
  workFile,
} from './deal.js';
import { apartFromIds } from './faces.js';
import { failedRefund } from './money-back.js';
import { resolution } from './operator.js';
import { viewOf } from './views.js';

/** The commands that no operator gives. */
const notOfOperator = [
  ...['accept', 'decline', 'deliver', 'approve', 'request-changes', 'dispute', 'expire'],
  ...['expire-payment', 'complete'],
];

/** Decisions 6.5 and 6.7: what the operator sees and reaches. */
export const operatorFace = group(
  'the face of the operator',
  {
    must: {
      '6.5/operator/view': 'The operator sees the statuses, the stages and the billing of a deal.',
      '6.5/operator/no-token': 'The operator never sees the payment token of a deal.',
      '6.5/operator/answer':
        'The answer to a command of the operator is the deal after it, without `effects`.',
      '6.7/operator/no-route': 'A command that is not of the operator is 404 below `/operator/`.',
      '6.7/operator/by-id': '`by-id` with `?partner_id=` stands for the id below `/operator/`.',
      '2.5/operator/unknown':
        'The deal of a partner that does not exist has the answer of a deal that does not exist.',
      '6.5/operator/unauthorized': 'A request below `/operator/` without its token is 401.',
      '6.7/operator/list': 'The list of the operator finds a deal by its partner and its id.',
      '6.7/operator/run': '`run-timers` and `run-effects` of the operator are answered.',
    },
    // docs/reference/http.md says so; no decision does
    should: {
      '6.4/operator/download':
        'The operator downloads a work file by its own deal, and by no other.',
      '6.3/operator/effects':
        'The operator sees a refund that failed in `effects`, with its amount, until it is asked for anew.',
      '6.5/operator/effects-apart': 'No view but that of the operator has `effects`.',
    },
  },
  (define) => {
    define('6.5/operator/view', async (server) => {
      const deal = await dealIn('approved', server);
      const view = await server.operator.data('GET', `${deal.path('operator')}/`);
      const details = await deal.details();
      for (const name of ['partner_id', 'status', 'freelancer_status', 'stages']) {
        equal(view[name], details[name], `the member ${name} of the deal`);
      }
      // the operator sees both fees
      const { contractor_fee: _, net: __, ...billing } = membersOf(view['billing'], 'the billing');
      equal(billing, details['billing'], 'the member billing of the deal');
    });

    define(
      '6.5/operator/no-token',
      async (server) => {
        const deal = await dealIn('approved', server);
        const reply = await server.operator.send('GET', `${deal.path('operator')}/`);
        expectStatus(reply, 200);
        expectNoToken(reply.bytes, deal);
      },
      'the deal',
    );
    define(
      '6.5/operator/no-token',
      async (server) => {
        const deal = await newDeal(server);
        const reply = await deal.give('operator', 'invite');
        expectStatus(reply, 200);
        expectNoToken(reply.bytes, deal);
      },
      'the answer to a command',
    );
    define(
      '6.5/operator/no-token',
      async (server) => {
        const deal = await newDeal(server);
        const query = `partner=${encodeURIComponent(server.partnerName)}&partner_id=${deal.partner_id}`;
        const reply = await server.operator.send('GET', `/operator/deal/?${query}`);
        expectStatus(reply, 200);
        expectNoToken(reply.bytes, deal);
      },
      'the list',
    );

    for (const [command, state] of [
      ['invite', 'created'],
      ['cancel', 'accepted'],
      ['resolve', 'disputed'],
    ] as const) {
      define(
        '6.5/operator/answer',
        async (server) => {
          const deal = await dealIn(state, server);
          const answer = await deal.done('operator', command, resolution('40.00'));
          const { effects: _, ...view } = await viewOf(deal, 'operator');
          equal(answer, view, 'the answer, and the deal after it');
        },
        command,
      );
    }

    for (const command of notOfOperator) {
      define(
        '6.7/operator/no-route',
        async (server) => {
          const deal = await newDeal(server);
          const reply = await deal.give('operator', command, { body: because });
          expectError(reply, 404, 'not_found');
        },
        command,
      );
    }

    define('6.7/operator/by-id', async (server) => {
      const partner_id = `${server.name('id')}a/b`;
      await newDeal(server, { partner_id });
      const path = `/operator/${encodeURIComponent(server.partnerName)}/deal/by-id/invite/`;
      const query = `partner_id=${encodeURIComponent(partner_id)}`;
      const reply = await server.operator.send('POST', `${path}?${query}`);
      expectStatus(reply, 200);
      const data = membersOf(reply.members()['data'], 'the member data of the answer');
      equal(data['freelancer_status'], 'invited', 'the status of the freelancer');
    });

    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', 'invite/'],
    ] as const) {
      define(
        '2.5/operator/unknown',
        async (server) => {
          const deal = await newDeal(server);
          const answer = async (partner: string, id: string) => {
            const path = `/operator/${encodeURIComponent(partner)}/deal/${id}/${suffix}`;
            return apartFromIds(await server.operator.send(method, path));
          };
          const none = await answer(server.partnerName, server.name('none'));
          equal(Object(none).status, 404, 'the status of the answer');
          equal(await answer(server.name('partner'), deal.partner_id), none, 'the answer');
        },
        method,
      );
    }

    for (const [variant, headersOf] of [
      ['no token', () => ({})],
      ['unknown', () => ({ authorization: 'Operator unknown' })],
      ['of a partner', ({ token }: Server) => ({ authorization: `Operator ${token}` })],
      ['a partner', ({ token }: Server) => ({ authorization: `Token ${token}` })],
    ] as const) {
      define(
        '6.5/operator/unauthorized',
        async (server) => {
          const deal = await newDeal(server);
          const path = `${deal.path('operator')}/cancel/`;
          const request = { body: because, headers: headersOf(server) };
          const reply = await changesNothing(deal, () =>
            server.anonymous.send('POST', path, request),
          );
          expectError(reply, 401, 'unauthorized');
        },
        variant,
      );
    }

    define('6.7/operator/list', async (server) => {
      const deal = await newDeal(server);
      await newDeal(server);
      const query = `partner=${encodeURIComponent(server.partnerName)}&partner_id=${deal.partner_id}`;
      const { results } = await server.operator.data('GET', `/operator/deal/?${query}`);
      equal(
        arrayOf(results, 'the results').map((each) => each['partner_id']),
        [deal.partner_id],
        'the deals in the list',
      );
    });

    define('6.4/operator/download', async (server) => {
      const deal = await dealIn('disputed', server);
      const { stages } = await deal.details();
      const [file] = arrayOf(stages[0]?.['work_files'], 'the work files');
      const get = ({ path }: LivingDeal) =>
        server.operator.send('GET', `${path('operator')}/file/${file?.['id']}/`);
      const reply = await get(deal);
      expectStatus(reply, 200);
      equal(
        btoa(String.fromCharCode(...reply.bytes)),
        workFile['content'],
        'the bytes of the file',
      );
      expectError(await get(await newDeal(server)), 404, 'not_found');
    });

    define('6.3/operator/effects', async (server) => {
      const deal = await failedRefund(server, ofSandbox);
      const failed = async () =>
        arrayOf((await viewOf(deal, 'operator'))['effects'], 'the effects')
          .filter(({ status }) => status === 'failed')
          .map(({ kind, amount, remaining }) => [kind, amount, remaining]);
      equal(await failed(), [['refund', silentAmount, silentAmount]], 'the failed effects');
      await deal.done(ofSandbox.operator, 'retry-refund');
      equal(await failed(), [], 'the failed effects after `retry-refund`');
    });

    define('6.5/operator/effects-apart', async (server) => {
      const deal = await dealIn('approved', server);
      arrayOf((await viewOf(deal, 'operator'))['effects'], 'the effects');
      for (const by of ['partner', 'freelancer'] as const) {
        check(!('effects' in (await viewOf(deal, by))), `the view of the ${by} has no effects`);
      }
    });

    for (const name of ['run-timers', 'run-effects']) {
      define(
        '6.7/operator/run',
        async ({ operator }) => {
          expectStatus(await operator.send('POST', `/operator/${name}/`), 200);
        },
        name,
      );
    }
  },
);

function expectNoToken(bytes: Uint8Array<ArrayBuffer>, { payment_token }: LivingDeal): void {
  const isHeld = new TextDecoder().decode(bytes).includes(payment_token);
  check(!isHeld, 'the answer does not hold the payment token');
}
