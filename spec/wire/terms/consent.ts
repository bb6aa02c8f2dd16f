import { check, equal } from '../../expectations.js';
import {
  arrayOf,
  changesNothing,
  dealIn,
  expectReason,
  expectStatuses,
  type LivingDeal,
  newDeal,
  newDealV1,
  statusesIn,
} from '../life/deal.js';
import { expectStatus, group, type Members, membersOf } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  dataAt,
  decide,
  halves,
  hashOf,
  lastVersion,
  proposalNow,
  proposed,
  retitled,
  settlement,
  sides,
  staged,
} from './terms.js';

const termsMembers = [
  ...['version', 'title', 'description', 'amount', 'currency', 'copyright_transfer', 'stages'],
];
const stageMembers = ['id', 'name', 'budget', 'work_days'];
const added = { name: 'One more', budget: '10.00' };

/** A hash of other terms. */
const otherHash = '0'.repeat(64);

const stagesIn = (terms: unknown) => arrayOf(Object(terms).stages, 'the stages of the terms');

/** The terms that the details of a deal show. */
async function termsNow(deal: LivingDeal, changes: Members = {}): Promise<Members> {
  const details = await deal.details();
  const [title, description, amount, currency, copyright_transfer] = [
    ...['title', 'description', 'amount', 'currency', 'copyright_transfer'],
  ].map((name) => details[name]);
  const version = Number(details['terms_version']);
  const stages = details.stages
    .filter(({ status }) => status !== 'cancelled')
    .map(({ id, name, budget, work_days, agreed_amount }) => ({
      ...{ id, name, budget: agreed_amount ?? budget, work_days },
    }));
  return {
    ...{ version, title, description, amount, currency, copyright_transfer, stages },
    ...changes,
  };
}

/** Decision 9.5: consent is to exact terms. */
export const consent = group(
  'consent to terms',
  {
    must: {
      '9.5/terms/members': 'The terms of a proposal have the members of decision 9.5.',
      '9.5/terms/agreed-amount': 'The terms of a settlement have its `agreed_amount`, too.',
      '9.5/terms/as-they-would-be': 'The terms of a proposal are those that the deal would have.',
      '9.5/terms/next-version': 'The terms of a proposal have the number of the next version.',
      '9.5/terms/new-stages':
        'Stages that are to be added come last in the terms, with `id: null`.',
      '9.5/terms/order': 'The stages of terms are in the order of their ids.',
      '9.5/terms/without-cancelled': 'Stages that would be cancelled are not in the terms.',
      '9.5/terms/agreed-in-part':
        'A stage that was agreed in part has its agreed amount as budget in the terms.',
      '9.5/hash/proposal':
        'The `terms_sha256` of a proposal is the SHA-256 of the canonical JSON of its terms.',
      '9.5/hash/version': 'So is that of each version of the terms.',
      '9.5/hash/offer': 'The offer always shows the `terms_sha256` of its terms.',
      '9.5/hash/details-of-version-1': 'Deal details show no hash of version 1: `null`.',
      '9.5/hash/details': 'Deal details show `terms_version`, and its hash from version 2 on.',
      '9.5/hash/freelancer': 'Both sides are shown the same terms and the same hash.',
      '9.5/consent/other-hash':
        'To accept a proposal with another hash is `terms_changed`, and changes nothing.',
      '9.5/consent/accept': '`accept` of a deal takes the `terms_sha256` of its terms.',
      '9.5/consent/accept-other-hash': '`accept` of a deal with another hash is `terms_changed`.',
      '9.5/consent/accept-must':
        '`accept` of a deal whose terms have changed takes their hash: without it `terms_changed`.',
      '9.5/consent/deliver': 'A `deliver` that accepts the deal takes `terms_sha256`, too.',
      '9.5/consent/deliver-must':
        'A `deliver` that accepts a deal whose terms have changed must have their hash.',
      '9.16/terms/settlement':
        "A settlement's terms are those of now, of the next version, and `agreed_amount`.",
      '9.16/terms/null': 'Members of terms that have no value are there, and `null`.',
    },
  },
  (define) => {
    for (const body of [retitled(), settlement('50.00')]) {
      define(
        '9.5/terms/members',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const { terms } = await proposed(deal, 'partner', body);
          const own = body['kind'] === 'settlement' ? ['agreed_amount'] : [];
          equal(Object.keys(terms).sort(), [...termsMembers, ...own].sort(), 'the members, sorted');
          for (const stage of stagesIn(terms)) {
            equal(Object.keys(stage).sort(), [...stageMembers].sort(), 'those of a stage, sorted');
          }
        },
        String(body['kind']),
      );

      for (const by of sides) {
        define(
          '9.5/hash/proposal',
          async (server) => {
            const deal = await dealIn('accepted', server, {
              title: 'Zażółć \u{1f4dd} "gęślą" \\ jaźń',
              description: 'Two\nlines,\ta tab, \u007f and \u2028.',
            });
            const { terms, terms_sha256 } = await proposed(deal, by, body);
            equal(terms_sha256, await hashOf(terms), 'the hash');
          },
          `${body['kind']}, ${by}`,
        );
      }
    }

    define('9.5/terms/agreed-amount', async (server) => {
      const deal = await dealIn('delivered', server);
      const { terms } = await proposed(deal, 'partner', settlement('50'));
      equal(terms['agreed_amount'], '50.00', 'the agreed amount');
    });

    define('9.5/terms/as-they-would-be', async (server) => {
      const deal = await newDeal(server);
      const [first = 0] = await staged(deal);
      await acceptNow(deal);
      const body = amendment({
        ...{ title: 'Two pages', description: 'Of text.', copyright_transfer: 'license' },
        stages: [{ id: first, budget: '70.04', work_days: 21 }, added],
      });
      const { terms } = await agreed(deal, body);
      const after = await termsNow(deal);
      const stages = stagesIn(after).map((stage) =>
        stage['name'] === added.name ? { ...stage, id: null } : stage,
      );
      equal(terms, { ...after, stages }, 'the terms that were agreed, and those of the deal');
    });

    define('9.5/terms/next-version', async (server) => {
      const deal = await dealIn('accepted', server);
      for (const version of [2, 2, 3]) {
        const proposal = await proposed(deal, 'partner', retitled(`Title ${version}`));
        equal(proposal.terms['version'], version, 'the version of the terms');
        if (version === 2 && proposal['supersedes'] !== null) {
          expectStatus(await decide(deal, 'freelancer', proposal, 'accept'), 200);
        }
      }
    });

    define('9.5/terms/new-stages', async (server) => {
      const deal = await newDeal(server);
      const ids = await staged(deal);
      await acceptNow(deal);
      const stages = [added, ...ids.map((id) => ({ id })), { ...added, name: 'The last' }];
      const { terms } = await proposed(deal, 'partner', amendment({ stages }));
      equal(
        stagesIn(terms).map(({ id, name }) => ({ id, name })),
        [
          ...ids.map((id, at) => ({ id, name: halves[at]?.['name'] })),
          { id: null, name: 'One more' },
          { id: null, name: 'The last' },
        ],
        'the stages of the terms',
      );
    });

    define('9.5/terms/order', async (server) => {
      const deal = await newDeal(server);
      const ids = await staged(deal);
      await acceptNow(deal);
      const stages = [...ids].reverse().map((id) => ({ id, work_days: 3 }));
      const { terms } = await proposed(deal, 'partner', amendment({ stages }));
      equal(
        stagesIn(terms).map(({ id }) => id),
        ids,
        'the ids of the stages',
      );
    });

    define('9.5/terms/without-cancelled', async (server) => {
      const deal = await newDeal(server);
      const [, second] = await staged(deal);
      await acceptNow(deal);
      const body = amendment({ stages: [{ id: second }] });
      const { terms } = await proposed(deal, 'partner', body);
      equal(
        stagesIn(terms).map(({ id }) => id),
        [second],
        'the ids of the stages',
      );
      equal(terms['amount'], '40.00', 'the amount');
    });

    define('9.5/terms/agreed-in-part', async (server) => {
      const deal = await newDeal(server);
      await staged(deal);
      await acceptNow(deal);
      await agreed(deal, settlement('80.00'));
      const { terms } = await proposed(deal, 'partner', retitled());
      equal(
        stagesIn(terms).map(({ budget }) => budget),
        ['60.04', '19.96'],
        'the budgets of the stages',
      );
    });

    define('9.5/hash/version', async (server) => {
      const deal = await newDeal(server);
      await approveFirst(deal);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      await agreed(deal, settlement('80.00'));
      const { results } = await dataAt(deal, 'terms/');
      for (const { terms, terms_sha256 } of arrayOf(results, 'the versions')) {
        equal(terms_sha256, await hashOf(terms), `the hash of version ${Object(terms).version}`);
      }
    });

    for (const state of ['created', 'accepted', 'approved'] as const) {
      define(
        '9.5/hash/offer',
        async (server) => {
          const deal = await dealIn(state, server);
          const offer = await dataAt(deal, '', 'freelancer');
          equal(offer['terms_version'], 1, 'the version');
          equal(offer['terms_sha256'], await hashOf(await termsNow(deal)), 'the hash');
          if (state === 'created') await proposed(deal, 'partner', retitled());
          else await agreed(deal, retitled());
          const later = await dataAt(deal, '', 'freelancer');
          equal(later['terms_version'], 2, 'the version after an amendment');
          equal(later['terms_sha256'], await hashOf(await termsNow(deal)), 'its hash');
        },
        state,
      );
    }

    for (const make of [newDeal, newDealV1]) {
      define(
        '9.5/hash/details-of-version-1',
        async (server) => {
          const { terms_version, terms_sha256 } = await (await make(server)).details();
          equal({ terms_version, terms_sha256 }, { terms_version: 1, terms_sha256: null }, 'both');
        },
        make === newDeal ? '2.0' : '1.0',
      );
      define(
        '9.5/hash/details',
        async (server) => {
          const deal = await make(server);
          const { terms_sha256: hash } = await proposed(deal, 'partner', retitled());
          const { terms_version, terms_sha256 } = await deal.details();
          equal({ terms_version, terms_sha256 }, { terms_version: 2, terms_sha256: hash }, 'both');
        },
        make === newDeal ? '2.0' : '1.0',
      );
    }

    define('9.5/hash/freelancer', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', amendment({ amount: '140.04' }));
      const seen = await proposalNow(deal, open, 'freelancer');
      equal(seen.terms, open.terms, 'the terms');
      equal(seen.terms_sha256, open.terms_sha256, 'the hash');
      equal(await lastVersion(deal, 'freelancer'), await lastVersion(deal), 'the last version');
    });

    for (const by of sides) {
      define(
        '9.5/consent/other-hash',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(
            deal,
            by === 'partner' ? 'freelancer' : 'partner',
            retitled(),
          );
          const reply = await changesNothing(deal, () =>
            decide(deal, by, { ...open, terms_sha256: otherHash }, 'accept'),
          );
          expectReason(reply, 'terms_changed');
          equal((await proposalNow(deal, open)).status, 'open', 'the status of the proposal');
        },
        `by the ${by}`,
      );
    }

    for (const [command, id] of [
      ['accept', '9.5/consent/accept'],
      ['deliver', '9.5/consent/deliver'],
    ] as const) {
      for (const isAmended of [false, true]) {
        define(
          id,
          async (server) => {
            const deal = await newDeal(server);
            if (isAmended) await proposed(deal, 'partner', retitled());
            if (command === 'deliver') await deal.upload('freelancer');
            const { terms_sha256 } = await dataAt(deal, '', 'freelancer');
            await deal.done('freelancer', command, { terms_sha256 });
            const to = command === 'accept' ? statusesIn.accepted : statusesIn.delivered;
            expectStatuses(await deal.details(), to);
          },
          isAmended ? 'version 2' : 'version 1',
        );
      }
    }

    define('9.5/consent/accept-other-hash', async (server) => {
      const deal = await newDeal(server);
      for (const isAmended of [false, true]) {
        if (isAmended) await proposed(deal, 'partner', retitled());
        const body = { terms_sha256: otherHash };
        const reply = await changesNothing(deal, () => deal.give('freelancer', 'accept', { body }));
        expectReason(reply, 'terms_changed');
      }
    });

    define('9.5/consent/accept-must', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'partner', retitled());
      const reply = await changesNothing(deal, () => deal.give('freelancer', 'accept'));
      expectReason(reply, 'terms_changed');
    });

    define('9.5/consent/deliver-must', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'partner', retitled());
      await deal.upload('freelancer');
      for (const body of [{}, { terms_sha256: otherHash }]) {
        const reply = await changesNothing(deal, () =>
          deal.give('freelancer', 'deliver', { body }),
        );
        expectReason(reply, 'terms_changed');
      }
    });

    define('9.16/terms/settlement', async (server) => {
      const deal = await newDeal(server);
      await approveFirst(deal);
      const before = await termsNow(deal);
      const { terms } = await proposed(deal, 'freelancer', settlement('80.00'));
      const version = Number(before['version']) + 1;
      equal(terms, { ...before, version, agreed_amount: '80.00' }, 'the terms');
    });

    define(
      '9.16/terms/null',
      async (server) => {
        const deal = await newDealV1(server);
        const { terms } = await proposed(deal, 'partner', retitled());
        equal(terms['copyright_transfer'], null, 'copyright_transfer');
        const [stage] = stagesIn(terms);
        check(stage?.['work_days'] !== null, 'a stage of version 1.0 has days');
      },
      '1.0',
    );
    define(
      '9.16/terms/null',
      async (server) => {
        const { terms } = await proposed(await newDeal(server), 'partner', retitled());
        equal(membersOf(stagesIn(terms)[0], 'the stage')['work_days'], null, 'work_days');
      },
      '2.0',
    );
  },
);
