import { createMarketplace, type UnmatchedReport } from 'dealwright';
import { type Store, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { acme } from '../faces/world.js';
import { createPorts } from '../kit/ports.js';
import { eventsOf } from '../kit/stored.js';
import { okOf, refusalOf } from './terms-world.js';

const start = Date.UTC(2026, 0, 1);
const day = 24 * 60 * 60 * 1000;
const nobodys = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const paid = { status: 'paid', amount: '40.00', reference: 'bank-1' } as const;

/** A marketplace whose real time is that of the test, with a deal and a payment of it. */
async function createReported() {
  const clock = createManualClock(start);
  const ports = { ...createPorts(), clock, timer: clock };
  const marketplace = createMarketplace(ports);
  const operator = marketplace.operator('sandbox');
  const deals = operator.partner(acme.partner);
  await okOf(marketplace.partner(acme).createDealV2({ ...dealV2Body, partner_id: 'known' }));
  await okOf(deals.recordEmployerPayment('known', { ...paid, reference: 'first' }));
  const billing = async () => (await okOf(deals.retrieveDeal('known'))).billing;
  const [payment] = (await billing()).employer_payments;
  return {
    ...{ ports, marketplace, operator, deals, clock, billing },
    payment_id: String(payment?.id),
    events: () => eventsOf(ports.store, acme),
    waiting: async () => (await okOf(operator.listUnmatchedReports())).results,
    async line() {
      const { results } = await okOf(operator.summarize());
      return results.find(({ reason }) => reason === 'report_unmatched');
    },
  };
}

describe('a report that matches no payment', () => {
  it('is kept once with what it said, and the refusal stays as it is', async () => {
    const { deals, waiting, line, clock, events } = await createReported();
    const before = await events();
    expect(await line()).toEqual({
      ...{ reason: 'report_unmatched', count: 0, is_more: false, since: null },
    });
    for (let repeat = 0; repeat < 3; repeat += 1) {
      expect(await refusalOf(deals.recordEmployerPayment('other', paid))).toBe('not_found deal');
      clock.advance(1000);
      const unknown = { ...paid, payment_id: nobodys };
      expect(await refusalOf(deals.recordEmployerPayment('known', unknown))).toBe(
        'validation_failed payment_id:unknown_payment',
      );
      clock.advance(1000);
      const payout = { payment_id: nobodys, status: 'failed', reference: 'bank-1' } as const;
      expect(await refusalOf(deals.recordContractorPayment('known', payout))).toBe(
        'validation_failed payment_id:unknown_payment',
      );
    }
    const common = { partner: 'acme', reference: 'bank-1', is_dismissed: false };
    const [first, second, third] = await waiting();
    expect(first).toEqual({
      ...{ ...common, id: expect.stringMatching(/^[\da-f]{64}$/), partner_id: 'other' },
      ...{ kind: 'employer_payment', payment_id: null, status: 'paid', amount: '40.00' },
      ...{ currency: null, reason: 'unknown_deal', received_at: new Date(start).toISOString() },
    });
    expect(second).toEqual({
      ...{ ...common, id: expect.not.stringMatching(String(first?.id)), partner_id: 'known' },
      ...{ kind: 'employer_payment', payment_id: nobodys, status: 'paid', amount: '40.00' },
      ...{
        currency: null,
        reason: 'unknown_payment',
        received_at: new Date(start + 1000).toISOString(),
      },
    });
    expect(third).toMatchObject({ kind: 'contractor_payment', status: 'failed', amount: null });
    expect(await line()).toEqual({
      ...{ reason: 'report_unmatched', count: 3, is_more: false, since: first?.received_at },
    });
    // it is no partner's business
    expect(await events()).toEqual(before);
  });

  it('is kept, and one that matches is not, in any order and however often they come', async () => {
    const anyReport = fc.record({
      kind: fc.constantFrom('employer_payment', 'contractor_payment'),
      deal: fc.constantFrom('known', 'other', 'Known'),
      payment: fc.constantFrom('none', 'own', 'nobodys'),
      status: fc.constantFrom('paid', 'failed', 'processing'),
      amount: fc.constantFrom('1.00', '2.00', undefined),
      reference: fc.constantFrom('a', 'b', 'ä "1"'),
    } as const);
    const property = fc.asyncProperty(fc.array(anyReport, { maxLength: 12 }), async (reports) => {
      const { deals, waiting, payment_id: own, billing, line } = await createReported();
      const expected = new Map<string, Partial<UnmatchedReport>>();
      for (const { kind, deal, payment, status, amount, reference } of reports) {
        const before = await billing();
        const payment_id = { none: undefined, own, nobodys }[payment];
        const report = {
          ...{ status, reference },
          ...(amount !== undefined && { amount }),
          ...(payment_id !== undefined && { payment_id }),
        };
        const answer =
          kind === 'employer_payment'
            ? await deals.recordEmployerPayment(deal, report)
            : await deals.recordContractorPayment(deal, { payment_id: '', ...report });
        // a payout is always one of ours, so a report of one without its id has the wrong form
        const isForm = kind === 'employer_payment' || payment !== 'none';
        const isKnown =
          deal === 'known' &&
          (payment === 'none' || (payment === 'own' && kind === 'employer_payment'));
        if (isForm && !isKnown) {
          const key = JSON.stringify([kind, deal, payment, status, reference]);
          const reason = deal === 'known' ? 'unknown_payment' : 'unknown_deal';
          const said = { kind, partner_id: deal, payment_id: payment_id ?? null };
          const first = { ...said, status, reference, reason, amount: amount ?? null } as const;
          if (!expected.has(key)) expected.set(key, first);
          expect(answer.isErr()).toBe(true);
          expect(await billing()).toEqual(before);
        }
      }
      expect(await waiting()).toMatchObject([...expected.values()]);
      expect((await line())?.count).toBe(expected.size);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('is kept once if it comes ten times at once', async () => {
    const { ports, waiting } = await createReported();
    const processes = Array.from({ length: 10 }, () => createMarketplace(ports));
    const refusals = await Promise.all(
      processes.map((each) =>
        refusalOf(each.operator('sandbox').partner('acme').recordEmployerPayment('other', paid)),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(['not_found deal']));
    expect(await waiting()).toHaveLength(1);
  });

  it('is answered with unavailable if it could not be kept, so that it comes again', async () => {
    const { ports, waiting } = await createReported();
    const failed = { retryable: true, outcome: 'none' } as const;
    for (const broken of [
      { store: { ...ports.store, commit: () => unavailable(failed) } as Store },
      { digest: () => '' },
      { ids: { next: () => 'none' } },
    ]) {
      const { operator } = createMarketplace({ ...ports, ...broken });
      const told = operator('sandbox').partner('acme').recordEmployerPayment('other', paid);
      expect(await refusalOf(told)).toBe('unavailable');
    }
    expect(await waiting()).toEqual([]);
  });

  it('is not kept if no deal can have its partner_id, nor if another face gave it', async () => {
    const { deals, marketplace, waiting } = await createReported();
    for (const partner_id of ['', 'x'.repeat(41), '\ud800', '\u0000']) {
      expect(await refusalOf(deals.recordEmployerPayment(partner_id, paid))).toBe('not_found deal');
    }
    const sandbox = marketplace.sandbox(acme);
    for (const actor of ['operator', 'payments'] as const) {
      const told = sandbox.command('other', actor, 'record-employer-payment', paid);
      expect(await refusalOf(told)).toBe('not_found deal');
    }
    expect(await waiting()).toEqual([]);
  });

  it('is not a report that is refused for another reason, nor any other command', async () => {
    const { deals, waiting, payment_id } = await createReported();
    for (const [report, why] of [
      [{ status: 'paid', reference: 'b' }, 'validation_failed amount:required'],
      [{ status: 'failed', reference: 'b' }, 'validation_failed payment_id:required'],
      [{ ...paid, reference: '' }, 'validation_failed reference:too_short'],
      [
        { payment_id, status: 'charged_back', amount: '41.00', reference: 'b' },
        'precondition_failed amount_out_of_bounds',
      ],
    ] as const) {
      expect(await refusalOf(deals.recordEmployerPayment('known', report))).toBe(why);
    }
    expect(await refusalOf(deals.cancel('other', { reason: 'r' }))).toBe('not_found deal');
    expect(await waiting()).toEqual([]);
  });
});

describe('the list of reports that match no payment', () => {
  it('has each once on its pages, of every partner, the longest waiting first', async () => {
    const { operator, clock, waiting } = await createReported();
    for (let at = 0; at < 7; at += 1) {
      const deals = operator.partner(at % 2 === 0 ? 'acme' : 'globex');
      await deals.recordEmployerPayment('other', { ...paid, reference: `bank-${at}` });
      // some came at the same moment
      if (at % 3 === 0) clock.advance(1000);
    }
    const found: UnmatchedReport[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { page_size: 2, ...(cursor !== undefined && { cursor }) };
      const page = await okOf(operator.listUnmatchedReports(query));
      expect(page.results.length).toBeGreaterThan(0);
      found.push(...page.results);
      cursor = page.next;
    }
    expect(found).toEqual(await waiting());
    expect(found.map(({ reference }) => reference)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((at) => `bank-${at}`),
    );
    expect(new Set(found.map(({ partner }) => partner))).toEqual(new Set(['acme', 'globex']));
  });

  it('takes its own cursors alone, and sizes as other lists', async () => {
    const { operator } = await createReported();
    const time = new Date(start).toISOString();
    for (const cursor of ['', 'x', `${time} x`, `soon ${nobodys}`, `${time} ${nobodys} x`]) {
      expect(await refusalOf(operator.listUnmatchedReports({ cursor }))).toBe('invalid_cursor');
    }
    expect(await refusalOf(operator.listUnmatchedReports({ page_size: 0 }))).toBe(
      'validation_failed page_size:out_of_range',
    );
  });

  it('counts 100 of them at most', async () => {
    const { deals, line } = await createReported();
    for (let at = 0; at < 101; at += 1) {
      await deals.recordEmployerPayment('other', { ...paid, reference: `bank-${at}` });
    }
    expect(await line()).toMatchObject({ count: 100, is_more: true });
  });
});

describe('a dismissed report', () => {
  it('waits no more, also if it is dismissed or comes again, until it is pruned', async () => {
    const { deals, marketplace, waiting, line, clock } = await createReported();
    await deals.recordEmployerPayment('other', paid);
    const [kept] = await waiting();
    const { id = '' } = kept ?? {};
    expect(await okOf(deals.dismissReport(id))).toEqual({ ...kept, is_dismissed: true });
    clock.advance(29 * day);
    expect(await okOf(deals.dismissReport(id))).toEqual({ ...kept, is_dismissed: true });
    expect(await refusalOf(deals.recordEmployerPayment('other', paid))).toBe('not_found deal');
    expect(await waiting()).toEqual([]);
    expect((await line())?.count).toBe(0);
    clock.advance(day - 1);
    expect(await okOf(deals.dismissReport(id))).toEqual({ ...kept, is_dismissed: true });
    await okOf(marketplace.prune());
    expect(await okOf(deals.dismissReport(id))).toEqual({ ...kept, is_dismissed: true });
    clock.advance(1);
    await okOf(marketplace.prune());
    expect(await refusalOf(deals.dismissReport(id))).toBe('not_found report');
    await deals.recordEmployerPayment('other', paid);
    expect(await waiting()).toMatchObject([
      { id, received_at: new Date(clock.now()).toISOString() },
    ]);
  });

  it('is one of this partner that exists', async () => {
    const { deals, operator, waiting } = await createReported();
    await deals.recordEmployerPayment('other', paid);
    const [kept] = await waiting();
    const id = String(kept?.id);
    for (const [own, other] of [
      [operator.partner('globex'), id],
      [deals, ''],
      [deals, 'x'.repeat(64)],
      [deals, 'x'.repeat(65)],
      [deals, '\u0000'],
      [deals, id.slice(1)],
    ] as const) {
      expect(await refusalOf(own.dismissReport(other))).toBe('not_found report');
    }
    expect(await waiting()).toEqual([kept]);
  });
});
