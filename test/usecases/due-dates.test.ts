import { describe, expect, it } from 'vitest';
import { acme } from '../faces/world.js';
import { amending, dataOf, day, type Offered, okOf, refusalOf, withOffer } from './terms-world.js';

/** The dates of the stages of a deal. */
const datesOf = async (deal: Offered) => (await deal.stages()).map(({ due_on }) => due_on);

/** The days from the beginning of the test, 2026-01-01, to a date. */
const daysTo = (date: string | null | undefined) =>
  date == null ? date : (Date.parse(date) - Date.UTC(2026, 0, 1)) / day;

const dueDays = async (deal: Offered) => (await datesOf(deal)).map(daysTo);

const overdueOf = async (deal: Offered) =>
  (await deal.events()).filter(({ type }) => type === 'deal.overdue');

/** An accepted deal of stages with these days. */
async function withDays(days: readonly number[], options = {}) {
  const deal = await withOffer('500.00', options);
  await deal.split(
    ...days.map((work_days, at) => ({ name: `Stage ${at}`, budget: '100', work_days })),
  );
  await deal.acceptOffer();
  const ids = (await deal.stages()).slice(1).map(({ id }) => id);
  return { ...deal, ids };
}

describe('the due date of a stage', () => {
  it('counts its days from acceptance, or those of the option', async () => {
    const deal = await withOffer();
    expect(await datesOf(deal)).toEqual([null]);
    deal.clock.advance(2 * day);
    await deal.acceptOffer();
    expect(await dueDays(deal)).toEqual([32]);
    const other = await withOffer('500.00', { defaultWorkDays: 3 });
    await other.deliver();
    expect(await dueDays(other)).toEqual([3]);
    const third = await withDays([0, 5, -7, 40]);
    expect(await dueDays(third)).toEqual([null, 0, 5, 0, 40]);
  });

  it('is nothing beyond the year 9999', async () => {
    const days = Math.floor((Date.UTC(9999, 11, 31) - Date.UTC(2026, 0, 1)) / day);
    const deal = await withDays([days, days + 1, days * 2, Number.MAX_SAFE_INTEGER]);
    expect(await datesOf(deal)).toEqual([null, '9999-12-31', null, null, null]);
    deal.clock.advance(3_000 * day);
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toEqual([]);
  });

  it('is shown to every side', async () => {
    const deal = await withDays([5]);
    const views = [
      await okOf(deal.freelancer.view()),
      await okOf(deal.operatorDeals.retrieveDeal(deal.partner_id)),
      await deal.details(),
    ];
    for (const { stages } of views) expect(stages.at(-1)?.due_on).toBe('2026-01-06');
  });

  it('counts in prepaid from when the whole is paid, and again after a charge-back', async () => {
    const deal = await withDays([5], { mode: 'prepaid' });
    const { operatorDeals, partner_id } = deal;
    expect(await dueDays(deal)).toEqual([null, null]);
    deal.clock.advance(day);
    await deal.pay('99.99');
    expect(await dueDays(deal)).toEqual([null, null]);
    deal.clock.advance(day);
    await deal.pay('0.01', 'in 2');
    expect(await dueDays(deal)).toEqual([null, 7]);
    const [payment] = (await deal.details()).billing.employer_payments;
    await okOf(
      operatorDeals.recordEmployerPayment(partner_id, {
        ...{ payment_id: String(payment?.id), status: 'charged_back' },
        ...{ amount: '50', reference: 'back' },
      }),
    );
    expect(await dueDays(deal)).toEqual([null, null]);
    deal.clock.advance(10 * day);
    await deal.pay('50', 'in 3');
    expect(await dueDays(deal)).toEqual([null, 17]);
    // a bonus is no part of it
    await okOf(deal.api.addBonus(partner_id, { amount: '5' }));
    expect(await dueDays(deal)).toEqual([null, 17, null]);
  });

  it('is at least 7 days after changes were requested or the stage was amended', async () => {
    const deal = await withDays([9, 20]);
    const [one = 0, two = 0] = deal.ids;
    deal.clock.advance(day);
    await deal.deliver(one);
    const ask = () =>
      okOf(deal.api.requestChanges(deal.partner_id, { stage_id: one, reason: 'More.' }));
    await ask();
    expect(await dueDays(deal)).toEqual([null, 9, 20]);
    await deal.deliver(one);
    deal.clock.advance(4 * day);
    await ask();
    expect(await dueDays(deal)).toEqual([null, 12, 20]);
    const amended = async (stages: readonly object[]) => {
      const proposal = await deal.propose('partner', amending({ stages }));
      await okOf(deal.accept('freelancer', proposal));
    };
    // one that does not change keeps its date
    await amended([{ id: one, work_days: 1 }, { id: two }]);
    expect(await dueDays(deal)).toEqual([null, 12, 20]);
    await amended([{ id: one }, { id: two, work_days: 2 }]);
    expect(await dueDays(deal)).toEqual([null, 12, 12]);
    await amended([
      { id: one, work_days: 60 },
      { id: two },
      { name: 'New', budget: '1', work_days: 1 },
    ]);
    expect(await dueDays(deal)).toEqual([null, 60, 12, 6]);
  });

  it('is null for what is approved, paid or cancelled', async () => {
    const deal = await withDays([5, 5]);
    const [one] = deal.ids;
    await deal.deliver(one);
    expect(await dueDays(deal)).toEqual([null, 5, 5]);
    await okOf(deal.api.approve(deal.partner_id));
    expect(await dueDays(deal)).toEqual([null, null, 5]);
    await okOf(deal.operatorDeals.cancel(deal.partner_id, { reason: 'End.' }));
    expect(await dueDays(deal)).toEqual([null, null, null]);
  });

  it('of version 1.0 counts the days of its stage', async () => {
    const deal = await withOffer();
    await deal.deal();
    const { partner_id } = (await okOf(deal.api.listDeals())).results.find(
      ({ api_version }) => api_version === '1.0',
    ) ?? { partner_id: '' };
    const details = await okOf(deal.api.accept(partner_id));
    expect(daysTo(details.stages[0]?.due_on)).toBe(details.stages[0]?.work_days);
  });
});

describe('work that does not come', () => {
  it('is told once for each due date, of all stages at once', async () => {
    const deal = await withDays([5, 5, 6, 5]);
    const [one = 0, two = 0, three = 0, four = 0] = deal.ids;
    await deal.deliver(two);
    deal.clock.advance(5 * day - 1);
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toEqual([]);
    deal.clock.advance(1);
    await okOf(deal.operator.runTimers());
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toMatchObject([
      { actor: 'clock', data: { status: 'accepted', stage_ids: [one, four] } },
    ]);
    deal.clock.advance(day);
    await okOf(deal.operator.runTimers());
    expect((await overdueOf(deal)).map((event) => dataOf(event)['stage_ids'])).toEqual([
      [one, four],
      [three],
    ]);
    // sent back after its date, it has another one
    await okOf(deal.api.requestChanges(deal.partner_id, { stage_id: two, reason: 'More.' }));
    expect(await dueDays(deal)).toEqual([null, 5, 13, 6, 5]);
    deal.clock.advance(7 * day);
    await okOf(deal.operator.runTimers());
    expect((await overdueOf(deal)).map((event) => dataOf(event)['stage_ids'])).toEqual([
      [one, four],
      [three],
      [two],
    ]);
    deal.clock.advance(100 * day);
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toHaveLength(3);
  });

  it('lets the partner cancel though something is paid, 7 days later', async () => {
    const deal = await withDays([5], { mode: 'prepaid' });
    const { api, partner_id } = deal;
    await deal.pay('100');
    const refusal = () => refusalOf(api.cancel(partner_id));
    expect(await refusal()).toBe('precondition_failed already_paid');
    deal.clock.advance(5 * day - 1);
    expect(await refusal()).toBe('precondition_failed already_paid');
    deal.clock.advance(1);
    expect(await refusal()).toBe('precondition_failed not_overdue');
    deal.clock.advance(7 * day - 1);
    expect(await refusal()).toBe('precondition_failed not_overdue');
    deal.clock.advance(1);
    const details = await okOf(api.cancel(partner_id));
    expect(details).toMatchObject({ status: 'cancelled', freelancer_status: 'removed' });
    // a repeat
    await okOf(api.cancel(partner_id));
  });

  it('does not, while a stage is submitted or approved', async () => {
    const deal = await withDays([5, 5]);
    const { api, partner_id } = deal;
    const [one] = deal.ids;
    await deal.pay('1');
    await deal.deliver(one);
    deal.clock.advance(12 * day);
    expect(await refusalOf(api.cancel(partner_id))).toBe('precondition_failed work_delivered');
    await okOf(api.approve(partner_id));
    expect(await refusalOf(api.cancel(partner_id))).toBe('precondition_failed work_delivered');
    expect(await refusalOf(deal.freelancer.decline())).toBe('precondition_failed work_delivered');
  });

  it('that was sent back can be cancelled once it is overdue alone', async () => {
    const deal = await withDays([5]);
    const { api, partner_id } = deal;
    await deal.deliver(deal.ids[0]);
    await okOf(api.requestChanges(partner_id, { reason: 'More.' }));
    expect(await refusalOf(api.cancel(partner_id))).toBe('precondition_failed not_overdue');
    deal.clock.advance(14 * day - 1);
    expect(await refusalOf(api.cancel(partner_id))).toBe('precondition_failed not_overdue');
    deal.clock.advance(1);
    expect((await okOf(api.cancel(partner_id))).status).toBe('cancelled');
  });

  it('lets the freelancer give the deal back before that', async () => {
    const deal = await withDays([5], { mode: 'prepaid' });
    await deal.pay('100');
    expect((await okOf(deal.freelancer.decline())).status).toBe('cancelled');
    const other = await withDays([5]);
    await other.deliver(other.ids[0]);
    await okOf(other.api.requestChanges(other.partner_id, { reason: 'More.' }));
    expect(await okOf(other.freelancer.decline())).toMatchObject({
      status: 'cancelled',
      freelancer_status: 'declined',
    });
  });

  it('is not told in a dispute, but after it', async () => {
    const deal = await withDays([5]);
    await deal.pay('100');
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    deal.clock.advance(6 * day);
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toEqual([]);
  });
});

describe('a deal that was accepted before the upgrade', () => {
  /** Takes away what an earlier version did not write. */
  async function asBefore(deal: Offered, due_at: string | null = null): Promise<void> {
    const { store } = deal.ports;
    const set = { started_at: null, deadline: null };
    const stages = await deal.stages();
    const committed = await store.commit(acme, {
      attempt: '01KDVE0000000000000000000A',
      expect: stages.map(({ id: key }) => ({ present: 'stage', key }) as const),
      insert: [],
      change: [
        ...stages.map(({ id: key }) => ({ kind: 'stage', key, set }) as const),
        { kind: 'deal', key: deal.partner_id, set: { accepted_by: null, due_at } },
      ],
      events: [],
    });
    expect(committed._unsafeUnwrap().outcome).toBe('committed');
  }

  it('has its days from the visit of the clock', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await asBefore(deal, '2026-01-03T00:00:00.000Z');
    const count = (await deal.events()).length;
    deal.clock.advance(2 * day);
    await okOf(deal.operator.runTimers());
    expect(await dueDays(deal)).toEqual([32]);
    expect(await deal.events()).toHaveLength(count);
    deal.clock.advance(30 * day);
    await okOf(deal.operator.runTimers());
    expect(await overdueOf(deal)).toHaveLength(1);
  });

  it('has its days from the first command after it', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    await asBefore(deal);
    expect(await datesOf(deal)).toEqual([null]);
    deal.clock.advance(100 * day);
    await okOf(deal.freelancer.uploadFile({ name: 'a', content: Uint8Array.of(1) }));
    await okOf(deal.freelancer.deliver());
    expect(await dueDays(deal)).toEqual([130]);
  });

  it('has them though changes are the first thing that is requested', async () => {
    const deal = await withOffer();
    await deal.deliver();
    await asBefore(deal);
    deal.clock.advance(2 * day);
    await okOf(deal.api.requestChanges(deal.partner_id, { reason: 'More.' }));
    expect(await dueDays(deal)).toEqual([32]);
  });

  it('has its first terms as it was created, by whomever it was accepted', async () => {
    const deal = await withOffer();
    const { terms_sha256 } = await okOf(deal.freelancer.view());
    await deal.deliver();
    await asBefore(deal);
    await okOf(deal.freelancer.dispute({ reason: 'No.' }));
    await okOf(deal.operatorDeals.resolve(deal.partner_id, { agreed_amount: '100' }));
    expect((await okOf(deal.freelancer.view())).terms_sha256).toBe(terms_sha256);
    const read = await okOf(deal.api.listTerms(deal.partner_id));
    await okOf(deal.api.addBonus(deal.partner_id, { amount: '5' }));
    const { results } = await okOf(deal.api.listTerms(deal.partner_id));
    expect(results[0]).toStrictEqual(read.results[0]);
    expect(results[0]).toMatchObject({ terms_sha256, terms: { stages: [{ budget: '500.00' }] } });
    expect(results[1]?.terms).toMatchObject({
      amount: '505.00',
      stages: [{ budget: '100.00' }, { budget: '5.00' }],
    });
  });
});
