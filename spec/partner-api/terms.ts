import type { ResultAsync } from 'neverthrow';
import type { DealDetails } from '../../src/api/answers.js';
import { equal, errOf, okOf } from '../expectations.js';
import { createDocumentedDeal, makeDeal, stageOf, versions } from './deals.js';
import { type AnyError, missing, plain, told } from './errors.js';
import { acceptedDeal, detailsOf, otherHash, proposed, retitled, unknownId } from './proposals.js';
import { everyStranger, group, strangers, type Views } from './subject.js';

/** Every call of a partner about proposals and terms of a deal. */
const calls = (api: Views['api'], id: string): readonly ResultAsync<unknown, AnyError>[] => [
  api.propose(id, retitled()),
  api.acceptProposal(id, unknownId, { terms_sha256: otherHash }),
  api.rejectProposal(id, unknownId),
  api.withdrawProposal(id, unknownId),
  api.listProposals(id),
  api.retrieveProposal(id, unknownId),
  api.listTerms(id),
  api.addBonus(id, { amount: '10.00' }),
];

/** Of two reads, what a service does not move by itself between them, as it does payments. */
const besidesMoney = ({ billing: _, ...others }: DealDetails) => others;

/** Decision 9: terms, bonuses and due dates as a partner sees them. */
export const terms = group(
  'terms and bonuses',
  {
    must: {
      '9.4/partner/stages': 'An amendment keeps, changes, adds and cancels stages.',
      '9.6/partner/versions': 'The versions of the terms are listed oldest first, in pages.',
      '9.9/partner/bonus': 'A bonus adds a stage that is approved, and is asked for.',
      '9.9/partner/bonus-illegal': 'A deal that nobody has accepted has no bonus.',
      '9.9/partner/bonus-key': 'A bonus with the key of an earlier one is that one.',
      '9.11/partner/pages': 'The proposals of a deal are listed newest first, in pages.',
      '9.11/partner/cursor': 'A text that is not a cursor is refused.',
      '9.11/partner/no-proposal': 'A proposal that the deal does not have is not found.',
      '9.11/partner/any-partner-id': 'Proposals and terms are found under any `partner_id`.',
      '9.13/partner/due-on': 'A stage is due its days after the acceptance, and not before.',
      '2.5/partner/terms-of-others':
        'Of the deal of another, every call about proposals and terms says what it says of none.',
    },
  },
  (define) => {
    for (const version of versions) {
      define(
        '9.4/partner/stages',
        async (views) => {
          const deal = await makeDeal(views, version);
          const first = await stageOf(deal);
          const added = [
            { name: 'One', budget: '10.00' },
            { name: 'Two', budget: '5.50', work_days: 3 },
          ];
          await proposed(views, deal.partner_id, {
            kind: 'amendment',
            changes: { stages: [{ id: first, name: 'Kept', budget: '1.00' }, ...added] },
          });
          const kept = await deal.stages();
          equal(
            kept.map(({ name, budget, status }) => [name, budget, status]),
            [
              ['Kept', '1.00', 'pending'],
              ['One', '10.00', 'pending'],
              ['Two', '5.50', 'pending'],
            ],
            'the stages',
          );
          const [, one] = kept;
          await proposed(views, deal.partner_id, {
            kind: 'amendment',
            changes: { stages: [{ id: one?.id ?? 0 }] },
          });
          equal(
            (await deal.stages()).map(({ status }) => status),
            ['cancelled', 'pending', 'cancelled'],
            'the statuses',
          );
          equal((await detailsOf(views, deal.partner_id)).amount, '10.00', 'the amount');
        },
        version,
      );
    }

    define('9.6/partner/versions', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const alone = okOf(await api.listTerms(id), 'the terms').results;
      equal(
        alone.map(({ terms_version, kind, accepted_by }) => [terms_version, kind, accepted_by]),
        [[1, 'creation', 'partner']],
        'the first version',
      );
      okOf(await api.addBonus(id, { amount: '10.00' }), 'a bonus');
      okOf(await api.addBonus(id, { amount: '5.00' }), 'another bonus');
      const first = okOf(await api.listTerms(id, { page_size: 2 }), 'the first page');
      const cursor = String(first.next);
      const second = okOf(await api.listTerms(id, { page_size: 2, cursor }), 'the second page');
      equal(
        [...first.results, ...second.results].map(({ terms_version }) => terms_version),
        [1, 2, 3],
        'the versions',
      );
      equal([first.previous, second.next], [null, null], 'the ends');
      equal(first.results[0], alone[0], 'the first version, as it was');
    });

    define('9.9/partner/bonus', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const { amount } = await detailsOf(views, id);
      const bonus = { amount: '12.5', message: 'Well done.' };
      const after = okOf(await api.addBonus(id, bonus), 'a bonus');
      equal(besidesMoney(after), besidesMoney(await detailsOf(views, id)), 'the answer');
      const last = after.stages.at(-1);
      equal(
        [last?.name, last?.budget, last?.status],
        ['Well done.', '12.50', 'approved'],
        'the stage',
      );
      equal(Number(after.amount), Number(amount) + 12.5, 'the amount');
      equal(after.billing.employer_payments.at(-1)?.amount, '12.50', 'what is asked for');
    });

    for (const version of versions) {
      define(
        '9.9/partner/bonus-illegal',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          const refusal = errOf(await views.api.addBonus(partner_id, { amount: '1.00' }), 'it');
          equal(refusal.code, 'illegal_transition', 'the refusal');
        },
        version,
      );
    }

    define('9.9/partner/bonus-key', async (views) => {
      const { api, key } = views;
      const id = await acceptedDeal(views);
      const bonus = { amount: '10.00' };
      const first = okOf(await api.addBonus(id, bonus, key), 'the first');
      const second = okOf(await api.addBonus(id, bonus, key), 'the second');
      equal(besidesMoney(second), besidesMoney(first), 'the answers');
      equal((await detailsOf(views, id)).stages.length, 2, 'the stages');
    });

    define('9.11/partner/pages', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const made: string[] = [];
      for (let count = 0; count < 5; count += 1) made.unshift((await proposed(views, id)).id);
      const listed: string[] = [];
      let cursor: string | null = null;
      do {
        const query: { page_size: number; cursor?: string } = { page_size: 2 };
        if (cursor !== null) query.cursor = cursor;
        const page = okOf(await api.listProposals(id, query), 'a page');
        listed.push(...page.results.map((each) => each.id));
        cursor = page.next;
      } while (cursor !== null && listed.length < 10);
      equal(listed, made, 'the ids');
    });

    define('9.11/partner/cursor', async (views) => {
      const id = await acceptedDeal(views);
      const cursor = 'garbage';
      plain(errOf(await views.api.listProposals(id, { cursor }), 'a page'), 'invalid_cursor');
      plain(errOf(await views.api.listTerms(id, { cursor }), 'a page'), 'invalid_cursor');
    });

    for (const version of versions) {
      define(
        '9.11/partner/no-proposal',
        async (views) => {
          const { api } = views;
          const { partner_id: id } = await makeDeal(views, version);
          for (const proposal of [unknownId, 'x', '']) {
            missing(errOf(await api.retrieveProposal(id, proposal), 'read'), 'proposal');
            missing(errOf(await api.rejectProposal(id, proposal), 'reject'), 'proposal');
            missing(errOf(await api.withdrawProposal(id, proposal), 'withdraw'), 'proposal');
            const hash = { terms_sha256: otherHash };
            missing(errOf(await api.acceptProposal(id, proposal, hash), 'accept'), 'proposal');
          }
        },
        version,
      );
    }

    for (const id of ['a/b', '..', 'ü %?#']) {
      define(
        '9.11/partner/any-partner-id',
        async (views) => {
          const { api, name } = views;
          const { partner_id } = await makeDeal(views, '2.0', name(id));
          const made = await proposed(views, partner_id);
          equal(okOf(await api.retrieveProposal(partner_id, made.id), 'it').id, made.id, 'it');
          equal(okOf(await api.listTerms(partner_id), 'terms').results.length, 2, 'versions');
          equal(okOf(await api.listProposals(partner_id), 'all').results.length, 1, 'proposals');
        },
        id,
      );
    }

    define('9.13/partner/due-on', async (views) => {
      const { api, deal } = views;
      await createDocumentedDeal(views);
      const dates = async () =>
        (await detailsOf(views, deal.partner_id)).stages.map(({ due_on }) => due_on);
      equal(await dates(), [null], 'before the acceptance');
      okOf(await api.accept(deal.partner_id), 'accept');
      const { results } = okOf(await api.listDealEvents(deal.partner_id), 'the events');
      const at = Date.parse(results.at(-1)?.at ?? '');
      const end = new Date(at + (deal.work_days ?? 30) * 24 * 60 * 60 * 1000);
      equal(await dates(), [end.toISOString().slice(0, 10)], 'after the acceptance');
    });

    for (const stranger of everyStranger) {
      define(
        '2.5/partner/terms-of-others',
        async (views) => {
          const { [stranger]: view, name } = views;
          const id = await acceptedDeal(views);
          await proposed(views, id);
          const none = calls(view, name('none'));
          for (const [at, call] of calls(view, id).entries()) {
            const [foreign, absent] = [await call, await none[at]];
            const error = errOf(foreign, 'a call about the deal of another');
            missing(error, 'deal');
            const other = absent === undefined ? undefined : errOf(absent, 'about no deal');
            equal(told(error), other && told(other), 'nothing tells them apart');
          }
          equal((await detailsOf(views, id)).proposal?.status, 'open', 'the proposal');
        },
        strangers[stranger],
      );
    }
  },
);
