import { describe, expect, it } from 'vitest';
import { amending, type Offered, okOf, refusalOf, settling, withOffer } from './terms-world.js';

type Step = (deal: Offered) => Promise<unknown>;
const accept: Step = (deal) => deal.acceptOffer();
const work: Step = (deal) => deal.deliver();

const payOut: Step = async (deal) => {
  const payouts = (await deal.details()).billing.contractor_payments;
  for (const { id, status } of payouts) {
    if (status !== 'scheduled') continue;
    const paid = { payment_id: id, status: 'paid', reference: `out ${id}` } as const;
    await okOf(deal.operatorDeals.recordContractorPayment(deal.partner_id, paid));
  }
};
const approve: Step = (deal) => okOf(deal.api.approve(deal.partner_id));

const bonus = (deal: Offered, amount: string, message?: string) =>
  deal.api.addBonus(deal.partner_id, { amount, ...(message !== undefined && { message }) });

describe('a bonus', () => {
  it('is a stage that is approved at once, and a version of the terms', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const count = (await deal.events()).length;
    const details = await okOf(bonus(deal, '20', 'Well done'));
    const [work, added] = details.stages;
    expect(added).toStrictEqual({
      id: added?.id,
      name: 'Well done',
      budget: '20.00',
      work_days: null,
      status: 'approved',
      due_on: null,
      due_at: null,
      review_ends_at: null,
      agreed_amount: null,
      work_files: [],
    });
    expect(added?.id).toBeGreaterThan(Number(work?.id));
    expect(details).toMatchObject({ amount: '520.00', status: 'accepted', terms_version: 2 });
    expect(await deal.typesAfter(count)).toEqual([
      'deal.bonus_added',
      'employer_payment.requested',
    ]);
    const event = (await deal.events())[count];
    expect(event).toMatchObject({
      actor: 'partner',
      data: { terms_version: 2, stage_ids: [added?.id], message: 'Well done' },
    });
    expect(details.billing.employer_payments).toMatchObject([{ amount: '20.00' }]);
    const { results } = await okOf(deal.freelancer.listTerms());
    expect(results[1]).toMatchObject({
      kind: 'bonus',
      proposal_id: null,
      proposed_by: 'partner',
      terms: { version: 2, amount: '520.00' },
      terms_sha256: details.terms_sha256,
    });
    expect(results[1]?.terms.stages.map(({ budget }) => budget)).toEqual(['500.00', '20.00']);
  });

  it('is named by the first 200 characters of its message', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await okOf(bonus(deal, '1'));
    await okOf(bonus(deal, '1', `${'😀'.repeat(200)}!`));
    await okOf(bonus(deal, '1', 'x'.repeat(2_000)));
    const names = (await deal.stages()).slice(1).map(({ name }) => name);
    expect(names).toEqual(['Bonus', '😀'.repeat(200), 'x'.repeat(200)]);
  });

  it.each<[string, boolean, ...Step[]]>([
    ['created', false],
    ['accepted', true, accept],
    ['delivered', true, work],
    [
      'changes_requested',
      true,
      work,
      (deal) => okOf(deal.api.requestChanges(deal.partner_id, { reason: 'More.' })),
    ],
    ['approved', true, work, approve],
    ['disputed', false, work, (deal) => okOf(deal.freelancer.dispute({ reason: 'No.' }))],
    ['completed', false, work, approve, (deal) => deal.pay('500'), payOut],
    ['cancelled', false, accept, (deal) => okOf(deal.api.cancel(deal.partner_id))],
  ])('%s: %s', async (status, isLegal, ...steps) => {
    const deal = await withOffer();
    for (const step of steps) await step(deal);
    const before = await deal.details();
    expect(before.status).toBe(status);
    const answer = await bonus(deal, '1');
    if (isLegal) expect(answer._unsafeUnwrap().status).toBe(status);
    else {
      expect(answer._unsafeUnwrapErr()).toMatchObject({
        code: 'illegal_transition',
        legal: expect.not.arrayContaining(['add-bonus']),
      });
      expect(await deal.details()).toStrictEqual(before);
    }
  });

  it.each([
    [{}, 'amount:required'],
    [{ amount: '0' }, 'amount:not_positive'],
    [{ amount: '-0.01' }, 'amount:not_positive'],
    [{ amount: '0.001' }, 'amount:invalid_decimal'],
    [{ amount: '1'.repeat(19) }, 'amount:invalid_decimal'],
    [{ amount: 1 }, 'amount:wrong_type'],
    [{ amount: '1', message: '' }, 'message:too_short'],
    [{ amount: '1', message: 'x'.repeat(2_001) }, 'message:too_long'],
  ])('%j is refused', async (input, issue) => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const refused = deal.api.addBonus(deal.partner_id, input as { readonly amount: string });
    expect(await refusalOf(refused)).toBe(`validation_failed ${issue}`);
  });

  it('keeps to 18 digits of the deal, and to 100 stages', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const most = `${'9'.repeat(15)}499.99`;
    expect(await refusalOf(bonus(deal, `${'9'.repeat(15)}500.00`))).toBe(
      'precondition_failed amount_out_of_bounds',
    );
    await okOf(bonus(deal, most));
    expect((await deal.details()).amount).toBe(`${'9'.repeat(18)}.99`);
    const other = await withOffer();
    await other.split(
      ...Array.from({ length: 99 }, (_, at) => ({ name: `Stage ${at}`, budget: '1' })),
    );
    await other.acceptOffer();
    await okOf(bonus(other, '1'));
    expect(await refusalOf(bonus(other, '1'))).toBe('precondition_failed too_many');
    // one that ends makes place
    const stages = (await other.stages()).filter(({ status }) => status !== 'cancelled').slice(1);
    const proposal = await other.propose(
      'partner',
      amending({ stages: stages.map(({ id }) => ({ id })) }),
    );
    await okOf(other.accept('freelancer', proposal));
    await okOf(bonus(other, '1'));
  });

  it('is another one each time, but under its key', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const key = { idempotencyKey: 'key-1' };
    const give = (amount: string) => deal.api.addBonus(deal.partner_id, { amount }, key);
    const first = await okOf(give('5.0'));
    await okOf(bonus(deal, '5'));
    await okOf(deal.accept('freelancer', await deal.propose('partner', amending({ title: 'x' }))));
    expect(await okOf(give('5'))).toStrictEqual(first);
    expect(await refusalOf(give('5.01'))).toBe('idempotency_key_reused');
    expect((await deal.details()).amount).toBe('510.00');
  });

  it('is neither work that was delivered nor a sum that prepaid work waits for', async () => {
    const deal = await withOffer('500.00', { mode: 'prepaid' });
    await deal.acceptOffer();
    await deal.pay('500');
    await okOf(bonus(deal, '20'));
    // nor a stage that a file could be for, or that was approved by a command
    expect(await refusalOf(deal.api.approve(deal.partner_id))).toBe('illegal_transition');
    await deal.deliver();
    expect((await deal.details()).status).toBe('delivered');
    const other = await withOffer();
    await other.acceptOffer();
    await okOf(bonus(other, '20'));
    await okOf(other.freelancer.decline());
    expect(await other.details()).toMatchObject({ status: 'cancelled' });
  });

  it('is paid out once nothing is outstanding', async () => {
    const deal = await withOffer();
    await deal.deliver();
    await okOf(bonus(deal, '20'));
    await deal.pay('20');
    expect((await deal.details()).billing.contractor_payments).toEqual([]);
    await okOf(deal.api.approve(deal.partner_id));
    await deal.pay('500', 'in 2');
    const { billing, stages } = await deal.details();
    expect(billing.contractor_payments.map(({ amount }) => amount)).toEqual(['500.00', '20.00']);
    expect(stages.map(({ status }) => status)).toEqual(['approved', 'approved']);
    await payOut(deal);
    expect((await deal.details()).status).toBe('completed');
  });

  it('is part of what a settlement divides', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await okOf(bonus(deal, '20'));
    const beyond = deal.send('partner', settling('520.01'));
    expect(await refusalOf(beyond)).toBe('precondition_failed amount_out_of_bounds');
    await okOf(deal.accept('freelancer', await deal.propose('partner', settling('520'))));
    expect((await deal.stages()).map(({ agreed_amount }) => agreed_amount)).toEqual([
      ...['500.00', '20.00'],
    ]);
  });
});
