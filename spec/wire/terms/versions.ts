import { equal } from '../../expectations.js';
import { dealIn, newDeal, newDealV1 } from '../life/deal.js';
import { moment } from '../life/time.js';
import { expectError, group } from '../server.js';
import {
  acceptNow,
  agreed,
  dataAt,
  lastVersion,
  otherSide,
  proposed,
  read,
  retitled,
  settlement,
  sides,
  versionsOf,
} from './terms.js';

const members = [
  ...['terms_version', 'terms', 'terms_sha256', 'kind', 'proposal_id', 'proposed_by'],
  ...['accepted_by', 'at'],
];
const faces = ['partner', 'freelancer', 'operator'] as const;

/** Decision 9.6: versions of the terms. */
export const versions = group(
  'versions of terms',
  {
    must: {
      '9.6/versions/members': 'A version of the terms has the members of decision 9.6.',
      '9.6/versions/creation':
        'A new deal has version 1 of its terms, of the kind `creation`, proposed by the partner.',
      '9.6/versions/at-creation': 'Version 1 has the time at which the deal was created.',
      '9.6/versions/one-more':
        'Each accepted amendment and settlement, and each bonus, makes one more.',
      '9.6/versions/none-without': 'A proposal that is not accepted makes no version.',
      '9.6/versions/of-proposal':
        'A version that a proposal has made has its id, its terms and their hash.',
      '9.6/versions/who': 'A version says who proposed it, and who accepted it.',
      '9.6/versions/of-bonus': 'The version of a bonus has no proposal, and is of the partner.',
      '9.6/versions/oldest-first': 'The versions of the terms are listed oldest first.',
      '9.6/versions/pages': 'Pages of versions have every version once, in both directions.',
      '9.6/versions/never-change': 'A version never changes, but for `accepted_by` of an offer.',
      '9.6/versions/accepted-with-deal':
        '`accepted_by` of what was made in `created` is filled by the acceptance of the deal.',
      '9.6/versions/not-accepted':
        '`accepted_by` of what was made in `created` is `null` until the deal is accepted.',
      '9.6/versions/faces': 'The partner, the freelancer and the operator see the same versions.',
      '9.6/versions/cursor': 'A text that is not a cursor is 400 `invalid_cursor`.',
      '9.16/versions/resolve': '`resolve` makes no version.',
      '9.16/versions/v1-accepted-by': '`accepted_by` is who called: in version 1.0 the partner.',
    },
  },
  (define) => {
    define('9.6/versions/members', async (server) => {
      const deal = await dealIn('accepted', server);
      await agreed(deal, retitled());
      for (const version of await versionsOf(deal)) {
        equal(Object.keys(version).sort(), [...members].sort(), 'the members, sorted');
      }
    });

    for (const make of [newDeal, newDealV1]) {
      define(
        '9.6/versions/creation',
        async (server) => {
          const all = await versionsOf(await make(server));
          equal(
            all.map(({ terms_version, kind, proposal_id, proposed_by }) => ({
              ...{ terms_version, kind, proposal_id, proposed_by },
            })),
            [{ terms_version: 1, kind: 'creation', proposal_id: null, proposed_by: 'partner' }],
            'the versions',
          );
        },
        make === newDeal ? '2.0' : '1.0',
      );
      define(
        '9.6/versions/at-creation',
        async (server) => {
          const deal = await make(server);
          const { created_at } = await deal.details();
          equal((await lastVersion(deal))['at'], created_at, 'the time of version 1');
          await proposed(deal, 'partner', retitled());
          equal((await versionsOf(deal))[0]?.['at'], created_at, 'the same after an amendment');
        },
        make === newDeal ? '2.0' : '1.0',
      );
    }

    define('9.6/versions/one-more', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'partner', retitled());
      await acceptNow(deal);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      await agreed(deal, settlement('80.00'));
      equal(
        (await versionsOf(deal)).map(({ terms_version, kind, terms }) => ({
          ...{ terms_version, kind, version: Object(terms).version },
        })),
        ['creation', 'amendment', 'bonus', 'settlement'].map((kind, at) => ({
          ...{ terms_version: at + 1, kind, version: at + 1 },
        })),
        'the versions',
      );
    });

    define('9.6/versions/none-without', async (server) => {
      const deal = await dealIn('accepted', server);
      await proposed(deal, 'partner', retitled());
      await proposed(deal, 'freelancer', settlement('50.00'));
      equal((await versionsOf(deal)).length, 1, 'the number of versions');
    });

    for (const by of sides) {
      for (const body of [retitled(), settlement('50.00')]) {
        define(
          '9.6/versions/of-proposal',
          async (server) => {
            const deal = await dealIn('accepted', server);
            const { id, kind, terms, terms_sha256, decided_at } = await agreed(deal, body, by);
            const last = await lastVersion(deal);
            const shown = ['kind', 'proposal_id', 'terms', 'terms_sha256', 'at'] as const;
            equal(
              Object.fromEntries(shown.map((name) => [name, last[name]])),
              { kind, proposal_id: id, terms, terms_sha256, at: decided_at },
              'the version',
            );
          },
          `${body['kind']} by the ${by}`,
        );
      }
      define(
        '9.6/versions/who',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await agreed(deal, retitled(), by);
          const { proposed_by, accepted_by } = await lastVersion(deal);
          equal(
            { proposed_by, accepted_by },
            { proposed_by: by, accepted_by: otherSide[by] },
            'who proposed and accepted it',
          );
        },
        by,
      );
    }

    define('9.6/versions/of-bonus', async (server) => {
      const deal = await dealIn('accepted', server);
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      const { kind, proposal_id, proposed_by } = await lastVersion(deal);
      equal(
        { kind, proposal_id, proposed_by },
        { kind: 'bonus', proposal_id: null, proposed_by: 'partner' },
        'the version',
      );
    });

    for (const by of faces) {
      define(
        '9.6/versions/oldest-first',
        async (server) => {
          const deal = await newDeal(server);
          for (const title of ['One', 'Two', 'Three'])
            await proposed(deal, 'partner', retitled(title));
          equal(
            (await versionsOf(deal, by)).map(({ terms_version }) => terms_version),
            [1, 2, 3, 4],
            'the numbers of the versions',
          );
        },
        by,
      );
      define(
        '9.6/versions/pages',
        async (server) => {
          const deal = await newDeal(server);
          for (const title of ['One', 'Two', 'Three', 'Four'])
            await proposed(deal, 'partner', retitled(title));
          const pageAt = async (cursor: unknown) => {
            const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(`${cursor}`)}`;
            const { results, next, previous } = await dataAt(
              deal,
              `terms/?page_size=2${query}`,
              by,
            );
            const list = results as readonly { readonly terms_version: unknown }[];
            return { numbers: list.map((each) => each.terms_version), next, previous };
          };
          const first = await pageAt(undefined);
          const second = await pageAt(first.next);
          const third = await pageAt(second.next);
          equal(
            [first.numbers, second.numbers, third.numbers, first.previous, third.next],
            [[1, 2], [3, 4], [5], null, null],
            'the pages, and the cursors at both ends',
          );
          equal((await pageAt(third.previous)).numbers, [3, 4], 'the page before the last');
          equal((await pageAt(second.previous)).numbers, [1, 2], 'the page before that');
        },
        by,
      );
      define(
        '9.6/versions/faces',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await agreed(deal, retitled());
          equal(await versionsOf(deal, by), await versionsOf(deal), 'the versions');
        },
        by,
      );
      define(
        '9.6/versions/cursor',
        async (server) => {
          const deal = await newDeal(server);
          for (const cursor of ['1', 'garbage', 'n-x']) {
            const reply = await read(deal, `terms/?cursor=${cursor}`, by);
            expectError(reply, 400, 'invalid_cursor');
          }
        },
        by,
      );
    }

    define('9.6/versions/never-change', async (server) => {
      const deal = await dealIn('accepted', server);
      await agreed(deal, retitled('Two pages'));
      const before = await versionsOf(deal);
      await agreed(deal, retitled('Three pages'));
      await deal.done('partner', 'add-bonus', { amount: '10.00' });
      await agreed(deal, settlement('80.00'));
      equal((await versionsOf(deal)).slice(0, 2), before, 'the first two versions');
    });

    for (const by of ['accept', 'deliver', 'counter-offer'] as const) {
      define(
        '9.6/versions/accepted-with-deal',
        async (server) => {
          const deal = await newDeal(server);
          await proposed(deal, 'partner', retitled('Two pages'));
          if (by === 'counter-offer') await agreed(deal, retitled('Three pages'), 'freelancer');
          else {
            if (by === 'deliver') await deal.upload('freelancer');
            const { terms_sha256 } = await dataAt(deal, '', 'freelancer');
            await deal.done('freelancer', by, { terms_sha256 });
          }
          const accepted = by === 'counter-offer' ? 'partner' : 'freelancer';
          for (const { accepted_by } of await versionsOf(deal)) {
            equal(accepted_by, accepted, 'the member accepted_by');
          }
        },
        by,
      );
    }

    define('9.6/versions/not-accepted', async (server) => {
      const deal = await newDeal(server);
      await proposed(deal, 'partner', retitled());
      equal(
        (await versionsOf(deal)).map(({ accepted_by }) => accepted_by),
        [null, null],
        'the members accepted_by',
      );
    });

    for (const by of ['operator', 'sandbox/operator'] as const) {
      define(
        '9.16/versions/resolve',
        async (server) => {
          const deal = await dealIn('disputed', server);
          const { terms_version } = await deal.details();
          await deal.done(by, 'resolve', { agreed_amount: '40.00' });
          equal((await deal.details())['terms_version'], terms_version, 'the version');
          equal((await versionsOf(deal)).length, 1, 'the number of versions');
        },
        by,
      );
    }

    define('9.16/versions/v1-accepted-by', async (server) => {
      const deal = await newDealV1(server);
      await deal.done('partner', 'accept');
      const { accepted_by, at } = await lastVersion(deal);
      equal(accepted_by, 'partner', 'the member accepted_by');
      moment(at, 'the member at');
    });
  },
);
