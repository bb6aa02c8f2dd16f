import { unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { okOf, refusalOf } from '../usecases/terms-world.js';
import { type Answering, type Begin, day, first, inEachStore, minute } from './world.js';

const because = { reason: 'because' };

/** Fails the calls for one kind of effect while it is down; else all goes well. */
function failing(kind: string, answer: Answering) {
  const state = { isDown: true };
  const gateway: Answering = (effect, asked) => {
    if (effect.kind === kind && state.isDown) return answer(effect, asked);
    if (effect.kind === 'request_payment') return ok([]);
    const status = effect.kind === 'refund' ? 'refunded' : 'paid';
    return ok([{ status, amount: effect.amount, reference: effect.id }]);
  };
  return { state, gateway };
}

const noConnection = (outcome: 'none' | 'unknown') => () =>
  unavailable({ outcome, cause: new Error('no connection') });

/** A deal that is cancelled after its payment, which the employer's bank takes back by itself. */
async function chargedBack(begin: Begin, gateway: Answering, amount: string) {
  const deal = await begin(gateway);
  const payment_id = await deal.paid();
  await okOf(deal.staff.cancel(deal.partner_id, because));
  await deal.run();
  const taken = { payment_id, status: 'charged_back', amount, reference: 'back' } as const;
  await okOf(deal.staff.recordEmployerPayment(deal.partner_id, taken));
  return { deal, payment_id };
}

inEachStore('what an attempt did (decision 10.1)', (begin) => {
  for (const amount of ['100.00', '60.00']) {
    it(`a refund that was not made does not follow a charge-back of ${amount}`, async () => {
      const { state, gateway } = failing('refund', noConnection('none'));
      const { deal } = await chargedBack(begin, gateway, amount);
      state.isDown = false;
      await deal.pass(day);
      const refunded = amount === '100.00' ? '0.00' : '40.00';
      expect(await deal.money()).toEqual({
        ...{ paid: '100.00', held: '0.00', released: '0.00', loss: '0.00' },
        ...{ charged_back: amount, refunded },
      });
      expect(deal.asked.at(-1)).toMatchObject(
        amount === '100.00' ? { amount: '100.00' } : { kind: 'refund', amount: '40.00' },
      );
      expect(await deal.waiting()).toEqual([]);
    });

    it(`a refund in doubt is not asked for after a charge-back of ${amount}`, async () => {
      const { state, gateway } = failing('refund', noConnection('unknown'));
      const { deal, payment_id } = await chargedBack(begin, gateway, amount);
      state.isDown = false;
      await deal.pass(30 * minute);
      expect((await deal.details()).billing.refunded).toBe('0.00');
      expect([deal.calls('refund'), await deal.waiting()]).toEqual([
        ...[1, ['refund unknown, stopped']],
      ]);
      await deal.pass(31 * minute);
      expect(await deal.alerts()).toEqual(['effect_in_doubt']);
      // the operator has looked: it was never made
      const { id } = first((await deal.details()).effects);
      const failed = { payment_id, status: 'refund_failed', reference: id } as const;
      await okOf(deal.staff.recordEmployerPayment(deal.partner_id, failed));
      await deal.pass(day);
      expect(deal.calls('refund')).toBe(1);
    });
  }

  it('a payout that was refused does not leave in a dispute, and hinders nobody', async () => {
    const { state, gateway } = failing('pay_out', () =>
      ok({ refused: { reason: 'payee_missing', retry: 'later' } }),
    );
    const deal = await begin(gateway);
    await deal.paid();
    await deal.approved();
    await deal.run();
    expect(await deal.payouts()).toEqual(['scheduled, payee_missing']);
    await okOf(deal.api.dispute(deal.partner_id, because));
    state.isDown = false;
    await deal.pass(day);
    expect([deal.calls('pay_out'), await deal.payouts()]).toEqual([1, ['cancelled']]);
    await okOf(deal.staff.resolve(deal.partner_id, { agreed_amount: '0.00' }));
    await deal.run();
    expect(await deal.money()).toMatchObject({
      refunded: '100.00',
      released: '0.00',
      loss: '0.00',
    });
  });

  for (const outcome of ['none', 'unknown'] as const) {
    it(`a payout that failed with ${outcome} does not follow a charge-back`, async () => {
      const { state, gateway } = failing('pay_out', noConnection(outcome));
      const deal = await begin(gateway, { mode: 'invoice' });
      await okOf(deal.freelancer.accept());
      await deal.approved();
      await deal.run();
      const payment_id = first((await deal.details()).billing.employer_payments).id;
      const report = (status: 'paid' | 'charged_back', reference: string) =>
        deal.staff.recordEmployerPayment(deal.partner_id, { payment_id, status, reference });
      await okOf(report('paid', 'in'));
      await deal.run();
      await okOf(report('charged_back', 'back'));
      state.isDown = false;
      await deal.pass(day);
      expect(deal.calls('pay_out')).toBe(1);
      const isDoubtful = outcome === 'unknown';
      expect(await deal.payouts()).toEqual([isDoubtful ? 'processing' : 'cancelled']);
      // what may have gone out is held, and missing
      expect(await deal.money()).toMatchObject({
        ...{ released: '0.00', charged_back: '100.00' },
        loss: isDoubtful ? '100.00' : '0.00',
      });
      expect(await deal.alerts()).toEqual(isDoubtful ? ['effect_in_doubt'] : []);
    });
  }

  it('a payout in doubt is not asked for in a dispute, and is after it', async () => {
    const { state, gateway } = failing('pay_out', noConnection('unknown'));
    const deal = await begin(gateway);
    await deal.paid();
    await deal.approved();
    await deal.run();
    await okOf(deal.api.dispute(deal.partner_id, because));
    state.isDown = false;
    await deal.pass(day);
    expect([deal.calls('pay_out'), await deal.waiting()]).toEqual([
      1,
      ['pay_out unknown, stopped'],
    ]);
    const none = { agreed_amount: '0.00' };
    expect(await refusalOf(deal.staff.resolve(deal.partner_id, none))).toContain(
      'payout_processing',
    );
    // the operator has looked, and reports it with the id of the effect
    const { id, payment_id } = first((await deal.details()).effects);
    const failed = { payment_id, status: 'failed', reference: id } as const;
    await okOf(deal.staff.recordContractorPayment(deal.partner_id, failed));
    await okOf(deal.staff.resolve(deal.partner_id, none));
    await deal.pass(day);
    expect(deal.calls('pay_out')).toBe(1);
    expect(await deal.money()).toMatchObject({
      refunded: '100.00',
      released: '0.00',
      loss: '0.00',
    });
  });

  it('a payout that waited is paid with one event for each reason', async () => {
    const reasons = ['payee_missing', 'payee_missing', 'balance'] as const;
    const { state, gateway } = failing('pay_out', ({ calls }) =>
      ok({ refused: { reason: reasons[calls] ?? 'balance', retry: 'later' } }),
    );
    const deal = await begin(gateway);
    await deal.paid();
    await deal.approved();
    await deal.run();
    const since = (await deal.details()).billing.contractor_payments[0]?.updated_at;
    for (let at = 1; at < reasons.length; at += 1) await deal.pass(60 * minute);
    expect(await deal.payouts()).toEqual(['scheduled, balance']);
    const { billing } = await okOf(deal.api.retrieveDealDetails(deal.partner_id));
    expect(billing.contractor_payments).toMatchObject([{ waits_for: 'other', updated_at: since }]);
    await deal.pass(21 * 60 * minute);
    expect(await deal.alerts()).toEqual([]);
    await deal.pass(2 * 60 * minute);
    expect(await deal.alerts()).toEqual(['payout_waits']);
    state.isDown = false;
    await deal.pass(60 * minute);
    expect((await deal.types()).filter((type) => type.startsWith('contractor_payment'))).toEqual([
      ...['scheduled', 'waiting', 'waiting', 'processing', 'paid'].map(
        (what) => `contractor_payment.${what}`,
      ),
    ]);
  });

  it('a request in doubt that ends is asked for again, and what comes goes back', async () => {
    const { state, gateway } = failing('request_payment', noConnection('unknown'));
    const deal = await begin((effect, asked) =>
      state.isDown || effect.kind !== 'request_payment'
        ? gateway(effect, asked)
        : ok([{ status: 'paid', reference: 'late' }]),
    );
    await okOf(deal.freelancer.accept());
    await deal.run();
    await okOf(deal.staff.cancel(deal.partner_id, because));
    expect(await deal.waiting()).toEqual(['request_payment unknown']);
    state.isDown = false;
    await deal.pass(day);
    expect(await deal.money()).toMatchObject({ paid: '100.00', refunded: '100.00', held: '0.00' });
    expect([deal.calls('request_payment'), await deal.waiting()]).toEqual([2, []]);
  });
});

inEachStore('an answer keeps to its effect (decision 10.2)', (begin) => {
  it('a refund that is answered by `paid` is no money, and is asked for with pauses', async () => {
    const deal = await begin(({ id }) => ok([{ status: 'paid', reference: id }]));
    await okOf(deal.freelancer.accept());
    await deal.run();
    await okOf(deal.freelancer.decline(because));
    const { failures } = await deal.run();
    expect(failures).toMatchObject([
      {
        reason: 'payments.execute gave a wrong answer: an effect refund is not answered by paid',
      },
    ]);
    await deal.run();
    expect(deal.calls('refund')).toBe(1);
    expect(await deal.money()).toMatchObject({ paid: '100.00', refunded: '0.00', held: '100.00' });
    await deal.pass(minute);
    expect([deal.calls('refund'), await deal.waiting()]).toEqual([2, ['refund unknown']]);
  });

  it('of two reports none is lost, and none counts alone', async () => {
    const deal = await begin(({ kind, id }) =>
      kind === 'pay_out'
        ? ok({
            reports: [
              { status: 'paid', reference: id },
              { status: 'returned', reference: `${id} back` },
            ],
          })
        : ok([]),
    );
    await deal.paid();
    await deal.approved();
    await deal.run();
    expect(await deal.payouts()).toEqual(['returned']);
    expect(await deal.money()).toMatchObject({ released: '0.00', held: '100.00' });

    const wrong = await begin(({ kind, id }) =>
      kind === 'pay_out'
        ? ok([
            { status: 'processing', reference: id },
            { status: 'paid', amount: '99.00', reference: id },
          ])
        : ok([]),
    );
    await wrong.paid();
    await wrong.approved();
    const { failures } = await wrong.run();
    expect(failures).toMatchObject([
      { reason: 'payments.execute gave a wrong answer: amount_out_of_bounds' },
    ]);
    expect([await wrong.payouts(), await wrong.waiting()]).toEqual([
      ...[['processing'], ['pay_out unknown']],
    ]);
  });

  it('a report is of the payment that was asked for, whatever it names', async () => {
    const deal = await begin(({ kind, id }) => {
      const report = { status: 'paid', reference: id, payment_id: 'another' } as const;
      return ok(kind === 'pay_out' ? [report] : []);
    });
    await deal.paid();
    await deal.approved();
    expect((await deal.run()).failures).toEqual([]);
    expect(await deal.payouts()).toEqual(['paid']);
  });

  it('a refund is of no more than was asked for', async () => {
    const more = [
      [{ status: 'refunded', amount: '100.01', reference: 'a' }],
      [
        { status: 'partially_refunded', amount: '60.00', reference: 'a' },
        { status: 'refunded', amount: '60.00', reference: 'b' },
      ],
    ] as const;
    for (const reports of more) {
      const deal = await begin(({ kind }) => ok(kind === 'refund' ? reports : []));
      await deal.paid();
      await okOf(deal.staff.cancel(deal.partner_id, because));
      expect((await deal.run()).failures).toHaveLength(1);
      expect(await deal.money()).toMatchObject({ refunded: '0.00', held: '100.00' });
    }
  });
});
