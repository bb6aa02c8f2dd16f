import { type FeePolicy, interfaceProfile, type StagePlanner, splitMoney } from 'dealwright';
import { strictProfile } from 'dealwright/strict';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { parseFees } from '../../adapters/cli/fees.js';
import { okOf, refusalOf } from '../usecases/terms-world.js';
import { type Answering, type Begin, day, first, inEachStore } from './world.js';

/** All goes well; what the currency has no unit for, the provider refuses. */
const gateway: Answering = ({ id, kind, amount, currency }) => {
  if (/^(JPY|KRW)$/i.test(currency) && !amount.endsWith('.00')) {
    return ok({ refused: { reason: 'amount', retry: 'never' } });
  }
  return ok([{ status: kind === 'refund' ? 'refunded' : 'paid', amount, reference: id }]);
};

/** The fees of `DEALWRIGHT_FEES=<employer>,<contractor>`. */
const percent = (text: string): FeePolicy => {
  const policy = parseFees(text)._unsafeUnwrap();
  if (policy === undefined) throw new TypeError(text);
  return policy;
};

const strict = { profile: strictProfile } as const;
const invoice = { mode: 'invoice' } as const;
const because = { reason: 'because' };

/** How a deal ends that goes well. */
async function finished(begin: Begin, ...given: Parameters<Begin>) {
  const deal = await begin(...given);
  await okOf(deal.freelancer.accept());
  await deal.approved();
  await deal.pass(day);
  await deal.pass(day);
  const { status, billing } = await deal.details();
  const { paid, held, released, fees, employer_fee, contractor_payments } = billing;
  return {
    ...{ status, paid, held, released, fees, employer_fee },
    payouts: contractor_payments.map((each) => `${each.amount} ${each.status}`),
  };
}

inEachStore('the unit of a currency (decision 10.13)', (begin) => {
  it.each([
    ['JPY', '999.00', '24.00', '975.00'],
    ['jpy', '999.00', '24.00', '975.00'],
    ['KRW', '100039.00', '2500.00', '97539.00'],
    ['KWD', '1.23', '0.03', '1.20'],
    ['PLN', '999.00', '24.97', '974.03'],
    // not in use: two decimals, as of any other code
    ['ABC', '999.00', '24.97', '974.03'],
    ['XXX', '999.00', '24.97', '974.03'],
  ])('a fee of 2.5 % of %s %s is %s', async (currency, amount, fee, released) => {
    const options = { ...invoice, feePolicy: percent('0,2.5') };
    expect(await finished(begin, gateway, options, { currency, amount })).toEqual({
      ...{ status: 'completed', paid: amount, held: '0.00', released, fees: fee },
      ...{ employer_fee: '0.00', payouts: [`${released} paid`] },
    });
  });

  it.each(['invoice', 'prepaid'] as const)(
    'the shares of fees of stages are whole, %s',
    async (mode) => {
      const feePolicy: FeePolicy = () => ({ employer_fee: '100.00', contractor_fee: '50.00' });
      const options = { mode, feePolicy, ...strict };
      const deal = await begin(gateway, options, { currency: 'JPY', amount: '1000.00' });
      const stages = ['333.00', '333.00', '334.00'].map((budget) => ({ name: 'A part', budget }));
      await okOf(deal.api.propose(deal.partner_id, { kind: 'amendment', changes: { stages } }));
      const { terms_sha256 } = first((await okOf(deal.freelancer.listTerms({}))).results.slice(-1));
      await okOf(deal.freelancer.accept({ terms_sha256 }));
      await deal.run();
      const open = (await deal.details()).stages.filter(({ status }) => status === 'pending');
      for (const { id } of open) {
        const file = { name: 'a.txt', content: Uint8Array.of(97) };
        await okOf(deal.freelancer.uploadFile({ stage_id: id, ...file }));
        await okOf(deal.freelancer.deliver({ stage_id: id }));
        await okOf(deal.api.approve(deal.partner_id, { stage_id: id }));
        await deal.run();
      }
      await deal.run();
      const { status, billing } = await deal.details();
      expect(status).toBe('completed');
      const amounts = (all: readonly { readonly amount: string }[]) =>
        all.map(({ amount }) => amount);
      expect(amounts(billing.contractor_payments)).toEqual(['317.00', '317.00', '316.00']);
      expect(amounts(billing.employer_payments)).toEqual(
        mode === 'prepaid' ? ['1100.00'] : ['366.00', '366.00', '368.00'],
      );
      expect(billing).toMatchObject({ paid: '1100.00', released: '950.00', fees: '150.00' });
    },
  );

  it.each([
    ['JPY', '999.50'],
    ['JPY', '.5'],
    ['KRW', '1.01'],
    ['XOF', '0.10'],
  ])('the strict profile takes no deal of %s %s', async (currency, amount) => {
    const deal = await begin(gateway, strict, { currency, amount: '1.00' });
    const partner_id = 'other';
    const body = { ...deal.body, partner_id, currency, amount };
    expect(await refusalOf(deal.api.createDealV2(body))).toBe('validation_failed amount:too_fine');
    // all problems at once
    expect(await refusalOf(deal.api.createDealV2({ ...body, title: ' ' }))).toBe(
      'validation_failed title:blank amount:too_fine',
    );
    const usual = deal.under({ profile: interfaceProfile });
    await okOf(usual.api.createDealV2(body));
  });

  it.each([
    ['JPY', '999.00'],
    ['KWD', '1.23'],
    ['PLN', '1.23'],
    // no unit of ISO 4217
    ['XAU', '1.23'],
  ])('the strict profile takes a deal of %s %s', async (currency, amount) => {
    const deal = await begin(gateway, strict, { currency, amount });
    expect((await deal.details()).amount).toBe(amount);
  });

  it('the strict profile takes no finer amount in a proposal', async () => {
    const deal = await begin(gateway, strict, { currency: 'JPY', amount: '1000.00' });
    const { api, partner_id } = deal;
    const propose = (changes: object) =>
      refusalOf(api.propose(partner_id, { kind: 'amendment', changes }));
    const named = { name: 'A part' };
    expect(await propose({ amount: '999.50' })).toBe('validation_failed changes.amount:too_fine');
    const stages = [
      { ...named, budget: '333.33' },
      { ...named, budget: '666.00' },
      { ...named, budget: '0.67' },
    ];
    expect(await propose({ stages, amount: '1000.01', title: deal.token })).toBe(
      'validation_failed changes.title:secret_in_text changes.amount:too_fine ' +
        'changes.stages.0.budget:too_fine changes.stages.2.budget:too_fine',
    );
    await okOf(deal.freelancer.accept());
    const changes = { agreed_amount: '500.50' };
    const settlement = { kind: 'settlement', changes } as const;
    const refusal = 'validation_failed changes.agreed_amount:too_fine';
    expect(await refusalOf(api.propose(partner_id, settlement))).toBe(refusal);
    expect(await refusalOf(deal.freelancer.propose(settlement))).toBe(refusal);
  });

  it('the strict profile takes no finer amount in a bonus, a decision or a report', async () => {
    const deal = await begin(() => ok([]), strict, { currency: 'JPY', amount: '1000.00' });
    const { api, staff, partner_id } = deal;
    const payment_id = await deal.paid();
    expect(await refusalOf(api.addBonus(partner_id, { amount: '0.50' }))).toBe(
      'validation_failed amount:too_fine',
    );
    const money = { amount: '0.50', reference: 'finer' };
    for (const report of [
      { ...money, status: 'paid' },
      { ...money, status: 'paid', payment_id },
      { ...money, status: 'partially_refunded', payment_id },
      { ...money, status: 'charged_back', payment_id },
      { ...money, status: 'refund_failed', payment_id },
    ] as const) {
      expect(await refusalOf(staff.recordEmployerPayment(partner_id, report))).toBe(
        'validation_failed amount:too_fine',
      );
    }
    await okOf(api.dispute(partner_id, because));
    expect(await refusalOf(staff.resolve(partner_id, { agreed_amount: '500.50' }))).toBe(
      'validation_failed agreed_amount:too_fine',
    );
    await okOf(staff.resolve(partner_id, { agreed_amount: '500.00' }));
    const { id } = first((await deal.details()).billing.contractor_payments);
    expect(
      await refusalOf(
        staff.recordContractorPayment(partner_id, { ...money, status: 'paid', payment_id: id }),
      ),
    ).toBe('validation_failed amount:too_fine');
    expect(await deal.money()).toEqual({
      ...{ paid: '1000.00', held: '1000.00', released: '0.00', refunded: '0.00' },
      ...{ charged_back: '0.00', loss: '0.00' },
    });
  });

  it('an answer of the gateway with a finer amount counts for nothing', async () => {
    const half: Answering = ({ id }) => ok([{ status: 'paid', amount: '0.50', reference: id }]);
    const deal = await begin(half, strict, { currency: 'JPY', amount: '1000.00' });
    await okOf(deal.freelancer.accept());
    const { failures } = await deal.run();
    expect(failures.map(({ reason }) => reason)).toContain(
      'payments.execute gave a wrong answer: too_fine',
    );
    expect((await deal.money()).paid).toBe('0.00');
    expect(await deal.waiting()).toEqual(['request_payment unknown']);
  });

  it.each([
    ['amount', '999.50', '0.00', '999.50'],
    ['fee', '1000.00', '24.97', '1024.97'],
  ])('a deal whose %s is finer goes on under the strict profile', async (_, ...given) => {
    const [amount, employer_fee, asked] = given;
    const deal = await begin(() => ok([]), {}, { currency: 'JPY', amount });
    await deal.rewrite({ employer_fee });
    await okOf(deal.freelancer.accept());
    const { staff, api } = deal.under(strict);
    const payment = first((await deal.details()).billing.employer_payments);
    expect(payment.amount).toBe(asked);
    const report = { payment_id: payment.id, status: 'paid', amount: asked } as const;
    await okOf(staff.recordEmployerPayment(deal.partner_id, { ...report, reference: 'in' }));
    await okOf(api.dispute(deal.partner_id, because));
    await okOf(staff.resolve(deal.partner_id, { agreed_amount: amount }));
    const payout = first((await deal.details()).billing.contractor_payments);
    expect(payout.amount).toBe(amount);
    await okOf(
      staff.recordContractorPayment(deal.partner_id, {
        ...{ payment_id: payout.id, status: 'paid', amount, reference: 'out' },
      }),
    );
    // a resolution asks for the fees anew, and there are none
    if (employer_fee !== '0.00') {
      const back = { payment_id: payment.id, amount: employer_fee, reference: 'back' };
      const refund = { ...back, status: 'partially_refunded' } as const;
      await okOf(staff.recordEmployerPayment(deal.partner_id, refund));
    }
    expect((await deal.details()).status).toBe('completed');
    expect(await deal.money()).toEqual({
      ...{ paid: asked, held: '0.00', released: amount, refunded: employer_fee },
      ...{ charged_back: '0.00', loss: '0.00' },
    });
  });

  it('what is agreed on goes to the stages in their order, to the sen', async () => {
    const deal = await begin(gateway, {}, { currency: 'JPY', amount: '1000.00' });
    const stages = ['333.33', '666.67'].map((budget) => ({ name: 'A part', budget }));
    await okOf(deal.api.propose(deal.partner_id, { kind: 'amendment', changes: { stages } }));
    const { terms_sha256 } = first((await okOf(deal.freelancer.listTerms({}))).results.slice(-1));
    await okOf(deal.freelancer.accept({ terms_sha256 }));
    await deal.run();
    await okOf(deal.freelancer.dispute(because));
    await okOf(deal.staff.resolve(deal.partner_id, { agreed_amount: '500.00' }));
    const agreed = (await deal.details()).stages.map(({ agreed_amount }) => agreed_amount);
    expect(agreed).toEqual([null, '333.33', '166.67']);
  });

  describe('stages by a planner', () => {
    const inThree =
      (isWhole: boolean): StagePlanner =>
      ({ budget, currency, work_days }) =>
        (splitMoney(budget, [1, 1, 1], isWhole ? currency : undefined) ?? []).map((share) => ({
          ...{ name: 'A third', budget: share, work_days },
        }));
    const yen = { currency: 'JPY', amount: '1000.00' };

    it('are whole by the currency', async () => {
      const deal = await begin(gateway, { ...strict, stagePlanner: inThree(true) }, yen);
      const budgets = (await deal.details()).stages.map(({ budget }) => budget);
      expect(budgets).toEqual(['334.00', '333.00', '333.00']);
    });

    it('are not taken by the strict profile if they are finer', async () => {
      const deal = await begin(gateway, { stagePlanner: inThree(false) }, yen);
      const body = { ...deal.body, ...yen, partner_id: 'other' };
      const { api } = deal.under(strict);
      expect(await refusalOf(api.createDealV2(body))).toBe('unavailable');
      await okOf(api.createDealV2({ ...body, currency: 'PLN' }));
    });
  });
});
