import { describe, expect, it } from 'vitest';
import { sumOfAll } from '../../adapters/pages/app/base/amounts.js';
import { contractor, deal as dealV1, tenant } from '../kit/requests.js';
import { press, resultOf } from './offer-kit.js';
import { delivered, give, noSession, step, usePortal } from './portal-kit.js';

const used = usePortal();

/** A deal of two stages of 300.00 and 200.00, both delivered. */
async function twoStages() {
  const deal = await used.backEnd.offer();
  const { partner_id, freelancer } = deal;
  const [first] = (await resultOf(freelancer.view())).stages;
  const stages = [
    { id: first?.id ?? 0, name: 'Draft', budget: '300.00' },
    { name: 'Final', budget: '200.00' },
  ];
  await resultOf(
    used.backEnd.partner.propose(partner_id, { kind: 'amendment', changes: { stages } }),
  );
  const seen = await resultOf(freelancer.view());
  await resultOf(freelancer.accept({ terms_sha256: seen.terms_sha256 }));
  return { ...deal, ids: seen.stages.map(({ id }) => id) };
}

const deliver = async ({ freelancer }: Awaited<ReturnType<typeof twoStages>>, stage_id = 0) => {
  const content = new TextEncoder().encode('work');
  await resultOf(freelancer.uploadFile({ stage_id, name: 'work.txt', content }));
  await resultOf(freelancer.deliver({ stage_id }));
};

describe('what is to be paid', () => {
  it('is what was asked for, not what the stages to come are worth', async () => {
    const deal = await twoStages();
    const [draft] = deal.ids;
    await deliver(deal, draft);
    await resultOf(used.backEnd.partner.approve(deal.partner_id, { stage_id: draft ?? 0 }));
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    expect(await step(page)).toMatch(/^PLN\s300\.00 is to be paid by you/);
    // of what is not asked for, no more than this can be due
    await press(page, 'Ask for the payment again');
    expect(await page.getByRole('dialog').innerText()).toMatch(/At most\s+PLN\s200\.00/);
    await end(noSession);
  });

  it.each([
    [['0.30', '0.10'], '0.40'],
    [['500.00', '-100.00'], '400.00'],
    [[], '0.00'],
    [['999999999999999999.99', '0.01'], '1000000000000000000.00'],
  ])('adds %j up exactly', (amounts, sum) => {
    expect(sumOfAll(amounts)).toBe(sum);
  });

  it('is the sum of the parts, however each amount is written', async () => {
    const { page, context, signIn, end } = await used.open();
    await signIn();
    await page.getByRole('link', { name: 'New deal' }).click();
    await page.getByLabel('Title').fill('In parts');
    await page.getByLabel('Description').fill('Two of them.');
    await page.getByLabel('E-mail of the freelancer').fill('anna@example.com');
    await page.getByLabel('Your number of the deal').fill('sum-1');
    await page.getByLabel('Category').selectOption({ index: 1 });
    await page.getByLabel('Rights').selectOption('none');
    await page.getByLabel('Currency').fill('PLN');
    await press(page, 'Add a part');
    for (const [at, amount] of ['100', ',50'].entries()) {
      await page.getByLabel('Name of the part').nth(at).fill(`Part ${at}`);
      await page.getByLabel('Amount (PLN)').nth(at).fill(amount);
    }
    // before it is split, too
    await context.route('**/proposal/', (route) => route.abort());
    await press(page, 'Make the offer');
    await page.locator('#notice').waitFor();
    const { amount } = await resultOf(used.backEnd.partner.retrieveDealDetails('sum-1'));
    expect(amount).toBe('100.50');
    await end(/status of 401|ERR_FAILED/);
  });
});

describe('what the words say', () => {
  it('of a review, is the first day on which work counts as approved', async () => {
    const deal = await twoStages();
    await deliver(deal, deal.ids[0]);
    await resultOf(used.backEnd.partner.requestChanges(deal.partner_id, { reason: 'Shorter.' }));
    await deliver(deal, deal.ids[1]);
    await used.backEnd.sandbox?.advanceClock({ advance_seconds: 2 * 86_400 });
    await deliver(deal, deal.ids[0]);
    const { stages } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    const ends = stages.map(({ review_ends_at }) => new Date(review_ends_at ?? 0)).sort(earlier);
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    const days = ends.map((each) =>
      each.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' }),
    );
    expect(days[0]).not.toBe(days[1]);
    expect(await step(page)).toContain(` ${days[0]} `);
    await end(noSession);
  });

  it('of late work, promises to cancel only what can be cancelled', async () => {
    const deal = await twoStages();
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await page.clock.setFixedTime(Date.now() + 40 * 86_400_000);
    await openDeal(deal.partner_id);
    expect(await step(page)).toMatch(
      /^The work was due on .*\. Seven days after that you can cancel/,
    );
    await deliver(deal, deal.ids[0]);
    await resultOf(used.backEnd.partner.approve(deal.partner_id));
    const { billing } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    await resultOf(
      used.backEnd.operator.partner(tenant.partner).recordEmployerPayment(deal.partner_id, {
        payment_id: billing.employer_payments[0]?.id ?? '',
        ...{ status: 'paid', reference: 'in-2' },
      }),
    );
    await page.reload();
    await page.locator('#next').waitFor();
    expect(await step(page)).toMatch(/^The work was due on [^.]*\.$/);
    await end(noSession);
  });

  it('of a payment on its way, is not that it has to be paid', async () => {
    const deal = await delivered(used.backEnd);
    await resultOf(used.backEnd.partner.approve(deal.partner_id));
    const { billing } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    await resultOf(
      used.backEnd.operator.partner(tenant.partner).recordEmployerPayment(deal.partner_id, {
        payment_id: billing.employer_payments[0]?.id ?? '',
        ...{ status: 'processing', reference: 'in-3' },
      }),
    );
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    expect(await step(page)).not.toContain('to be paid');
    await end(noSession);
  });

  it('of the whole, is what a dispute has left of it', async () => {
    const deal = await delivered(used.backEnd);
    await resultOf(deal.freelancer.dispute({ reason: 'No answer.' }));
    await resultOf(
      used.backEnd.operator
        .partner(tenant.partner)
        .resolve(deal.partner_id, { agreed_amount: '200.00', reason: 'Half of it.' }),
    );
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    expect(await page.locator('.sum').innerText()).toMatch(/PLN\s200\.00/);
    expect(await step(page)).toMatch(/^PLN\s200\.00 is to be paid by you/);
    await end(noSession);
  });

  it('of an offer without a link, speaks of none', async () => {
    await resultOf(used.backEnd.partner.registerContractor(contractor));
    await resultOf(used.backEnd.partner.createDeal({ ...dealV1, partner_id: 'old-1' }));
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal('old-1');
    expect(await step(page)).toBe('Tell the freelancer of the offer, and mark it as sent.');
    await end(noSession);
  });

  it('of an agreement, is what it pays out from now on', async () => {
    const deal = await twoStages();
    await deliver(deal, deal.ids[0]);
    await resultOf(used.backEnd.partner.approve(deal.partner_id));
    const { billing } = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    const payment_id = billing.employer_payments[0]?.id ?? '';
    const operator = used.backEnd.operator.partner(tenant.partner);
    const report = { payment_id, status: 'paid', reference: 'in-1' } as const;
    await resultOf(operator.recordEmployerPayment(deal.partner_id, report));
    const paid = await resultOf(used.backEnd.partner.retrieveDealDetails(deal.partner_id));
    await resultOf(
      operator.recordContractorPayment(deal.partner_id, {
        payment_id: paid.billing.contractor_payments[0]?.id ?? '',
        ...{ status: 'paid', reference: 'out-1' },
      }),
    );
    await resultOf(
      deal.freelancer.propose({ kind: 'settlement', changes: { agreed_amount: '50.00' } }),
    );
    const { page, signIn, openDeal, end } = await used.open();
    await signIn();
    await openDeal(deal.partner_id);
    expect(await page.locator('.changes').innerText()).toMatch(/500\.00[\s\S]*350\.00/);
    await press(page, 'Accept the proposal');
    expect(await page.getByRole('dialog').innerText()).toMatch(/Amount\s+PLN\s50\.00/);
    await page.keyboard.press('Escape');
    await give(page, 'Accept the proposal');
    await end(noSession);
  });
});

const earlier = (a: Date, b: Date) => a.getTime() - b.getTime();
