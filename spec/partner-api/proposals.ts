import type { ProposalInput } from '../../src/domain/deals/proposal-input.js';
import type { Proposal } from '../../src/domain/terms/proposal.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { delivered } from './commands.js';
import { createDocumentedDeal, makeDeal, versions } from './deals.js';
import { type AnyError, invalid, plain, told } from './errors.js';
import { group, type Views } from './subject.js';

export const unknownId = '01KDVE0000000000000000000B';
export const otherHash = '0'.repeat(64);

export const retitled = (title = 'Another title'): ProposalInput => ({
  kind: 'amendment',
  changes: { title },
});
const settled = (agreed_amount: string): ProposalInput => ({
  kind: 'settlement',
  changes: { agreed_amount },
});

/** A deal of version 1.0 that its partner has accepted: there the partner is both sides. */
export async function acceptedDeal(views: Views): Promise<string> {
  const { api, deal } = views;
  await createDocumentedDeal(views);
  okOf(await api.accept(deal.partner_id), 'accept');
  return deal.partner_id;
}

export async function proposed(views: Views, id: string, input = retitled()): Promise<Proposal> {
  return okOf(await views.api.propose(id, input), 'a proposal');
}

/** Asserts that something stands against it, and what. */
function unmet(error: AnyError, expected: string): void {
  const { code, reason } = told(error) as { readonly code: string; readonly reason: string };
  equal([code, reason], ['precondition_failed', expected], 'what stands against it');
}

/** Asserts that the proposal is of this status, which does not allow it. */
function closed(error: AnyError, proposal_status: string): void {
  const said = told(error) as { readonly code: string; readonly proposal_status?: string };
  equal([said.code, said.proposal_status], ['illegal_transition', proposal_status], 'the refusal');
}

export const detailsOf = async ({ api }: Views, id: string) =>
  okOf(await api.retrieveDealDetails(id), 'the deal');

/** Decision 9: proposals as a partner makes and decides them. */
export const proposals = group(
  'proposals',
  {
    must: {
      '9.1/partner/proposal': 'A proposal is open until it is decided, and changes nothing before.',
      '9.1/partner/supersedes': 'A second proposal supersedes the first.',
      '9.2/partner/both-sides': 'In version 1.0 the partner accepts, rejects and withdraws.',
      '9.2/partner/closed': 'A closed proposal is refused with its status, and a repeat is not.',
      '9.2/partner/consent-needed': 'In version 1.0 a settlement needs the freelancer.',
      '9.3/partner/at-once':
        'An amendment of a deal that nobody has accepted takes effect at once.',
      '9.3/partner/illegal': 'A deal that has ended takes no proposal.',
      '9.4/partner/reasons': 'What the state of a deal does not allow is refused with its reason.',
      '9.4/partner/issues': 'What is wrong in a proposal is named with its path and its code.',
      '9.5/partner/exact-terms': 'Other terms than those of the proposal cannot be accepted.',
      '9.12/partner/events': 'A proposal and what it changes are told in events.',
      '2.7/partner/proposal-keys':
        'A proposal with the key of an earlier one is that one; other input is refused.',
    },
  },
  (define) => {
    define('9.1/partner/proposal', async (views) => {
      const id = await acceptedDeal(views);
      const before = await detailsOf(views, id);
      const open = await proposed(views, id);
      equal([open.status, open.by, open.decided_at], ['open', 'partner', null], 'the proposal');
      const { proposal, ...others } = await detailsOf(views, id);
      equal(proposal, open, 'the open proposal in the deal');
      const { legal_proposals } = before;
      equal({ ...others, proposal: null, legal_proposals }, before, 'the rest of the deal');
      equal(okOf(await views.api.retrieveProposal(id, open.id), 'by its id'), open, 'by its id');
    });

    define('9.1/partner/supersedes', async (views) => {
      const id = await acceptedDeal(views);
      const first = await proposed(views, id);
      const second = await proposed(views, id, settled('10.00'));
      equal(second.supersedes, first.id, 'what it supersedes');
      const { results } = okOf(await views.api.listProposals(id), 'the list');
      equal(
        results.map((each) => [each.id, each.status]),
        [
          [second.id, 'open'],
          [first.id, 'superseded'],
        ],
        'the proposals',
      );
    });

    define('9.2/partner/both-sides', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const one = await proposed(views, id, retitled('One'));
      const { terms_sha256 } = one;
      const accepted = okOf(await api.acceptProposal(id, one.id, { terms_sha256 }), 'accept');
      equal(accepted.status, 'accepted', 'after accept');
      equal((await detailsOf(views, id)).title, 'One', 'the title');
      const two = await proposed(views, id, retitled('Two'));
      equal(okOf(await api.rejectProposal(id, two.id), 'reject').status, 'rejected', 'reject');
      const three = await proposed(views, id, retitled('Three'));
      const withdrawn = okOf(await api.withdrawProposal(id, three.id, { message: 'No.' }), 'it');
      equal(withdrawn.status, 'withdrawn', 'after withdraw');
      equal((await detailsOf(views, id)).title, 'One', 'the title still');
    });

    define('9.2/partner/closed', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const { id: proposal, terms_sha256 } = await proposed(views, id);
      const rejected = okOf(await api.rejectProposal(id, proposal), 'reject');
      equal(okOf(await api.rejectProposal(id, proposal), 'again'), rejected, 'the repeat');
      closed(errOf(await api.withdrawProposal(id, proposal), 'withdraw'), 'rejected');
      closed(errOf(await api.acceptProposal(id, proposal, { terms_sha256 }), 'accept'), 'rejected');
    });

    define('9.2/partner/consent-needed', async (views) => {
      const id = await acceptedDeal(views);
      const { id: proposal, terms_sha256 } = await proposed(views, id, settled('10.00'));
      const refusal = await views.api.acceptProposal(id, proposal, { terms_sha256 });
      unmet(errOf(refusal, 'accept'), 'consent_needed');
    });

    for (const version of versions) {
      define(
        '9.3/partner/at-once',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          const made = await proposed(views, partner_id, retitled('At once'));
          equal(made.status, 'accepted', 'the status of the proposal');
          const { title, status, terms_version, terms_sha256 } = await detailsOf(views, partner_id);
          equal([title, status, terms_version], ['At once', 'created', 2], 'the deal');
          equal(terms_sha256, made.terms_sha256, 'the hash of its terms');
        },
        version,
      );

      define(
        '9.3/partner/illegal',
        async (views) => {
          const { partner_id } = await makeDeal(views, version);
          okOf(await views.api.cancel(partner_id), 'cancel');
          const { code } = errOf(await views.api.propose(partner_id, retitled()), 'a proposal');
          equal(code, 'illegal_transition', 'the refusal');
        },
        version,
      );
    }

    define('9.4/partner/reasons', async (views) => {
      const { api, deal } = views;
      await delivered(views);
      const id = deal.partner_id;
      const { title, stages } = await detailsOf(views, id);
      const [stage] = stages;
      check(stage !== undefined, 'the deal has a stage');
      const refused = async (input: ProposalInput, reason: string) =>
        unmet(errOf(await api.propose(id, input), reason), reason);
      await refused(retitled(title), 'nothing_changed');
      await refused(
        { kind: 'amendment', changes: { amount: '1.00', stages: [{ id: stage.id }] } },
        'amount_out_of_bounds',
      );
      await refused(settled('999999999999.00'), 'amount_out_of_bounds');
      okOf(await api.approve(id), 'approve');
      await refused({ kind: 'amendment', changes: { amount: '1.00' } }, 'stages_required');
      const renamed = [{ id: stage.id, name: 'Another name' }];
      await refused({ kind: 'amendment', changes: { stages: renamed } }, 'stage_closed');
    });

    for (const [name, input, ...issues] of [
      ['no kind', { changes: {} }, [['kind'], 'required']],
      ['no changes', { kind: 'amendment' }, [['changes'], 'required']],
      ['nothing', { kind: 'amendment', changes: {} }, [['changes'], 'empty']],
      [
        'no title',
        { kind: 'amendment', changes: { title: '' } },
        [['changes', 'title'], 'too_short'],
      ],
      [
        'no name and no budget',
        { kind: 'amendment', changes: { stages: [{}] } },
        [['changes', 'stages', '0', 'name'], 'required'],
        [['changes', 'stages', '0', 'budget'], 'required'],
      ],
      [
        'an unknown stage',
        { kind: 'amendment', changes: { stages: [{ id: Number.MAX_SAFE_INTEGER }] } },
        [['changes', 'stages', '0', 'id'], 'unknown_stage'],
      ],
      [
        'less than nothing',
        { kind: 'settlement', changes: { agreed_amount: '-1.00' } },
        [['changes', 'agreed_amount'], 'not_negative'],
      ],
    ] as const) {
      define(
        '9.4/partner/issues',
        async (views) => {
          const id = await acceptedDeal(views);
          const error = errOf(await views.api.propose(id, input as ProposalInput), 'a proposal');
          invalid(
            error,
            issues.map(([path, code]) => ({ path, code })),
          );
        },
        name,
      );
    }

    define('9.5/partner/exact-terms', async (views) => {
      const id = await acceptedDeal(views);
      const open = await proposed(views, id);
      const refusal = await views.api.acceptProposal(id, open.id, { terms_sha256: otherHash });
      unmet(errOf(refusal, 'accept'), 'terms_changed');
      equal((await detailsOf(views, id)).proposal?.status, 'open', 'the proposal');
    });

    define('9.12/partner/events', async (views) => {
      const { api } = views;
      const id = await acceptedDeal(views);
      const { id: proposal_id, terms_sha256 } = await proposed(views, id);
      okOf(await api.acceptProposal(id, proposal_id, { terms_sha256 }), 'accept');
      const { results } = okOf(await api.listDealEvents(id), 'the events');
      const last = results.slice(-3);
      equal(
        last.map(({ type }) => type),
        ['proposal.created', 'proposal.accepted', 'deal.amended'],
        'the types of the last events',
      );
      for (const { data } of last) equal(Object(data).proposal_id, proposal_id, 'the proposal');
    });

    define('2.7/partner/proposal-keys', async (views) => {
      const { api, key } = views;
      const id = await acceptedDeal(views);
      const first = okOf(await api.propose(id, retitled(), key), 'the first');
      equal(okOf(await api.propose(id, retitled(), key), 'the second'), first, 'the answers');
      plain(errOf(await api.propose(id, settled('1.00'), key), 'other'), 'idempotency_key_reused');
      equal(okOf(await api.listProposals(id), 'the list').results.length, 1, 'the proposals');
    });
  },
);
