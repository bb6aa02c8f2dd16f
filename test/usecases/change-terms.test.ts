import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonical } from '../domain/terms/canonical.js';
import {
  amending,
  dataOf,
  day,
  okOf,
  refusalOf,
  settling,
  sideOf,
  withOffer,
} from './terms-world.js';

const sha256 = (value: unknown) => createHash('sha256').update(canonical(value)).digest('hex');
const none = '0'.repeat(64);

describe('an offer that nobody has accepted', () => {
  it('is its partner’s to change, as a proposal that is born accepted', async () => {
    const deal = await withOffer();
    const { api, partner_id, freelancer } = deal;
    const before = await okOf(freelancer.view());
    expect(before.terms_version).toBe(1);
    const proposal = await deal.propose('partner', amending({ amount: '600', work_days: 9 }, 'Hi'));
    expect(proposal).toMatchObject({
      kind: 'amendment',
      by: 'partner',
      status: 'accepted',
      changes: { amount: '600.00', work_days: 9 },
      message: 'Hi',
      supersedes: null,
      decided_at: proposal.created_at,
    });
    expect(proposal.terms).toStrictEqual({
      version: 2,
      title: before.title,
      description: before.description,
      amount: '600.00',
      currency: before.currency,
      copyright_transfer: before.copyright_transfer,
      stages: [
        { id: before.stages[0]?.id, name: before.stages[0]?.name, budget: '600.00', work_days: 9 },
      ],
    });
    expect(proposal.terms_sha256).toBe(sha256(proposal.terms));
    const details = await deal.details();
    expect(details).toMatchObject({
      amount: '600.00',
      status: 'created',
      terms_version: 2,
      terms_sha256: proposal.terms_sha256,
      proposal: null,
    });
    expect(await deal.typesAfter(1)).toEqual([
      ...['proposal.created', 'proposal.accepted', 'deal.amended'],
    ]);
    const data = (await deal.events()).slice(1).map((event) => event.data);
    const base = { partner_id, status: 'created', freelancer_status: 'new' };
    const { id: proposal_id, terms_sha256 } = proposal;
    const about = { ...base, proposal_id, kind: 'amendment', by: 'partner', terms_sha256 };
    expect(data).toStrictEqual([
      { ...about, message: 'Hi' },
      about,
      { ...base, terms_version: 2, proposal_id, stage_ids: [details.stages[0]?.id] },
    ]);
    const { results } = await okOf(api.listTerms(partner_id));
    expect(results.map(({ terms: _, ...version }) => version)).toStrictEqual([
      {
        terms_version: 1,
        terms_sha256: before.terms_sha256,
        kind: 'creation',
        proposal_id: null,
        proposed_by: 'partner',
        accepted_by: null,
        at: details.created_at,
      },
      {
        terms_version: 2,
        terms_sha256,
        kind: 'amendment',
        proposal_id,
        proposed_by: 'partner',
        accepted_by: null,
        at: proposal.created_at,
      },
    ]);
    expect(results.map(({ terms }) => sha256(terms))).toEqual([before.terms_sha256, terms_sha256]);
  });

  it('is accepted by the hash of its terms alone once they have changed', async () => {
    const deal = await withOffer();
    const { freelancer, partner_id, api } = deal;
    const first = await okOf(freelancer.view());
    const wrong = freelancer.accept({ terms_sha256: none });
    expect(await refusalOf(wrong)).toBe('precondition_failed terms_changed');
    await deal.propose('partner', amending({ title: 'Other' }));
    await okOf(freelancer.uploadFile({ name: 'a', content: Uint8Array.of(1) }));
    for (const given of [{}, { terms_sha256: first.terms_sha256 }, { terms_sha256: none }]) {
      expect(await refusalOf(freelancer.accept(given))).toBe('precondition_failed terms_changed');
      expect(await refusalOf(freelancer.deliver(given))).toBe('precondition_failed terms_changed');
    }
    const { terms_sha256 } = await okOf(freelancer.view());
    expect((await okOf(freelancer.deliver({ terms_sha256 }))).status).toBe('delivered');
    const { results } = await okOf(api.listTerms(partner_id));
    expect(results.map(({ accepted_by }) => accepted_by)).toEqual(['freelancer', 'freelancer']);
    // a repeat asks for nothing
    expect((await okOf(freelancer.accept())).status).toBe('delivered');
  });

  it('is accepted with a counter-offer that its partner accepts', async () => {
    const deal = await withOffer();
    const { api, partner_id } = deal;
    const proposal = await deal.propose('freelancer', amending({ amount: '700' }));
    expect(proposal.status).toBe('open');
    expect((await deal.details()).proposal).toStrictEqual(
      await okOf(api.retrieveProposal(partner_id, proposal.id)),
    );
    const accepted = await okOf(deal.accept('partner', proposal));
    expect(accepted).toMatchObject({ status: 'accepted', decided_at: accepted.created_at });
    expect(await deal.typesAfter(1)).toEqual([
      ...['proposal.created', 'proposal.accepted', 'deal.amended', 'deal.accepted'],
    ]);
    expect(await deal.details()).toMatchObject({
      status: 'accepted',
      freelancer_status: 'accepted',
      amount: '700.00',
      proposal: null,
    });
    const { results } = await okOf(api.listTerms(partner_id));
    expect(results.map(({ proposed_by, accepted_by }) => [proposed_by, accepted_by])).toStrictEqual(
      [
        ['partner', 'partner'],
        ['freelancer', 'partner'],
      ],
    );
  });

  it('is settled by nobody', async () => {
    const deal = await withOffer();
    for (const side of ['partner', 'freelancer'] as const) {
      expect(await refusalOf(deal.send(side, settling('1')))).toBe('illegal_transition');
    }
  });

  it('may be accepted while a counter-offer is open, which stays open', async () => {
    const deal = await withOffer();
    const proposal = await deal.propose('freelancer', amending({ amount: '700' }));
    expect((await okOf(deal.freelancer.accept())).proposal?.id).toBe(proposal.id);
    await okOf(deal.accept('partner', proposal));
    expect(await deal.details()).toMatchObject({ status: 'accepted', amount: '700.00' });
    const { results } = await okOf(deal.api.listTerms(deal.partner_id));
    expect(results.map(({ accepted_by }) => accepted_by)).toEqual(['freelancer', 'partner']);
  });
});

describe('a proposal', () => {
  it('is decided by the other side, and withdrawn by its own', async () => {
    for (const side of ['partner', 'freelancer'] as const) {
      const deal = await withOffer();
      await deal.acceptOffer();
      const other = side === 'partner' ? 'freelancer' : 'partner';
      const { id, terms_sha256 } = await deal.propose(side, amending({ title: 'Other' }));
      const [own, others] = [sideOf(deal, side), sideOf(deal, other)];
      const wrong = 'illegal_transition open';
      expect(await refusalOf(own.acceptProposal(id, { terms_sha256 }))).toBe(wrong);
      expect(await refusalOf(own.rejectProposal(id))).toBe(wrong);
      expect(await refusalOf(others.withdrawProposal(id))).toBe(wrong);
      const rejected = await okOf(others.rejectProposal(id, { message: 'No.' }));
      expect(rejected).toMatchObject({ status: 'rejected', message: null });
      const last = (await deal.events()).at(-1);
      expect(last).toMatchObject({ type: 'proposal.rejected', data: { message: 'No.' } });
      const count = (await deal.events()).length;
      expect(await okOf(others.rejectProposal(id))).toStrictEqual(rejected);
      const closed = 'illegal_transition rejected';
      expect(await refusalOf(others.acceptProposal(id, { terms_sha256 }))).toBe(closed);
      expect(await refusalOf(own.withdrawProposal(id))).toBe(closed);
      expect(await refusalOf(own.rejectProposal(id))).toBe(closed);
      const second = await deal.propose(side, amending({ title: 'Another' }));
      expect(second.supersedes).toBeNull();
      const withdrawn = await okOf(own.withdrawProposal(second.id));
      expect(await okOf(own.withdrawProposal(second.id))).toStrictEqual(withdrawn);
      const third = await deal.propose(side, amending({ title: 'Third' }));
      const accepted = await okOf(deal.accept(other, third));
      // again, whatever the hash
      const again = others.acceptProposal(third.id, { terms_sha256: none });
      expect(await okOf(again)).toStrictEqual(accepted);
      expect(await deal.typesAfter(count)).toEqual([
        ...['proposal.created', 'proposal.withdrawn', 'proposal.created'],
        ...['proposal.accepted', 'deal.amended'],
      ]);
      expect((await deal.details()).title).toBe('Third');
    }
  });

  it('names what an actor may do instead, but no command about proposals', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id } = await deal.propose('partner', amending({ title: 'Other' }));
    const refused = await deal.api.rejectProposal(deal.partner_id, id);
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      deal_status: 'accepted',
      freelancer_status: 'accepted',
      legal: expect.arrayContaining(['cancel', 'add-bonus']),
    });
    expect(JSON.stringify(refused._unsafeUnwrapErr())).not.toMatch(/proposal"|propose/);
  });

  it('supersedes an open one, of either side', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const count = (await deal.events()).length;
    const first = await deal.propose('partner', amending({ title: 'One' }));
    const second = await deal.propose('freelancer', amending({ title: 'Two' }, 'Better'));
    const third = await deal.propose('freelancer', settling('20', 'Or so'));
    expect([second.supersedes, third.supersedes]).toEqual([first.id, second.id]);
    expect(await deal.typesAfter(count)).toEqual([
      ...['proposal.created', 'proposal.superseded', 'proposal.created'],
      ...['proposal.superseded', 'proposal.created'],
    ]);
    const events = (await deal.events()).slice(count);
    // each event has its own message
    expect(events.map((event) => dataOf(event)['message'] ?? null)).toEqual([
      ...[null, null, 'Better', null, 'Or so'],
    ]);
    for (const { id } of [first, second]) {
      expect(await okOf(deal.freelancer.retrieveProposal(id))).toMatchObject({
        status: 'superseded',
      });
      const late = deal.api.acceptProposal(deal.partner_id, id, { terms_sha256: none });
      expect(await refusalOf(late)).toMatch(/^illegal_transition superseded$/);
    }
    expect((await deal.details()).proposal?.id).toBe(third.id);
  });

  it('is open for 14 days by the clock, though no timer has run', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const first = await deal.propose('partner', amending({ title: 'One' }));
    const end = Date.parse(first.created_at) + 14 * day;
    expect(Date.parse(first.expires_at)).toBe(end);
    deal.clock.advance(14 * day);
    expect(await refusalOf(deal.accept('freelancer', first))).toBe('illegal_transition expired');
    expect(await refusalOf(deal.freelancer.rejectProposal(first.id))).toBe(
      'illegal_transition expired',
    );
    expect(await refusalOf(deal.api.withdrawProposal(deal.partner_id, first.id))).toBe(
      'illegal_transition expired',
    );
    const count = (await deal.events()).length;
    // a new one does not take the place of one whose time was over
    const second = await deal.propose('freelancer', amending({ title: 'Two' }));
    expect(second.supersedes).toBeNull();
    expect(await deal.typesAfter(count)).toEqual(['proposal.expired', 'proposal.created']);
    deal.clock.advance(14 * day - 1);
    await okOf(deal.accept('partner', second));
  });

  it('is ended by the timer once its time is over, also in a dispute', async () => {
    const deal = await withOffer('500.00', { proposalDays: 1 });
    await deal.acceptOffer();
    await deal.deliver();
    const { id } = await deal.propose('partner', settling('20'));
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    deal.clock.advance(day - 1);
    await okOf(deal.operator.runTimers());
    expect((await deal.details()).proposal?.id).toBe(id);
    deal.clock.advance(1);
    await okOf(deal.operator.runTimers());
    expect((await deal.details()).proposal).toBeNull();
    const last = (await deal.events()).at(-1);
    expect(last).toMatchObject({ type: 'proposal.expired', actor: 'clock' });
    expect(await okOf(deal.freelancer.retrieveProposal(id))).toMatchObject({
      status: 'expired',
      decided_at: last?.at,
    });
  });

  it.each([
    ['decline', 'deal.declined', (deal: Deal) => deal.freelancer.decline()],
    ['cancel', 'deal.cancelled', (deal: Deal) => deal.api.cancel(deal.partner_id)],
    [
      'the cancel of the operator',
      'deal.cancelled',
      (deal: Deal) => deal.operatorDeals.cancel(deal.partner_id, { reason: 'End.' }),
    ],
  ])('is superseded by %s, after the event of the deal', async (_, type, end) => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id } = await deal.propose('partner', amending({ title: 'One' }));
    const count = (await deal.events()).length;
    expect((await end(deal)).isOk()).toBe(true);
    expect(await deal.typesAfter(count)).toEqual([type, 'proposal.superseded']);
    const { results } = await okOf(deal.operatorDeals.listProposals(deal.partner_id));
    expect(results).toMatchObject([{ id, status: 'superseded' }]);
    expect((await deal.details()).proposal).toBeNull();
  });

  it('is superseded by a resolution after its event, and by a bonus before', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await deal.propose('partner', amending({ title: 'One' }));
    let count = (await deal.events()).length;
    await okOf(deal.api.addBonus(deal.partner_id, { amount: '5' }));
    expect((await deal.typesAfter(count)).slice(0, 2)).toEqual([
      ...['proposal.superseded', 'deal.bonus_added'],
    ]);
    await deal.deliver(await deal.idOf(0));
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    await deal.propose('partner', settling('20'));
    count = (await deal.events()).length;
    await okOf(deal.operatorDeals.resolve(deal.partner_id, { agreed_amount: '10' }));
    expect((await deal.typesAfter(count)).slice(0, 2)).toEqual([
      ...['deal.dispute_resolved', 'proposal.superseded'],
    ]);
  });

  it('of an unknown id, or of another deal, is not found', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id } = await deal.propose('partner', amending({ title: 'One' }));
    const other = await deal.offer('1.00', 'deal-2');
    for (const unknown of [id, '01KDVE0000000000000000000A', 'x', '']) {
      for (const name of ['acceptProposal', 'rejectProposal', 'withdrawProposal'] as const) {
        const answer = other.freelancer[name](unknown, { terms_sha256: none } as never);
        expect(await refusalOf(answer)).toBe('not_found proposal');
        const missing = deal.api[name]('no-deal', unknown, { terms_sha256: none } as never);
        expect(await refusalOf(missing)).toBe('not_found deal');
      }
      expect(await refusalOf(other.freelancer.retrieveProposal(unknown))).toBe(
        'not_found proposal',
      );
      expect(await refusalOf(deal.operatorDeals.retrieveProposal('no-deal', unknown))).toBe(
        'not_found deal',
      );
    }
  });

  it('is judged by its form before the deal, as every command', async () => {
    const deal = await withOffer();
    const bad = amending({});
    expect(await refusalOf(deal.api.propose('no-deal', bad))).toBe(
      'validation_failed changes:empty',
    );
    expect(await refusalOf(deal.api.acceptProposal('no-deal', 'x', {} as never))).toBe(
      'validation_failed terms_sha256:required',
    );
    expect(await refusalOf(deal.api.propose('no-deal', amending({ title: 'x' })))).toBe(
      'not_found deal',
    );
    const stranger = deal.marketplace.freelancer('sandbox', `${deal.payment_token.slice(0, -1)}_`);
    for (const input of [bad, amending({ title: 'x' })]) {
      expect(await refusalOf(stranger.propose(input))).toBe('unauthorized');
    }
  });

  it('holds no payment token', async () => {
    const deal = await withOffer();
    const secret = `Use ${deal.payment_token}.`;
    const stages = [
      { name: 'a', budget: '1' },
      { name: secret, budget: '499' },
    ];
    const input = amending({ title: secret.slice(0, 200), description: secret, stages }, secret);
    for (const side of ['partner', 'freelancer'] as const) {
      expect(await refusalOf(deal.send(side, input))).toBe(
        [
          'validation_failed',
          'message:secret_in_text',
          'changes.title:secret_in_text',
          'changes.description:secret_in_text',
          'changes.stages.1.name:secret_in_text',
        ].join(' '),
      );
    }
    await deal.acceptOffer();
    const { id, terms_sha256 } = await deal.propose('partner', amending({ title: 'One' }));
    const said = { message: secret, terms_sha256 };
    for (const name of ['acceptProposal', 'rejectProposal'] as const) {
      expect(await refusalOf(deal.freelancer[name](id, said))).toBe(
        'validation_failed message:secret_in_text',
      );
    }
    const bonus = deal.api.addBonus(deal.partner_id, { amount: '1', message: secret });
    expect(await refusalOf(bonus)).toBe('validation_failed message:secret_in_text');
  });

  it('shows the freelancer what it would bring, and nobody else', async () => {
    const feePolicy = ({ amount }: { readonly amount: string }) => ({
      employer_fee: '1.00',
      contractor_fee: amount === '500.00' ? '50.00' : '70.00',
    });
    const deal = await withOffer('500.00', { feePolicy });
    expect(await okOf(deal.freelancer.view())).toMatchObject({
      amount: '450.00',
      contractor_fee: '50.00',
    });
    await deal.acceptOffer();
    const proposal = await deal.propose('partner', amending({ amount: '700' }));
    const shown = { ...proposal, gross: '700.00', fee: '70.00', net: '630.00' };
    expect(await okOf(deal.freelancer.retrieveProposal(proposal.id))).toStrictEqual(shown);
    expect((await okOf(deal.freelancer.view())).proposal).toStrictEqual(shown);
    expect(await okOf(deal.freelancer.listProposals())).toMatchObject({ results: [shown] });
    const { operatorDeals, partner_id } = deal;
    expect(await okOf(operatorDeals.retrieveProposal(partner_id, proposal.id))).toStrictEqual(
      proposal,
    );
    expect((await okOf(operatorDeals.retrieveDeal(partner_id))).proposal).toStrictEqual(proposal);
  });
});

type Deal = Awaited<ReturnType<typeof withOffer>>;
