import { ok } from 'neverthrow';
import { expect, it } from 'vitest';
import { okOf, refusalOf } from '../usecases/terms-world.js';
import { type Answering, type Begin, day, first, inEachStore } from './world.js';

const because = { reason: 'because' };
const gateway: Answering = ({ kind, amount, id }) => {
  if (kind === 'request_payment') return ok([]);
  return ok([{ status: kind === 'refund' ? 'refunded' : 'paid', amount, reference: id }]);
};

/** A deal of 100.00 that is approved, if it is not prepaid, and asked for. */
async function asked(begin: Begin, mode: 'prepaid' | 'invoice', options = {}) {
  const deal = await begin(gateway, { mode, ...options });
  await okOf(deal.freelancer.accept());
  if (mode === 'invoice') await deal.approved();
  await deal.run();
  const { id: payment_id } = first((await deal.details()).billing.employer_payments);
  const { partner_id, staff } = deal;
  return {
    deal,
    payment_id,
    paid: (reference: string, amount?: string) =>
      okOf(
        staff.recordEmployerPayment(partner_id, {
          ...{ payment_id, status: 'paid', reference },
          ...(amount !== undefined && { amount }),
        }),
      ),
    report: (status: 'voided' | 'charged_back' | 'refunded', reference: string, amount?: string) =>
      staff.recordEmployerPayment(partner_id, {
        ...{ payment_id, status, reference },
        ...(amount !== undefined && { amount }),
      }),
    writeOff: (amount: string) => staff.writeOff(partner_id, { amount, ...because }),
    async finish() {
      if (mode === 'prepaid') await deal.approved();
      await deal.run();
      return deal.run();
    },
    async billing() {
      const { billing } = await deal.details();
      const { outstanding, written_off } = billing;
      return { ...(await deal.money()), outstanding, written_off };
    },
  };
}

type Asked = Awaited<ReturnType<typeof asked>>;

/** One payment of 100.00 that is reported under two names (case c16). */
const twoNames: Readonly<Record<string, (world: Asked) => Promise<unknown>>> = {
  async 'of one payment'({ paid }) {
    await paid('pi_1');
    await paid('ch_1');
  },
  async 'the second of no payment'({ paid, deal }) {
    await paid('pi_1');
    const report = { status: 'paid', amount: '100.00', reference: 'ch_1' } as const;
    await okOf(deal.staff.recordEmployerPayment(deal.partner_id, report));
  },
  async 'the first of no payment'({ paid, deal }) {
    const report = { status: 'paid', amount: '100.00', reference: 'ch_1' } as const;
    await okOf(deal.staff.recordEmployerPayment(deal.partner_id, report));
    await paid('pi_1');
  },
};

inEachStore('too much is seen (decision 10.12)', (begin) => {
  for (const mode of ['prepaid', 'invoice'] as const) {
    for (const [how, tell] of Object.entries(twoNames)) {
      it(`c16: two names ${how}, ${mode}: nothing leaves before the operator decides`, async () => {
        const world = await asked(begin, mode);
        const { deal } = world;
        await tell(world);
        expect(await deal.alerts()).toEqual(['overpaid']);
        await world.finish();
        expect((await deal.details()).status).toBe('completed');
        expect([deal.calls('refund'), await deal.money()]).toEqual([
          0,
          {
            ...{ paid: '200.00', held: '100.00', released: '100.00' },
            ...{ refunded: '0.00', charged_back: '0.00', loss: '0.00' },
          },
        ]);
        expect(await deal.alerts()).toEqual(['overpaid']);
        // it never came
        const report = { status: 'voided', reference: 'ch_1' } as const;
        await okOf(deal.staff.recordEmployerPayment(deal.partner_id, report));
        await deal.run();
        expect([deal.calls('refund'), await deal.money()]).toMatchObject([
          0,
          { paid: '100.00', held: '0.00', refunded: '0.00', loss: '0.00' },
        ]);
        expect(await deal.alerts()).toEqual([]);
        expect(await deal.types()).toContain('employer_payment.voided');
      });
    }
  }

  it('c07: paid twice: it is told, and goes back at once, and once', async () => {
    const { deal, paid, finish } = await asked(begin, 'prepaid');
    await paid('t1');
    const { staff, partner_id } = deal;
    expect(await deal.alerts()).toEqual([]);
    expect(await refusalOf(staff.refundSurplus(partner_id))).toBe('precondition_failed no_surplus');
    await paid('t2');
    expect(await deal.alerts()).toEqual(['overpaid']);
    const told = await okOf(deal.staff.listDealEvents(partner_id, {}));
    const overpaid = told.results.filter(({ type }) => type === 'employer_payment.overpaid');
    expect(overpaid).toMatchObject([{ data: { amount: '100.00', reference: 't2' } }]);
    await okOf(staff.refundSurplus(partner_id));
    // a repeat while it is on its way
    await okOf(staff.refundSurplus(partner_id));
    expect(await deal.alerts()).toEqual([]);
    await deal.run();
    expect(deal.asked.filter(({ kind }) => kind === 'refund')).toMatchObject([
      { amount: '100.00' },
    ]);
    expect(await deal.money()).toMatchObject({
      paid: '200.00',
      held: '100.00',
      refunded: '100.00',
    });
    expect(await refusalOf(staff.refundSurplus(partner_id))).toBe('precondition_failed no_surplus');
    await finish();
    expect(await deal.money()).toMatchObject({ held: '0.00', released: '100.00', loss: '0.00' });
  });

  it('a surplus that was refunded by hand does not wait', async () => {
    const { deal, paid, report } = await asked(begin, 'prepaid');
    await paid('t1');
    await paid('t2');
    await okOf(report('refunded', 're1', '100.00'));
    expect(await deal.alerts()).toEqual([]);
    await okOf(deal.staff.cancel(deal.partner_id, because));
    await deal.run();
    expect(await deal.money()).toMatchObject({ held: '0.00', refunded: '200.00' });
  });

  it('a surplus of a first payment goes back by itself at the end', async () => {
    const { deal, paid, finish } = await asked(begin, 'prepaid');
    await paid('t1', '130.00');
    expect(await deal.alerts()).toEqual(['overpaid']);
    await finish();
    expect(await deal.money()).toMatchObject({ held: '0.00', refunded: '30.00' });
    expect(await deal.alerts()).toEqual([]);
  });

  it('a charge-back takes from a refund that was not sent yet', async () => {
    const { deal, paid, report } = await asked(begin, 'prepaid');
    await paid('t1');
    await paid('t2');
    await okOf(deal.staff.refundSurplus(deal.partner_id));
    await okOf(report('charged_back', 'cb', '100.00'));
    await deal.run();
    expect([deal.calls('refund'), await deal.money()]).toMatchObject([
      0,
      { held: '100.00', refunded: '0.00', loss: '0.00' },
    ]);
  });

  it('nothing goes back while a deal is disputed', async () => {
    const { deal, paid } = await asked(begin, 'prepaid');
    await paid('t1');
    await paid('t2');
    await okOf(deal.api.dispute(deal.partner_id, because));
    expect(await refusalOf(deal.staff.refundSurplus(deal.partner_id))).toBe('illegal_transition');
  });

  it('what is voided after it was paid out is a loss, and is due again', async () => {
    const { deal, paid, report, finish, billing } = await asked(begin, 'prepaid');
    await paid('t1');
    await finish();
    expect(await refusalOf(report('voided', 'never-told'))).toBe(
      'validation_failed reference:unknown_payment',
    );
    expect(await refusalOf(report('voided', 't1', '99.00'))).toBe(
      'precondition_failed amount_out_of_bounds',
    );
    await okOf(report('voided', 't1'));
    await okOf(report('voided', 't1'));
    // the provider says it once more
    await paid('t1');
    expect(await billing()).toMatchObject({
      ...{ paid: '0.00', released: '100.00', loss: '100.00', outstanding: '100.00' },
    });
    const { billing: of } = await deal.details();
    expect(of.employer_payments).toMatchObject([{ status: 'failed', amount: '100.00' }]);
    await okOf(deal.staff.requestPayment(deal.partner_id));
  });
});

inEachStore('what is written off (decision 10.11)', (begin) => {
  for (const mode of ['prepaid', 'invoice'] as const) {
    it(`c07: a cent short, ${mode}: written off, and the freelancer has all of it`, async () => {
      const { deal, paid, writeOff, finish, billing } = await asked(begin, mode);
      await paid('t1', '99.99');
      await deal.run();
      expect(await refusalOf(writeOff('0.02'))).toBe('precondition_failed amount_out_of_bounds');
      await okOf(writeOff('0.01'));
      expect(await billing()).toMatchObject({ outstanding: '0.00', written_off: '0.01' });
      expect(await refusalOf(writeOff('0.01'))).toBe('precondition_failed nothing_outstanding');
      await finish();
      expect((await deal.details()).status).toBe('completed');
      expect(await billing()).toMatchObject({
        ...{ paid: '99.99', released: '100.00', held: '0.00', loss: '0.01' },
        ...{ outstanding: '0.00', written_off: '0.01' },
      });
    });

    it(`c07: a cent short, ${mode}: the tolerance writes it off by itself`, async () => {
      const { deal, paid, finish, billing } = await asked(begin, mode, { tolerance: '0.05' });
      await paid('t1', '99.99');
      const told = await okOf(deal.staff.listDealEvents(deal.partner_id, {}));
      expect(told.results.filter(({ type }) => type === 'deal.written_off')).toMatchObject([
        { data: { amount: '0.01', reason: 'tolerance' } },
      ]);
      await finish();
      expect(await billing()).toMatchObject({
        ...{ released: '100.00', loss: '0.01', outstanding: '0.00', written_off: '0.01' },
      });
    });

    it(`a request for more than is due gives way, ${mode}`, async () => {
      const { deal, writeOff } = await asked(begin, mode);
      await okOf(writeOff('40.00'));
      const { billing } = await deal.details();
      expect(billing.employer_payments).toMatchObject([
        { status: 'expired', amount: '100.00' },
        { status: 'requested', amount: '60.00' },
      ]);
    });
  }

  it('the tolerance is of a deal, not of each payment, and of no more than it', async () => {
    const { deal, paid, billing } = await asked(begin, 'prepaid', { tolerance: '0.50' });
    await paid('t1', '99.00');
    expect(await billing()).toMatchObject({ outstanding: '1.00', written_off: '0.00' });
    await paid('t2', '0.60');
    expect(await billing()).toMatchObject({ outstanding: '0.00', written_off: '0.40' });
    const more = { kind: 'amendment', changes: { amount: '110.00' } } as const;
    const { id, terms_sha256 } = await okOf(deal.api.propose(deal.partner_id, more));
    await okOf(deal.freelancer.acceptProposal(id, { terms_sha256 }));
    await deal.run();
    const last = (await deal.details()).billing.employer_payments.at(-1);
    await okOf(
      deal.staff.recordEmployerPayment(deal.partner_id, {
        ...{ payment_id: last?.id ?? '', status: 'paid', amount: '9.80', reference: 't3' },
      }),
    );
    expect(await billing()).toMatchObject({ outstanding: '0.20', written_off: '0.40' });
  });

  it('a surplus within the tolerance is no alert', async () => {
    const { deal, paid } = await asked(begin, 'prepaid', { tolerance: '0.50' });
    await paid('t1', '100.50');
    expect(await deal.alerts()).toEqual([]);
    await paid('t2', '0.01');
    expect(await deal.alerts()).toEqual(['overpaid']);
  });

  it('two are two, and money that comes later lessens them', async () => {
    const { paid, writeOff, finish, billing } = await asked(begin, 'prepaid');
    await paid('t1', '50.00');
    await okOf(writeOff('20.00'));
    await okOf(writeOff('20.00'));
    expect(await billing()).toMatchObject({ outstanding: '10.00', written_off: '40.00' });
    await okOf(writeOff('10.00'));
    await finish();
    expect(await billing()).toMatchObject({ released: '100.00', loss: '50.00' });
    await paid('t2', '30.00');
    expect(await billing()).toMatchObject({ loss: '20.00', written_off: '20.00' });
    await paid('t3', '30.00');
    expect(await billing()).toMatchObject({ held: '10.00', loss: '0.00', written_off: '0.00' });
  });

  it('a refund as a favour is written off', async () => {
    const { deal, paid, report, writeOff, finish, billing } = await asked(begin, 'prepaid');
    await paid('t1');
    await finish();
    await okOf(report('refunded', 'favour', '30.00'));
    expect(await billing()).toMatchObject({ outstanding: '30.00', loss: '30.00' });
    await okOf(writeOff('30.00'));
    await deal.pass(30 * day);
    expect(await billing()).toMatchObject({ outstanding: '0.00', written_off: '30.00' });
    expect(await deal.alerts()).toEqual([]);
  });

  it('a payout that uses it does not leave after a charge-back', async () => {
    const { deal, paid, report, writeOff, billing } = await asked(begin, 'invoice');
    await paid('t1', '60.00');
    await okOf(writeOff('40.00'));
    expect(await billing()).toMatchObject({ held: '100.00', loss: '40.00' });
    expect(await deal.payouts()).toEqual(['scheduled']);
    await okOf(report('charged_back', 'cb', '60.00'));
    await deal.run();
    expect([deal.calls('pay_out'), await deal.payouts()]).toEqual([0, ['cancelled']]);
    expect(await billing()).toMatchObject({ held: '0.00', loss: '0.00', outstanding: '60.00' });
  });

  it('is for the partner and the staff to see', async () => {
    const { deal, writeOff } = await asked(begin, 'invoice');
    await okOf(writeOff('1.00'));
    const typesOf = (page: { readonly results: readonly { readonly type: string }[] }) =>
      page.results.map(({ type }) => type);
    expect(typesOf(await okOf(deal.api.listDealEvents(deal.partner_id, {})))).toContain(
      'deal.written_off',
    );
    expect(typesOf(await okOf(deal.freelancer.listEvents({})))).not.toContain('deal.written_off');
  });
});
