import { equal } from '../../expectations.js';
import { changesNothing, dealIn, expectReason, type LivingDeal } from '../life/deal.js';
import { expectError, expectStatus, group, type Reply } from '../server.js';
import {
  amendment,
  decide,
  decided,
  decisions,
  proposalNow,
  proposalsOf,
  propose,
  proposed,
  retitled,
  sides,
} from './terms.js';

function expectReused(reply: Reply): void {
  expectError(reply, 422, 'idempotency_key_reused');
}

/** The proposal of an answer. */
const proposalIn = (reply: Reply) => Object(reply.members()['data']);

/** Fails the case unless both answers are the same. */
const expectSame = (again: Reply, first: Reply) =>
  equal(again.json(), first.json(), 'the second answer, and the first one');

const withKey = (deal: LivingDeal, key: string, body = retitled()) =>
  deal.give('partner', 'proposal', { body, key });

/** Decision 9.11: repeats, and idempotency keys. */
export const termsKeys = group(
  'repeats and keys of proposals',
  {
    must: {
      '9.11/repeat/decision': 'A decision that is given again is a success that changes nothing.',
      '9.11/repeat/answer': 'Its answer is the proposal as it is.',
      '9.11/repeat/hash': '`accept` again is a success, with any hash.',
      '9.11/repeat/proposal': 'A proposal that is made again is another one, which supersedes.',
      '2.7/terms/key-replay':
        'A proposal with the key of an earlier one is that one: the first answer.',
      '2.7/terms/key-replay-moved': 'So it is if the proposal was decided in the meantime.',
      '2.7/terms/key-input': 'A key that was used for another proposal is 422.',
      '2.7/terms/key-canonical': 'Another way to write the same money is the same input of a key.',
      '2.7/terms/key-decision': 'A decision with the key of its earlier success has its answer.',
      '2.7/terms/key-other-decision': 'A key that was used for another decision is 422.',
      '2.7/terms/key-failed': 'A proposal that was refused does not use up its key.',
      '6.7/terms/key-per-actor': 'A key of one side is new for the other side.',
      '6.7/terms/key-per-deal': 'A key of one deal is new for a proposal of another deal.',
      '2.7/terms/key-malformed': 'A malformed key of a proposal is 400 `invalid_idempotency_key`.',
      '9.1/race/proposals': 'Of proposals that are made at once, one is open.',
      '9.2/race/decisions': 'Of an `accept` and a `withdraw` at once, one is a success.',
    },
  },
  (define) => {
    for (const decision of decisions) {
      const by = decision === 'withdraw' ? 'partner' : 'freelancer';
      define(
        '9.11/repeat/decision',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          await decided(deal, by, open, decision);
          const again = await changesNothing(deal, () => decide(deal, by, open, decision));
          expectStatus(again, 200);
        },
        decision,
      );
      define(
        '9.11/repeat/answer',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          await decided(deal, by, open, decision);
          const again = await decide(deal, by, open, decision);
          expectStatus(again, 200);
          equal(proposalIn(again), await proposalNow(deal, open, by), 'the proposal');
        },
        decision,
      );
      define(
        '2.7/terms/key-decision',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const open = await proposed(deal, 'partner', retitled());
          const key = server.name('key');
          const hash = decision === 'accept' ? { terms_sha256: open.terms_sha256 } : {};
          const sent = { body: { ...hash, message: 'As we said.' }, key };
          const first = await decide(deal, by, open, decision, sent);
          expectStatus(first, 200);
          await proposed(deal, 'partner', retitled('Another one'));
          const again = await decide(deal, by, open, decision, sent);
          expectStatus(again, 200);
          expectSame(again, first);
        },
        decision,
      );
    }

    define('9.11/repeat/hash', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled());
      await decided(deal, 'freelancer', open, 'accept');
      const other = { ...open, terms_sha256: '0'.repeat(64) };
      expectStatus(
        await changesNothing(deal, () => decide(deal, 'freelancer', other, 'accept')),
        200,
      );
    });

    define('9.11/repeat/proposal', async (server) => {
      const deal = await dealIn('accepted', server);
      const first = await proposed(deal, 'partner', retitled());
      const second = await proposed(deal, 'partner', retitled());
      equal(second['supersedes'], first.id, 'the member supersedes');
      equal((await proposalsOf(deal)).length, 2, 'the number of proposals');
    });

    for (const by of sides) {
      define(
        '2.7/terms/key-replay',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const sent = { body: retitled(), key: server.name('key') };
          const first = await deal.give(by, 'proposal', sent);
          expectStatus(first, 201);
          const again = await changesNothing(deal, () => deal.give(by, 'proposal', sent));
          expectStatus(again, 201);
          expectSame(again, first);
          equal((await proposalsOf(deal)).length, 1, 'the number of proposals');
        },
        by,
      );
    }

    for (const [name, then] of [
      ['superseded', (deal: LivingDeal) => proposed(deal, 'partner', retitled('Another one'))],
      ['the deal has ended', (deal: LivingDeal) => deal.done('partner', 'cancel')],
    ] as const) {
      define(
        '2.7/terms/key-replay-moved',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const key = server.name('key');
          const first = await withKey(deal, key);
          await then(deal);
          const again = await changesNothing(deal, () => withKey(deal, key));
          expectStatus(again, 201);
          expectSame(again, first);
        },
        name,
      );
    }

    define('2.7/terms/key-input', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = server.name('key');
      expectStatus(await withKey(deal, key), 201);
      for (const body of [retitled('Another one'), { ...retitled(), message: 'Please.' }]) {
        expectReused(await changesNothing(deal, () => withKey(deal, key, body)));
      }
    });

    define('2.7/terms/key-canonical', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = server.name('key');
      const first = await withKey(deal, key, amendment({ amount: '120.5' }));
      expectStatus(first, 201);
      expectSame(await withKey(deal, key, amendment({ amount: '0120.50' })), first);
    });

    define('2.7/terms/key-other-decision', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'freelancer', retitled());
      const key = server.name('key');
      expectStatus(await decide(deal, 'partner', open, 'reject', { body: {}, key }), 200);
      const { terms_sha256 } = open;
      expectReused(await decide(deal, 'partner', open, 'accept', { body: { terms_sha256 }, key }));
      expectReused(await withKey(deal, key));
    });

    define('2.7/terms/key-failed', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = server.name('key');
      const same = amendment({ amount: '100.04' });
      expectReason(await withKey(deal, key, same), 'nothing_changed');
      expectStatus(await withKey(deal, key), 201);
    });

    define('6.7/terms/key-per-actor', async (server) => {
      const deal = await dealIn('accepted', server);
      const key = server.name('key');
      expectStatus(await withKey(deal, key), 201);
      const sent = { body: retitled('Another one'), key };
      expectStatus(await deal.give('freelancer', 'proposal', sent), 201);
    });

    define('6.7/terms/key-per-deal', async (server) => {
      const key = server.name('key');
      for (const title of ['One', 'Two']) {
        const deal = await dealIn('accepted', server);
        const reply = await withKey(deal, key, retitled(title));
        expectStatus(reply, 201);
        equal(proposalIn(reply).changes, { title }, 'the changes');
      }
    });

    for (const key of ['x'.repeat(256), 'two words', '']) {
      define(
        '2.7/terms/key-malformed',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const reply = await changesNothing(deal, () => withKey(deal, key));
          expectError(reply, 400, 'invalid_idempotency_key');
        },
        `${key.length} characters`,
      );
    }

    define('9.1/race/proposals', async (server) => {
      const deal = await dealIn('accepted', server);
      const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
      const all = await Promise.all(
        titles.map((title, at) =>
          propose(deal, at % 2 === 0 ? 'partner' : 'freelancer', retitled(title)),
        ),
      );
      for (const reply of all) expectStatus(reply, 201);
      const listed = await proposalsOf(deal);
      equal(
        listed.map(({ status }) => status).sort(),
        ['open', ...titles.slice(1).map(() => 'superseded')],
        'the statuses of the proposals, sorted',
      );
      const named = listed.map(({ supersedes }) => supersedes).filter((id) => id !== null);
      equal(new Set(named).size, titles.length - 1, 'the number of those that were superseded');
    });

    define('9.2/race/decisions', async (server) => {
      const deal = await dealIn('accepted', server);
      const open = await proposed(deal, 'partner', retitled('Two pages'));
      const replies = await Promise.all([
        decide(deal, 'freelancer', open, 'accept'),
        decide(deal, 'partner', open, 'withdraw'),
      ]);
      equal(replies.map(({ status }) => status).sort(), [200, 409], 'the statuses, sorted');
      const isAccepted = replies[0]?.status === 200;
      const { status } = await proposalNow(deal, open);
      equal(status, isAccepted ? 'accepted' : 'withdrawn', 'the status of the proposal');
      const isChanged = (await deal.details())['title'] === 'Two pages';
      equal(isChanged, isAccepted, 'whether the deal has changed');
    });
  },
);
