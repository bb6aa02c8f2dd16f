import { unavailable } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { okOf, refusalOf } from '../usecases/terms-world.js';
import { type Answering, type Begin, day, first, inEachStore, minute } from './world.js';

type Status = 'processing' | 'paid' | 'failed' | 'returned';
type Options = Parameters<Begin>[1];

/** A deal whose payout was sent, and a way to tell what became of it. */
async function sent(begin: Begin, options?: Options, gateway: Answering = () => ok([])) {
  const deal = await begin(gateway, options);
  const tell = async (status: Status, reference: string) => {
    const { id } = first((await deal.details()).billing.contractor_payments);
    await okOf(
      deal.staff.recordContractorPayment(deal.partner_id, { payment_id: id, status, reference }),
    );
  };
  if (options?.mode === 'invoice') {
    await okOf(deal.freelancer.accept());
    await deal.approved();
    await deal.run();
    const { id } = first((await deal.details()).billing.employer_payments);
    const paid = { payment_id: id, status: 'paid', reference: 'in' } as const;
    await okOf(deal.staff.recordEmployerPayment(deal.partner_id, paid));
  } else {
    await deal.paid();
    await deal.approved();
  }
  await deal.run();
  return { ...deal, tell };
}

type Deal = Awaited<ReturnType<typeof sent>>;

/** The first attempt is told to have failed, and the payout is sent again. */
async function sentTwice(deal: Deal, byId: boolean): Promise<readonly [string, string]> {
  const payouts = () => deal.asked.filter(({ kind }) => kind === 'pay_out');
  const names = byId ? [payouts()[0]?.id ?? ''] : ['A'];
  await deal.tell('failed', names[0] ?? '');
  await okOf(deal.staff.retryPayout(deal.partner_id));
  await deal.run();
  return [names[0] ?? '', byId ? (payouts()[1]?.id ?? '') : 'B'];
}

async function seen({ details, money }: Deal) {
  const { attention, billing } = await details();
  const { held, released, loss } = await money();
  const { contractor_payments, fees } = billing;
  const payouts = contractor_payments.map((each) => `${each.status} ${each.released}`);
  return [payouts.join(), `${released} of ${held}, loss ${loss}, fees ${fees}`, ...attention];
}

const withFees: Options = {
  feePolicy: () => ({ employer_fee: '5.00', contractor_fee: '10.00' }),
};

/** The attempts that events tell of. */
async function told({ api, partner_id }: Deal) {
  const { results } = await okOf(api.listDealEvents(partner_id, { page_size: 100 }));
  return results
    .filter(({ type }) => type.startsWith('contractor_payment.'))
    .map(({ type, data }) => `${type.slice(19)} ${Reflect.get(data, 'attempt')}`);
}

inEachStore('each attempt counts (decision 10.3)', (begin) => {
  for (const mode of ['prepaid', 'invoice'] as const) {
    for (const byId of [true, false]) {
      for (const isReverse of [false, true]) {
        const how = `${mode}, by ${byId ? 'ids' : 'own names'}${isReverse ? ', the second first' : ''}`;
        it(`two attempts that arrive are two: ${how}`, async () => {
          const deal = await sent(begin, { mode });
          const names = await sentTwice(deal, byId);
          const [one, other] = isReverse ? [names[1], names[0]] : names;
          await deal.tell('paid', one);
          expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
          await deal.tell('paid', other);
          expect(await seen(deal)).toEqual([
            ...['paid 200.00', '200.00 of 0.00, loss 100.00, fees 0.00', 'paid_twice'],
          ]);
          expect(await deal.alerts()).toEqual(['paid_twice']);
          const [a, b] = isReverse ? [2, 1] : [1, 2];
          const arrived = [`paid ${a}`, `paid ${b}`];
          expect((await told(deal)).slice(-3).filter((each) => each.startsWith('paid'))).toEqual(
            arrived,
          );
          // one of them comes back
          await deal.tell('returned', one);
          expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
          expect(await deal.alerts()).toEqual([]);
          expect(await refusalOf(deal.staff.retryPayout(deal.partner_id))).toContain(
            'nothing_to_retry',
          );
          await deal.pass(day);
          expect(deal.calls('pay_out')).toBe(2);
          // and the other one too
          await deal.tell('failed', `${other} back`);
          const isLast = b === 2;
          if (!isLast) await deal.tell('returned', other);
          expect(await seen(deal)).toEqual([
            ...['returned 0.00', '0.00 of 100.00, loss 0.00, fees 0.00', 'payout_returned'],
          ]);
          expect((await told(deal)).slice(-2)).toEqual([`returned ${a}`, `returned ${b}`]);
        });
      }
    }
  }

  it('has one fee, which stays', async () => {
    const deal = await sent(begin, withFees);
    const [one, other] = await sentTwice(deal, false);
    await deal.tell('paid', other);
    await deal.tell('paid', one);
    expect(await seen(deal)).toEqual([
      ...['paid 180.00', '180.00 of 0.00, loss 90.00, fees 15.00', 'paid_twice'],
    ]);
  });

  it('one attempt under two names counts once, and comes back once', async () => {
    const deal = await sent(begin);
    await deal.tell('paid', 'tr_1');
    await deal.tell('paid', 'po_1');
    expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
    await deal.tell('failed', 'po_1');
    await deal.tell('returned', 'tr_1');
    expect(await seen(deal)).toEqual([
      ...['returned 0.00', '0.00 of 100.00, loss 0.00, fees 0.00', 'payout_returned'],
    ]);
    expect(await told(deal)).toEqual(['scheduled 1', 'processing 1', 'paid 1', 'returned 1']);
  });

  it('an attempt that was not sent is called off once another one has arrived', async () => {
    const deal = await sent(begin);
    await deal.tell('failed', 'A');
    await okOf(deal.staff.retryPayout(deal.partner_id));
    await deal.tell('paid', 'A');
    await deal.pass(day);
    expect(deal.calls('pay_out')).toBe(1);
    expect(await deal.waiting()).toEqual([]);
    expect(await refusalOf(deal.staff.retryPayout(deal.partner_id))).toContain('nothing_to_retry');
    expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
  });

  for (const [outcome, became] of [
    ['unknown', 'paid'],
    ['unknown', 'failed'],
    ['none', undefined],
  ] as const) {
    it(`an attempt in doubt is not asked for again once another one has arrived: ${outcome}, ${became}`, async () => {
      const state = { isDown: false };
      const deal = await sent(begin, {}, ({ kind }) =>
        kind === 'pay_out' && state.isDown
          ? unavailable({ outcome, cause: new Error('no connection') })
          : ok([]),
      );
      await deal.tell('failed', 'A');
      await okOf(deal.staff.retryPayout(deal.partner_id));
      state.isDown = true;
      await deal.run();
      await deal.tell('paid', 'A');
      await deal.pass(61 * minute);
      expect(deal.calls('pay_out')).toBe(2);
      if (became === undefined) {
        expect([await deal.waiting(), await deal.alerts()]).toEqual([[], []]);
        return;
      }
      expect([await deal.waiting(), await deal.alerts()]).toEqual([
        ...[['pay_out unknown, stopped'], ['effect_in_doubt']],
      ]);
      const { id } = first((await deal.details()).effects);
      await deal.tell(became, id);
      expect(await deal.waiting()).toEqual([]);
      expect(await deal.alerts()).toEqual(became === 'paid' ? ['paid_twice'] : []);
    });
  }

  it('a payout whose first attempt came back is as the second one is', async () => {
    const deal = await sent(begin);
    const [one, other] = await sentTwice(deal, false);
    await deal.tell('paid', one);
    await deal.tell('returned', one);
    // nobody sends a third one meanwhile
    expect(await deal.payouts()).toEqual(['processing']);
    expect((await told(deal)).slice(-3)).toEqual(['paid 1', 'returned 1', 'processing 2']);
    await deal.tell('paid', other);
    await deal.pass(day);
    expect(deal.calls('pay_out')).toBe(2);
    expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
  });

  it('two payouts of one stage are two', async () => {
    const state = { isDown: true };
    // nothing has happened, it says; but the bank has made it
    const deal = await sent(begin, {}, ({ kind }) =>
      kind === 'pay_out' && state.isDown
        ? unavailable({ outcome: 'none', cause: new Error('no connection') })
        : ok([]),
    );
    const because = { reason: 'because' };
    await okOf(deal.api.dispute(deal.partner_id, because));
    await okOf(deal.staff.resolve(deal.partner_id, { agreed_amount: '100.00' }));
    state.isDown = false;
    await deal.pass(minute);
    const { contractor_payments } = (await deal.details()).billing;
    expect(contractor_payments.map(({ status }) => status)).toEqual(['cancelled', 'processing']);
    for (const { id } of contractor_payments) {
      const paid = { payment_id: id, status: 'paid', reference: `of ${id}` } as const;
      await okOf(deal.staff.recordContractorPayment(deal.partner_id, paid));
    }
    expect(await seen(deal)).toEqual([
      ...['paid 100.00,paid 100.00', '200.00 of 0.00, loss 100.00, fees 0.00', 'paid_twice'],
    ]);
    await deal.tell('returned', `of ${contractor_payments[0]?.id}`);
    await deal.pass(day);
    expect(await seen(deal)).toEqual([
      ...['cancelled 0.00,paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00'],
    ]);
  });
});

inEachStore('a return is told in any order (decision 10.5)', (begin) => {
  for (const order of [
    ['paid', 'returned'],
    ['returned', 'paid'],
  ] as const) {
    it(`${order.join(', then ')}: the stage is paid, the payout returned`, async () => {
      const deal = await sent(begin, withFees);
      for (const status of order) await deal.tell(status, `the ${status} one`);
      expect(await seen(deal)).toEqual([
        ...['returned 0.00', '0.00 of 90.00, loss 0.00, fees 15.00', 'payout_returned'],
      ]);
      expect((await deal.details()).stages.map(({ status }) => status)).toEqual(['paid']);
      expect((await told(deal)).filter((each) => /paid|returned/.test(each))).toContain('paid 1');
    });
  }

  it('a return alone posts nothing, and leaves the stage approved', async () => {
    const deal = await sent(begin);
    await deal.tell('returned', 'A');
    expect(await seen(deal)).toEqual(['returned 0.00', '0.00 of 100.00, loss 0.00, fees 0.00']);
    expect((await deal.details()).stages.map(({ status }) => status)).toEqual(['approved']);
    // another attempt pays, whatever is told of the first
    await okOf(deal.staff.retryPayout(deal.partner_id));
    await deal.run();
    await deal.tell('paid', 'A');
    expect(await seen(deal)).toEqual(['processing 0.00', '0.00 of 100.00, loss 0.00, fees 0.00']);
    await deal.tell('paid', 'B');
    expect(await seen(deal)).toEqual(['paid 100.00', '100.00 of 0.00, loss 0.00, fees 0.00']);
  });
});
