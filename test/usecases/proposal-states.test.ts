import { describe, expect, it } from 'vitest';
import { dealBody } from '../domain/field-tables.js';
import { acme } from '../faces/world.js';
import {
  amending,
  type Offered,
  okOf,
  refusalOf,
  settling,
  shapeOf,
  withOffer,
  withStages,
} from './terms-world.js';

describe('the states of a deal', () => {
  type Step = (deal: Offered) => Promise<unknown>;
  const work: Step = (deal) => deal.deliver();
  const accept: Step = (deal) => deal.acceptOffer();
  const states: readonly [string, 'both' | 'amendment' | 'settlement' | 'none', ...Step[]][] = [
    ['created', 'amendment'],
    ['accepted', 'both', accept],
    ['delivered', 'both', work],
    [
      'changes_requested',
      'both',
      work,
      (deal) => okOf(deal.api.requestChanges(deal.partner_id, { reason: 'More.' })),
    ],
    ['approved', 'both', work, (deal) => okOf(deal.api.approve(deal.partner_id))],
    ['disputed', 'settlement', work, (deal) => okOf(deal.freelancer.dispute({ reason: 'No.' }))],
    ['cancelled', 'none', accept, (deal) => okOf(deal.api.cancel(deal.partner_id))],
    [
      'expired',
      'none',
      async (deal) => {
        deal.clock.advance(31 * 24 * 60 * 60 * 1000);
        await okOf(deal.operator.runTimers());
      },
    ],
    [
      'completed',
      'none',
      work,
      (deal) => okOf(deal.api.approve(deal.partner_id)),
      (deal) => deal.pay('500'),
      async (deal) => {
        const [payout] = (await deal.details()).billing.contractor_payments;
        const paid = { payment_id: String(payout?.id), status: 'paid', reference: 'out' } as const;
        await okOf(deal.operatorDeals.recordContractorPayment(deal.partner_id, paid));
      },
    ],
  ];

  it.each(states)('%s: %s', async (status, legal, ...steps) => {
    for (const side of ['partner', 'freelancer'] as const) {
      const deal = await withOffer();
      for (const step of steps) await step(deal);
      expect((await deal.details()).status).toBe(status);
      for (const [kind, input] of [
        ['amendment', amending({ title: 'Else' })],
        ['settlement', settling('100')],
      ] as const) {
        const answer = await deal.send(side, input);
        if (legal === 'both' || legal === kind) {
          expect(answer.isOk()).toBe(true);
        } else {
          expect(answer._unsafeUnwrapErr()).toMatchObject({
            code: 'illegal_transition',
            deal_status: status,
          });
        }
      }
    }
  });

  it('leave an amendment open in a dispute, where it can only be rejected or withdrawn', async () => {
    const deal = await withOffer();
    await deal.deliver();
    const proposal = await deal.propose('partner', amending({ title: 'Else' }));
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    expect(await refusalOf(deal.accept('freelancer', proposal))).toBe('illegal_transition open');
    await okOf(deal.freelancer.rejectProposal(proposal.id));
  });
});

describe('a deal of version 1.0', () => {
  async function withOldDeal() {
    const deal = await withOffer();
    await deal.deal();
    const { partner_id } = dealBody;
    const { api } = deal;
    await okOf(api.accept(partner_id));
    const details = () => okOf(api.retrieveDealDetails(partner_id));
    const propose = (input: Parameters<typeof api.propose>[1]) => api.propose(partner_id, input);
    const accept = async (input: Parameters<typeof api.propose>[1]) => {
      const { id, terms_sha256 } = await okOf(propose(input));
      return api.acceptProposal(partner_id, id, { terms_sha256 });
    };
    const [stage] = (await details()).stages;
    return { ...deal, partner_id, details, proposeOld: propose, acceptOld: accept, id: stage?.id };
  }

  it('is amended by its partner for both sides', async () => {
    const deal = await withOldDeal();
    const { api, partner_id } = deal;
    const accepted = await okOf(deal.acceptOld(amending({ title: 'Else', amount: '900' })));
    expect(accepted).toMatchObject({ status: 'accepted', by: 'partner' });
    expect(accepted.terms.copyright_transfer).toBeNull();
    expect(await deal.details()).toMatchObject({ title: 'Else', amount: '900.00' });
    const { results } = await okOf(api.listTerms(partner_id));
    expect(results.at(-1)).toMatchObject({ proposed_by: 'partner', accepted_by: 'partner' });
    for (const name of ['rejectProposal', 'withdrawProposal'] as const) {
      const { id } = await okOf(deal.proposeOld(amending({ title: name })));
      await okOf(api[name](partner_id, id));
    }
  });

  it('needs consent that only a freelancer can give', async () => {
    const deal = await withOldDeal();
    const { api, partner_id, id } = deal;
    const consent = 'precondition_failed consent_needed';
    expect(await refusalOf(deal.acceptOld(settling('10')))).toBe(consent);
    const came = { status: 'paid', amount: '400', reference: 'in' } as const;
    await okOf(deal.operatorDeals.recordEmployerPayment(partner_id, came));
    expect(await refusalOf(deal.acceptOld(amending({ amount: '399.99' })))).toBe(consent);
    await okOf(deal.acceptOld(amending({ amount: '400' })));
    await okOf(api.uploadFile({ partner_id }, { name: 'a', content: Uint8Array.of(1) }));
    await okOf(api.deliver(partner_id));
    const other = { name: 'Other', budget: '500' };
    const touching = [
      { amount: '401' },
      { work_days: 77 },
      { stages: [other] },
      { stages: [{ id, name: 'Else' }, other] },
    ];
    for (const changes of touching) {
      expect(await refusalOf(deal.acceptOld(amending(changes)))).toBe(consent);
    }
    await okOf(deal.acceptOld(amending({ stages: [{ id }, other] })));
    await okOf(api.requestChanges(partner_id, { reason: 'More.' }));
    expect(
      await refusalOf(
        deal.acceptOld(
          amending({
            stages: [
              { id, work_days: 78 },
              { name: 'X', budget: '600' },
            ],
          }),
        ),
      ),
    ).toBe(consent);
    // the freelancer of the sandbox consents
    const proposal = await okOf(deal.proposeOld(amending({ stages: [other] })));
    const { terms_sha256 } = proposal;
    const sandbox = deal.marketplace.sandbox(acme);
    await okOf(
      sandbox.decideProposal(partner_id, 'freelancer', proposal.id, 'accept', { terms_sha256 }),
    );
    expect((await deal.details()).stages.map(({ status }) => status)).toContain('cancelled');
  });

  it('needs none where the employer has paid fees too, or nothing was agreed', async () => {
    const feePolicy = () => ({ employer_fee: '100.00', contractor_fee: '0.00' });
    const deal = await withOffer('500.00', { feePolicy });
    await deal.deal();
    const { partner_id } = dealBody;
    const { api } = deal;
    await okOf(api.propose(partner_id, amending({ amount: '900' })));
    await okOf(
      api.accept(partner_id, {
        terms_sha256: String((await okOf(api.retrieveDealDetails(partner_id))).terms_sha256),
      }),
    );
    await okOf(
      deal.operatorDeals.recordEmployerPayment(partner_id, {
        ...{ status: 'paid', amount: '1000', reference: 'in' },
      }),
    );
    for (const changes of [{ title: 'Else' }, { amount: '950' }]) {
      const { id, terms_sha256 } = await okOf(api.propose(partner_id, amending(changes)));
      await okOf(api.acceptProposal(partner_id, id, { terms_sha256 }));
    }
  });
});

describe('a settlement', () => {
  it('resolves a deal by consent', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    const before = await okOf(deal.freelancer.view());
    const proposal = await deal.propose('freelancer', settling('150.5'));
    expect(proposal).toMatchObject({
      changes: { agreed_amount: '150.50' },
      terms: { version: 3, amount: '600.00', agreed_amount: '150.50' },
    });
    expect(proposal.terms.stages).toHaveLength(3);
    const count = (await deal.events()).length;
    await okOf(deal.accept('partner', proposal));
    expect((await deal.typesAfter(count)).slice(0, 2)).toEqual([
      ...['proposal.accepted', 'deal.settled'],
    ]);
    const settled = (await deal.events())[count + 1];
    expect(settled?.data).toMatchObject({
      ...{ terms_version: 3, proposal_id: proposal.id, stage_ids: [one, two, three] },
    });
    expect(await deal.details()).toMatchObject({
      status: 'approved',
      amount: before.stages.length > 0 ? '600.00' : '',
      agreed_amount: '150.50',
      terms_version: 3,
    });
    expect((await shapeOf(deal)).slice(1)).toEqual([
      ...['One 100.00 approved', 'Two 200.00 approved', 'Three 300.00 cancelled'],
    ]);
    // an agreed part is the budget in the terms
    const next = await deal.propose(
      'partner',
      amending({ stages: [{ id: one }, { id: two }, { name: 'More', budget: '1' }] }),
    );
    expect(next.terms).toMatchObject({
      version: 4,
      amount: '151.50',
      stages: [{ budget: '100.00' }, { budget: '50.50' }, { id: null, budget: '1.00' }],
    });
  });

  it('ends a dispute, or the deal, and has the bounds of a resolution', async () => {
    const deal = await withOffer();
    await deal.deliver();
    await okOf(deal.api.dispute(deal.partner_id, { reason: 'No.' }));
    const beyond = deal.send('partner', settling('500.01'));
    expect(await refusalOf(beyond)).toBe('precondition_failed amount_out_of_bounds');
    const nothing = await deal.propose('freelancer', settling('0'));
    await okOf(deal.accept('partner', nothing));
    expect(await deal.details()).toMatchObject({
      status: 'cancelled',
      freelancer_status: 'removed',
      agreed_amount: '0.00',
    });
    const other = await withOffer();
    await other.deliver();
    await okOf(other.api.dispute(other.partner_id, { reason: 'No.' }));
    await okOf(other.accept('freelancer', await other.propose('partner', settling('500'))));
    expect((await other.details()).status).toBe('approved');
  });
});
