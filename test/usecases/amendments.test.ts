import { describe, expect, it } from 'vitest';
import { dealBody } from '../domain/field-tables.js';
import {
  amending,
  dataOf,
  file,
  type Offered,
  okOf,
  refusalOf,
  shapeOf,
  withOffer,
  withStages,
} from './terms-world.js';

const amend = async (deal: Offered, changes: object) => {
  const proposal = await deal.propose('freelancer', amending(changes));
  return { proposal, accepted: await okOf(deal.accept('partner', proposal)) };
};

describe('the stages of an amendment', () => {
  it('are all that remain: others are cancelled, new ones come behind', async () => {
    const deal = await withOffer();
    const [first] = await deal.stages();
    const { terms } = await okOf(
      deal.api.propose(
        deal.partner_id,
        amending({ stages: [{ name: 'B', budget: '.5', work_days: 0 }, { id: first?.id }] }),
      ),
    );
    const name = first?.name;
    expect(terms.amount).toBe('500.50');
    expect(terms.stages).toStrictEqual([
      { id: first?.id, name, budget: '500.00', work_days: null },
      { id: null, name: 'B', budget: '0.50', work_days: 0 },
    ]);
    const [, second] = await deal.stages();
    expect(second?.id).toBeGreaterThan(Number(first?.id));
    await okOf(deal.api.propose(deal.partner_id, amending({ stages: [{ id: second?.id }] })));
    expect(await shapeOf(deal)).toEqual([`${name} 500.00 cancelled`, 'B 0.50 pending']);
    expect((await deal.details()).amount).toBe('0.50');
    const last = (await deal.events()).at(-1);
    expect(dataOf(last)['stage_ids']).toEqual([first?.id]);
  });

  it('of a title keep their names', async () => {
    const deal = await withStages();
    const before = await deal.stages();
    await amend(deal, { title: 'Else' });
    expect(await deal.stages()).toStrictEqual(before);
    expect((await deal.details()).title).toBe('Else');
    expect(dataOf((await deal.events()).at(-1))['stage_ids']).toEqual([]);
  });

  it('that were delivered are delivered again if they change, and not else', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    await deal.deliver(two);
    await amend(deal, {
      stages: [{ id: one, name: 'First' }, { id: two, budget: '200' }, { id: three }],
    });
    expect(await shapeOf(deal)).toEqual([
      expect.stringContaining('cancelled'),
      'First 100.00 pending',
      'Two 200.00 submitted',
      'Three 300.00 pending',
    ]);
    const files = (await deal.stages()).flatMap(({ work_files }) => work_files);
    expect(files.map(({ status }) => status)).toEqual(['superseded', 'stored']);
    expect(dataOf((await deal.events()).at(-1))['stage_ids']).toEqual([one]);
    const again = deal.freelancer.deliver({ stage_id: one });
    expect(await refusalOf(again)).toBe('precondition_failed no_files');
  });

  it.each([
    ['name', { name: 'First' }],
    ['budget', { budget: '101' }],
    ['days', { work_days: 3 }],
  ])('are pending again if their %s change', async (_, change) => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    await amend(deal, { stages: [{ id: one, ...change }, { id: two }, { id: three }] });
    const stage = (await deal.stages()).find(({ id }) => id === one);
    expect(stage?.status).toBe('pending');
  });

  it('may end though they were delivered', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    await amend(deal, { stages: [{ id: three }, { id: two }] });
    expect((await shapeOf(deal)).slice(1)).toEqual([
      ...['One 100.00 cancelled', 'Two 200.00 pending', 'Three 300.00 pending'],
    ]);
  });

  it('are listed by id alone once they are approved, and not once they are cancelled', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    const [{ id: gone } = { id: 0 }] = await deal.stages();
    await deal.deliver(one);
    await okOf(deal.api.approve(deal.partner_id, { stage_id: one }));
    const rest = [{ id: two }, { id: three }];
    for (const stages of [
      rest,
      [{ id: one, name: 'One' }, ...rest],
      [{ id: one, budget: '100' }, ...rest],
      [{ id: one, work_days: 3 }, ...rest],
      [{ id: one }, { id: gone }, ...rest],
    ]) {
      const refused = deal.send('freelancer', amending({ stages }));
      expect(await refusalOf(refused)).toBe('precondition_failed stage_closed');
    }
    await amend(deal, { stages: [{ id: one }, { id: two, budget: '250' }] });
    expect((await deal.details()).amount).toBe('350.00');
  });

  it('that are no stages of the deal are refused with their places', async () => {
    const deal = await withStages();
    const other = await deal.offer('9.00', 'deal-2');
    const [stranger] = (await deal.api.retrieveDealDetails('deal-2'))._unsafeUnwrap().stages;
    expect(other.partner_id).toBe('deal-2');
    const stages = [{ id: deal.ids[0] }, { id: Number(stranger?.id) }, { id: 0 }];
    expect(await refusalOf(deal.send('partner', amending({ stages })))).toBe(
      'validation_failed changes.stages.1.id:unknown_stage changes.stages.2.id:unknown_stage',
    );
  });

  it('lead the deal to its end if only paid ones remain', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    await deal.deliver(one);
    await okOf(deal.api.approve(deal.partner_id, { stage_id: one }));
    await deal.pay('100');
    const [payout] = (await deal.details()).billing.contractor_payments;
    const paid = { payment_id: String(payout?.id), status: 'paid', reference: 'out' } as const;
    await okOf(deal.operatorDeals.recordContractorPayment(deal.partner_id, paid));
    const count = (await deal.events()).length;
    await amend(deal, { stages: [{ id: one }] });
    expect(await deal.typesAfter(count)).toEqual([
      ...['proposal.created', 'proposal.accepted', 'deal.amended', 'deal.completed'],
    ]);
    expect(await deal.details()).toMatchObject({
      status: 'completed',
      freelancer_status: 'finished',
      amount: '100.00',
    });
    const amended = (await deal.events()).at(-2);
    expect(amended?.data).toMatchObject({ stage_ids: [two, three], status: 'completed' });
  });
});

describe('the amount of an amendment', () => {
  it('goes to the one stage that is open, with the days', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    for (const changes of [{ amount: '700' }, { work_days: 3 }]) {
      expect(await refusalOf(deal.send('partner', amending(changes)))).toBe(
        'precondition_failed stages_required',
      );
    }
    await deal.deliver(one);
    await deal.deliver(two);
    for (const stage_id of [one, two]) {
      await okOf(deal.api.approve(deal.partner_id, { stage_id }));
    }
    for (const amount of ['300.00', '299.99', '-1', '0']) {
      const refused = deal.send('freelancer', amending({ amount }));
      expect(await refusalOf(refused)).toBe('precondition_failed amount_out_of_bounds');
    }
    const { proposal } = await amend(deal, { amount: '300.01', work_days: 4 });
    expect(proposal.terms.stages.at(-1)).toMatchObject({
      id: three,
      budget: '0.01',
      work_days: 4,
    });
    expect((await deal.details()).amount).toBe('300.01');
    await deal.deliver(three);
    await okOf(deal.api.approve(deal.partner_id));
    for (const changes of [{ amount: '301' }, { work_days: 9 }]) {
      expect(await refusalOf(deal.send('partner', amending(changes)))).toBe(
        'precondition_failed stages_required',
      );
    }
  });

  it('must be the sum of the stages that are listed', async () => {
    const deal = await withStages();
    const [one] = deal.ids;
    const stages = [
      { id: one, budget: '1' },
      { name: 'New', budget: '2.5' },
    ];
    const wrong = deal.send('partner', amending({ stages, amount: '3.49' }));
    expect(await refusalOf(wrong)).toBe('precondition_failed amount_out_of_bounds');
    await amend(deal, { stages, amount: '3.5' });
    expect((await deal.details()).amount).toBe('3.50');
  });

  it('keeps to 18 digits, in the sum too', async () => {
    const deal = await withOffer();
    const most = `${'9'.repeat(18)}.99`;
    await deal.split({ name: 'One', budget: most });
    expect((await deal.details()).amount).toBe(most);
    const id = await deal.idOf(1);
    for (const stages of [
      [{ id }, { name: 'Two', budget: '0.01' }],
      [{ id }, { name: 'Two', budget: most }],
      [{ id }, { name: 'Two', budget: '-1' }],
      [{ id }, { name: 'Two', budget: '0' }],
    ]) {
      const refused = deal.send('partner', amending({ stages }));
      expect(await refusalOf(refused)).toBe('precondition_failed amount_out_of_bounds');
    }
  });

  it('of version 1.0 may be zero, and below it only where a stage was created so', async () => {
    const deal = await withOffer();
    await deal.deal({ budget: '-5' });
    const { partner_id } = dealBody;
    const propose = (changes: object) => deal.api.propose(partner_id, amending(changes));
    const details = () => okOf(deal.api.retrieveDealDetails(partner_id));
    const [stage] = (await details()).stages;
    const id = stage?.id;
    for (const changes of [
      { amount: '-4.99' },
      { amount: '-5.01' },
      { stages: [{ id, budget: '-4' }] },
      { stages: [{ name: 'New', budget: '-5' }] },
      { stages: [{ id }, { name: 'New', budget: '-0.01' }] },
      {
        stages: [
          { name: 'New', budget: '9' },
          { id, budget: '-6' },
        ],
      },
    ]) {
      expect(await refusalOf(propose(changes))).toBe('precondition_failed amount_out_of_bounds');
    }
    await okOf(propose({ stages: [{ id, name: 'Else', budget: '-5' }] }));
    await okOf(propose({ amount: '-5', title: 'Same amount' }));
    await okOf(propose({ stages: [{ id }, { name: 'New', budget: '3' }], amount: '-2' }));
    expect((await details()).amount).toBe('-2.00');
    await okOf(propose({ stages: [{ id, budget: '0' }] }));
    expect(await refusalOf(propose({ amount: '-5' }))).toBe(
      'precondition_failed amount_out_of_bounds',
    );
    await okOf(propose({ amount: '7' }));
    expect((await details()).stages[0]?.budget).toBe('7.00');
  });

  it('alone leaves no less than nothing for the open stage of version 1.0', async () => {
    const deal = await withOffer();
    await deal.deal();
    const { partner_id } = dealBody;
    const propose = (changes: object) => deal.api.propose(partner_id, amending(changes));
    const stages = [
      { name: 'One', budget: '100' },
      { name: 'Two', budget: '50' },
    ];
    const { terms_sha256 } = await okOf(propose({ stages }));
    await okOf(deal.api.accept(partner_id, { terms_sha256 }));
    const [, one] = (await okOf(deal.api.retrieveDealDetails(partner_id))).stages;
    const stage_id = Number(one?.id);
    await okOf(deal.api.uploadFile({ partner_id }, { ...file, stage_id }));
    await okOf(deal.api.deliver(partner_id, { stage_id }));
    await okOf(deal.api.approve(partner_id, { stage_id }));
    for (const amount of ['99.99', '80', '0', '-100']) {
      expect(await refusalOf(propose({ amount }))).toBe('precondition_failed amount_out_of_bounds');
    }
    const { terms } = await okOf(propose({ amount: '100' }));
    expect(terms.stages.map(({ budget }) => budget)).toEqual(['100.00', '0.00']);
  });
});

describe('an amendment', () => {
  it('that changes nothing is refused, and order is nothing', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    const { title, description, copyright_transfer } = await deal.details();
    for (const changes of [
      { title, description, copyright_transfer },
      { amount: '600', stages: [{ id: three }, { id: one }, { id: two, work_days: 5 }] },
      { stages: [{ id: two, name: 'Two' }, { id: three, budget: '300.0' }, { id: one }] },
    ]) {
      for (const side of ['partner', 'freelancer'] as const) {
        const refused = deal.send(side, amending(changes));
        expect(await refusalOf(refused)).toBe('precondition_failed nothing_changed');
      }
    }
  });

  it('consents to the work as it stood: a stage that was delivered since ends it', async () => {
    const deal = await withStages();
    const [one, two, three] = deal.ids;
    const stages = [{ id: one, name: 'First' }, { id: two }, { id: three }];
    const proposal = await deal.propose('partner', amending({ stages }));
    await deal.deliver(one);
    await okOf(deal.api.approve(deal.partner_id, { stage_id: one }));
    const late = deal.accept('freelancer', proposal);
    expect(await refusalOf(late)).toBe('illegal_transition superseded');
    expect((await deal.details()).proposal).toBeNull();
  });

  it('refuses another hash, and changes nothing', async () => {
    const deal = await withStages();
    const proposal = await deal.propose('partner', amending({ title: 'Else' }));
    const count = (await deal.events()).length;
    const { terms_sha256 } = await deal.details();
    for (const hash of [terms_sha256, proposal.terms_sha256.toUpperCase()]) {
      const wrong = deal.accept('freelancer', { ...proposal, terms_sha256: String(hash) });
      expect(await refusalOf(wrong)).toBe('precondition_failed terms_changed');
    }
    expect((await deal.events()).length).toBe(count);
    for (const hash of ['', 'a'.repeat(63), 'a'.repeat(65)]) {
      const wrong = deal.accept('freelancer', { ...proposal, terms_sha256: hash });
      expect(await refusalOf(wrong)).toBe('validation_failed terms_sha256:wrong_length');
    }
  });
});

describe('the stages of a deal', () => {
  it('are 1,000 at most, cancelled ones included', async () => {
    const deal = await withOffer();
    const named = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `Stage ${at}`, budget: '1' }));
    for (let at = 0; at < 9; at += 1) await deal.split(...named(100));
    const refused = 'precondition_failed too_many';
    const tooMany = amending({ stages: named(100) });
    expect(await refusalOf(deal.send('partner', tooMany))).toBe(refused);
    expect(await refusalOf(deal.send('freelancer', tooMany))).toBe(refused);
    await deal.split(...named(99));
    expect(await deal.stages()).toHaveLength(1_000);
    expect(await refusalOf(deal.send('partner', amending({ stages: named(1) })))).toBe(refused);
    // one that adds nothing is no more
    const kept = (await deal.stages()).filter(({ status }) => status !== 'cancelled').slice(1);
    await okOf(deal.send('partner', amending({ stages: kept.map(({ id }) => ({ id })) })));
    await deal.acceptOffer();
    expect(await refusalOf(deal.api.addBonus(deal.partner_id, { amount: '1' }))).toBe(refused);
  });
});
