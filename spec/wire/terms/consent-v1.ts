import { equal } from '../../expectations.js';
import { figuresOf, lastRequest, ofSandbox, payUnasked } from '../life/billing.js';
import {
  because,
  becomes,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDealV1,
  statusesIn,
} from '../life/deal.js';
import {
  expectError,
  expectStatus,
  group,
  type Members,
  membersOf,
  type Server,
} from '../server.js';
import {
  amendment,
  dataAt,
  decide,
  decided,
  proposalNow,
  propose,
  proposed,
  retitled,
  settlement,
} from './terms.js';

/** A deal of version 1.0 in a state, by its partner alone. */
async function dealV1(
  server: Server,
  state: 'accepted' | 'submitted' | 'changes_requested',
): Promise<LivingDeal> {
  const deal = await newDealV1(server);
  await deal.done('partner', 'accept');
  if (state === 'accepted') return deal;
  await deal.upload();
  await deal.done('partner', 'deliver');
  if (state === 'changes_requested') await deal.done('partner', 'request-changes', because);
  return deal;
}

/** Fails the case unless the freelancer has to consent. */
async function expectConsent(deal: LivingDeal, body: Members): Promise<void> {
  const open = await proposed(deal, 'partner', body);
  const reply = await changesNothing(deal, () => decide(deal, 'partner', open, 'accept'));
  expectReason(reply, 'consent_needed');
  equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
}

/** Decision 9.2: deals of version 1.0, whose freelancer has no face of its own. */
export const consentOfV1 = group(
  'consent in version 1.0',
  {
    must: {
      '9.2/v1/both-sides': 'The partner gives the commands of both sides.',
      '9.2/v1/settlement': 'A settlement needs the consent of the freelancer.',
      '9.2/v1/below-paid': 'An amount below what is paid needs the consent of the freelancer.',
      '9.2/v1/above-paid': 'An amount that is not below what is paid needs no consent.',
      '9.2/v1/submitted':
        'A change or the end of a stage that is `submitted` needs the consent of the freelancer.',
      '9.2/v1/changes-requested':
        'A change or the end of a stage with `changes_requested` needs it, too.',
      '9.2/v1/other-stage': 'What does not touch such a stage needs no consent.',
      '9.16/v1/created': 'In `created` nothing needs the consent of the freelancer.',
      '9.16/v1/as-accepted':
        '`consent_needed` is judged as the partner accepts, not as it proposes.',
      '9.16/v1/sandbox-consents': 'The freelancer of the sandbox consents.',
      '9.2/v1/operator-resolves': 'An operator resolves what only the freelancer can consent to.',
    },
  },
  (define) => {
    define('9.2/v1/both-sides', async (server) => {
      const deal = await dealV1(server, 'accepted');
      const accepted = await proposed(deal, 'partner', retitled('Two pages'));
      await decided(deal, 'partner', accepted, 'accept');
      equal((await deal.details())['title'], 'Two pages', 'the title');
      const rejected = await proposed(deal, 'partner', retitled());
      await decided(deal, 'partner', rejected, 'reject');
      const withdrawn = await proposed(deal, 'partner', retitled());
      await decided(deal, 'partner', withdrawn, 'withdraw');
    });

    for (const state of ['accepted', 'submitted', 'changes_requested'] as const) {
      define(
        '9.2/v1/settlement',
        async (server) => {
          await expectConsent(await dealV1(server, state), settlement('50.00'));
        },
        state,
      );
    }

    define('9.2/v1/below-paid', async (server) => {
      const deal = await dealV1(server, 'accepted');
      await payUnasked(deal, ofSandbox, '80.00');
      await expectConsent(deal, amendment({ amount: '79.99' }));
    });

    define('9.2/v1/above-paid', async (server) => {
      const deal = await dealV1(server, 'accepted');
      await payUnasked(deal, ofSandbox, '80.00');
      const open = await proposed(deal, 'partner', amendment({ amount: '80.00' }));
      await decided(deal, 'partner', open, 'accept');
      equal((await deal.details())['amount'], '80.00', 'the amount');
    });

    for (const [id, state] of [
      ['9.2/v1/submitted', 'submitted'],
      ['9.2/v1/changes-requested', 'changes_requested'],
    ] as const) {
      for (const [name, stages] of [
        ['another name', (id) => [{ id, name: 'Another name' }]],
        ['a lower budget', (id) => [{ id, budget: '80.00' }]],
        ['a higher budget', (id) => [{ id, budget: '120.04' }]],
        ['other days', (id) => [{ id, work_days: 60 }]],
        ['its end', () => [{ name: 'Another stage', budget: '100.04' }]],
      ] as const satisfies readonly (readonly [string, (id: number) => readonly Members[]])[]) {
        define(
          id,
          async (server) => {
            const deal = await dealV1(server, state);
            const stage = (await deal.details()).stages[0]?.id ?? 0;
            await expectConsent(deal, amendment({ stages: stages(stage) }));
          },
          name,
        );
      }

      define(
        '9.2/v1/other-stage',
        async (server) => {
          const deal = await dealV1(server, state);
          const stage = (await deal.details()).stages[0]?.id ?? 0;
          const stages = [{ id: stage }, { name: 'One more', budget: '10.00' }];
          const open = await proposed(deal, 'partner', amendment({ title: 'Two', stages }));
          await decided(deal, 'partner', open, 'accept');
          equal((await deal.details()).stages.length, 2, 'the number of stages');
        },
        state,
      );
    }

    define('9.16/v1/created', async (server) => {
      const deal = await newDealV1(server);
      await payUnasked(deal, ofSandbox, '80.00');
      const made = await proposed(deal, 'partner', amendment({ amount: '60.00' }));
      equal(made.status, 'accepted', 'the status of the proposal');
    });

    define('9.16/v1/as-accepted', async (server) => {
      const deal = await dealV1(server, 'submitted');
      expectStatus(await propose(deal, 'partner', settlement('50.00')), 201);
    });

    for (const body of [settlement('50.00'), amendment({ amount: '60.00' })]) {
      define(
        '9.16/v1/sandbox-consents',
        async (server) => {
          const deal = await dealV1(server, 'submitted');
          const open = await proposed(deal, 'partner', body);
          await decided(deal, 'sandbox/freelancer', open, 'accept');
          equal((await proposalNow(deal, open)).status, 'accepted', 'the status');
        },
        String(body['kind']),
      );
    }

    for (const by of ['operator', 'sandbox/operator'] as const) {
      define(
        '9.2/v1/operator-resolves',
        async (server) => {
          const deal = await dealV1(server, 'submitted');
          await deal.done('partner', 'dispute', because);
          await expectConsent(deal, settlement('50.00'));
          await deal.done(by, 'resolve', { agreed_amount: '50.00' });
          expectStatuses(await deal.details(), ['approved', 'accepted', 'approved']);
        },
        by,
      );
    }
  },
);

const cents = (text: unknown) => Number(String(text).replace('.', ''));

/** Decisions 9.15 and 9.16: bounds, fees and what the sandbox makes of new amounts. */
export const termsBounds = group(
  'bounds and fees of terms',
  {
    must: {
      '9.15/fees/employer': 'Every billing has `employer_fee`, which is owed beside the amount.',
      '9.15/fees/contractor': 'The billing that the operator sees has `contractor_fee`.',
      '9.15/fees/hidden': 'The billing of the partner has no `contractor_fee`.',
      '9.16/fees/offer': 'The offer has `contractor_fee`, which its amount is less.',
      '9.15/sandbox/amount-of-now':
        'Magic values of the sandbox go by the amount at the moment of an effect.',
      '6.7/terms/dispute-goes-on': 'A proposal goes on while the deal is disputed.',
    },
    should: {
      '9.15/proposals/too-many': 'Beyond 500 proposals of a side of a deal the next is `too_many`.',
    },
  },
  (define) => {
    for (const make of [dealIn.bind(undefined, 'accepted'), newDealV1]) {
      define(
        '9.15/fees/employer',
        async (server) => {
          const details = await (await make(server)).details();
          const { employer_fee } = membersOf(details['billing'], 'the billing');
          const owed = cents(details['amount']) + cents(employer_fee);
          equal(cents(figuresOf(details).outstanding), owed, 'what is outstanding, in hundredths');
        },
        make === newDealV1 ? '1.0' : '2.0',
      );
    }

    define('9.15/fees/contractor', async (server) => {
      const deal = await dealIn('accepted', server);
      const { billing } = await dataAt(deal, '', 'operator');
      const { contractor_fee } = membersOf(billing, 'the billing');
      equal(/^\d+\.\d\d$/.test(String(contractor_fee)), true, 'whether it is a sum of money');
    });

    define('9.15/fees/hidden', async (server) => {
      const { billing } = await (await dealIn('accepted', server)).details();
      equal(Object.hasOwn(Object(billing), 'contractor_fee'), false, 'whether it has it');
    });

    for (const isAmended of [false, true]) {
      define(
        '9.16/fees/offer',
        async (server) => {
          const deal = await dealIn('created', server);
          if (isAmended) await proposed(deal, 'partner', amendment({ amount: '140.04' }));
          const offer = await dataAt(deal, '', 'freelancer');
          const { amount } = await deal.details();
          const sum = cents(offer['amount']) + cents(offer['contractor_fee']);
          equal(sum, cents(amount), 'amount and fee, in hundredths');
        },
        isAmended ? 'amended' : 'as it was offered',
      );
    }

    for (const [from, to, status] of [
      ['100.01', '120.00', 'paid'],
      ['100.04', '120.01', 'failed'],
    ] as const) {
      define(
        '9.15/sandbox/amount-of-now',
        async (server) => {
          // only a sandbox has this path: elsewhere nothing is judged
          const deal = await dealIn('created', server, { amount: from });
          await deal.done('sandbox/freelancer', 'accept');
          const open = await proposed(deal, 'partner', amendment({ amount: to }));
          await decided(deal, 'freelancer', open, 'accept');
          await deal.upload();
          await deal.done('freelancer', 'deliver');
          await deal.done('partner', 'approve');
          const details = await becomes(deal, 'the answer to the request', (each) => {
            return ['paid', 'failed'].includes(lastRequest(each).status);
          });
          equal(lastRequest(details).status, status, 'the status of the payment');
        },
        `${from} to ${to}`,
      );
    }

    define('6.7/terms/dispute-goes-on', async (server) => {
      const deal = await dealIn('delivered', server);
      const open = await proposed(deal, 'partner', retitled());
      await deal.done('partner', 'dispute', because);
      equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
      expectError(await decide(deal, 'freelancer', open, 'accept'), 409, 'illegal_transition');
      await decided(deal, 'freelancer', open, 'reject');
      expectStatuses(await deal.details(), ['disputed', 'accepted', 'submitted']);
    });

    define('9.15/proposals/too-many', async (server) => {
      const deal = await dealIn('accepted', server);
      for (let count = 0; count < 500; count += 1) await proposed(deal, 'partner', retitled());
      expectReason(await propose(deal, 'partner', retitled()), 'too_many');
      await proposed(deal, 'freelancer', retitled());
      expectStatuses(await deal.details(), statusesIn.accepted);
    });
  },
);
